//! `check --mirror`: a fight compared with its mirror image.

use super::{check, duel_with};
use crate::support::fights::{loaded, variant_with};
use crate::support::skirmish;
use crate::synthetic::{PlayBy, fight_of, mix, record};
use skirmish::cli::Exit;
use skirmish::fight::Ending;
use skirmish::fight::Fight;
use skirmish::output::findings::Verdict;
use skirmish::run::Play;
use skirmish::run::paired::Contender;
use skirmish::scenario::Document;
use skirmish::scenario::mirror::Mirror;
use skirmish::sim::Record;
use skirmish::stats::Confidence;
use skirmish::task::check::Schedule;
use skirmish::task::check::mirror::{Tolerance, Trial, are_alike, examine_pair, together};
use skirmish::task::{Context, Files};
use std::num::{NonZeroU64, NonZeroUsize};

/// An encounter of a made-up engine.
struct FakeEncounter<'a> {
    fight: &'a Fight,
    /// A hash of seed and encounter, independent of how the fight is written.
    luck: u64,
    /// The name of the winning side.
    winner: &'a str,
    rounds: u32,
    /// Rounds in which the winner acts first.
    rounds_led: u32,
    /// Health left to the winner.
    health: u32,
}

impl FakeEncounter<'_> {
    /// Returns the side that is listed first.
    fn first(&self) -> &str {
        &self.fight.sides[0]
    }

    /// Returns whether a rare event happens; it does in `of_10_000` of 10,000 encounters.
    fn rarely(&self, of_10_000: u64) -> bool {
        mix(self.luck ^ 1) % 10_000 < of_10_000
    }
}

/// Plays encounters that a rule changes.
fn ruled<'a>(
    fight: &'a Fight,
    seed: u64,
    rule: impl Fn(&mut FakeEncounter<'a>) + Sync,
) -> impl Play {
    PlayBy(move |number, into: &mut Record| {
        let luck = mix(mix(seed) ^ number);
        let rounds = 2 + (luck >> 8) % 6;
        let mut encounter = FakeEncounter {
            fight,
            luck,
            winner: ["red", "blue"][(luck % 2) as usize],
            rounds: rounds as u32,
            rounds_led: ((luck >> 16) % (rounds + 1)) as u32,
            health: 1 + ((luck >> 32) % 30) as u32,
        };
        let named = |name: &str| fight.sides.iter().position(|side| side == name).unwrap();
        encounter.winner = &fight.sides[named(encounter.winner)];
        rule(&mut encounter);
        *into = record(fight, number);
        let winner = named(encounter.winner);
        into.ending = Ending::Win(winner as u8);
        into.rounds = encounter.rounds;
        into.led_round = encounter.rounds;
        for (one, counts) in fight.combatants.iter().zip(&mut into.combatants) {
            let wins = one.side == winner;
            counts.health = if wins { encounter.health as i32 } else { 0 };
            counts.fell_round = if wins { 0 } else { encounter.rounds };
            counts.rounds_led = if wins {
                encounter.rounds_led
            } else {
                encounter.rounds - encounter.rounds_led
            };
        }
    })
}

/// Examines a duel and its mirror image, both played by `rule` with `seed`, at looks from `counts[0]` to `counts[1]`
/// encounters.
fn trial_of<'a>(
    [written, mirrored]: &'a [Fight; 2],
    seed: u64,
    counts: [u64; 2],
    rule: impl Fn(&mut FakeEncounter<'a>) + Sync + Copy,
) -> Trial {
    let both = [written, mirrored].map(|fight| Contender {
        player: ruled(fight, seed, rule),
        fight,
    });
    let schedule = Schedule::new(
        counts.map(|count| NonZeroU64::new(count).unwrap()),
        1,
        Confidence::DEFAULT,
        &Context {
            threads: NonZeroUsize::new(2).unwrap(),
            ..Context::new(&Files)
        },
    );
    let each = together(schedule.each(), [written]);
    examine_pair(&both, Tolerance::DEFAULT, &schedule, each).unwrap()
}

fn both_ways() -> [Fight; 2] {
    let watched = |fight| Fight {
        acted_first: true,
        ..fight
    };
    [
        watched(fight_of(&["red", "blue"], &[("ann", 0), ("bob", 1)])),
        watched(fight_of(&["blue", "red"], &[("bob", 0), ("ann", 1)])),
    ]
}

