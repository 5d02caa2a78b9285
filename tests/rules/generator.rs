//! Generators of small valid random scenarios.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Gear for fighters; each weapon kills within a few Rounds.
const ARMORY: &str = r#"
[weapons.sword]
kind = "melee"
check = { dice = "2d10" }
damage = "1d8"
[weapons.blades]
kind = "melee"
attacks = 3
check = { dice = "1d20" }
damage = "1d6"
[weapons.spear]
kind = "melee"
reach = 2
attacks = 2
check = { dice = "2d10" }
damage = "1d6"
[weapons.bow]
kind = "ranged"
range = 40
attacks = 3
check = { dice = "2d10" }
mastery = 2
damage = "1d6"
[weapons.knives]
kind = "thrown"
range = 8
attacks = 2
check = { dice = "2d10" }
mastery = 2
damage = "1d4"
[weapons.talons]
kind = "melee"
attacks = 2
check = { pool = 6, difficulty = 7, required = 1 }
mastery = 2
damage = "1d4"
[weapons.rifle]
kind = "ranged"
range = 60
check = { skill = 45 }
mastery = 10
damage = "1d10"
[spells.bolt]
casting_time = 9
range = 20
damage = "1d6"
[spells.fire]
casting_time = 22
range = 30
damage = "2d6"
check = { dice = "2d10", bonus = 2 }
[spells.doom]
casting_time = 75
range = 60
damage = "4d6"
[spells.beam]
channel = true
range = 25
damage = "1d8"
[items.pill]
cost = "free"
heal = 1
uses = 3
[items.draught]
cost = "half"
heal = "1d6"
uses = 2
[items.scroll]
cost = "full"
heal = 1
"#;

/// A kind of fighter: its keys, and the lines that only it may use.
#[derive(Debug)]
struct Kit {
    keys: &'static str,
    lines: &'static [&'static str],
}

const MELEE: &[&str] = &["attack", "attack weakest", "attack weakest of all", "set"];

const KITS: &[Kit] = &[
    Kit {
        keys: "weapons = ['sword']",
        lines: MELEE,
    },
    Kit {
        keys: "weapons = ['blades']",
        lines: MELEE,
    },
    Kit {
        keys: "weapons = ['spear']",
        lines: MELEE,
    },
    Kit {
        keys: "weapons = ['talons']",
        lines: MELEE,
    },
    Kit {
        keys: "weapons = ['rifle']",
        lines: &["attack", "desperate", "set"],
    },
    Kit {
        keys: "weapons = ['bow']",
        lines: &[
            "attack",
            "attack strongest",
            "attack strongest of all",
            "desperate",
            "set",
        ],
    },
    Kit {
        keys: "weapons = ['bow', 'sword']\nundrawn = ['sword']",
        lines: &[
            "attack",
            "attack with bow",
            "desperate",
            "set",
            "draw sword",
            "attack with sword",
        ],
    },
    Kit {
        keys: "weapons = ['bow', 'sword', 'knives']\nhands = 1",
        lines: &[
            "attack",
            "desperate",
            "set",
            "draw sword",
            "draw knives",
            "draw bow",
            "sheathe bow",
            "attack with sword",
            "sheathe sword",
        ],
    },
    Kit {
        keys: "weapons = ['knives', 'spear']",
        lines: &["attack", "attack with knives", "attack with spear", "set"],
    },
    Kit {
        keys: "weapons = ['bow']\nabilities = ['firing_assault']",
        lines: &["attack", "desperate", "set"],
    },
    Kit {
        keys: "weapons = ['sword']\nprone = true",
        lines: &["attack", "set", "stand"],
    },
    Kit {
        keys: "weapons = ['sword']\nabilities = ['counter', 'frenzied_charge']",
        lines: &["attack", "set", "charge", "charge weakest"],
    },
    Kit {
        keys: "spells = ['bolt', 'fire', 'doom']\n\
               combat_casting = { check = '1d10', target = 2, units_per = 2 }",
        lines: &[
            "cast bolt",
            "cast fire",
            "cast doom",
            "combat_cast retreat",
            "combat_cast advance",
            "set",
        ],
    },
    Kit {
        keys: "spells = ['beam', 'bolt']\nweapons = ['sword']\nabilities = ['counter']",
        lines: &[
            "channel beam",
            "channel beam until distance < 4",
            "channel beam until marks < 8",
            "cast bolt casting",
            "attack",
            "set",
        ],
    },
];

