//! W-11: conditions that last until a turn of the combatant that causes them, on all clocks.

use crate::support::fights::{budget, errors, first_record, heard, solved, variant};
use skirmish::output::story::StoryOptions;

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

pub(super) fn traced(text: &str) -> String {
    let variant = variant(text);
    let (story, record) = heard(&variant, 0);
    story.text(&variant.fight, &record, StoryOptions::default())
}

/// Asserts that a trace has these parts, in this order.
pub(super) fn says(told: &str, parts: &[&str]) {
    let mut rest = told;
    for part in parts {
        let at = rest.find(part);
        let at = at.unwrap_or_else(|| panic!("no {part:?} in\n{told}"));
        rest = &rest[at + part.len()..];
    }
}

const SHIELD: &str = "[items.shield]\nuses = 100\neffects = [{ condition = \"shielded\", until = \"start of my next turn\" }]\n\
                      [conditions.shielded]\nmodifies = { evade = 100 }\n";

/// On every clock a shield protects from the moment of its use until its bearer's next turn, who renews it then.
#[test]
fn w_11_a_shield_until_the_next_turn_protects_on_every_clock() {
    for system in SYSTEMS {
        for (knight, hit) in [(20, 0), (12, 1)] {
            let knight = format!(
                "knight x {knight} | items = [\"shield\"]; evade = 5; health = 9 | use shield if not has shielded; pass"
            );
            let fighters = [&*knight, "ogre y 15 | evade = 5; health = 9 | attack"];
            assert_eq!(
                hits(&fight(system, SHIELD, &fighters)),
                [0, hit],
                "{system} {knight}"
            );
        }
    }
}

/// The next turn ends with its bearer's attack; the turn after it is without the condition.
#[test]
fn w_11_the_end_of_the_next_turn_includes_that_turn_and_no_other() {
    for system in SYSTEMS {
        for (until, hit) in [("start", 0), ("end", 1)] {
            let bless = format!(
                "[items.prayer]\neffects = [{{ condition = \"blessed\", until = \"{until} of my next turn\" }}]\n\
                 [conditions.blessed]\nmodifies = {{ attack = 5 }}\n"
            );
            let fighters = [
                "knight x 20 | items = [\"prayer\"]; evade = 5; health = 9 | use prayer; attack if round > 1",
                "ogre y 15 | evade = 15; health = 9 | pass",
            ];
            assert_eq!(
                hits(&fight(system, &bless, &fighters)),
                [hit, 0],
                "{system} {until}"
            );
        }
    }
}

/// Of a combatant that has fallen no turn comes: the condition ends with the Round.
#[test]
fn w_11_a_turn_that_does_not_come_any_more_is_over_with_the_round() {
    let hex = "[weapons.club]\nkind = \"melee\"\ncheck = { dice = \"10\" }\ndamage = 9\n\
               [items.hex]\ntarget = \"enemy\"\nrange = 5\neffects = [{ condition = \"hexed\", until = \"end of my next turn\" }]\n\
               [conditions.hexed]\nmodifies = { evade = -100 }\n";
    for system in SYSTEMS {
        let fighters = [
            "witch x 20 | items = [\"hex\"]; evade = 5; health = 9 | use hex",
            "archer x 16 | evade = 50; health = 9 | attack",
            "ogre y 18 | weapons = [\"club\"]; evade = 50; health = 9 | attack witch if round < 2",
        ];
        let text = fight(system, hex, &fighters).replace("weapons = [\"axe\"]\nweapons", "weapons");
        assert_eq!(hits(&text), [0, 1, 1], "{system}");
    }
}

/// In Eclipse Phase each stage is a turn.
#[test]
fn w_11_with_a_speed_of_two_the_next_turn_is_in_the_next_phase() {
    let fighters = [
        "knight x 20 | speed = 2; items = [\"shield\"]; evade = 5; health = 9 | use shield",
        "ogre y 15 | evade = 5; health = 9 | attack",
    ];
    let told = traced(&fight("eclipse-phase", SHIELD, &fighters));
    says(
        &told,
        &[
            "knight  is shielded until its next turn begins",
            "ogre    attacks knight: 10 against 105, miss",
            "Phase 2",
            "knight  is shielded no more",
            "knight  is shielded until its next turn begins",
            "Turn 2",
            "knight  is shielded no more",
        ],
    );
}