fn trial(rule: impl Fn(&mut FakeEncounter<'_>) + Sync + Copy) -> Trial {
    trial_of(&both_ways(), 0, [2000, 200_000], rule)
}

/// Returns the verdicts on a metric, one for each subject.
fn verdicts(trial: &Trial, metric: &str) -> Vec<Verdict> {
    let of_metric = |what: &str| what.starts_with(metric) && what.contains("mirrored");
    let findings = trial.findings.iter().map(|one| &one.finding);
    let found = findings.filter(|one| of_metric(&one.what));
    found.map(|one| one.verdict).collect()
}

fn details(trial: &Trial, index: usize) -> String {
    trial.findings[index].finding.details.join("\n")
}

/// Returns the verdict on the two sides against each other.
fn even(trial: &Trial) -> Verdict {
    let last = trial.findings.last().unwrap();
    assert!(last.question.is_none());
    last.finding.verdict
}

fn fails(trial: &Trial) -> bool {
    let mut findings = trial.findings.iter();
    findings.any(|one| one.finding.verdict == Failed)
}

use Verdict::{Failed, Passed};

#[test]
fn an_engine_that_favours_who_is_listed_first_is_biased() {
    let trial = trial(|encounter| {
        if encounter.rarely(1000) {
            encounter.winner = &encounter.fight.sides[0];
        }
    });
    assert_eq!(verdicts(&trial, "win_rate"), [Failed, Failed]);
    let red = &trial.findings[0].finding;
    assert!((red.found.unwrap().value - 0.1).abs() < 0.03, "{red:?}");
    assert!(details(&trial, 0).contains("the engine is biased:"));
}

#[test]
fn a_fair_engine_passes_with_no_encounter_apart() {
    let trial = trial(|_| {});
    for metric in ["win_rate", "health_left", "rounds", "acted_first"] {
        let verdicts = verdicts(&trial, metric);
        assert!(verdicts.iter().all(|&one| one == Passed), "{trial:#?}");
        assert_eq!(verdicts.len(), if metric == "rounds" { 1 } else { 2 });
    }
    assert_eq!(even(&trial), Passed);
    assert!(trial.findings[0].finding.found.unwrap().value.abs() < 1e-12);
    assert_eq!(details(&trial, 0), "");
}

#[test]
fn names_that_have_luck_are_no_bias_of_the_telling() {
    let trial = trial(|encounter| {
        if encounter.rarely(1000) {
            encounter.winner = encounter
                .fight
                .sides
                .iter()
                .find(|name| *name == "red")
                .unwrap();
        }
    });
    assert_eq!(verdicts(&trial, "win_rate"), [Passed, Passed]);
    assert_eq!(even(&trial), Failed);
    let last = trial.findings.len() - 1;
    assert!(details(&trial, last).contains("not even"));
}

#[test]
fn a_bias_below_the_tolerance_passes_and_is_told() {
    let trial = trial(|encounter| {
        if encounter.rarely(5) {
            encounter.winner = &encounter.fight.sides[0];
        }
    });
    assert_eq!(verdicts(&trial, "win_rate")[0], Passed, "{trial:#?}");
    let details = details(&trial, 0);
    assert!(details.contains("by less than the tolerance"), "{details}");
}

#[test]
fn a_bias_that_shows_in_no_win_is_found_in_what_comes_before() {
    let first_is_hale = trial(|encounter| {
        if encounter.rarely(800) && encounter.first() == encounter.winner {
            encounter.health += 5;
        }
    });
    assert_eq!(verdicts(&first_is_hale, "win_rate"), [Passed, Passed]);
    assert_eq!(verdicts(&first_is_hale, "health_left"), [Failed, Failed]);
    let first_acts_first = trial(|encounter| {
        if encounter.rarely(800) {
            encounter.rounds_led = if encounter.first() == encounter.winner {
                encounter.rounds
            } else {
                0
            };
        }
    });
    assert_eq!(verdicts(&first_acts_first, "win_rate"), [Passed, Passed]);
    assert_eq!(verdicts(&first_acts_first, "acted_first"), [Failed, Failed]);
    let red_first_is_slow = trial(|encounter| {
        if encounter.rarely(800) && encounter.first() == "red" {
            encounter.rounds += 1;
        }
    });
    assert_eq!(verdicts(&red_first_is_slow, "rounds"), [Failed]);
}

/// Power: with nearly every seed the check finds that a side wins a little more often because it is listed first, long
/// before it reaches the encounter limit.
#[test]
fn a_planted_bias_is_found_with_nearly_every_seed() {
    let fights = both_ways();
    for (bias, most, seeds) in [(100, 20_000, 20), (20, 150_000, 6)] {
        let found = (0..seeds).filter(|&seed| {
            let trial = trial_of(&fights, seed, [10_000, most], |encounter| {
                if encounter.rarely(bias) {
                    encounter.winner = &encounter.fight.sides[0];
                }
            });
            verdicts(&trial, "win_rate") == [Failed; 2]
        });
        let found = found.count() as u64;
        assert!(
            found >= seeds - 1,
            "{bias} of 10,000: {found} of {seeds} seeds"
        );
    }
}

/// False alarms: the engine plays half of all encounters differently when the fight is mirrored, but favours neither
/// side. At 95% at most 5% of the checks fail in any metric; 300 checks may show 8.8% at most by chance (3 standard
/// errors).
#[test]
fn an_engine_that_favours_nobody_is_rarely_called_biased() {
    let fights = both_ways();
    let alarms = (0..300).filter(|&seed| {
        let trial = trial_of(&fights, seed, [400, 900], |encounter| {
            // Depends on the place in the file, but favours neither place.
            let other = mix(encounter.luck ^ u64::from(encounter.first() == "red") << 1);
            if other.is_multiple_of(2) {
                encounter.winner = &encounter.fight.sides[(other >> 1) as usize % 2];
                encounter.health = 1 + ((other >> 8) % 30) as u32;
                encounter.rounds_led = ((other >> 16) % u64::from(encounter.rounds + 1)) as u32;
            }
        });
        fails(&trial)
    });
    let alarms = alarms.count();
    assert!(alarms <= 26, "{alarms} of 300");
}

/// If no encounter differs, the first look at few encounters is enough to pass; a mirror match needs some tens of
/// thousands, not hundreds.
#[test]
fn equal_encounters_are_decided_at_the_first_looks() {
    let fights = both_ways();
    for seed in 0..3 {
        let trial = trial_of(&fights, seed, [10_000, 100_000], |_| {});
        let all = trial.findings.iter().map(|one| one.finding.verdict);
        assert!(all.eq([Passed; 8]), "{trial:#?}");
    }
}

#[test]
fn an_undecided_answer_says_how_many_encounters_would_do() {
    let fights = both_ways();
    let told = |seed| {
        let trial = trial_of(&fights, seed, [10_000, 10_000], |_| {});
        let last = trial.findings.len() - 1;
        assert_eq!(even(&trial), Verdict::Undecided);
        details(&trial, last).contains("encounters would decide")
    };
    assert!((0..3).any(told));
}

#[test]
fn the_shipped_mirror_match_is_a_mirror_match_and_fair() {
    let outcome = skirmish(&[
        "check",
        "--mirror",
        "scenarios/mirror.toml",
        "-q",
        "-n",
        "2k",
        "--max-encounters",
        "64k",
        "--tolerance",
        "8%",
    ]);
    assert_eq!(outcome.exit, Exit::Done, "{}{}", outcome.out, outcome.err);
    assert!(outcome.out.ends_with("32 passed\n"), "{}", outcome.out);
    let even = "win_rate of red less that of blue, fixed initiative";
    assert!(outcome.out.contains(even), "{}", outcome.out);
}

#[test]
fn a_lopsided_scenario_is_no_bias() {
    let outcome = check(&duel_with(""), "--mirror --tolerance 2%");
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.out);
    assert!(outcome.out.ends_with("14 passed\n"), "{}", outcome.out);
    assert!(!outcome.out.contains("less that of"), "{}", outcome.out);
}

