//! Numbers changed by conditions and ground (W-11, W-15): the effect equals that of writing the number in the file.

use crate::support::fights::{errors, player, variant};
use skirmish::run::Play as _;
use skirmish::sim::Record;

/// A fight of two combatants that close in, with placeholders for numbers.
struct Duel {
    head: &'static str,
    weapon: &'static str,
    traits: &'static str,
}

const MARKS: Duel = Duel {
    head: "system = 'tara-corax'\n",
    weapon: "check = { dice = '2d10', bonus = 9 }\nattacks = 2\n",
    traits: "attributes = { agility = 13, intellect = 12 }\nevade = 18\narmor = 2\nmove = 6\n",
};

const TURNS: Duel = Duel {
    head: "system = 'mage'\n[rules]\nhealth = 'points'\n",
    weapon: "check = { pool = 5, difficulty = 6 }\n",
    traits: "attributes = { dexterity = 3, wits = 2, stamina = 2 }\nextra_actions = 1\nsoak = 1\n",
};

const ORDER: Duel = Duel {
    head: "system = 'chronicles'\n",
    weapon: "check = { pool = 6 }\n",
    traits: "attributes = { dexterity = 3, composure = 2 }\ndefence = 2\narmor = 1\nmove = 6\n",
};

const PHASES: Duel = Duel {
    head: "system = 'eclipse-phase'\n",
    weapon: "check = { skill = 55 }\n",
    traits: "initiative = 6\nspeed = 2\nfray = 30\narmor = 2\nmove = 8\nwound_threshold = 50\n",
};

impl Duel {
    fn text(&self, more: &str) -> String {
        let Self {
            head,
            weapon,
            traits,
        } = self;
        let one = |name: &str, position: i32| {
            format!(
                "[[combatants]]\nname = '{name}'\nside = '{name}'\nposition = {position}\nhealth = 30\n{traits}\
                 weapons = ['spear']\nitems = ['salve']\n\
                 policy = ['use salve if hp_percent < 50', 'set', 'attack', 'advance']\n"
            )
        };
        format!(
            "{head}[encounter]\nmax_rounds = 30\n{more}\
             [weapons.spear]\nkind = 'melee'\nreach = 2\ndamage = '1d6'\n{weapon}\
             [items.salve]\nheal = '2d4'\nuses = 2\n{}{}",
            one("left", 0),
            one("right", 15)
        )
    }
}

/// Returns the records of 60 encounters.
fn records(text: &str) -> Vec<Record> {
    let player = player(&variant(text), 11);
    let mut state = player.state();
    let play = |encounter| {
        let mut record = Record::default();
        player.play(&mut state, encounter, &mut record);
        record
    };
    (0..60).map(play).collect()
}

#[test]
fn w_11_each_number_that_a_condition_changes_counts_as_if_it_were_written() {
    let cases: [(&Duel, &str, &str, &str); 32] = [
        (&MARKS, "evade = 3", "evade = 18", "evade = 21"),
        (&MARKS, "armor = 2", "armor = 2", "armor = 4"),
        (&MARKS, "attack = 2", "bonus = 9", "bonus = 11"),
        (&MARKS, "damage = 2", "'1d6'", "'1d6+2'"),
        (&MARKS, "move = -2", "move = 6", "move = 4"),
        (&MARKS, "attacks = 1", "attacks = 2", "attacks = 3"),
        (&MARKS, "attacks = -3", "attacks = 2", "attacks = 1"),
        (&MARKS, "attacks = 9", "attacks = 2", "attacks = 5"),
        (&MARKS, "reach = 3", "reach = 2", "reach = 5"),
        (&MARKS, "reach = -5", "reach = 2", "reach = 0"),
        (&MARKS, "health = 7", "health = 30", "health = 37"),
        (&MARKS, "health = -12", "health = 30", "health = 18"),
        (&TURNS, "attack = 2", "pool = 5", "pool = 7"),
        (&TURNS, "difficulty = 2", "difficulty = 6", "difficulty = 8"),
        (&TURNS, "evade = 2", "difficulty = 6", "difficulty = 8"),
        (
            &TURNS,
            "difficulty = -9",
            "difficulty = 6",
            "difficulty = 2",
        ),
        (&TURNS, "armor = 1", "soak = 1", "soak = 2"),
        (
            &TURNS,
            "extra_actions = 1",
            "extra_actions = 1",
            "extra_actions = 2",
        ),
        (&TURNS, "reach = 1", "reach = 2", "reach = 3"),
        (&TURNS, "health = 7", "health = 30", "health = 37"),
        (&ORDER, "attack = -1", "pool = 6", "pool = 5"),
        (&ORDER, "defence = 1", "defence = 2", "defence = 3"),
        (&ORDER, "armor = 1", "armor = 1", "armor = 2"),
        (&ORDER, "move = -3", "move = 6", "move = 3"),
        (&ORDER, "reach = -1", "reach = 2", "reach = 1"),
        (&ORDER, "health = -12", "health = 30", "health = 18"),
        (&PHASES, "attack = 10", "skill = 55", "skill = 65"),
        (&PHASES, "fray = 20", "fray = 30", "fray = 50"),
        (&PHASES, "speed = 1", "speed = 2", "speed = 3"),
        (&PHASES, "move = 4", "move = 8", "move = 12"),
        (&PHASES, "reach = 2", "reach = 2", "reach = 4"),
        (&PHASES, "health = 7", "health = 30", "health = 37"),
    ];
    for (duel, change, from, to) in cases {
        let everywhere =
            format!("[encounter.ground.field]\nstretch = [-90, 90]\nmodifies = {{ {change} }}\n");
        let plain = duel.text("");
        let written = plain.replace(from, to);
        assert_ne!(plain, written, "{from}");
        let changed = records(&duel.text(&everywhere));
        assert_eq!(changed, records(&written), "{change} in {}", duel.head);
        // The change does make a difference.
        assert_ne!(changed, records(&plain), "{change} in {}", duel.head);
    }
}

