//! `skirmish odds` against checks and rituals played in fights, with the same options.

use super::odds;
use crate::support::fights::{self, budget, sampled, variant};
use skirmish::tally::{Tally, metrics};

const ENCOUNTERS: u64 = 4000;

fn played(text: &str) -> Tally {
    sampled(&variant(text), 1, ENCOUNTERS)
}

fn count(tally: &Tally, metric: &str, subject: usize, value: i64) -> f64 {
    let metric = metrics::find(metric).unwrap();
    tally.distribution(metric, subject).count(value as u32) as f64
}

fn solved(arguments: &str) -> serde_json::Value {
    odds(&format!("{arguments} --format json")).json()
}

/// Asserts that counts are as expected. `critical` is the value that chi-squared exceeds by chance 1 time in 100,000.
fn fits(name: &str, pairs: &[(f64, f64)], critical: f64) {
    let statistic: f64 = pairs
        .iter()
        .map(|(expected, found)| (found - expected).powi(2) / expected)
        .sum();
    assert!(
        statistic <= critical,
        "{name}: chi-squared {statistic}: {pairs:?}"
    );
}

/// Returns a scenario in which a mage swings once at a dummy.
fn swing(check: &str) -> String {
    format!(
        "system = \"mage\"\n[encounter]\nmax_rounds = 1\n[rules]\nhealth = \"points\"\n\
         [weapons.sword]\nkind = \"melee\"\ncheck = {{ {check} }}\ndamage = 0\n\
         [[combatants]]\nname = \"mage\"\nside = \"a\"\nposition = 0\ninitiative = 5\nhealth = 5\n\
         weapons = [\"sword\"]\npolicy = [\"attack\"]\n\
         [[combatants]]\nname = \"dummy\"\nside = \"b\"\nposition = 0\ninitiative = 5\nhealth = 5\n\
         policy = [\"pass\"]\n"
    )
}

#[test]
fn md_4_the_tens_of_a_specialty_count_as_in_the_check_of_a_fight() {
    let tally = played(&swing(
        "pool = 4, difficulty = 8, required = 3, specialty = true",
    ));
    let [hits, botches] = ["hits", "botches"].map(|metric| count(&tally, metric, 0, 1));
    let json = solved("{pool=4,difficulty=8,required=3,specialty=true}");
    let chance = |name: &str| json["facts"][name].as_f64().unwrap() * ENCOUNTERS as f64;
    let (success, botch) = (chance("p_success"), chance("p_botch"));
    let all = ENCOUNTERS as f64;
    // The critical value is -2 ln p for two degrees of freedom.
    let pairs = [
        (success, hits),
        (botch, botches),
        (all - success - botch, all - hits - botches),
    ];
    fits("specialty", &pairs, 23.03);
    // This many encounters are enough to show the difference that the specialty makes.
    let plain = solved("--pool 4 --difficulty 8 --required 3");
    let plain = plain["facts"]["p_success"].as_f64().unwrap() * all;
    assert!(
        (success - plain).abs() > 5.0 * success.sqrt(),
        "{success} {plain}"
    );
}

