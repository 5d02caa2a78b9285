//! W-11: conditions that last until a turn of the combatant that causes them, on all clocks.

use crate::support::fights::{budget, errors, first_record, solved, variant};

pub(super) const SYSTEMS: [&str; 4] = ["tara-corax", "mage", "chronicles", "eclipse-phase"];

/// A fight without chance for 4 Rounds. A fighter is `name side initiative | keys; | lines;`.
pub(super) fn fight(system: &str, things: &str, fighters: &[&str]) -> String {
    let mut text = format!(
        "system = \"{system}\"\nrules = {{ check = \"roll-over\", health = \"points\", initiative.dice = 0 }}\n\
         encounter.max_rounds = 4\n[weapons.axe]\nkind = \"melee\"\ncheck = {{ dice = \"10\" }}\ndamage = 1\n{things}"
    );
    for fighter in fighters {
        let parts: Vec<&str> = fighter.split(" | ").collect();
        let words: Vec<&str> = parts[0].split(' ').collect();
        let lines: Vec<&str> = parts[2].split("; ").collect();
        text.extend([format!(
            "[[combatants]]\nname = \"{}\"\nside = \"{}\"\ninitiative = {}\nposition = 0\nmove = 0\nweapons = [\"axe\"]\n\
             {}\npolicy = {lines:?}\n",
            words[0],
            words[1],
            words[2],
            parts[1].replace("; ", "\n")
        )]);
    }
    text
}

/// Plays the fight, and solves it. Returns the hits of each combatant.
pub(super) fn hits(text: &str) -> Vec<u32> {
    let variant = variant(text);
    let record = first_record(&variant, 1);
    let hits: Vec<u32> = record.combatants.iter().map(|one| one.hits).collect();
    let solution = solved(&variant, budget(20_000), true).unwrap_or_else(|_| panic!("{text}"));
    for (who, hits) in hits.iter().enumerate() {
        let mut facts = solution.facts.iter();
        let fact = facts.find(|fact| fact.metric.name == "hits" && fact.subject == who);
        let [low, _, high] = fact.and_then(|fact| fact.mean).expect("a mean");
        let hits = f64::from(*hits);
        assert!(low <= hits && hits <= high, "{low} {hits} {high}\n{text}");
    }
    hits
}

const SHIELD: &str = "[items.shield]\nuses = 100\neffects = [{ condition = \"shielded\", until = \"start of my next turn\" }]\n\
                      [conditions.shielded]\nmodifies = { evade = 100 }\n";

/// `lasts` and `until` say the same thing in two ways.
#[test]
fn w_11_a_condition_has_one_length() {
    let fighters = ["knight x 20 | items = [\"shield\"]; evade = 5; health = 9 | use shield"; 2];
    let fighters = [fighters[0], &fighters[1].replace("knight x", "ogre y")];
    let both = SHIELD.replace("until", "lasts = 1, until");
    let errors = crate::support::fights::errors(&fight("mage", &both, &fighters));
    assert!(
        errors.contains("`until` says how long it lasts"),
        "{errors}"
    );
    let wrong = SHIELD.replace("start of my next", "beginning of my next");
    let errors = crate::support::fights::errors(&fight("mage", &wrong, &fighters));
    assert!(errors.contains("start of my next turn"), "{errors}");
}

/// Each of the words on a curse, which the witch lays on the ogre in the second Round and which makes it easy to hit. The
/// hits of rogue and monk say for how long it lasts.
#[test]
fn w_11_each_word_of_until_ends_at_its_time() {
    // On Marks a turn ends with its Round.
    for (words, order, hit, on_marks) in [
        ("start of my next turn", WITCH_LAST, [1, 1], [1, 1]),
        ("start of source's next turn", WITCH_LAST, [1, 1], [1, 1]),
        ("end of source's next turn", WITCH_LAST, [1, 1], [1, 2]),
        ("start of target's next turn", WITCH_LAST, [1, 1], [1, 1]),
        ("end of target's next turn", WITCH_LAST, [1, 1], [1, 2]),
        ("end of round", WITCH_LAST, [0, 1], [0, 1]),
        ("start of my next turn", WITCH_FIRST, [1, 1], [1, 1]),
        ("start of target's next turn", WITCH_FIRST, [0, 0], [0, 0]),
        ("end of target's next turn", WITCH_FIRST, [0, 0], [1, 1]),
        ("end of round", WITCH_FIRST, [1, 1], [1, 1]),
    ] {
        for system in SYSTEMS {
            let curse = format!(
                "[items.curse]\ntarget = \"enemy\"\nrange = 5\n\
                 effects = [{{ condition = \"cursed\", until = \"{words}\" }}]\n\
                 [conditions.cursed]\nmodifies = {{ evade = -100 }}\n"
            );
            let [rogue, witch, ogre, monk] = order;
            let fighters = [
                format!("rogue x {rogue} | evade = 50; health = 9 | attack"),
                format!("monk x {monk} | evade = 50; health = 9 | attack"),
                format!(
                    "witch x {witch} | items = [\"curse\"]; evade = 50; health = 9 | use curse if round = 2"
                ),
                format!("ogre y {ogre} | evade = 50; health = 9 | pass"),
            ];
            let fighters = fighters.each_ref().map(|fighter| &**fighter);
            let text = fight(system, &curse, &fighters);
            let hit = if system == "tara-corax" {
                on_marks
            } else {
                hit
            };
            assert_eq!(hits(&text)[..2], hit, "{system} {words} {order:?}");
        }
    }
}

/// The places of rogue, witch, ogre and monk: the curse comes after the turn of its target, or before it.
const WITCH_LAST: [u8; 4] = [28, 15, 20, 10];
const WITCH_FIRST: [u8; 4] = [16, 25, 20, 10];

#[test]
fn w_11_until_that_is_nearly_right_is_told_what_is() {
    let wrong = |words: &str| {
        let shield = SHIELD.replace("start of my next turn", words);
        errors(&fight(
            "mage",
            &shield,
            &["knight x 20 | items = [\"shield\"]; evade = 5; health = 9 | pass"],
        ))
    };
    assert!(wrong("3 round").contains("expected Rounds: \"3 rounds\""));
    assert!(wrong("0 rounds").contains("expected Rounds: \"1 rounds\""));
    assert!(wrong("900 rounds").contains("expected Rounds: \"200 rounds\""));
    let problem = wrong("end of turn");
    assert!(
        problem.contains("`target` the one who has the condition"),
        "{problem}"
    );
    assert!(
        wrong("end of targets next turn").contains("did you mean \"end of target's next turn\"?")
    );
    let both = SHIELD.replace("until =", "lasts = 2, until =");
    assert!(errors(&fight("mage", &both, &[])).contains("`until` says how long it lasts"));
}
