//! Magick in a fight (MD-5 to MD-7).

use super::stage::{DUMMY, Played, one, play, play_turn, play_turns, scenario};
use crate::support::fights::{player, variant};
use skirmish::chance::Purpose::{Check, Initiative, Other};
use skirmish::run::Play;
use skirmish::sim::Record;

const FIRE: &str = "[spells.fire]\nsphere = 3\nrequired = 2\nrange = 5\ndamage = 3\n";
const CASTS: &str = "arete = 4\nspells = [\"fire\"]\npolicy = [\"cast fire\"]";

/// Plays James against a Technocrat five feet away.
fn alley(set: &[&str], turns: usize, dice: &[u32], other: &[u32]) -> Played {
    let text = scenario(&[
        FIRE,
        &one("James 0 2 3 3", CASTS),
        &DUMMY.replace("= 0", "= 2"),
    ]);
    let dice = [(0, Check, dice), (0, Other, other)];
    play_turns(&text, set, turns, &[5, 5], &dice)
}

#[test]
fn james_breathes_fire_in_three_manners() {
    let dice = [6, 9, 2, 5];
    // Coincidental, difficulty 6: two successes, and the Technocrat is bathed in flames.
    let played = alley(&[], 1, &dice, &[]);
    assert_eq!(
        played.only_untimed(&["James", "dummy takes"])[1..],
        [
            "James rolls 4 of 4-0-0",
            "James casts at dummy net 2 hit",
            "dummy takes 3 has 4"
        ]
    );
    assert_eq!(played.counts_of(0).paradox, 0);
    // Vulgar, difficulty 7: fire, but little of it hits its target.
    let played = alley(&["spells.fire.vulgar=true"], 1, &dice, &[]);
    assert_eq!(
        played.only_untimed(&["casts", "Paradox", "diminished", "takes"]),
        [
            "James Paradox +3 = 3",
            "James casts at dummy net 1 miss",
            "James is diminished: Half",
            "dummy takes 1 has 6"
        ]
    );
    assert_eq!(
        (played.counts_of(0).diminished, played.counts_of(0).paradox),
        (1, 3)
    );
    // A policeman happens by, difficulty 8.
    let seen = ["spells.fire.vulgar=true", "encounter.sleepers=true"];
    let played = alley(&seen, 1, &dice, &[]);
    assert_eq!(
        (played.counts_of(0).diminished, played.counts_of(0).paradox),
        (1, 4)
    );
    // A coincidence shows nothing to Sleepers.
    assert_eq!(
        alley(&["encounter.sleepers=true"], 1, &dice, &[])
            .counts_of(0)
            .paradox,
        0
    );
}

#[test]
fn md_5_sleepers_may_come_by_with_a_chance_each_turn() {
    // Sleepers watch in the first and the third of three turns; two 7s are enough when they do not watch.
    let set = ["spells.fire.vulgar=true", "encounter.sleepers=0.25"];
    let dice = [7, 7, 2, 2];
    let all = [dice, dice, dice].concat();
    let played = alley(&set, 3, &all, &[1, 0, 1]);
    assert_eq!(
        played.only_untimed(&["Sleepers", "Paradox", "casts"]),
        [
            "James sees Sleepers come by",
            "James Paradox +4 = 4",
            "James casts at dummy net 0 miss",
            "James Paradox +3 = 7",
            "James casts at dummy net 2 hit",
            "James sees Sleepers come by",
            "James Paradox +4 = 11",
            "James casts at dummy net 0 miss",
        ]
    );
    // A coincidence shows nothing to Sleepers: difficulty 6, no Paradox.
    let quiet = alley(&set[1..], 1, &[6, 6, 2, 2], &[1]);
    assert_eq!(
        (quiet.counts_of(0).paradox, quiet.counts_of(1).health),
        (0, 4)
    );
    // A ritual is watched in the turns in which Sleepers come by.
    let rite = [
        "spells.fire.ritual=true",
        "spells.fire.required=4",
        set[0],
        "encounter.sleepers=25%",
    ];
    let rite = alley(&rite, 2, &all[..8], &[0, 1]);
    assert_eq!(
        rite.only_untimed(&["Paradox", "ritual net"]),
        [
            "James Paradox +3 = 3",
            "James ritual net 2 has 2",
            "James Paradox +4 = 7",
            "James ritual net 0 has 2",
        ]
    );
    // A certain chance takes no draw and gives the same results as before.
    for (chance, paradox) in [
        ("always", 4),
        ("true", 4),
        ("1", 4),
        ("100%", 4),
        ("never", 3),
        ("false", 3),
        ("0.0", 3),
        ("0%", 3),
    ] {
        let sleepers = format!("encounter.sleepers={chance}");
        let played = alley(&[set[0], &sleepers], 1, &dice, &[]);
        assert_eq!(played.counts_of(0).paradox, paradox, "{chance}");
    }
}