#[test]
fn a_tolerance_too_small_for_the_encounters_is_undecided() {
    let outcome = check(&duel_with(""), "--mirror --tolerance 0.01%");
    assert_eq!(outcome.exit, Exit::ExpectationFailed, "{}", outcome.out);
    assert!(outcome.out.contains("undecided"));
    let allowed = check(
        &duel_with(""),
        "--mirror --tolerance 0.01% --allow-undecided",
    );
    assert_eq!(allowed.exit, Exit::Done);
}

#[test]
fn a_mirror_image_is_the_fight_from_the_other_end() {
    let text = include_str!("../../scenarios/party.toml");
    let document = Document::parse("party.toml", text, &[]).unwrap();
    let loaded = loaded(text, &[]);
    let written = &loaded.scenario.variants[1];
    let image = document.mirrored(&written.name, Mirror::WHOLE).unwrap();
    assert_eq!(image.rules, written.rules);
    assert_eq!(image.fight.sides, ["warband", "party"]);
    let arena = written.fight.arena.unwrap();
    for one in &written.fight.combatants {
        let other = image
            .fight
            .combatants
            .iter()
            .find(|other| other.name == one.name)
            .unwrap();
        assert_eq!(one.position + other.position, arena.min + arena.max);
        assert_eq!(written.fight.sides[one.side], image.fight.sides[other.side]);
        assert_eq!(one.policy.text, other.policy.text);
    }
    // The order of combatants within a side stays the same.
    let names = |fight: &Fight, side: &str| {
        let side = fight.sides.iter().position(|name| name == side).unwrap();
        let of_side = fight.combatants.iter().filter(|one| one.side == side);
        of_side.map(|one| one.name.clone()).collect::<Vec<_>>()
    };
    for side in ["party", "warband"] {
        assert_eq!(names(&written.fight, side), names(&image.fight, side));
    }
    // The mirror image of the mirror image is the fight itself.
    let places = Mirror {
        order: false,
        ..Mirror::WHOLE
    };
    let reflected = document.mirrored("base", places).unwrap();
    assert_eq!(reflected.fight.sides, ["party", "warband"]);
    assert!(document.mirrored("nobody", Mirror::WHOLE).is_err());
}

#[test]
fn sides_are_alike_in_all_but_names_or_not_alike() {
    let text = include_str!("../../scenarios/mirror.toml");
    let with = |sets: &[&str]| are_alike(&variant_with(text, sets).fight);
    assert!(with(&[]));
    assert!(!with(&["combatants.\"red archer\".health=31"]));
    assert!(!with(&["combatants.\"red archer\".position=11"]));
    assert!(!with(&["encounter.arena=[-1, 60]"]));
    assert!(!with(&["combatants.\"red archer\".policy=[\"attack\"]"]));
    assert!(!with(&["combatants.\"red archer\".side=\"green\""]));
}