#[test]
fn w_11_a_number_that_a_system_has_not_is_refused_with_those_it_has() {
    for (duel, number, has) in [
        (&MARKS, "difficulty", "`attacks`, `reach` and `health`"),
        (&TURNS, "attacks", "`difficulty`, `reach` and `health`"),
        (&ORDER, "speed", "`defence`, `reach` and `health`"),
        (&PHASES, "extra_actions", "`fray`, `reach` and `health`"),
    ] {
        let ground =
            format!("[encounter.ground.field]\nstretch = [0, 9]\nmodifies = {{ {number} = 1 }}\n");
        let error = errors(&duel.text(&ground));
        assert!(
            error.contains(&format!("`modifies` has no `{number}`")),
            "{error}"
        );
        assert!(error.contains(has), "{error}");
    }
}

/// Returns the health after each Round of a combatant that drinks a potion, which changes the limit for a Round.
fn drinker(change: i32, wound: u32) -> Vec<i32> {
    let text = |rounds: u32| {
        format!(
            "system = 'chronicles'\n[rules]\ninitiative = {{ dice = 0 }}\n[encounter]\nmax_rounds = {rounds}\n\
             [conditions.hale]\nmodifies = {{ health = {change} }}\n\
             [items.potion]\neffects = [{{ condition = 'hale', lasts = 2 }}]\n\
             [items.dart]\ntarget = 'enemy'\nrange = 20\nuses = 1\ndamage = {wound}\n\
             [[combatants]]\nname = 'drinker'\nside = 'a'\nposition = 0\nhealth = 20\nmove = 5\n\
             attributes = {{ dexterity = 5, composure = 1 }}\nitems = ['potion']\npolicy = ['use potion']\n\
             [[combatants]]\nname = 'other'\nside = 'b'\nposition = 3\nhealth = 20\nmove = 5\n\
             attributes = {{ dexterity = 2, composure = 1 }}\nitems = ['dart']\npolicy = ['use dart']\n"
        )
    };
    let health = |rounds| records(&text(rounds))[0].combatants[0].health;
    (1..4).map(health).collect()
}

#[test]
fn w_11_a_limit_of_health_raises_it_as_it_begins_and_cuts_it_as_it_ends() {
    // The turn of the first Round counts, so the condition ends with the turn of the second.
    assert_eq!(drinker(6, 0), [26, 20, 20]);
    assert_eq!(drinker(6, 4), [22, 20, 20]);
    assert_eq!(drinker(6, 9), [17, 17, 17]);
    // Health above the limit does not come back, and no combatant falls by a limit.
    assert_eq!(drinker(-8, 0), [12, 12, 12]);
    assert_eq!(drinker(-50, 0), [1, 1, 1]);
}