#[test]
fn md_5_sleepers_come_by_as_often_as_the_chance_says() {
    // One turn each: 4 Paradox if Sleepers watch, 3 if not.
    let text = scenario(&[
        &FIRE.replace("sphere", "vulgar = true\nsphere"),
        "[encounter]\nmax_rounds = 1\nsleepers = 0.25\n",
        &one("James 0 2 3 3", CASTS),
        &DUMMY.replace("= 0", "= 2"),
    ]);
    let player = player(&variant(&text), 7);
    let (mut state, mut record) = (player.state(), Record::default());
    let (mut seen, played) = (0.0, 20_000_u32);
    player.play_all(&mut state, 0..played.into(), &mut record, |_, record| {
        let paradox = record.combatants[0].paradox;
        assert!(paradox == 3 || paradox == 4, "{paradox}");
        seen += f64::from(paradox - 3);
    });
    let played = f64::from(played);
    let (watched, alone) = (0.25 * played, 0.75 * played);
    let chi_squared = (seen - watched).powi(2) / watched + (seen - watched).powi(2) / alone;
    // The critical value for one degree of freedom at 0.1 per cent.
    assert!(chi_squared < 10.83, "{seen} of {played}: {chi_squared}");
}

#[test]
fn md_3_a_diminished_effect_does_half_of_its_damage_all_of_it_or_none() {
    // One success of the two required.
    let dice = [6, 2, 2, 2];
    let left = |set: &[&str]| {
        let played = alley(set, 1, &dice, &[]);
        assert_eq!(
            (
                played.counts_of(0).diminished,
                played.counts_of(0).successes
            ),
            (1, 1)
        );
        played.counts_of(1).health
    };
    assert_eq!(left(&[]), 6);
    assert_eq!(left(&["rules.magick.diminished=half"]), 6);
    assert_eq!(left(&["spells.fire.damage=1"]), 7);
    assert_eq!(left(&["rules.magick.diminished=nothing"]), 7);
    assert_eq!(left(&["rules.magick.diminished=full"]), 4);
    // The rolled damage is halved before soak; extra successes do not count.
    assert_eq!(left(&["combatants.dummy.soak=1"]), 7);
    assert_eq!(
        left(&["spells.fire.damage=5", "combatants.dummy.soak=1"]),
        6
    );
    assert_eq!(left(&["spells.fire.extra_damage=9"]), 6);
    // An effect may have its own rule.
    let own = [
        "rules.magick.diminished=full",
        "spells.fire.diminished=nothing",
    ];
    assert_eq!(left(&own), 7);
    // Without a success there is no effect, whatever the rules say.
    let none = alley(&["rules.magick.diminished=full"], 1, &[2, 2, 2, 2], &[]);
    assert_eq!(
        (none.counts_of(1).health, none.counts_of(0).diminished),
        (7, 0)
    );
    let cancelled = alley(&["rules.magick.diminished=full"], 1, &[6, 1, 2, 2], &[]);
    assert_eq!(
        (
            cancelled.counts_of(1).health,
            cancelled.counts_of(0).diminished
        ),
        (7, 0)
    );
    // A botch is not a diminished effect, even if some successes are left.
    let botch = ["rules.ones=ignore", "rules.magick.diminished=full"];
    let botched = alley(&botch, 1, &[6, 1, 1, 2], &[]);
    assert_eq!(
        (botched.counts_of(1).health, botched.counts_of(0).diminished),
        (7, 0)
    );
}

