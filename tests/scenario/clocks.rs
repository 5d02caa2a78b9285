//! Errors in the turns of a game of one's own.

use crate::support::fights::{errors_with, player, read};
use skirmish::fight::Ending;
use skirmish::run::Play as _;
use skirmish::sim::Record;

/// A duel by rules of one's own.
const DUEL: &str = r#"
system = "own"
[clock]
key = "1d20 + agility"
[weapons.axe]
kind = "melee"
check = { dice = "1d20" }
damage = 1
[[combatants]]
name = "a"
side = "a"
position = 0
move = 3
evade = 10
health = 5
traits = { agility = 3 }
weapons = ["axe"]
policy = ["attack"]
[[combatants]]
name = "b"
side = "b"
position = 0
move = 3
evade = 10
health = 5
traits = { agility = 2 }
weapons = ["axe"]
policy = ["attack"]
"#;

#[test]
fn what_means_nothing_is_refused_with_the_reason() {
    for (set, words) in [
        ("clock.next='highest'", "cannot be \"highest\""),
        ("clock.unit='sides'", "did you mean \"side\"?"),
        ("clock.key='1d20 + agilty'", "no trait is called `agilty`"),
        ("clock.key='1d20 + health'", "something else in it"),
        ("clock.key={ cards = 1 }", "and 2 may be drawn"),
        ("clock.key={ jokers = 2 }", "`gives`"),
        ("clock.key={ gives = 'lucky' }", "a joker gives a condition"),
        (
            "clock.key={ cards = 9, jokers = 10, gives = 'lucky' }",
            "`jokers` is out of range",
        ),
        (
            "clock.key={ jokers = 2, gives = 'lucky' }",
            "conditions are defined in tables",
        ),
        (
            "clock.key={ each = 40 }",
            "the deck has 54 cards, and 80 may be drawn",
        ),
        ("clock.key={ each = '1d6!' }", "may be drawn"),
        (
            "clock.key={ each = 'agilty' }",
            "no trait is called `agilty`",
        ),
        ("clock.key={ each = 'health' }", "something else in it"),
        (
            "clock.key={ keep = 1 }",
            "`each` says how many cards are drawn",
        ),
        (
            "clock={ key = { each = 2 }, when = 'scene' }",
            "are new each Round",
        ),
        (
            "clock={ key = { each = 2 }, places = 2 }",
            "on each of its cards",
        ),
        (
            "clock={ key = { each = 2 }, next = 'bag' }",
            "hands of cards need an order by keys",
        ),
        (
            "clock={ key = { each = 2 }, unit = 'slot' }",
            "slots have one card each",
        ),
        (
            "clock={ like = 'mage', key = { each = 2 } }",
            "begin with Chronicles",
        ),
        ("clock.ties=['agilty']", "did you mean \"agility\"?"),
        (
            "clock.ties=['roll-off', 'agility']",
            "cannot have \"roll-off\" here",
        ),
        ("clock.places={ 2 = [1] }", "does not say of which trait"),
        (
            "clock.places={ of = 'agility', 3 = [1] }",
            "has no row for 2",
        ),
        ("clock.places='speed'", "no trait is called `speed`"),
        ("clock.after={ less = 0 }", "`less` is out of range"),
        (
            "clock={ after = 'cost', next = 'bag' }",
            "needs an order by keys",
        ),
        (
            "clock={ after = { less = 10 }, when = 'scene' }",
            "are new each Round",
        ),
        (
            "clock={ phases = ['move'], places = 2 }",
            "in each of the `phases`",
        ),
        ("clock.end_tokens=1", "drawn with `next = \"bag\"`"),
        (
            "clock={ next = 'bag', end_tokens = -1 }",
            "`end_tokens` is out of range",
        ),
        (
            "clock={ next = 'bag', end_tokens = 1, phases = ['move', 'melee'] }",
            "would cut them off",
        ),
        (
            "clock={ like = 'mage', end_tokens = 1 }",
            "begin with Chronicles",
        ),
        (
            "clock={ like = 'mage', next = 'bag' }",
            "begin with Chronicles",
        ),
        (
            "clock={ like = 'mage', unit = 'slot' }",
            "`unit` is for clocks that begin with Chronicles",
        ),
        (
            "clock={ like = 'mage', ties = ['rating'] }",
            "`ties` is for clocks that begin with Chronicles",
        ),
        (
            "clock={ like = 'mage', key = 'card' }",
            "begin with Chronicles",
        ),
        (
            "clock={ like = 'eclipse-phase', when = 'scene' }",
            "cannot be rolled once",
        ),
        ("clock.declare='actions'", "did you mean \"action\"?"),
        ("clock.declare={ fast = { action = 1 } }", "at least two"),
        (
            "clock.declare={ fast = { luck = 1 }, slow = {} }",
            "no resource of a turn is called \"luck\"",
        ),
        (
            "clock={ declare = 'action', next = 'bag' }",
            "does not go by keys",
        ),
        (
            "clock={ declare = 'action', after = 'cost', next = 'low' }",
            "no beginning of a Round",
        ),
        (
            "clock={ like = 'mage', declare = 'action' }",
            "begin with Chronicles",
        ),
        ("clock.after='failure'", "expected `unit = \"side\"`"),
        (
            "clock={ unit = 'side', after = { failure = 'heroes' } }",
            "no side is called \"heroes\"",
        ),
        (
            "combatants.a.policy=['declare attack']",
            "no `declare` in `[clock]`",
        ),
        (
            "combatants.a.policy=['declare advance']",
            "`advance` cannot be declared",
        ),
        (
            "combatants.a.policy=['seize for agilty']",
            "did you mean `agility`?",
        ),
        ("clock.like='tara-corax'", "`like` cannot be \"tara-corax\""),
        ("system='chronicles'", "a published system has its own"),
        (
            "combatants.a.policy=['ready attack when enemy ends-turn']",
            "of `react` lines alone",
        ),
        (
            "combatants.a.policy=['react attack when enemy acts for luck']",
            "a turn holds `action` and `reaction`",
        ),
    ] {
        let errors = errors_with(DUEL, &[set]);
        assert!(errors.contains(words), "{set}:\n{errors}");
    }
}

