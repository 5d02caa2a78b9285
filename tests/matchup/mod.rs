//! `skirmish matchup`: results, their intervals, and refused builds.

use crate::support::fights::{budget, document, input, load, loaded, read};
use crate::support::{TestDir, unwrapped};
use crate::sweep::{DUEL, ONE_ROUND, cell};
use crate::tune::Stopping;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skirmish::exact::MAX_STATES;
use skirmish::output::matchup::{MatchupReport, Score};
use skirmish::run::Ended;
use skirmish::scenario::{Build, Pairings, Scenario};
use skirmish::stats::intervals::of_score;
use skirmish::stats::{Confidence, Precision};
use skirmish::task::{
    Answer, Context, Decided, Exit, Files, NarrowEnough, Question, Task, Until, usual_metrics,
};
use std::fs;
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::atomic::Ordering;

/// Three builds that beat each other in a circle.
pub(crate) const THREE: &str = include_str!("three.toml");

fn pairings(text: &str) -> Pairings {
    let document = document(text);
    document.pairings("base").unwrap()
}

/// Returns the errors of a scenario, as rendered.
fn errors_of(text: &str) -> String {
    let errors = read(text, &[]).err().unwrap();
    errors.render(false, 100)
}

fn meet(text: &str, until: Until, threads: usize) -> MatchupReport {
    let question = Question::Matchup {
        variant: "base".to_owned(),
    };
    let task = Task {
        until,
        ..Task::new(question, NonZeroU64::MIN)
    };
    let prepared = task.prepare(vec![input(text)]).ok().unwrap();
    let context = Context {
        threads: NonZeroUsize::new(threads).unwrap(),
        ..Context::new(&Files)
    };
    let played = prepared.play(&context).ok().unwrap();
    match prepared.results(played).answer {
        Answer::Matchup(report) => report,
        _ => panic!("the answer to another question"),
    }
}

fn exact() -> Until {
    Until::Exact(budget(MAX_STATES))
}

fn encounters(count: u64) -> Until {
    Until::Encounters(NonZeroU64::new(count).unwrap())
}

fn shares(report: &MatchupReport) -> Vec<f64> {
    report.sides[0].builds.iter().map(|one| one.share).collect()
}

#[test]
fn solved_scores_give_the_mix_of_the_known_formula() {
    let report = meet(THREE, exact(), 2);
    let over = |row: usize, column: usize| report.scores[row][column].mean.unwrap() - 0.5;
    // In a circle of three, the share of each build is proportional to the difference between the two others.
    let weights = [over(2, 1), over(0, 2), over(1, 0)];
    assert!(
        weights.iter().all(|over| *over > 0.0),
        "a circle: {weights:?}"
    );
    let sum: f64 = weights.iter().sum();
    for (share, weight) in shares(&report).iter().zip(weights) {
        assert!((share - weight / sum).abs() < 1e-9);
    }
    let rows = &report.sides[0];
    assert!(
        rows.exploitable < 1e-6,
        "no error at all: {}",
        rows.exploitable
    );
    assert_eq!(report.cycles, [vec![0, 2, 1]]);
    assert!(rows.builds.iter().all(|one| one.dominated.is_none()));
    assert_eq!(report.ended, Ended::Enough);
}

#[test]
fn played_scores_hold_the_solved_ones_and_know_as_much_as_they_say() {
    let solved = meet(THREE, exact(), 2);
    let played = meet(THREE, encounters(4_000), 2);
    for (solved, played) in solved
        .scores
        .iter()
        .flatten()
        .zip(played.scores.iter().flatten())
    {
        let (mean, within) = (solved.mean.unwrap(), played.interval);
        assert!(
            within.low <= mean && mean <= within.high,
            "{mean} is not in {within:?}"
        );
    }
    let side = &played.sides[0];
    let taken = |column: usize| -> f64 {
        let scores = solved.scores.iter().zip(&side.builds);
        scores
            .map(|(row, one)| one.share * row[column].mean.unwrap())
            .sum()
    };
    let worst = (0..3).map(taken).fold(1.0, f64::min);
    assert!(
        0.5 - worst <= side.exploitable,
        "{} is more than {}",
        0.5 - worst,
        side.exploitable
    );
}