#[test]
fn md_2_a_botch_at_any_time_undoes_an_effect_that_would_have_worked() {
    // Two 1s and one success, and two more successes only afterwards.
    let dice = [1, 1, 10, 2, 10, 10, 7];
    let played = alley(&[], 1, &dice, &[]);
    assert_eq!(
        (played.counts_of(0).botches, played.counts_of(1).health),
        (0, 4)
    );
    let played = alley(&["rules.botch=at-any-time"], 1, &dice, &[]);
    assert_eq!(
        (played.counts_of(0).botches, played.counts_of(1).health),
        (1, 7)
    );
    assert_eq!(
        (played.counts_of(0).paradox, played.counts_of(0).successes),
        (1, 0)
    );
}

#[test]
fn md_3_extra_successes_buy_damage() {
    assert_eq!(alley(&[], 1, &[6, 9, 8, 7], &[]).counts_of(1).health, 2);
    let bought = ["spells.fire.extra_damage=0"];
    assert_eq!(alley(&bought, 1, &[6, 9, 8, 7], &[]).counts_of(1).health, 4);
}

#[test]
fn md_3_extra_successes_buy_range_and_what_is_left_damage() {
    let at = |distance: u32, dice: &[u32]| {
        let position = format!("combatants.dummy.position={distance}");
        let played = alley(&["spells.fire.extra_range=10", &position], 1, dice, &[]);
        (played.counts_of(1).health, played.counts_of(0).diminished)
    };
    let (four, three, two) = ([6, 9, 8, 7], [6, 9, 8, 2], [6, 9, 2, 2]);
    // Within the range of 5 two successes are enough, and two more raise the damage of 3.
    assert_eq!(at(5, &four), (2, 0));
    // Up to 15 yards use up one of them, up to 25 both.
    assert_eq!(at(6, &four), (3, 0));
    assert_eq!(at(15, &three), (4, 0));
    // The distance leaves one success: half of the damage.
    assert_eq!(at(15, &two), (6, 1));
    assert_eq!(at(16, &four), (4, 0));
    assert_eq!(at(25, &three), (6, 1));
    // No success is left: the effect does not reach.
    assert_eq!(at(25, &two), (7, 1));
    // Four dice do not reach farther: nothing is rolled.
    assert_eq!(at(26, &[]), (7, 0));
}

#[test]
fn md_3_extra_successes_are_spent_once() {
    // Two more successes raise the first damage of 3, and not the second.
    let second = "spells.fire.effects=[{ damage = 1 }]";
    let played = alley(&[second], 1, &[6, 9, 8, 7], &[]);
    assert_eq!(played.counts_of(0).damage, 3 + 2 + 1);
}

#[test]
fn md_6_a_botch_gives_the_greater_of_one_and_what_is_due() {
    let botch = [1, 2, 3, 4];
    assert_eq!(alley(&[], 1, &botch, &[]).counts_of(0).paradox, 1);
    assert_eq!(
        alley(&["spells.fire.vulgar=true"], 1, &botch, &[])
            .counts_of(0)
            .paradox,
        3
    );
}

#[test]
fn md_6_a_botch_may_cost_the_next_turn_or_health() {
    let lost = alley(
        &["rules.magick.botch=lose-turn"],
        3,
        &[1, 2, 3, 4, 6, 6, 2, 2],
        &[],
    );
    assert_eq!(
        lost.only_untimed(&["botches", "loses", "casts"]),
        [
            "James casts at dummy net -1 miss",
            "James botches",
            "James loses the turn",
            "James casts at dummy net 2 hit",
        ]
    );
    let hurt = ["rules.magick.botch=damage", "rules.magick.botch_damage=1d6"];
    let played = alley(&hurt, 1, &[1, 2, 3, 4], &[4]);
    assert_eq!(
        (
            played.counts_of(0).health,
            played.counts_of(0).damage,
            played.counts_of(0).damage_taken
        ),
        (3, 0, 4)
    );
}

