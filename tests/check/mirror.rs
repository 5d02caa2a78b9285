//! The same fight told from both ends.

use super::{Bench, skirmish};
use crate::synthetic::{fight_of, mix, record};
use skirmish::cli::check::Plan;
use skirmish::cli::check::mirror::{Trial, are_alike, examine_pair};
use skirmish::engine::paired::Contender;
use skirmish::engine::{Ending, Play, Record};
use skirmish::fight::Fight;
use skirmish::output::findings::Verdict;
use skirmish::scenario::mirror::Mirror;
use skirmish::scenario::{Document, Scenario};
use skirmish::stats::Confidence;
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::atomic::AtomicBool;

/// Plays encounters whose winner is what a rule makes of the encounter's luck.
struct Rule<'a, R>(&'a Fight, R);

impl<R: Fn(&Fight, u64) -> u8 + Sync> Play for Rule<'_, R> {
    type State = ();

    fn state(&self) {}

    fn play(&self, (): &mut (), encounter: u64, into: &mut Record) {
        *into = record(self.0, encounter);
        into.ending = Ending::Win((self.1)(self.0, mix(encounter)));
    }
}

/// A duel told from both ends, played by a rule.
fn trial(rule: impl Fn(&Fight, u64) -> u8 + Sync + Copy) -> Trial {
    let written = fight_of(&["red", "blue"], &[("ann", 0), ("bob", 1)]);
    let mirrored = fight_of(&["blue", "red"], &[("bob", 0), ("ann", 1)]);
    let both = [&written, &mirrored].map(|fight| Contender {
        player: Rule(fight, rule),
        fight,
    });
    let counts = [2000, 64_000].map(|count| NonZeroU64::new(count).unwrap());
    let plan = Plan::new(
        counts,
        1,
        NonZeroUsize::new(2).unwrap(),
        Confidence::DEFAULT,
    );
    examine_pair(&both, 0.02, &plan, &AtomicBool::new(false)).unwrap()
}

fn verdicts(trial: &Trial) -> Vec<Verdict> {
    trial.findings.iter().map(|one| one.verdict).collect()
}

fn side(fight: &Fight, name: &str) -> u8 {
    fight.sides.iter().position(|side| side == name).unwrap() as u8
}

use Verdict::{Failed, Passed};

#[test]
fn an_engine_that_favours_who_is_listed_first_is_biased() {
    let trial = trial(|_, luck| u8::from(luck % 100 >= 55));
    assert_eq!(verdicts(&trial)[..2], [Failed, Failed]);
    let red = &trial.findings[0];
    assert!((red.found.unwrap().value - 0.1).abs() < 0.05, "{red:?}");
    assert!(
        red.details
            .iter()
            .any(|line| line.starts_with("the engine is biased:"))
    );
}

#[test]
fn a_fair_engine_passes_with_no_encounter_apart() {
    let trial = trial(|fight, luck| side(fight, ["red", "blue"][(luck % 2) as usize]));
    assert_eq!(verdicts(&trial), [Passed; 3]);
    assert!(trial.findings[0].found.unwrap().value.abs() < 1e-12);
    assert!(trial.findings[0].details.is_empty());
}

#[test]
fn names_that_have_luck_are_no_bias_of_the_telling() {
    let trial = trial(|fight, luck| side(fight, if luck % 100 < 55 { "red" } else { "blue" }));
    assert_eq!(verdicts(&trial), [Passed, Passed, Failed]);
    let against = &trial.findings[2];
    assert!(against.details[0].contains("not even"), "{against:?}");
}

#[test]
fn a_bias_below_the_tolerance_passes_and_is_told() {
    let trial = trial(|fight, luck| {
        if luck % 500 == 0 {
            0
        } else {
            side(fight, ["red", "blue"][(luck / 1000 % 2) as usize])
        }
    });
    assert_eq!(verdicts(&trial)[0], Passed);
    let details = trial.findings[0].details.join("\n");
    assert!(details.contains("by less than the tolerance"), "{details}");
}

#[test]
fn the_shipped_mirror_match_is_a_mirror_match_and_fair() {
    let outcome = skirmish(&[
        "check",
        "--mirror",
        "scenarios/mirror.toml",
        "-q",
        "-n",
        "4k",
        "--max-encounters",
        "64k",
        "--tolerance",
        "4%",
    ]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    assert!(outcome.out.ends_with("12 passed\n"), "{}", outcome.out);
    let even = "win_rate of red less that of blue, fixed initiative";
    assert!(outcome.out.contains(even), "{}", outcome.out);
}

#[test]
fn a_lopsided_scenario_is_no_bias() {
    let outcome = Bench::new("").check("--mirror --tolerance 2%");
    assert_eq!(outcome.code, 0, "{}", outcome.out);
    assert!(outcome.out.ends_with("4 passed\n"), "{}", outcome.out);
    assert!(!outcome.out.contains("less that of"), "{}", outcome.out);
}

#[test]
fn a_tolerance_too_small_for_the_encounters_is_undecided() {
    let outcome = Bench::new("").check("--mirror --tolerance 0.01%");
    assert_eq!(outcome.code, 1, "{}", outcome.out);
    assert!(outcome.out.contains("undecided"));
    let allowed = Bench::new("").check("--mirror --tolerance 0.01% --allow-undecided");
    assert_eq!(allowed.code, 0);
}

#[test]
fn a_mirror_image_is_the_fight_from_the_other_end() {
    let text = include_str!("../../scenarios/party.toml");
    let document = Document::parse("party.toml", text, &[]).unwrap();
    let loaded = Scenario::parse("party.toml", text, &[]).unwrap();
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
    // Who stands before whom within a side stays so.
    let names = |fight: &Fight, side: &str| {
        let side = fight.sides.iter().position(|name| name == side).unwrap();
        let of_side = fight.combatants.iter().filter(|one| one.side == side);
        of_side.map(|one| one.name.clone()).collect::<Vec<_>>()
    };
    for side in ["party", "warband"] {
        assert_eq!(names(&written.fight, side), names(&image.fight, side));
    }
    // The image of the image is the fight.
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
    let with = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
        let loaded = Scenario::parse("mirror.toml", text, &sets).unwrap();
        are_alike(&loaded.scenario.variants[0].fight)
    };
    assert!(with(&[]));
    assert!(!with(&["combatants.\"red archer\".health=31"]));
    assert!(!with(&["combatants.\"red archer\".position=11"]));
    assert!(!with(&["encounter.arena=[-1, 60]"]));
    assert!(!with(&["combatants.\"red archer\".policy=[\"attack\"]"]));
    assert!(!with(&["combatants.\"red archer\".side=\"green\""]));
}