#[test]
fn threads_change_nothing() {
    let rules = [
        encounters(700),
        Until::Precision(NarrowEnough {
            precision: "5%".parse::<Precision>().unwrap(),
            metrics: usual_metrics(),
            most: NonZeroU64::new(20_000).unwrap(),
        }),
        Until::Decided(Decided {
            indifference: "4%".parse::<Precision>().unwrap(),
            most: NonZeroU64::new(20_000).unwrap(),
        }),
    ];
    for until in rules {
        let [one, three] = [1, 3].map(|threads| meet(THREE, until.clone(), threads));
        assert_eq!(one.scores, three.scores);
    }
}

/// Samples the scores of a build that wins each of `played` encounters with probability `chance`.
fn sampled(chance: f64, played: u64, random: &mut Xoshiro256PlusPlus) -> [u64; 3] {
    let won = (0..played)
        .filter(|_| (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64 <= chance)
        .count() as u64;
    [played - won, 0, won]
}

/// The true scores of builds, by row and column.
type Truth = Vec<Vec<f64>>;

/// Returns in how many repeats the value and the exploitability of the mix lie within their bounds, and in how many all
/// scores do.
fn coverage(truth: &Truth, is_one_list: bool, value: f64, repeats: u64) -> [u64; 2] {
    let (rows, columns) = (truth.len(), truth[0].len());
    let list = |count: usize| -> Vec<Build> {
        let build = |at| Build {
            name: format!("{at}"),
            points: None,
            changes: Vec::new(),
        };
        (0..count).map(build).collect()
    };
    let pairs = if is_one_list {
        rows * (rows - 1) / 2
    } else {
        rows * columns
    };
    let each = Confidence::of_error(Confidence::DEFAULT.error() / pairs as f64).unwrap();
    let mut held = [0, 0];
    for repeat in 0..repeats {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(repeat);
        let mut scores = vec![vec![Score::even(); columns]; rows];
        for row in 0..rows {
            for column in 0..columns {
                if is_one_list && column <= row {
                    continue;
                }
                let counts = sampled(truth[row][column], 400, &mut random);
                let score = Score {
                    mean: Some(counts[2] as f64 / 400.0),
                    interval: of_score(counts, each).unwrap(),
                    encounters: 400,
                    ..Score::even()
                };
                if is_one_list {
                    scores[column][row] = score.turned();
                }
                scores[row][column] = score;
            }
        }
        let lists = [(String::new(), list(rows)), (String::new(), list(columns))];
        let rule = Until::Encounters(NonZeroU64::MIN);
        let how = (Ended::Enough, rule, Confidence::DEFAULT);
        let report = MatchupReport::new(lists, is_one_list, scores, how);
        let mix = shares(&report);
        let against = |column: usize| -> f64 {
            mix.iter()
                .zip(truth)
                .map(|(share, row)| share * row[column])
                .sum()
        };
        let worst = (0..columns).map(against).fold(1.0, f64::min);
        let is_value = report.value.low <= value && value <= report.value.high;
        held[0] += u64::from(is_value && value - worst <= report.sides[0].exploitable);
        let mut all = report.scores.iter().flatten().zip(truth.iter().flatten());
        held[1] +=
            u64::from(all.all(|(score, truth)| {
                score.interval.low <= *truth && *truth <= score.interval.high
            }));
    }
    held
}

/// At least 95% of 1,000 repeats: the bounds are derived from all scores, so they hold at least as often as all scores
/// together.
#[test]
fn exploitability_is_covered_in_95_of_100_repeats() {
    let fair = |over: &[&[f64]]| -> Truth {
        let row = |row: &&[f64]| row.iter().map(|over| 0.5 + over).collect();
        over.iter().map(row).collect()
    };
    let circle = fair(&[&[0.0, -0.1, 0.3], &[0.1, 0.0, -0.2], &[-0.3, 0.2, 0.0]]);
    // Four builds in a circle; opposite builds are even.
    let four = fair(&[
        &[0.0, 0.2, 0.0, -0.2],
        &[-0.2, 0.0, 0.2, 0.0],
        &[0.0, -0.2, 0.0, 0.2],
        &[0.2, 0.0, -0.2, 0.0],
    ]);
    let sided: Truth = vec![vec![0.8, 0.9, 0.1], vec![0.2, 0.6, 0.6]];
    let cases = [
        ("three in a circle", circle, true, 0.5),
        ("four in a circle", four, true, 0.5),
        ("two against three", sided, false, 0.46 / 1.1),
    ];
    for (name, truth, is_one_list, value) in cases {
        let [exploitable, scores] = coverage(&truth, is_one_list, value, 1_000);
        println!("bounds of a mix, {name}: held in {exploitable} of 1,000, all scores in {scores}");
        assert!(
            exploitable >= 950 && scores >= 950,
            "{name}: {exploitable}, {scores}"
        );
        assert!(exploitable >= scores, "{name}");
    }
}

#[test]
fn only_what_matters_is_played_on() {
    let until = Until::Decided(Decided {
        indifference: "1%".parse::<Precision>().unwrap(),
        most: NonZeroU64::new(400_000).unwrap(),
    });
    // A straw build loses to all: its scores are certain at once, and it is no answer to the mix.
    let straw = "\n[[builds]]\nname = \"straw\"\nset = { health = 1, evade = 10 }\n";
    let report = meet(&format!("{THREE}{straw}"), until, 2);
    assert_eq!(report.ended, Ended::Enough);
    let counts: Vec<u64> = report.scores[3][..3]
        .iter()
        .map(|one| one.encounters)
        .collect();
    assert_eq!(counts, [2_000; 3], "two ends of the first look");
    let circle = report.scores[0][1]
        .encounters
        .min(report.scores[1][2].encounters);
    assert!(circle > 10_000, "{circle}");
    assert!(report.sides[0].exploitable <= 0.01);
    let straw = report.sides[0].builds[3].dominated.as_ref().unwrap();
    assert!(straw.is_certain);
}

#[test]
fn one_list_plays_against_another() {
    let text = DUEL.replace("[[variants]]", "[[builds]]\nname = \"tall\"\nside = \"castle\"\nset = { health = 24 }\n\n[[builds]]\nname = \"plain\"\nside = \"castle\"\nset = { health = 20 }\n\n[[builds]]\nname = \"strong\"\nside = \"coast\"\nset = { armor = 2 }\n\n[[variants]]");
    let report = meet(&text, encounters(2_000), 2);
    assert!(!report.is_one_list);
    let names = report.sides.each_ref().map(|side| side.name.clone());
    assert_eq!(names, ["castle", "coast"]);
    assert_eq!((report.scores.len(), report.scores[0].len()), (2, 1));
    assert_eq!(shares(&report), [1.0, 0.0]);
    assert!(report.sides[0].builds[1].dominated.is_some());
    assert_eq!(report.scores[0][0].encounters, 2_000);
    // The score of the tall build is what its best answer allows.
    let score = &report.scores[0][0];
    assert!(report.value.low <= score.mean.unwrap() && score.mean.unwrap() <= report.value.high);
}

#[test]
fn a_build_is_the_fight_that_was_written_by_hand() {
    let all = pairings(THREE);
    let hand = THREE
        .replace("name = \"red\"", "name = \"red\"\narmor = 4")
        .replace("evade = 17 # red", "evade = 15")
        .replace("health = 10 # red", "health = 14")
        .replace("weapons = [\"hammer\"] # red", "weapons = [\"spear\"]")
        .replace("evade = 17 # blue", "evade = 19")
        .replace("health = 10 # blue", "health = 14")
        .replace("weapons = [\"hammer\"] # blue", "weapons = [\"knives\"]");
    let hand = load(&hand);
    let fight = all.fights[2][1].as_ref().unwrap();
    assert_eq!(fight.name, "shield against knives");
    assert_eq!(fight.fight, hand.variants[0].fight);
}

#[test]
fn parameters_of_a_build_are_its_own() {
    let text = format!(
        "{}\n[parameters]\nlow = 3\n",
        THREE
            .replace(
                "fight = [\"attack\",",
                "fight = [\"pass if health <= $low\", \"attack\","
            )
            .replace(
                "set = { weapons = [\"knives\"]",
                "set = { \"parameters.low\" = 7, weapons = [\"knives\"]"
            )
    );
    let all = pairings(&text);
    let conditions = |text: &str, row: usize, column: usize| {
        let all = pairings(text);
        let fight = &all.fights[row][column].as_ref().unwrap().fight;
        let first = |at: usize| fight.combatants[at].policy.decisions()[0].condition.clone();
        [first(0), first(1)]
    };
    assert_eq!(
        all.builds[0][1].changes[0],
        ("parameters.low".to_owned(), "7".to_owned())
    );
    let hand = |low: &str| {
        THREE.replace(
            "[\"attack\",",
            &format!("[\"pass if health <= {low}\", \"attack\","),
        )
    };
    let [three, seven] = ["3", "7"].map(|low| conditions(&hand(low), 0, 1)[0].clone());
    assert_eq!(conditions(&text, 0, 1), [three.clone(), seven.clone()]);
    assert_eq!(conditions(&text, 1, 2), [seven, three]);
}

#[test]
fn builds_come_from_other_files() {
    let dir = TestDir::with_duel(&format!(
        "{THREE}\n[[builds]]\nname = \"guests\"\nfrom = {{ file = \"other/guests.toml\", side = \"coast\" }}\nset = {{ armor = 3 }}\n"
    ));
    let folder = dir.path("duel.toml").parent().unwrap().join("other");
    fs::create_dir(&folder).unwrap();
    let guests = DUEL.replace("policy = \"fight\"", "policy = \"guest\"");
    let guests = guests.replace("fight = [", "guest = [")
        + "\n[[combatants]]\nname = \"second\"\nside = \"coast\"\nposition = 3\nattributes = { agility = 9, intellect = 9 }\nmove = 10\nevade = 15\nhealth = 5\nweapons = [\"spear\"]\npolicy = \"guest\"\n";
    // Each of the two files has its own spear.
    fs::write(folder.join("guests.toml"), &guests).unwrap();
    let refused = dir.call_on_duel("matchup", &["-n", "50"]).errors();
    assert!(
        refused.contains("`weapons.spear` differs between the files"),
        "{refused}"
    );
    assert!(refused.contains("other/guests.toml"), "{refused}");
    fs::write(folder.join("guests.toml"), guests.replace("spear", "pike")).unwrap();
    dir.call_on_duel("matchup", &["-n", "50"]).printed();
    let loaded = Scenario::load(&dir.path("duel.toml"), &[]).unwrap();
    let all = loaded.document.pairings("base").unwrap();
    let fight = &all.fights[3][0].as_ref().unwrap().fight;
    let who = fight
        .combatants
        .iter()
        .map(|one| (one.name.as_str(), one.position, one.armor));
    let who: Vec<_> = who.collect();
    // They take the positions of the combatants they replace, and the build's keys apply to all of them.
    assert_eq!(who, [("raider", 0, 3), ("second", 0, 3), ("blue", 1, 0)]);
    assert_eq!(fight.sides, ["red", "blue"]);
}

/// A scenario that somebody sent must not read other files, which its errors would print.
#[test]
fn builds_come_from_no_file_outside_the_folder_of_the_scenario() {
    let dir = TestDir::empty();
    fs::create_dir_all(dir.path("here/below")).unwrap();
    dir.write("secret.toml", "my secret\n");
    dir.write("here/below/guests.toml", "my secret\n");
    #[cfg(unix)]
    for (link, target) in [
        ("out.toml", "../secret.toml"),
        ("up", ".."),
        ("in.toml", "below/guests.toml"),
    ] {
        std::os::unix::fs::symlink(target, dir.path("here").join(link)).unwrap();
    }
    let told = |file: &str| {
        let text = format!("{THREE}\n[[builds]]\nname = \"guests\"\nfrom = '{file}'\n");
        dir.write("here/duel.toml", &text);
        dir.call("matchup @/here/duel.toml -n 50").errors()
    };
    let absolute = dir.path("secret.toml");
    let mut outside = vec![
        absolute.to_str().unwrap(),
        "../secret.toml",
        "below/../../secret.toml",
        "../here/below/guests.toml",
    ];
    let mut inside = vec!["below/guests.toml", "./below/guests.toml"];
    if cfg!(unix) {
        outside.extend(["out.toml", "up/secret.toml"]);
        inside.push("in.toml");
    }
    for file in outside {
        let told = told(file);
        assert!(
            told.contains("outside the folder of this scenario"),
            "{file}: {told}"
        );
        assert!(!told.contains("my secret"), "{file}: {told}");
    }
    for file in inside {
        assert!(told(file).contains("my secret"), "{file}");
    }
}

#[test]
fn mistakes_in_builds_are_found_before_anything_is_played() {
    let with = |build: &str| errors_of(&format!("{THREE}\n[[builds]]\n{build}\n"));
    for (build, found) in [
        ("name = \"x\"\nset = { armour = 1 }", "no key `armour`"),
        ("name = \"x\"\nset = { armor = -1000000 }", "armor"),
        ("name = \"x\"\nset = { weapons = [\"sling\"] }", "sling"),
        (
            "name = \"x\"\nset = { policy = \"figt\" }",
            "did you mean \"fight\"?",
        ),
        (
            "name = \"x\"\nset = { position = 4 }",
            "plays on both sides",
        ),
        (
            "name = \"x\"\nset = { name = \"y\" }",
            "does not change `name`",
        ),
        (
            "name = \"x\"\nset = { side = \"y\" }",
            "does not change `side`",
        ),
        (
            "name = \"x\"\nset = { \"parameters.near\" = 4 }",
            "no parameter is called \"near\"",
        ),
        ("name = \"x\"\nset = {}", "changes nothing"),
        ("name = \"x\"\nset = 3", "expected a table"),
        ("name = \"x\"", "changes nothing"),
        ("set = { armor = 1 }", "name"),
        (
            "name = \"hammer\"\nset = { armor = 1 }",
            "two builds are called \"hammer\"",
        ),
        (
            "name = \"x\"\npoints = 0\nset = { armor = 1 }",
            "a number above 0",
        ),
        (
            "name = \"x\"\npoints = \"many\"\nset = { armor = 1 }",
            "a number above 0",
        ),
        (
            "name = \"x\"\nside = \"red\"\nset = { armor = 1 }",
            "has no `side`",
        ),
        (
            "name = \"x\"\nsides = \"red\"\nset = { armor = 1 }",
            "did you mean `side`?",
        ),
        ("name = \"x\"\nfrom = \"missing.toml\"", "cannot be read"),
        ("name = \"x\"\nfrom = 3", "file"),
        ("name = \"x\"\nfrom = { side = \"red\" }", "file"),
    ] {
        let told = with(build);
        assert!(told.contains(found), "{build}:\n{told}");
        assert!(
            told.contains("-->") || told.contains("duel.toml"),
            "{build}:\n{told}"
        );
    }
    let alone = THREE.split("[[builds]]").next().unwrap();
    let only = format!("{alone}[[builds]]\nname = \"x\"\nset = {{ armor = 1 }}\n");
    assert!(errors_of(&only).contains("a single build has no opponent"));
    let broken = format!("{only}[[builds]]\nname = \"y\"\nfrom = \"missing.toml\"\n");
    let told = errors_of(&broken);
    assert!(told.contains("cannot be read"), "{told}");
    assert!(!told.contains("single build"), "{told}");
    let sided = |side: &str| {
        format!("{alone}[[builds]]\nname = \"x\"\nside = \"{side}\"\nset = {{ armor = 1 }}\n")
    };
    assert!(errors_of(&sided("rde")).contains("did you mean \"red\"?"));
    let build = |at: u32| format!("[[builds]]\nname = \"{at}\"\nset = {{ armor = 1 }}\n");
    let many = (0..101).map(build).collect::<Vec<_>>().concat();
    assert!(errors_of(&format!("{alone}{many}")).contains("too many builds"));
}

#[test]
fn a_build_changes_no_gear_and_is_told_once() {
    let gear = "set = { \"weapons.hammer.damage\" = \"2d6\" }";
    let text = THREE.replacen(
        "set = { weapons = [\"hammer\"], armor = 0, health = 12 }",
        gear,
        1,
    );
    let dir = TestDir::with_duel(&text);
    let said = dir.call_on_duel("matchup", &["-n", "50"]).errors();
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    assert!(
        said.contains("a build changes its combatant, not"),
        "{said}"
    );
    assert!(said.contains("write another `[weapons.NAME]`"), "{said}");
}

#[test]
fn a_file_without_builds_says_how_they_are_written() {
    let dir = TestDir::with_duel(DUEL);
    let refused = dir.call_on_duel("matchup", &[]).errors();
    assert!(refused.contains("no builds"), "{refused}");
    assert!(refused.contains("[[builds]]"), "{refused}");
    let unknown = TestDir::with_duel(THREE)
        .call_on_duel("matchup", &["--variant", "slwo"])
        .errors();
    assert!(unknown.contains("did you mean \"slow\"?"), "{unknown}");
}

#[test]
fn gear_that_only_builds_use_is_not_unused() {
    let loaded = loaded(THREE, &[]);
    assert!(
        loaded.warnings.is_empty(),
        "{}",
        loaded.warnings.render(false, 100)
    );
}

#[test]
fn rows_say_all_that_the_table_says() {
    let dir = TestDir::with_duel(THREE);
    let out = dir.call_on_duel("matchup", &["-n", "1k"]).printed().clone();
    let all = dir.rows("results/duel/matchup.csv");
    let facts = |fact: &str| all.iter().filter(|row| cell(row, "fact") == fact).count();
    assert_eq!(
        (facts("score"), facts("share"), facts("exploitable")),
        (6, 3, 1)
    );
    assert_eq!(
        (facts("points"), facts("per_point"), facts("cycle")),
        (2, 2, 1)
    );
    let score = all
        .iter()
        .find(|row| cell(row, "build") == "shield" && cell(row, "opponent") == "knives");
    let value: f64 = cell(score.unwrap(), "value").parse().unwrap();
    assert!(out.contains(&format!("{:.0}", 100.0 * value)), "{out}");
    assert!(out.contains("hammer beats shield"), "{out}");
    assert!(out.contains("frontier"), "{out}");
}

#[test]
fn a_best_build_with_a_twin_is_not_the_only_choice() {
    let twins = ["one", "other"].map(|name| {
        format!(
            "[[builds]]\nname = \"{name}\"\nset = {{ weapons = [\"a\"], health = 3, evade = 9 }}\n"
        )
    });
    let weak = "[[builds]]\nname = \"weak\"\nset = { weapons = [\"a\"], health = 1, evade = 5 }\n";
    let dir = TestDir::with_duel(&format!("{ONE_ROUND}{}{weak}", twins.concat()));
    let out = dir.call_on_duel("matchup", &["--exact"]).printed().clone();
    assert!(out.contains("against any is one. No answer"), "{out}");
    assert!(out.contains("Other mixes are as good."), "{out}");
}

/// Returns a page or a printed text as words with single blanks between them.
#[test]
fn a_page_words_mixes_as_the_table_does() {
    let twin = |name: &str| {
        format!(
            "[[builds]]\nname = \"{name}\"\nset = {{ weapons = [\"a\"], health = 3, evade = 9 }}\n"
        )
    };
    let weak = "[[builds]]\nname = \"weak\"\nset = { weapons = [\"a\"], health = 1, evade = 5 }\n";
    let [one, twins] = [twin("one"), twin("one") + &twin("other")];
    for (text, options) in [
        (format!("{ONE_ROUND}{one}{weak}"), ["--exact", "--wide"]),
        (format!("{ONE_ROUND}{twins}{weak}"), ["-n", "500"]),
        (THREE.to_owned(), ["-n", "500"]),
        (THREE.to_owned(), ["--exact", "--wide"]),
    ] {
        let dir = TestDir::with_duel(&text);
        let page = dir.path("page.html");
        let mut options = options.to_vec();
        options.extend(["--report", page.to_str().unwrap()]);
        let printed = dir.call_on_duel("matchup", &options).printed().clone();
        // The mixes are the second paragraph of the table.
        let mixes = unwrapped(printed.split("\n\n").nth(1).unwrap());
        let page = unwrapped(&dir.read("page.html"));
        assert!(page.contains(&mixes), "{mixes}\n{page}");
    }
}

#[test]
fn an_interrupted_meeting_knows_all_pairs_alike() {
    let dir = TestDir::with_duel(THREE);
    // The six fights are played by turns, 16,384 encounters each. The third turn is interrupted.
    let meet = |left: i64| {
        let stopping = Stopping::after(left, &dir);
        let outcome = dir.call_on_duel_with(&stopping, "matchup", &["-n", "100k"]);
        assert_eq!(outcome.exit, Exit::Interrupted);
        dir.stop.store(false, Ordering::Relaxed);
        outcome
    };
    let longer = meet(14);
    let played = "65,536 encounters of each pair (interrupted)";
    assert!(longer.out.contains(played), "{}", longer.out);
    assert!(longer.out.contains("cannot be exploited"), "{}", longer.out);
    let shorter = meet(8);
    let kept = "keeps a run of 32,768 encounters";
    assert!(shorter.err.contains(kept), "{}", shorter.err);
}

#[test]
fn what_is_interrupted_says_so() {
    let dir = TestDir::with_duel(THREE);
    dir.stop.store(true, Ordering::Relaxed);
    let outcome = dir.call_on_duel("matchup", &["-n", "1k"]);
    outcome.assert_nothing_written();
}

#[test]
fn builds_of_one_side_meet_the_other_as_it_is() {
    for (side, other) in [("red", "blue"), ("blue", "red")] {
        let sided = format!("[[builds]]\nside = \"{side}\"\n");
        let text = THREE.replace("[[builds]]\n", &sided);
        let report = meet(&text, exact(), 2);
        let own = usize::from(side == "blue");
        let builds = report.sides.each_ref().map(|side| side.builds.len());
        assert_eq!([builds[own], builds[1 - own]], [3, 1]);
        assert_eq!(report.sides[1 - own].builds[0].build.name, other);
        let dir = TestDir::with_duel(&text);
        let printed = dir.call_on_duel("matchup", &["-n", "400"]).printed();
        assert!(printed.contains("3 builds of "), "{printed}");
        assert!(
            !printed.contains(&format!("The best choice of {other}")),
            "{printed}"
        );
        let rows = dir.rows("results/duel/matchup.csv");
        let of = |fact: &str| rows.iter().filter(|row| row["fact"] == fact).count();
        assert_eq!([of("score"), of("share"), of("game_value")], [3, 3, 1]);
        let value = rows.iter().find(|row| row["fact"] == "game_value").unwrap();
        assert_eq!(value["side"], "red");
        let page = dir.path("page.html");
        dir.call_on_duel(
            "matchup",
            &["-n", "400", "--report", page.to_str().unwrap()],
        )
        .printed();
    }
}