#[test]
fn md_6_paradox_may_strike_back_at_a_threshold() {
    let (miss, vulgar) = ([2, 3, 4, 5], "spells.fire.vulgar=true");
    let misses = |turns: usize| miss.repeat(turns);
    // Three for each roll: 3, 6 (one left), 4, 7 (two left); a turn is lost in between.
    let turn = [vulgar, "rules.magick.paradox_backlash=lose-turn"];
    let played = alley(&turn, 5, &misses(4), &[]);
    assert_eq!(
        played.only_untimed(&["Paradox", "loses"]),
        [
            "James Paradox +3 = 3",
            "James Paradox +3 = 6",
            "James backlash, 1 Paradox left",
            "James loses the turn",
            "James Paradox +3 = 4",
            "James Paradox +3 = 7",
            "James backlash, 2 Paradox left",
        ]
    );
    // All Paradox gathered is counted.
    assert_eq!(played.counts_of(0).paradox, 12);
    // Damage as often as the threshold is reached, and after the effect.
    let hurt = [
        vulgar,
        "rules.magick.paradox_backlash=damage",
        "rules.magick.paradox_damage=1d6",
    ];
    let one = [
        hurt[0],
        hurt[1],
        hurt[2],
        "rules.magick.paradox_threshold=1",
    ];
    let played = alley(&one, 1, &[7, 7, 2, 2], &[1, 2, 1]);
    assert_eq!(
        played.only_untimed(&["backlash", "takes"]),
        [
            "dummy takes 3 has 4",
            "James backlash, 2 Paradox left",
            "James takes 1 has 6",
            "James backlash, 1 Paradox left",
            "James takes 2 has 4",
            "James backlash, 0 Paradox left",
            "James takes 1 has 3",
        ]
    );
    // There is no backlash if the effect decides the encounter; a caster felled by a backlash is not struck again.
    let fells = [one[0], one[1], one[2], one[3], "spells.fire.damage=9"];
    assert_eq!(alley(&fells, 1, &[7, 7, 2, 2], &[]).counts_of(0).health, 7);
    let dead = alley(&one, 1, &miss, &[6, 6]);
    assert_eq!(dead.record.ending, skirmish::fight::Ending::Win(1));
    // A policy reads the Paradox that is left.
    let sees = [
        turn[0],
        turn[1],
        "rules.magick.paradox_threshold=3",
        "combatants.James.policy=[\"cast fire if paradox < 1\"]",
    ];
    assert_eq!(alley(&sees, 4, &misses(2), &[]).counts_of(0).paradox, 6);
    // By default nothing happens.
    let none = ["rules.magick.paradox_backlash=none", vulgar];
    for set in [&none[..], &none[1..]] {
        let played = alley(set, 4, &misses(4), &[]);
        assert_eq!(played.only_untimed(&["backlash", "loses"]), [""; 0]);
        assert_eq!(played.counts_of(0).paradox, 12);
    }
}

#[test]
fn a_botch_that_fells_its_caster_ends_the_encounter() {
    let hurt = ["rules.magick.botch=damage", "rules.magick.botch_damage=9"];
    let played = alley(&hurt, 1, &[1, 2, 3, 4], &[]);
    assert_eq!(played.record.ending, skirmish::fight::Ending::Win(1));
}

