//! Values read from valid scenarios.

use crate::support::fights::loaded;
use skirmish::dice::PlainSum;
use skirmish::dice::initiative::Explode;
use skirmish::fight::check::Check;
use skirmish::fight::health::Roll;
use skirmish::fight::initiative::{LastResort, Ties};
use skirmish::fight::program::Amount;
use skirmish::fight::program::{Action, Aim, Mode, Move, Window};
use skirmish::fight::{Stretch, Traits, WeaponKind};
use skirmish::systems::Rules;
use skirmish::systems::tara_corax::rules::{ALWAYS, CarryOver, DelayHalf, MarkRules, Round};

use super::{EVERYTHING, KITING, bad, bad_with, good, kiting_with};

/// Returns the rulings of a fight on Marks.
fn marks(rules: &Rules) -> &MarkRules {
    let Rules::Marks(rules) = rules else {
        panic!("the rules of another clock")
    };
    rules
}

#[test]
fn the_documented_fight_is_read_as_it_stands() {
    let loaded = good(KITING);
    assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
    let scenario = loaded.scenario;
    assert_eq!(scenario.title, "An archer kites a brute");
    assert_eq!(scenario.question.as_deref(), Some("Does the archer win?"));
    assert_eq!(scenario.stem, "fight");
    assert_eq!(scenario.hash_hex().len(), 16);
    let names: Vec<&str> = scenario.variants.iter().map(|v| &v.name[..]).collect();
    assert_eq!(names, ["base", "simple round"]);

    let base = &scenario.variants[0];
    assert_eq!(base.rules, Rules::Marks(MarkRules::default()));
    assert_eq!(base.fight.sides, ["hunters", "beasts"]);
    assert_eq!(base.fight.arena, Some(Stretch { min: 0, max: 120 }));
    assert_eq!(base.fight.max_rounds, 50);
    assert!(base.fight.meeting_hits);
    let all: Vec<(&str, &str, usize)> = base
        .fight
        .combatants
        .iter()
        .map(|one| (&one.name[..], &one.group[..], one.side))
        .collect();
    assert_eq!(
        all,
        [
            ("archer", "archer", 0),
            ("brute 1", "brute", 1),
            ("brute 2", "brute", 1)
        ]
    );
    let archer = &base.fight.combatants[0];
    assert_eq!((archer.position, archer.speed, archer.health), (30, 15, 40));
    assert_eq!((archer.evade, archer.armor, archer.in_hand), (15, 2, 1));
    let bow = &archer.weapons[0];
    assert_eq!((bow.kind, bow.range), (WeaponKind::Ranged, 60));
    assert_eq!(bow.offsets, [0, 5, 10]);
    let check = PlainSum {
        count: 2,
        sides: 10,
        bonus: 9,
    };
    assert_eq!(
        bow.check,
        Check::RollOver {
            roll: Roll::from(check)
        }
    );
    assert_eq!(archer.policy.name, "kite");
    assert_eq!(archer.policy.text[1], "set if not ready");
    let actions: Vec<&Action> = archer
        .policy
        .decisions()
        .iter()
        .map(|l| &l.action)
        .collect();
    assert_eq!(
        actions,
        [
            &Action::Retreat(Move {
                mode: Mode::Run,
                units: Some(Amount::Fixed(7)),
                to: None
            }),
            &Action::Set,
            &Action::Attack(None)
        ]
    );

    let simple = &scenario.variants[1];
    assert_eq!(marks(&simple.rules).round, Round::Simple);
    assert_eq!(simple.fight, base.fight);
    assert_eq!(
        simple.changes,
        [("rules.round".to_owned(), "\"simple\"".to_owned())]
    );
}

#[test]
fn every_ruling_has_its_option() {
    let rules = r#"[rules]
round = "simple"
initiative.mode = "rolled"
initiative.dice = "1d12+1"
initiative.explode = "recursive"
initiative.ties = ["total", "intellect", "rating"]
initiative.share = ["beasts"]
initiative.delay_marks = "kept"
initiative.delay_half = "roll"
carry_over = "any"
attack_actions = "any"
attack_offsets = { 3 = [0, 7, 14], 6 = [0, 2, 4, 6, 8, 10] }
hit = "beat"
melee_unsets = false
mover_shot = "always"
fizzle_chance = 0.5
combat_casting_set = "if-unset"
channel_damage_breaks = true
car_per_round = 2
car_counts_as_move = true
charges_per_round = 3
counters_per_round = 4
wait = false
round_marks = 40
costs = { quarter = 4, half = 12, full = 20 }
"#;
    let text = kiting_with(
        "[rules]\nround = \"full\"\ninitiative = { mode = \"rolled\", explode = \"once\" }\n",
        rules,
    );
    let text = text.replacen("attacks = 1", "attacks = 6", 1);
    let text = &text[..text.find("[[variants]]").expect("variants")];
    let scenario = good(text).scenario;
    let base = &scenario.variants[0];
    assert_eq!(
        base.rules,
        Rules::Marks(MarkRules {
            round: Round::Simple,
            round_marks: 40,
            quarter: 4,
            half: 12,
            full: 20,
            fixed: false,
            dice: Roll::from(PlainSum {
                count: 1,
                sides: 12,
                bonus: 1
            }),
            explode: Explode::Recursive,
            ties: Ties {
                compared: vec![2, 0],
                last: LastResort::Simultaneous
            },
            share: vec![0b110],
            delay_keeps_marks: true,
            delay_half: DelayHalf::Roll,
            carry_over: CarryOver::Any,
            attack_actions: u8::MAX,
            melee_unsets: false,
            mover_shot_always: true,
            fizzle_chance: ALWAYS / 2,
            starts_set_for_casting: true,
            channel_damage_breaks: true,
            car_per_round: 2,
            car_counts_as_move: true,
            charges_per_round: 3,
            counters_per_round: 4,
            // By default attacks are spaced evenly over 20 Marks.
            offsets: [
                (1, vec![0]),
                (2, vec![0, 10]),
                (3, vec![0, 7, 14]),
                (4, vec![0, 5, 10, 15]),
                (5, vec![0, 4, 8, 12, 16]),
                (6, vec![0, 2, 4, 6, 8, 10]),
            ]
            .into(),
            may_wait: false,
        })
    );
    assert!(!base.fight.meeting_hits);
    assert_eq!(base.fight.combatants[0].weapons[0].offsets, [0, 7, 14]);
    assert_eq!(
        base.fight.combatants[1].weapons[0].offsets,
        [0, 2, 4, 6, 8, 10]
    );
}