/// A delayed turn has begun when its place came up: what lasts until the next turn then ends in the next Round.
#[test]
fn w_11_a_delay_begins_a_turn_in_chronicles() {
    let fighters = [
        "knight x 20 | items = [\"shield\"]; evade = 5; health = 9 | delay until round > 0; use shield if not has shielded",
        "ogre y 15 | evade = 5; health = 9 | attack",
    ];
    assert_eq!(hits(&fight("chronicles", SHIELD, &fighters))[1], 1);
}

/// A song for those of one's own side, until the singer's next turn: the rogue has it in the first Round, the monk in the
/// second, and the singer no more when it acts again.
#[test]
fn w_11_a_song_until_the_singers_next_turn_spares_the_enemy() {
    let song = "[items.song]\ntarget = \"ally\"\nrange = 100\narea = 100\nspares = \"enemies\"\n\
                effects = [{ condition = \"inspired\", until = \"start of my next turn\" }]\n\
                [conditions.inspired]\nmodifies = { attack = 5 }\n";
    let fighters = [
        "monk x 30 | evade = 5; health = 50 | attack",
        "bard x 25 | items = [\"song\"]; evade = 5; health = 50 | use song; attack if round > 1",
        "rogue x 20 | evade = 5; health = 50 | attack",
        "ogre y 15 | evade = 12; health = 50 | attack",
    ];
    for system in SYSTEMS {
        let text = fight(system, song, &fighters);
        assert_eq!(hits(&text), [1, 0, 1, 4], "{system}");
        let told = traced(&text);
        says(
            &told,
            &[
                "monk   attacks ogre: 10 against 12, miss",
                "monk   is inspired until bard's next turn begins",
                "rogue  attacks ogre: 10 + 5 (conditions) = 15 against 12, hit",
                "ogre   attacks monk: 10 against 5, hit",
                "monk   attacks ogre: 10 + 5 (conditions) = 15 against 12, hit",
                "monk   is inspired no more",
                "bard   attacks ogre: 10 against 12, miss",
            ],
        );
        let mut begun = told
            .lines()
            .filter(|line| line.contains("is inspired until"));
        assert!(begun.all(|line| !line.contains("ogre")), "{told}");
        assert_eq!(
            hits(&text.replace("enemies", "allies"))[..3],
            [0, 0, 0],
            "{system}"
        );
    }
}

/// A second condition of the same kind changes nothing, and the trace says so.
#[test]
fn w_11_a_renewal_without_effect_is_told() {
    let shield = SHIELD.replace("until = \"start of my next turn\"", "lasts = 2");
    let fighters = [
        "knight x 20 | items = [\"shield\"]; evade = 5; health = 9 | use shield",
        "ogre y 15 | evade = 5; health = 9 | attack",
    ];
    let told = traced(&fight("chronicles", &shield, &fighters));
    says(
        &told,
        &[
            "knight  is shielded for 2 Rounds",
            "Round 2",
            "knight  no effect: already shielded",
            "knight  is shielded no more",
            "ogre    attacks knight: 10 against 5, hit",
        ],
    );
}

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
fn w_11_rounds_may_be_written_as_until() {
    for system in SYSTEMS {
        let of = |length: &str| SHIELD.replace("until = \"start of my next turn\"", length);
        let fighters = [
            "knight x 20 | items = [\"shield\"]; evade = 5; health = 9 | use shield if round = 1; pass",
            "ogre y 15 | evade = 5; health = 9 | attack",
        ];
        let hits = |length: &str| hits(&fight(system, &of(length), &fighters));
        assert_eq!(hits("until = \"3 rounds\""), hits("lasts = 3"), "{system}");
        assert_eq!(hits("until = \"1 round\""), hits("lasts = 1"), "{system}");
    }
}

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