#[test]
fn md_5_dice_wounds_and_yards() {
    // Wounds remove dice from attack pools alone; yards from every pool.
    let text = scenario(&[
        FIRE,
        "[weapons.axe]\nkind = \"melee\"\nreach = 99\ncheck = { pool = 1 }\ndamage = 3\n",
        &one(
            "James -12 2 3 3",
            "arete = 4\nspells = [\"fire\"]\npolicy = [\"cast fire\", \"advance run to 4\"]",
        ),
        &one("foe 0 5 5 3", "weapons = [\"axe\"]\npolicy = [\"attack\"]"),
    ]);
    let played = play_turn(
        &text,
        &[],
        &[1, 9],
        &[(1, Check, &[6]), (0, Check, &[2, 2, 2])],
    );
    // Injured: a run of 13, of which 6 are free; reaching a range of 5 takes 7.
    assert_eq!(
        played.only_untimed(&["James rolls"]),
        ["James rolls 3 of 4-0-1"]
    );
    // The scenario may give fewer dice than Arete.
    let few = alley(&["spells.fire.dice=2"], 1, &[6, 9], &[]);
    assert_eq!(few.only_untimed(&["rolls"]), ["James rolls 2 of 2-0-0"]);
}

const STORM: &str = "[spells.storm]\nsphere = 2\nritual = true\nrequired = 5\nrange = 50\nvulgar = true\ndamage = 4\n";

fn ritual(set: &[&str], foe: &str, turns: usize, dice: &[u32], foe_dice: &[u32]) -> Played {
    let text = scenario(&[
        STORM,
        "[weapons.axe]\nkind = \"melee\"\nreach = 99\ncheck = { pool = 1 }\ndamage = 1\n",
        &one(
            "mage 0 4 4 3",
            "arete = 3\nspells = [\"storm\"]\npolicy = [\"cast storm\"]",
        ),
        &one(
            "foe 9 2 2 3",
            &format!("weapons = [\"axe\"]\npolicy = [{foe}]"),
        ),
    ]);
    let dice = [(0, Check, dice), (1, Check, foe_dice)];
    play_turns(&text, set, turns, &[5, 1], &dice)
}

#[test]
fn md_7_a_ritual_gathers_successes_turn_after_turn() {
    // Difficulty 6: two successes, none (a failure adds nothing), and four.
    let dice = [6, 7, 2, 2, 3, 4, 10, 7, 8, 9];
    let played = ritual(&[], "\"pass\"", 3, &dice, &[]);
    assert_eq!(
        played.only_untimed(&["ritual", "effect", "takes", "Paradox"]),
        [
            "mage begins a ritual",
            "mage Paradox +2 = 2",
            "mage ritual net 2 has 2",
            "mage Paradox +2 = 4",
            "mage ritual net 0 has 2",
            "mage Paradox +2 = 6",
            "mage ritual net 4 has 6",
            "mage effect on foe",
            // One more success than required.
            "foe takes 5 has 2",
        ]
    );
    assert_eq!(
        (
            played.counts_of(0).spells_cast,
            played.counts_of(0).successes
        ),
        (1, 6)
    );
    let once = ritual(&["rules.magick.paradox=once"], "\"pass\"", 3, &dice, &[]);
    assert_eq!(once.counts_of(0).paradox, 2);
}

#[test]
fn md_7_a_climb_breaks_off_a_ritual() {
    let text = scenario(&[
        STORM,
        &one(
            "mage 0 4 4 3",
            "arete = 3\nclimb = { pool = 1 }\nspells = [\"storm\"]\npolicy = [\"retreat climb 9 if turn = 2\", \"cast storm\"]",
        ),
        &one("foe 9 2 2 3", "policy = [\"pass\"]"),
    ]);
    let played = play(
        &text,
        &["encounter.max_rounds=3"],
        &[
            (0, Initiative, &[5, 5, 5]),
            (1, Initiative, &[1, 1, 1]),
            (0, Check, &[6, 7, 2, 7, 6, 2, 3]),
        ],
    );
    assert_eq!(
        played.only_untimed(&["ritual"]),
        [
            "mage begins a ritual",
            "mage ritual net 2 has 2",
            "mage loses the ritual",
            "mage begins a ritual",
            "mage ritual net 1 has 1",
        ]
    );
}