/// TC-8, one row after the other.
#[test]
fn attacks_are_spaced_by_the_rule() {
    for (attacks, offsets) in [
        (1, vec![0]),
        (2, vec![0, 7]),
        (3, vec![0, 5, 10]),
        (4, vec![0, 4, 8, 12]),
        (5, vec![0, 3, 6, 9, 12]),
    ] {
        let text = kiting_with("attacks = 3", &format!("attacks = {attacks}"));
        let fight = &good(&text).scenario.variants[0].fight;
        assert_eq!(fight.combatants[0].weapons[0].offsets, offsets);
    }
    assert!(bad_with("attacks = 3", "attacks = 6").contains("attack_offsets"));
}

#[test]
fn a_combatant_may_have_everything() {
    let loaded = good(EVERYTHING);
    assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
    let fight = &loaded.scenario.variants[0].fight;
    // Without a title, the file name heads the tables.
    assert_eq!(loaded.scenario.title, "fight");
    let mage = &fight.combatants[0];
    assert_eq!(mage.in_hand, 0b01);
    assert!(mage.prone);
    let Traits::Marks(traits) = &mage.traits else {
        panic!("the traits of another clock")
    };
    assert_eq!(traits.car, Some(10));
    assert_eq!(traits.evade_modifier, 3);
    assert!(traits.counters && traits.charges && traits.fires_unset);
    assert_eq!(mage.weapons[1].mastery, 2);
    assert_eq!(mage.spells[0].casting_time, 10);
    assert!(mage.spells[1].channel && mage.spells[1].check.is_some());
    assert_eq!(mage.items[0].uses, 3);
    let casting = traits.combat_casting.as_ref().expect("the skill");
    assert_eq!((casting.target, casting.units_per), (2, 3));

    let policy = &mage.policy;
    let numbers = |lines: &[skirmish::fight::program::Line]| -> Vec<u16> {
        lines.iter().map(|line| line.number).collect()
    };
    assert_eq!(numbers(policy.at(Window::Score)), [0]);
    assert_eq!(numbers(policy.at(Window::Casting)), [4]);
    assert_eq!(numbers(policy.at(Window::EnemyMoves)), [3]);
    assert_eq!(
        numbers(policy.decisions()),
        [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    );
    assert_eq!(policy.decisions()[5].aim, Aim::Named(0b110));
    assert_eq!(policy.decisions()[7].aim, Aim::Named(0b100));
    assert_eq!(policy.decisions()[7].action, Action::Cast(0));
    assert_eq!(policy.decisions()[5].action, Action::Desperate(Some(1)));
}

#[test]
fn chances_and_numbers_at_their_ends_are_taken() {
    for (chance, parts) in [
        ("0", 0),
        ("1", ALWAYS),
        ("0.25", ALWAYS / 4),
        ("1.0", ALWAYS),
    ] {
        let text = kiting_with("[rules]", &format!("[rules]\nfizzle_chance = {chance}"));
        assert_eq!(
            marks(&good(&text).scenario.variants[0].rules).fizzle_chance,
            parts
        );
    }
    good(&kiting_with("count = 2", "count = 63"));
    good(&kiting_with("move = 15", "move = 0"));
}

/// With `rules.check`, `needs` belongs to the roll, wherever a check has the keys of several kinds.
#[test]
fn rules_check_varies_checks_that_need_a_number() {
    let check = "check = { dice = \"1d20\", pool = 2, skill = 40 }\nneeds = 7";
    let inline = check.replace('\n', ", ");
    let text = format!(
        "system = \"tara-corax\"\nrules.check = \"roll-over\"\n\
         [weapons.axe]\nkind = \"melee\"\ncheck = {{ dice = \"1d20\", pool = 2, skill = 40 }}\ndamage = 1\n\
         [items.bomb]\ntarget = \"enemy\"\nrange = 9\ndamage = 2\n\
         resist = {{ {inline}, success = \"half\" }}\n\
         [items.salve]\n{check}\nheal = 2\n\
         [conditions.afraid]\nends = \"check\"\n{check}\n"
    );
    let text = ["left", "right"].iter().fold(text, |text, name| {
        text + &format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = 0\ninitiative = 10\n\
             move = 1\nevade = 1\nhealth = 9\nweapons = [\"axe\"]\nitems = [\"bomb\", \"salve\"]\npolicy = [\"attack\"]\n\
             morale = {{ when = \"half_side_down\", {inline}, condition = \"afraid\" }}\n"
        )
    });
    for kind in ["roll-over", "pool", "percentile"] {
        loaded(&text, &[&format!("rules.check={kind}")]);
    }
    // Without the ruling, a number to reach is a mistake beside a percentile test.
    let one_kind = text
        .replace("dice = \"1d20\", pool = 2, ", "")
        .replace("rules.check = \"roll-over\"\n", "");
    let refused = bad(&one_kind);
    assert!(
        refused.contains("only a roll that adds has a number to reach"),
        "{refused}"
    );
}