/// Kits that react to movement, so that a walk cannot be computed in advance.
const INTERCEPTORS: &[Kit] = &[
    Kit {
        keys: "weapons = ['sword']\ncar = 6",
        lines: &["attack", "set", "car", "car weakest", "car weakest of all"],
    },
    Kit {
        keys: "weapons = ['spear', 'bow']\ncar = 9\nabilities = ['counter']",
        lines: &["attack", "set", "car", "desperate", "attack with spear"],
    },
    Kit {
        keys: "weapons = ['blades']\ncar = 4\nabilities = ['counter', 'mounted_charge']",
        lines: &["attack", "set", "car", "charge"],
    },
];

const ANYBODY: &[&str] = &[
    "advance",
    "advance",
    "advance 3",
    "advance 9",
    "advance to 4",
    "advance 5 to 1",
    "advance weakest",
    "advance strongest of all",
    "advance distance - 3",
    "advance to enemies * 2",
    "advance marks - 12 to 7 - distance",
    "retreat",
    "retreat",
    "retreat 2",
    "retreat 8",
    "retreat to 12",
    "retreat 4 to 30",
    "retreat move_left",
    "retreat 11 - distance",
    "retreat to target.hp + 2",
    "wait 1",
    "wait 4",
    "use pill",
    "anytime use pill",
    "anytime use pill",
    "use draught",
    "use scroll",
    "pass",
    "delay up",
    "delay down",
];

const NUMBERS: &[(&str, u32)] = &[
    ("distance", 30),
    ("distance", 30),
    ("distance", 6),
    ("mark", 30),
    ("mark", 30),
    ("marks", 30),
    ("score", 30),
    ("round", 5),
    ("hp", 25),
    ("max_hp", 25),
    ("hp_percent", 100),
    ("target.hp", 25),
    ("target.max_hp", 25),
    ("target.hp_percent", 100),
    ("move_left", 14),
    ("allies", 2),
    ("enemies", 3),
    ("nearest_enemy_distance", 30),
    ("enemies_within(4)", 2),
    ("allies_within(6)", 2),
    ("uses.pill", 3),
    ("uses.draught", 2),
];

const BOOLEANS: &[&str] = &[
    "moved",
    "acted",
    "attacked",
    "ready",
    "in_melee",
    "threatened",
    "casting",
    "channelling",
    "target.casting",
    "target.channelling",
    "target.ready",
    "target.in_reach",
    "prone",
    "target.prone",
    "can_car",
];

fn condition() -> impl Strategy<Value = String> {
    let signs = || select(vec!["<", "<=", "=", "!=", ">=", ">"]);
    let against = (select(NUMBERS), signs(), 0_u32..=1000)
        .prop_map(|((name, most), sign, part)| format!("{name} {sign} {}", part * most / 1000));
    let two = (select(NUMBERS), signs(), select(NUMBERS), 0_u32..5)
        .prop_map(|((one, _), sign, (other, _), more)| format!("{one} {sign} {other} + {more}"));
    let truth = (any::<bool>(), select(BOOLEANS))
        .prop_map(|(yes, name)| format!("{}{name}", if yes { "" } else { "not " }));
    let atom = prop_oneof![5 => against, 1 => two, 5 => truth];
    let join = select(vec![" and ", " or "]);
    (vec(atom, 1..4), join).prop_map(|(atoms, join)| atoms.join(join))
}

fn policy(kit: &'static Kit) -> impl Strategy<Value = String> {
    let action = prop_oneof![
        3 => select(kit.lines),
        2 => select(ANYBODY),
    ];
    let line =
        (action, proptest::option::weighted(0.6, condition())).prop_map(|(action, condition)| {
            match condition {
                Some(condition) => format!("{action} if {condition}"),
                None => action.to_owned(),
            }
        });
    vec(line, 2..7).prop_map(|lines| format!("{lines:?}"))
}

fn fighter(kits: Vec<&'static Kit>) -> impl Strategy<Value = String> {
    select(kits).prop_flat_map(|kit| {
        (
            (-15_i32..=15, 4_i32..=22, 4_i32..=22, 0_i32..5),
            (0_i32..=14, 8_i32..=16, 0_i32..=2, 4_i32..=25),
            policy(kit),
        )
            .prop_map(
                |(
                    (position, agility, intellect, modifier),
                    (speed, evade, armor, health),
                    policy,
                )| {
                    format!(
                        "position = {position}\n\
                         attributes = {{ agility = {agility}, intellect = {intellect} }}\n\
                         evade_modifier = {modifier}\nmove = {speed}\nevade = {evade}\n\
                         armor = {armor}\nhealth = {health}\n\
                         items = ['pill', 'draught', 'scroll']\n{}\npolicy = {policy}\n",
                        kit.keys
                    )
                },
            )
    })
}