#[test]
fn md_7_the_turns_of_a_ritual_are_those_of_a_fight() {
    for turns in [1, 3] {
        let text = format!(
            "system = \"mage\"\n[encounter]\nmax_rounds = 1000\n[rules]\nhealth = \"points\"\n\
             [rules.magick]\nritual_botch = \"continues\"\ndifficulty_step = 1\n\
             [spells.storm]\nsphere = 2\nrequired = 5\nrange = 9\ndamage = 9\nritual = true\n\
             turns_per_roll = {turns}\n\
             [[combatants]]\nname = \"mage\"\nside = \"a\"\nposition = 0\ninitiative = 5\n\
             health = 5\narete = 3\nspells = [\"storm\"]\npolicy = [\"cast storm\"]\n\
             [[combatants]]\nname = \"dummy\"\nside = \"b\"\nposition = 0\ninitiative = 5\n\
             health = 5\npolicy = [\"pass\"]\n"
        );
        let tally = played(&text);
        let json = solved(&format!(
            "--arete 3 --sphere 2 --required 5 --ritual --set rules.magick.ritual_botch=continues \
             --set rules.magick.difficulty_step=1 --set spells.effect.turns_per_roll={turns}"
        ));
        let rows = json["tables"]["rolls"].as_array().unwrap();
        let key = if turns > 1 { "turns" } else { "rolls" };
        let mut pairs: Vec<(f64, f64)> = Vec::new();
        let mut rest = (ENCOUNTERS as f64, ENCOUNTERS as f64);
        for row in rows {
            let expected = row["done"].as_f64().unwrap() * ENCOUNTERS as f64;
            if expected < 20.0 {
                continue;
            }
            let round = row[key].as_i64().unwrap();
            assert_eq!(round, row["rolls"].as_i64().unwrap() * turns);
            let found = count(&tally, "rounds", 0, round);
            pairs.push((expected, found));
            rest = (rest.0 - expected, rest.1 - found);
        }
        pairs.push(rest);
        // With 21 degrees of freedom chi-squared exceeds 60 one time in 100,000; there are fewer degrees here.
        assert!((5..=22).contains(&pairs.len()), "{pairs:?}");
        fits("ritual", &pairs, 60.0);
        let mean = json["facts"]["mean_rolls"].as_f64().unwrap();
        let of_turns = json["facts"]["mean_turns"].as_f64();
        assert_eq!(of_turns, (turns > 1).then_some(mean * turns as f64));
    }
}

#[test]
fn md_7_a_grid_of_rituals_shows_turns_of_work() {
    let command = "--arete 3..4 --sphere 2 --required 3..4 --ritual --set rules.magick.ritual_botch=continues";
    let rows = |more: &str| -> Vec<Vec<String>> {
        let csv = odds(&format!("{command} {more} --format csv")).printed();
        let cells = |line: &str| line.split(',').map(str::to_owned).collect();
        csv.lines().map(cells).collect()
    };
    let rows = rows("--set spells.effect.turns_per_roll=4 --show turns");
    let at = |name: &str| rows[0].iter().position(|head| head == name).unwrap();
    assert_eq!(rows.len(), 5);
    for row in &rows[1..] {
        let number = |name: &str| row[at(name)].parse::<f64>().unwrap();
        assert!((number("mean_turns") - 4.0 * number("mean_rolls")).abs() < 1e-9);
    }
}

/// The chance that a solved fight of one shot hits is that of `odds --against`.
#[test]
fn ep_9_an_opposed_test_is_that_of_a_fight() {
    for rule in ["opposed", "success"] {
        let text = format!(
            "system = \"eclipse-phase\"\n[encounter]\nmax_rounds = 1\n[rules]\ndefence = \"{rule}\"\n\
             [weapons.knife]\nkind = \"melee\"\ncheck = {{ skill = 55 }}\ndamage = 0\n\
             [[combatants]]\nname = \"agent\"\nside = \"a\"\nposition = 0\ninitiative = 50\nhealth = 5\n\
             weapons = [\"knife\"]\npolicy = [\"attack\"]\n\
             [[combatants]]\nname = \"dummy\"\nside = \"b\"\nposition = 0\ninitiative = 40\nhealth = 5\n\
             fray = 30\npolicy = [\"pass\"]\n"
        );
        let variant = variant(&text);
        let solved_fight = fights::solved(&variant, budget(1_000_000), false);
        let facts = solved_fight.expect("a small fight").facts;
        let hits = facts
            .iter()
            .find(|fact| fact.metric.name == "hits" && fact.subject == 0);
        let [low, _, high] = hits.unwrap().mean.unwrap();
        let json = solved(&format!(
            "{{skill=55}} --against {{skill=30}} --system eclipse-phase --set rules.defence={rule}"
        ));
        let hit = json["facts"]["p_hit"].as_f64().unwrap();
        assert!(
            (low - 1e-12..=high + 1e-12).contains(&hit),
            "{hit}: {low} to {high}"
        );
    }
}