#[test]
fn md_7_a_roll_of_a_ritual_may_take_several_turns() {
    // Two successes, then three and one 1: enough after two rolls of three turns each.
    let dice = [6, 7, 2, 6, 7, 8];
    let three = ["spells.storm.turns_per_roll=3"];
    let played = ritual(&three, "\"pass\"", 6, &dice, &[]);
    assert_eq!(
        played.only_untimed(&["ritual", "rolls", "effect", "takes", "Paradox"]),
        [
            "mage begins a ritual",
            "mage ritual work, 2 to go",
            "mage ritual work, 1 to go",
            "mage rolls 3 of 3-0-0",
            "mage Paradox +2 = 2",
            "mage ritual net 2 has 2",
            "mage ritual work, 2 to go",
            "mage ritual work, 1 to go",
            "mage rolls 3 of 3-0-0",
            "mage Paradox +2 = 4",
            "mage ritual net 3 has 5",
            "mage effect on foe",
            "foe takes 4 has 3",
        ]
    );
    assert_eq!(played.record.rounds, 6);
    // With one turn less the second roll does not come.
    let short = ritual(&three, "\"pass\"", 5, &dice[..3], &[]);
    assert_eq!(
        (short.counts_of(0).paradox, short.counts_of(1).health),
        (2, 7)
    );
    // An interrupted ritual loses its turns of work, too: it begins anew, with all three.
    let foe = "\"attack if turn = 2\"";
    let hurt = ritual(&three, foe, 4, &[], &[6]);
    assert_eq!(
        hurt.only_untimed(&["ritual", "interrupted"]),
        [
            "mage begins a ritual",
            "mage ritual work, 2 to go",
            "mage ritual work, 1 to go",
            "mage is interrupted",
            "mage begins a ritual",
            "mage ritual work, 2 to go",
            "mage ritual work, 1 to go",
        ]
    );
    // A lost turn is no turn of work, but interrupts nothing.
    let on_botch = [
        three[0],
        "rules.magick.botch=lose-turn",
        "rules.magick.ritual_botch=continues",
    ];
    let lost = ritual(&on_botch, "\"pass\"", 5, &[1, 2, 3], &[]);
    assert_eq!(
        lost.only_untimed(&["ritual", "loses"])[3..],
        [
            "mage ritual net -1 has 0",
            "mage loses the turn",
            "mage ritual work, 2 to go",
        ]
    );
    // Willpower is spent at the roll.
    let willed = [
        three[0],
        "combatants.mage.willpower=1",
        "combatants.mage.policy=[\"cast storm with willpower\"]",
    ];
    let willed = ritual(&willed, "\"pass\"", 3, &[6, 7, 2], &[]);
    assert_eq!(
        willed.only_untimed(&["Willpower", "ritual net"]),
        ["mage spends Willpower, 0 left", "mage ritual net 3 has 3"]
    );
}

#[test]
fn md_3_a_ritual_gathers_what_the_distance_takes_besides() {
    let dice = [6, 7, 2, 2, 3, 4, 10, 7, 8, 9];
    let far = |yards: &str| {
        let set = ["spells.storm.range=4", yards];
        let played = ritual(&set, "\"pass\"", 3, &dice, &[]);
        let last = played.only_untimed(&["ritual net", "effect", "takes"]);
        last[2..]
            .iter()
            .map(|&line| line.to_owned())
            .collect::<Vec<_>>()
    };
    // Nine yards: one of six successes goes into range, and none is left for damage.
    assert_eq!(
        far("spells.storm.extra_range=5"),
        [
            "mage ritual net 4 has 6",
            "mage effect on foe",
            "foe takes 4 has 3"
        ]
    );
    assert_eq!(
        far("spells.storm.extra_range=2"),
        ["mage ritual net 4 has 6"]
    );
}

#[test]
fn md_4_willpower_serves_effects_and_rolls_of_rituals() {
    let willed = [
        "combatants.James.willpower=1",
        "combatants.James.policy=[\"cast fire with willpower\"]",
    ];
    let played = alley(&willed, 2, &[6, 2, 2, 3], &[]);
    assert_eq!(
        played.only_untimed(&["Willpower", "casts"]),
        [
            "James spends Willpower, 0 left",
            "James casts at dummy net 2 hit"
        ]
    );
    let willed = [
        "combatants.mage.willpower=1",
        "combatants.mage.policy=[\"cast storm with willpower if gathered > 0\", \"cast storm\"]",
    ];
    // Willpower prevents the botch: the ritual continues.
    let played = ritual(&willed, "\"pass\"", 2, &[6, 7, 2, 1, 1, 2], &[]);
    assert_eq!(
        played.only_untimed(&["ritual net"]),
        ["mage ritual net 2 has 2", "mage ritual net 1 has 3"]
    );
}