fn options() -> impl Strategy<Value = String> {
    (
        (
            select(vec![
                "rolled",
                "rolled",
                "fixed",
                // Another initiative die; the text closes the quotes around it.
                "rolled'\ninitiative.dice = '1d6+3",
                "rolled'\ninitiative.dice = '1d60-20",
            ]),
            select(vec!["once", "recursive", "none"]),
            select(vec!["halved", "kept"]),
            select(vec!["1", "1", "2", "'any'"]),
            select(vec!["meet", "beat"]),
        ),
        (
            any::<bool>(),
            select(vec!["round", "always"]),
            select(vec!["1", "0", "0.5"]),
            any::<bool>(),
            any::<bool>(),
        ),
        (
            select(vec![
                "",
                "attack_offsets = { 3 = [0, 4, 15] }\n",
                "initiative.ties = ['total', 'simultaneous']\n",
                "initiative.ties = ['intellect']\n",
            ]),
            0_u8..3,
            0_u8..3,
            0_u8..3,
        ),
        (
            select(vec!["score", "roll"]),
            select(vec!["casting", "full-action", "any"]),
            select(vec!["always", "if-unset"]),
            select(vec![
                "",
                "",
                "",
                "round_marks = 22\n",
                "costs = { quarter = 2, half = 9, full = 16 }\n",
                "round_marks = 60\ncosts = { quarter = 7, half = 7, full = 25 }\n",
            ]),
        ),
    )
        .prop_map(
            |(
                (mode, explode, delay, actions, hit),
                (melee, mover, fizzle, channel, car),
                (offsets, cars, charges, counters),
                (half, carry, set, clock),
            )| {
                format!(
                    "initiative.mode = '{mode}'\ninitiative.explode = '{explode}'\n\
                     initiative.delay_marks = '{delay}'\nattack_actions = {actions}\n\
                     hit = '{hit}'\nmelee_unsets = {melee}\nmover_shot = '{mover}'\n\
                     fizzle_chance = {fizzle}\nchannel_damage_breaks = {channel}\n\
                     car_counts_as_move = {car}\n{offsets}car_per_round = {cars}\n\
                     charges_per_round = {charges}\ncounters_per_round = {counters}\n\
                     initiative.delay_half = '{half}'\ncarry_over = '{carry}'\n\
                     combat_casting_set = '{set}'\n{clock}"
                )
            },
        )
}

/// Generates the ends of the line and the distances that end an encounter.
fn frame() -> impl Strategy<Value = String> {
    let chase = "ends_when = ['distance <= 1', 'distance > 25']\n";
    let arena = select(vec!["", "arena = [-20, 20]\n"]);
    (arena, select(vec!["", "", "", chase])).prop_map(|(arena, ends)| format!("{arena}{ends}"))
}

fn text(round: &str, options: &str, frame: &str, rounds: u32, fighters: &[String]) -> String {
    let mut text = format!(
        "system = 'tara-corax'\n[rules]\nround = '{round}'\n{options}\
         [encounter]\nmax_rounds = {rounds}\n{frame}"
    );
    text += ARMORY;
    for (index, fighter) in fighters.iter().enumerate() {
        let side = ["left", "right"][index % 2];
        text.extend([format!(
            "[[combatants]]\nname = 'f{index}'\nside = '{side}'\n{fighter}"
        )]);
    }
    text
}

/// Returns a fight of combatants, each of whom is a number of a side and the keys of a table.
pub(super) fn fight(mut text: String, all: &[(u8, String)]) -> String {
    for (index, (side, keys)) in all.iter().enumerate() {
        // There are at least two sides.
        let side = if index < 2 { index } else { (*side).into() };
        text.extend([format!(
            "[[combatants]]\nname = \"c{index}\"\nside = \"s{side}\"\n{keys}"
        )]);
    }
    text
}

/// Generates duels in Full Rounds without a CAR, in which several Units of a walk are played as one if there is no
/// observer.
pub(crate) fn duel() -> impl Strategy<Value = String> {
    let kits: Vec<&Kit> = KITS.iter().collect();
    (options(), frame(), vec(fighter(kits), 2))
        .prop_map(|(options, frame, fighters)| text("full", &options, &frame, 6, &fighters))
}

/// Generates fights of two to five combatants of all kinds.
pub(crate) fn brawl() -> impl Strategy<Value = String> {
    let kits: Vec<&Kit> = KITS.iter().chain(INTERCEPTORS).collect();
    (
        select(vec!["full", "full", "simple"]),
        options(),
        frame(),
        vec(fighter(kits), 2..6),
    )
        .prop_map(|(round, options, frame, fighters)| text(round, &options, &frame, 5, &fighters))
}