#[test]
fn lairs_and_swaps_need_places_in_an_order() {
    let lair = "encounter.hazards.lair={ initiative = 20, effects = [{ damage = 1 }] }";
    let swap = "combatants.a.policy=['swap ally', 'attack']";
    for (set, words) in [
        (
            ["clock.next='bag'", lair],
            "\"lair\" has no place in the order",
        ),
        (
            ["clock.unit='slot'", lair],
            "\"lair\" has no place in the order",
        ),
        (
            ["clock.like='eclipse-phase'", lair],
            "whose turns stand in one order",
        ),
        (
            [
                "clock.next='low'",
                "encounter.hazards.lair={ initiative = 2000, effects = [{ damage = 1 }] }",
            ],
            "`initiative` is out of range",
        ),
        (
            ["clock.unit='side'", swap],
            "\"a\" has no place of its own to swap",
        ),
        (
            ["clock.unit='combatant'", "combatants.a.policy=['swap b']"],
            "expected an ally",
        ),
        (["clock.like='mage'", swap], "swap"),
    ] {
        let errors = errors_with(DUEL, &set);
        assert!(errors.contains(words), "{set:?}:\n{errors}");
    }
    // It strikes none of them.
    assert_plays(
        "encounter.hazards.lair={ initiative = 20, stretch = [8, 9], effects = [{ damage = 1 }] }",
    );
    assert_plays(swap);
}

#[test]
fn every_word_of_the_clock_plays_with_every_other_that_it_may_stand_beside() {
    for unit in ["combatant", "group", "side", "slot"] {
        for next in ["high", "low", "alternate", "chosen", "bag"] {
            for more in [
                "when = 'round'",
                "places = 'agility'",
                "after = { less = 10 }",
                "phases = ['move', ['shoot', 'melee']]",
                "key = 'card'",
                "budget = { action = 3 }",
            ] {
                let set = format!("clock={{ unit = '{unit}', next = '{next}', {more} }}");
                assert_plays(&set);
            }
        }
    }
    for unit in ["combatant", "group", "side"] {
        for next in ["high", "low"] {
            assert_plays(&format!(
                "clock={{ unit = '{unit}', next = '{next}', key = {{ each = '1d4 + agility', keep = 3 }} }}"
            ));
        }
    }
}

#[track_caller]
fn assert_plays(set: &str) {
    let loaded = read(DUEL, &[set]).unwrap_or_else(|errors| panic!("{set}: {errors}"));
    let variant = &loaded.scenario.variants[0];
    let player = player(variant, 1);
    let (mut state, mut record) = (player.state(), Record::default());
    for encounter in 0..20 {
        player.play(&mut state, encounter, &mut record);
        assert!(
            matches!(record.ending, Ending::Win(_)),
            "{set}: {encounter}"
        );
    }
}