#[test]
fn md_7_a_botch_ends_it_loses_all_or_does_nothing() {
    let dice = [6, 7, 2, 1, 2, 3, 6, 7, 8];
    let gathered = |rule: &str| {
        let set = format!("rules.magick.ritual_botch={rule}");
        let played = ritual(&[&set], "\"pass\"", 3, &dice, &[]);
        let lines = played.only_untimed(&["ritual net"]);
        lines
            .iter()
            .map(|line| line.rsplit(' ').next().unwrap().parse::<i64>().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(gathered("ends"), [2, 2, 3]);
    assert_eq!(gathered("loses-all"), [2, 0, 3]);
    assert_eq!(gathered("continues"), [2, 2, 5]);
}

#[test]
fn md_7_a_roll_that_adds_nothing_makes_the_next_harder() {
    // Difficulty 6: nothing; then 8, as the scenario says, and then 10, the maximum.
    let dice = [2, 3, 4, 7, 7, 8, 9, 9, 9, 9, 2, 3];
    let gathered = |step: &str| {
        let set = format!("rules.magick.difficulty_step={step}");
        let played = ritual(&[&set], "\"pass\"", 4, &dice, &[]);
        let lines = played.only_untimed(&["ritual net"]);
        let last = |line: &&str| line.rsplit(' ').next().unwrap().parse().unwrap();
        lines.iter().map(last).collect::<Vec<i64>>()
    };
    assert_eq!(gathered("0")[..2], [0, 3]);
    assert_eq!(gathered("2"), [0, 1, 4, 5]);
    assert_eq!(gathered("9"), [0; 4]);
}

#[test]
fn w_5_damage_of_a_tied_combatant_interrupts_a_ritual_once_it_counts() {
    let text = scenario(&[
        STORM,
        "[weapons.axe]\nkind = \"melee\"\nreach = 99\ncheck = { pool = 1 }\ndamage = 1\n",
        &one(
            "mage 0 4 4 3",
            "arete = 3\nspells = [\"storm\"]\npolicy = [\"cast storm\"]",
        ),
        &one("foe 9 4 4 3", "weapons = [\"axe\"]\npolicy = [\"attack\"]"),
    ]);
    let played = play_turn(
        &text,
        &[],
        &[5, 5],
        &[(0, Check, &[6, 7, 2]), (1, Check, &[6])],
    );
    assert_eq!(
        played.only_untimed(&["ritual", "interrupted"]),
        [
            "mage begins a ritual",
            "mage ritual net 2 has 2",
            "mage is interrupted",
        ]
    );
    assert_eq!(played.counts_of(0).spells_fizzled, 1);
}

#[test]
fn damage_interrupts_a_ritual_unless_the_scenario_says_otherwise() {
    let dice = [6, 7, 2, 6, 7, 2];
    let played = ritual(&[], "\"attack\"", 2, &dice, &[6, 2]);
    assert_eq!(
        played.only_untimed(&["ritual", "interrupted"]),
        [
            "mage begins a ritual",
            "mage ritual net 2 has 2",
            "mage is interrupted",
            "mage begins a ritual",
            "mage ritual net 2 has 2",
        ]
    );
    assert_eq!(
        (
            played.counts_of(0).spells_cast,
            played.counts_of(0).spells_fizzled
        ),
        (2, 1)
    );
    let stubborn = ["rules.magick.damage_interrupts=false"];
    let played = ritual(&stubborn, "\"attack\"", 2, &dice, &[6, 2]);
    assert_eq!(
        played.only_untimed(&["ritual net"]),
        ["mage ritual net 2 has 2", "mage ritual net 2 has 4"]
    );
}
