//! Fights without chance: all counts follow from the rules.

mod mage;
mod marks;
mod turns;

use crate::support::fights::{sampled, variant_with};
use skirmish::stats::{Confidence, Summary};
use skirmish::tally::Tally;

/// The default weapon: it always hits and does 3 damage.
const SWORD: &str = "[weapons.sword]\nkind = \"melee\"\ncheck = { dice = \"10\" }\ndamage = 3\n";

/// The counts of the only possible encounter.
struct Counted(Tally);

impl Counted {
    /// Returns the value of a metric of a combatant, a side or the encounter.
    fn of(&self, metric: &str, subject: &str) -> f64 {
        let metric = self.0.metric(metric).expect("a metric of this fight");
        let index = (0..self.0.subjects(metric.scope))
            .find(|&index| self.0.subject(metric.scope, index) == subject)
            .unwrap_or_else(|| panic!("no {subject}"));
        let distribution = self.0.distribution(metric, index);
        let summary = Summary::of(&distribution, metric.kind, Confidence::default());
        summary.mean.expect("a value")
    }

    /// Returns the damage that a combatant took.
    fn taken(&self, who: &str) -> f64 {
        self.of("damage_taken", who)
    }
}

/// Plays a fight whose `head` names the system. A fighter is `name side position initiative | key = value; ... | line;
/// ...`: unless the keys say otherwise, it has 5 Units of movement, Evade 5, health 20 and a sword. Initiative has no
/// dice; with `-` it follows from the attributes, as does the movement.
fn play_fighters(head: &str, fighters: &[&str]) -> Counted {
    // The sword's check is not a percentile test.
    let sword = if head.contains("\"percentile\"") {
        ""
    } else {
        SWORD
    };
    let mut text = format!("{head}\n{sword}");
    for fighter in fighters {
        let parts: Vec<&str> = fighter.split(" | ").map(str::trim).collect();
        let [who, keys, lines] = parts[..] else {
            panic!("no three parts in {fighter}")
        };
        let words: Vec<&str> = who.split(' ').collect();
        let [name, side, position, initiative] = words[..] else {
            panic!("no four words in {who}")
        };
        let by_attributes = initiative == "-";
        let initiative = format!("initiative = {initiative}");
        let own: Vec<&str> = keys
            .split(';')
            .map(str::trim)
            .filter(|key| !key.is_empty())
            .collect();
        let usual = [
            "evade = 5",
            "health = 20",
            "weapons = [\"sword\"]",
            "move = 5",
            &initiative,
        ];
        let usual = &usual[..if by_attributes { 3 } else { 5 }];
        let key = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
        let usual = usual
            .iter()
            .filter(|one| own.iter().all(|own| key(own) != key(one)));
        let keys: Vec<&str> = usual.copied().chain(own.iter().copied()).collect();
        let lines: Vec<&str> = lines.split(';').map(str::trim).collect();
        let keys = keys.join("\n");
        text.extend([
            format!(
                "[[combatants]]\nname = \"{name}\"\nside = \"{side}\"\nposition = {position}\n"
            ),
            format!("{keys}\npolicy = {lines:?}\n"),
        ]);
    }
    Counted(played(&text, &["rules.initiative.dice=0"], 1))
}

/// Plays `encounters` encounters of a scenario, and counts them.
fn played(text: &str, set: &[&str], encounters: u64) -> Tally {
    sampled(&variant_with(text, set), 1, encounters)
}

fn chronicles(head: &str, fighters: &[&str]) -> Counted {
    play_fighters(
        &format!("system = \"chronicles\"\nrules.check = \"roll-over\"\n{head}"),
        fighters,
    )
}

fn marks(head: &str, fighters: &[&str]) -> Counted {
    play_fighters(&format!("system = \"tara-corax\"\n{head}"), fighters)
}

fn phases(head: &str, fighters: &[&str]) -> Counted {
    play_fighters(
        &format!("system = \"eclipse-phase\"\nrules.check = \"roll-over\"\n{head}"),
        fighters,
    )
}

/// W-11: a combatant exactly as far from the user as the radius is healed, too; a combatant that resists gets half.
#[test]
fn w_11_what_heals_its_user_heals_all_within_its_area() {
    let head = "encounter.max_rounds = 2\nencounter.hazards.fire = { effects = [{ damage = 5 }], last = 1 }\n\
                [items.smoke]\ntarget = \"self\"\narea = 4\nheal = 3\nuses = 5\n";
    let fighters = [
        "a x 0 10 | items = [\"smoke\"] | use smoke",
        "b x 4 8 |  | pass",
        "c y 5 12 |  | pass",
    ];
    let counted = chronicles(head, &fighters);
    // Both of the side lack 5 points and get 3 in each of 2 Rounds.
    assert!((counted.of("health_left", "x") - 40.0).abs() < 1e-9);
    assert!((counted.of("health_left", "y") - 15.0).abs() < 1e-9);
    let resisted = head.replace(
        "uses = 5",
        "uses = 5\nresist = { check = { dice = \"10\" }, needs = 5, success = \"half\" }",
    );
    let counted = chronicles(&resisted, &fighters);
    assert!(
        counted.of("health_left", "x") < 36.5,
        "{}",
        counted.of("health_left", "x")
    );
}

/// CD-3: a combatant that waits for a fall acts at once when a hazard fells the other; an action readied later waits
/// for another fall.
#[test]
fn cd_3_a_fall_by_a_hazard_triggers_at_once_and_only_once() {
    let head = "[encounter]\nmax_rounds = 2\nhazards.fire = { effects = [{ damage = 5 }], stretch = [5, 6], first = 2 }\n";
    let play = |line: &str| {
        chronicles(
            head,
            &[
                &format!("a x 0 10 |  | {line}"),
                "b y 5 8 | health = 3 | pass",
                "d y 0 7 |  | pass",
            ],
        )
    };
    for line in ["ready attack when B falls", "ready attack when enemy falls"] {
        let counted = play(&line.replace('B', "b"));
        assert!((counted.taken("d") - 3.0).abs() < 1e-9, "{line}");
        assert!((counted.of("readied", "a") - 1.0).abs() < 1e-9, "{line}");
        assert!(counted.of("readied_lost", "a").abs() < 1e-9, "{line}");
    }
}

/// CD-3, W-15: a readied move goes the Units it names, as far as `move` pays for them.
#[test]
fn cd_3_a_readied_move_pays_for_difficult_ground_with_its_own_movement() {
    for (line, units) in [
        ("retreat 1", 1.0),
        ("retreat 2", 2.0),
        ("retreat 9", 3.0),
        ("retreat", 3.0),
    ] {
        let counted = chronicles(
            "[encounter]\nmax_rounds = 1\nground.bog = { stretch = [-9, 9], difficult = 2 }\n",
            &[
                &format!("a x 0 10 | move = 6 | ready {line} when enemy moves"),
                "b y 5 8 | move = 2 | advance 1",
            ],
        );
        assert!(
            (counted.of("units_moved", "a") - units).abs() < 1e-9,
            "{line}"
        );
    }
}

/// CD-3: the target of a readied action is the combatant that triggered it, if it is a possible target.
#[test]
fn cd_3_what_is_used_on_anyone_is_used_on_the_ally_that_triggers_it() {
    let counted = chronicles(
        "encounter.max_rounds = 1\n[items.bomb]\ntarget = \"anyone\"\nrange = 9\ndamage = 3\nuses = 5\n",
        &[
            "a x 0 10 | items = [\"bomb\"] | ready use bomb when b moves",
            "b x 5 8 |  | advance 1",
            "d y 9 7 |  | pass",
        ],
    );
    assert!((counted.taken("b") - 3.0).abs() < 1e-9);
    assert!(counted.taken("d").abs() < 1e-9);
}

/// CD-3: an action may be readied for a trigger that no combatant can bring about; it is lost.
#[test]
fn cd_3_an_action_may_be_readied_for_an_ally_that_is_not_there() {
    let counted = chronicles(
        "encounter.max_rounds = 2\n",
        &[
            "a x 0 10 |  | ready attack when ally attacks",
            "b y 4 8 |  | pass",
        ],
    );
    assert!((counted.of("readied", "a") - 2.0).abs() < 1e-9);
}

/// W-4: if a named ally has fallen, the nearest ally replaces it.
#[test]
fn w_4_a_fallen_named_ally_becomes_the_nearest() {
    let counted = chronicles(
        "encounter.max_rounds = 3\n[items.balm]\ntarget = \"ally\"\nrange = 9\nheal = 3\nuses = 5\n",
        &[
            "a x 0 10 | items = [\"balm\"] | use balm b",
            "b x 2 8 | health = 3 | pass",
            "d x 2 7 | ongoing = { damage = 2, rounds = 5 } | pass",
            "e y 2 12 |  | attack b if round = 1",
        ],
    );
    assert!((counted.of("items_used", "a") - 3.0).abs() < 1e-9);
    assert!((counted.of("healed", "a") - 4.0).abs() < 1e-9);
}

/// EP-2: Speed that rises in a Phase counts in that Phase.
#[test]
fn ep_2_speed_that_rises_in_a_phase_counts_in_it() {
    let head = "encounter.max_rounds = 1\n[conditions.up]\nmodifies = { speed = 1 }\n[items.pill]\ntarget = \"ally\"\nrange = 99\n\
                cost = \"quick\"\neffects = [{ condition = \"up\", lasts = 9 }]\n";
    let counted = phases(
        head,
        &[
            "a x 0 10 | speed = 3; items = [\"pill\"] | use pill b if phase = 2; pass",
            "b x 1 8 | speed = 1 | attack",
            "d y 1 6 | speed = 3 | pass",
        ],
    );
    assert!((counted.of("attacks", "b") - 2.0).abs() < 1e-9);
    // A combatant that has acted in the Phase gets no second place in it.
    let late = phases(
        head,
        &[
            "a x 0 4 | speed = 1; items = [\"pill\"] | use pill b",
            "b x 1 8 | speed = 1 | attack",
            "d y 1 6 | speed = 1 | pass",
        ],
    );
    assert!((late.of("attacks", "b") - 2.0).abs() < 1e-9);
}

/// EP-8: when a Phase begins, its whole share of movement is left.
#[test]
fn ep_8_moxie_is_asked_about_the_share_of_the_phase_that_begins() {
    let counted = phases(
        "encounter.max_rounds = 1\n",
        &[
            "a x 0 4 | move = 20; moxie = 9; speed = 2 | spend moxie if phase = 2 and move_left = 5; advance 5; pass",
            "b y 30 8 | speed = 2 | pass",
        ],
    );
    assert!((counted.of("moxie_spent", "a") - 1.0).abs() < 1e-9);
}

/// W-4: the target of a task is chosen when the task is done.
#[test]
fn w_4_a_task_strikes_whom_it_finds_when_it_is_done() {
    let counted = phases(
        "encounter.max_rounds = 1\n[tasks.mine]\nphases = 1\ndamage = 5\nrange = 4\n[weapons.hook]\nkind = \"ranged\"\nrange = 9\n\
         check = { dice = \"10\" }\ndamage = 0\neffects = [{ push = 9 }]\n",
        &[
            "b z -1 9 | weapons = [\"hook\"] | delay; interrupt if enemy_acts; attack a",
            "f x 8 7 | tasks = [\"mine\"] | task mine",
            "a y 0 1 |  | pass",
            "d y 4 2 |  | pass",
        ],
    );
    assert!((counted.taken("a") - 5.0).abs() < 1e-9);
    assert!(counted.taken("d").abs() < 1e-9);
}

/// W-6, W-14: an encounter that a hazard decides ends before conditions do damage.
#[test]
fn w_6_a_hazard_that_decides_ends_the_encounter_before_conditions_hurt() {
    let head = "[encounter]\nmax_rounds = 3\nhazards.fire = { effects = [{ damage = 5 }], stretch = [5, 6], first = 2 }\n\
                [conditions.burn]\nongoing = { damage = 4 }\n[items.oil]\ntarget = \"self\"\neffects = [{ condition = \"burn\", lasts = 3 }]\n";
    let fighters = [
        "a x 0 20 | health = 4; items = [\"oil\"] | use oil",
        "b y 5 17 | health = 3 | pass",
    ];
    for counted in [marks(head, &fighters), phases(head, &fighters)] {
        assert!((counted.of("win_rate", "x") - 1.0).abs() < 1e-9);
    }
}

/// TC-7, W-12, W-14: a reserve that enters in between acts at its own Mark, before a hazard of a later Mark.
#[test]
fn w_14_a_hazard_strikes_once_after_those_who_have_come_in() {
    let counted = marks(
        "[encounter]\nmax_rounds = 1\nhazards.fire = { mark = 1, effects = [{ damage = 4 }] }\n",
        &[
            "a x 0 20 |  | pass",
            "b y 9 19 |  | pass",
            "c y 30 2 | enters = { mark = 10 } | retreat",
        ],
    );
    for who in ["a", "b", "c"] {
        assert!((counted.taken(who) - 4.0).abs() < 1e-9, "{who}");
    }
}

/// TC-21, W-5: a spell whose Marks are paid goes off before the step of a tied enemy.
#[test]
fn tc_21_a_tied_spell_comes_before_the_step_of_its_target() {
    let counted = marks(
        "rules.round = \"simple\"\nencounter.max_rounds = 1\n[spells.zap]\ncasting_time = 3\nrange = 0\ndamage = 4\n",
        &[
            "a x 0 20 | spells = [\"zap\"] | cast zap",
            "b y 0 20 |  | retreat",
        ],
    );
    assert!((counted.taken("b") - 4.0).abs() < 1e-9);
}

/// TC-15, W-11: a Channel targets those whom its spell targets.
#[test]
fn tc_15_a_channel_heals_an_ally_or_its_caster() {
    let fighters = |line: &str| {
        [
            format!("a x 0 20 | spells = [\"mend\"] | {line}"),
            "b y 2 11 |  | pass".to_owned(),
            "d x 3 12 |  | pass".to_owned(),
        ]
    };
    for (target, line, left) in [
        ("ally", "channel mend", [14.0, 18.0]),
        ("ally", "channel mend d", [14.0, 18.0]),
        ("self", "channel mend", [18.0, 14.0]),
    ] {
        let range = if target == "ally" { "range = 9\n" } else { "" };
        let head = format!(
            "encounter.max_rounds = 1\nencounter.hazards.fire = {{ mark = 25, effects = [{{ damage = 6 }}] }}\n\
             [spells.mend]\nchannel = true\n{range}target = \"{target}\"\neffects = [{{ heal = 4 }}]\n"
        );
        let fighters = fighters(line);
        let fighters: Vec<&str> = fighters.iter().map(String::as_str).collect();
        let counted = marks(&head, &fighters);
        assert!(
            (counted.of("health_left", "y") - 14.0).abs() < 1e-9,
            "{target}"
        );
        assert!(
            (counted.of("health_left", "x") - left.iter().sum::<f64>()).abs() < 1e-9,
            "{target}"
        );
    }
}

/// TC-16, W-15: if a CAR move uses Land Speed, difficult ground uses more of it.
#[test]
fn tc_16_a_car_that_counts_as_a_move_pays_for_difficult_ground() {
    let play = |units: u32| {
        marks(
            "rules.car_counts_as_move = true\n[encounter]\nmax_rounds = 1\nground.bog = { stretch = [0, 1], difficult = 5 }\n",
            &[
                &format!("a x 2 20 | move = {units}; car = 5 | car; pass"),
                "b y -1 10 | move = 0 | pass",
            ],
        )
    };
    assert!(play(10).of("units_moved", "a").abs() < 1e-9);
    assert!((play(11).of("units_moved", "a") - 3.0).abs() < 1e-9);
}

/// TC-17, W-4: a charge targets an enemy that it can reach, including the cost of difficult ground.
#[test]
fn w_4_a_charge_is_at_an_enemy_that_land_speed_leads_to() {
    let counted = marks(
        "[encounter]\nmax_rounds = 1\nground.bog = { stretch = [-3, -1], difficult = 5 }\n",
        &[
            "a x 0 20 | move = 6; abilities = [\"frenzied-charge\"] | charge; pass",
            "b y -3 10 | move = 0 | pass",
            "c y 5 9 | move = 0 | pass",
        ],
    );
    assert!((counted.taken("c") - 3.0).abs() < 1e-9);
}

/// Conditions may raise health above its value at the start, so the interval of health left extends above it, too.
#[test]
fn intervals_hold_health_that_conditions_have_raised() {
    let text = format!(
        "system = \"tara-corax\"\n[encounter]\nmax_rounds = 2\nhazards.bless = {{ last = 1, effects = [{{ condition = \"strong\" }}] }}\n\
         [conditions.strong]\nmodifies = {{ health = 5 }}\nends = \"never\"\n{SWORD}{}",
        ["a", "b"].map(|side| {
            format!(
                "[[combatants]]\nname = \"{side}\"\nside = \"{side}\"\nposition = 0\nattributes = {{ agility = 9, intellect = 9 }}\n\
                 move = 5\nevade = 5\nhealth = 20\nweapons = [\"sword\"]\npolicy = [\"attack if round = 2 and score > 12\"]\n"
            )
        }).concat()
    );
    let tally = played(&text, &[], 200);
    for (metric, most) in [("health", 25.0), ("health_left", 25.0)] {
        let metric = tally.metric(metric).expect("a metric of all fights");
        let summary = Summary::of(
            &tally.distribution(metric, 0),
            metric.kind,
            Confidence::default(),
        );
        let (mean, interval) = (summary.mean.unwrap(), summary.interval.unwrap());
        assert!(mean > 20.0 && mean < most, "{mean}");
        assert!(
            interval.low <= mean && mean <= interval.high,
            "{mean} in {interval:?}"
        );
    }
}

/// CD-4, EP-6, W-11: an item is not used if its last use was taken after its user had chosen it, and a weapon is not
/// drawn.
#[test]
fn w_11_a_use_that_an_interruption_has_taken_is_lost() {
    let head = "encounter.max_rounds = 3\n[items.balm]\nheal = 5\ncost = \"quick\"\n[items.thief]\ntarget = \"enemy\"\n\
                range = 50\nuses = 9\neffects = [{ uses = \"balm\", change = -5 }, { uses = \"bow\", change = -5 }]\n\
                [weapons.bow]\nkind = \"ranged\"\nrange = 50\nuses = 3\ncheck = { dice = \"10\" }\ndamage = 3\n";
    let of_chronicles = head.replace("cost = \"quick\"\n", "");
    let user = |lines: &str| {
        let keys = "weapons = [\"bow\", \"sword\"]; undrawn = [\"bow\"]; items = [\"balm\"]";
        format!("b y 10 5 | {keys} | {lines}")
    };
    let thief = |lines: &str| format!("a x 0 9 | items = [\"thief\"] | {lines}");
    for lines in ["use balm", "draw bow; attack with bow"] {
        let line = "ready use thief when enemy acts if round = 1";
        let counted = chronicles(&of_chronicles, &[&thief(line), &user(lines)]);
        assert!(counted.of("items_used", "b").abs() < 1e-9, "{lines}");
        assert!(counted.of("attacks", "b").abs() < 1e-9, "{lines}");
        let line = "delay if turn = 1; use thief; interrupt if enemy_quick; hold";
        let counted = phases(head, &[&thief(line), &user(lines)]);
        assert!(counted.of("items_used", "b").abs() < 1e-9, "{lines}");
        assert!(counted.of("attacks", "b").abs() < 1e-9, "{lines}");
    }
}

/// EP-7, EP-8: the Units left in a delayed action are those of its place, however a condition reads them.
#[test]
fn ep_7_a_delayed_action_has_the_units_of_its_place() {
    for condition in ["move_left > 1", "move_left * enemies > 1"] {
        let moves = format!(
            "delay if phase = 1 and not interrupting; advance 1 if interrupting and {condition}; attack; interrupt"
        );
        let counted = phases(
            "rules.initiative.roll = \"per-speed\"\nencounter.max_rounds = 1\n[weapons.bow]\nkind = \"ranged\"\nrange = 100\n\
             check = { dice = \"10\" }\ndamage = 3\n",
            &[
                &format!("a x 0 9 | speed = 2; move = 6; weapons = [\"bow\"] | {moves}"),
                "b y 50 5 |  | pass",
            ],
        );
        let moved = counted.of("units_moved", "a");
        assert!((moved - 2.0).abs() < 1e-9, "{condition}: {moved}");
    }
}

/// CD-3: if a hazard fells two combatants at once, a combatant that waits for one of them acts before the place of that
/// one.
#[test]
fn cd_3_a_fall_beside_another_puts_the_action_before_its_own_place() {
    let counted = chronicles(
        "[encounter]\nmax_rounds = 3\nhazards.fire = { first = 2, last = 2, stretch = [50, 60], effects = [{ damage = 30 }] }\n",
        &[
            "c y 50 9 |  | pass",
            "e y 0 8 |  | pass",
            "d y 60 7 |  | pass",
            "f y 1 6 |  | pass",
            "a x 0 5 |  | ready attack when d falls",
        ],
    );
    assert!((counted.of("interrupts", "a") - 1.0).abs() < 1e-9);
    assert!((counted.of("places_gained", "a") - 1.0).abs() < 1e-9);
    assert!(counted.of("interrupted", "c").abs() < 1e-9);
}

/// A combatant that ties with the first to act and only waits has not acted first (W-5).
#[test]
fn who_only_waits_does_not_act_first_beside_one_who_acts() {
    let head = "[encounter]\nmax_rounds = 3\nfirst_mover = true\nacted_first = true\n";
    let play = |play_fighters: fn(&str, &[&str]) -> Counted, lines: [&str; 3]| {
        let [a, b, c] = lines;
        play_fighters(
            head,
            &[
                &format!("a x 0 9 |  | {a}"),
                &format!("b y 0 9 | health = 50 | {b}"),
                &format!("c y 0 9 | health = 50 | {c}"),
            ],
        )
    };
    for play_fighters in [marks, phases] {
        for (lines, share, alone) in [
            (["pass", "attack", "pass"], [0.0, 100.0], 100.0),
            (["pass", "attack", "attack"], [0.0, 100.0], 0.0),
            (["attack", "attack", "pass"], [0.0, 0.0], 0.0),
        ] {
            let counted = play(play_fighters, lines);
            for (side, share) in ["x", "y"].into_iter().zip(share) {
                let found = counted.of("acted_first", side);
                assert!((found - share).abs() < 1e-9, "{lines:?}: {side} {found}");
            }
            let found = counted.of("acted_first_of_all", "b");
            assert!((found - alone).abs() < 1e-9, "{lines:?}: {found}");
        }
    }
}

/// A free action that fells a combatant during a charge, a CAR move or Combat Casting.
const BOMB: &str = "[items.bomb]\ntarget = \"enemy\"\nrange = 9\ncost = \"free\"\nuses = 1\ndamage = 50\n\
                    [spells.long]\ncasting_time = 20\nrange = 50\ndamage = 1\n";

/// W-6, W-8: a combatant felled during a move of several Units moves no farther and strikes no blow.
#[test]
fn w_6_the_fallen_move_and_strike_no_more() {
    let casting =
        "spells = [\"long\"]; combat_casting = { check = \"20\", target = 2, units_per = 3 }";
    for (keys, lines) in [
        ("abilities = [\"frenzied-charge\"]", "charge; pass"),
        ("car = 8", "car; pass"),
        (
            casting,
            "set if not ready; cast long; combat_cast advance; pass",
        ),
    ] {
        let counted = marks(
            &format!("encounter.max_rounds = 1\n{BOMB}"),
            &[
                &format!("a x 0 25 | move = 8; {keys} | {lines}"),
                "b y 6 5 | health = 3; items = [\"bomb\"] | anytime use bomb if distance <= 3; pass",
            ],
        );
        assert!(
            (counted.of("units_moved", "a") - 3.0).abs() < 1e-9,
            "{lines}"
        );
        assert!((counted.of("win_rate", "y") - 1.0).abs() < 1e-9, "{lines}");
        assert!(counted.taken("b").abs() < 1e-9, "{lines}");
    }
}

/// TC-17, W-4, W-6, W-11: a charge strikes the enemy that it reaches at its end, with a weapon still in hand; if no
/// enemy is left, it changes nothing.
#[test]
fn tc_17_a_charge_looks_again_when_it_arrives() {
    let charger = "a x 0 20 | move = 8; abilities = [\"frenzied-charge\"] | charge b; pass";
    let ally = "c x 0 3 | items = [\"bomb\"] | anytime use bomb b if mark = 20 and allies_within(0) = 0; pass";
    let head = format!(
        "encounter.max_rounds = 1\n{}",
        BOMB.replace("range = 9", "range = 30")
    );
    let counted = marks(
        &head,
        &[charger, "b y 6 5 |  | pass", "d y 6 4 |  | pass", ally],
    );
    assert!((counted.taken("d") - 3.0).abs() < 1e-9);
    // Without another enemy the encounter is over.
    let counted = marks(&head, &[charger, "b y 6 5 |  | pass", ally]);
    assert!(counted.of("attacks_lost", "a").abs() < 1e-9);
    let head = head.replace("damage = 50", "effects = [{ disarm = true }]");
    let thief = "b y 6 5 | items = [\"bomb\"] | anytime use bomb if distance <= 3; pass";
    let counted = marks(&head, &[charger, thief]);
    assert!(counted.taken("b").abs() < 1e-9);
    assert!((counted.of("attacks_lost", "a") - 1.0).abs() < 1e-9);
}

/// W-6: the end of a chase is checked when all combatants due at a Mark have acted, and not before something has
/// changed.
#[test]
fn w_6_a_chase_is_looked_at_after_whole_marks() {
    let head = "encounter.max_rounds = 2\nencounter.ends_when = \"distance >= 10\"\n";
    let counted = marks(
        head,
        &[
            "a x 9 20 | move = 1 | wait 1 if mark = 20; retreat if round = 1; pass",
            "b y 0 19 | move = 1 | advance if round = 1; pass",
        ],
    );
    assert!(counted.of("escaped", "encounter").abs() < 1e-9);
    let wand = "[items.wand]\ntarget = \"enemy\"\nrange = 9\ncost = \"full\"\nuses = 9\neffects = [{ push = 9 }]\n\
                [items.pot]\nheal = 1\nuses = 1\ncost = \"free\"\n";
    let head = "encounter.max_rounds = 1\nencounter.ends_when = \"distance <= 2\"\n";
    let fire =
        "encounter.hazards.fire = { mark = 25, stretch = [50, 51], effects = [{ damage = 1 }] }\n";
    for (more, line) in [
        ("", ""),
        (fire, ""),
        ("", "anytime use pot if health < 1; "),
    ] {
        let counted = marks(
            &format!("{head}{more}{wand}"),
            &[
                &format!("a x 0 20 | items = [\"wand\", \"pot\"] | {line}use wand; pass"),
                "b y 2 15 |  | pass",
            ],
        );
        assert!(
            counted.of("caught", "encounter").abs() < 1e-9,
            "{more}{line}"
        );
    }
}

/// W-6, W-14, W-17: no hazard of a Mark strikes after the beginning of the Round or a higher Mark has decided the
/// encounter.
#[test]
fn w_14_no_hazard_strikes_once_the_encounter_is_decided() {
    let fight = |hazards: &str| {
        let head = format!("[encounter]\nmax_rounds = 3\n{hazards}");
        marks(&head, &["a x 0 20 |  | pass", "b y 5 5 |  | pass"])
    };
    let kill = "effects = [{ damage = 50 }]";
    let first = fight(&format!(
        "hazards.one = {{ stretch = [5, 5], {kill} }}\nhazards.two = {{ mark = 30, stretch = [0, 0], {kill} }}\n"
    ));
    assert!((first.of("win_rate", "x") - 1.0).abs() < 1e-9);
    let higher = fight(&format!(
        "hazards.one = {{ mark = 35, stretch = [5, 5], {kill} }}\nhazards.two = {{ mark = 33, stretch = [0, 0], {kill} }}\n"
    ));
    assert!((higher.of("win_rate", "x") - 1.0).abs() < 1e-9);
    let goal = fight(&format!(
        "hazards.one = {{ mark = 30, first = 2, stretch = [5, 5], {kill} }}\ngoals.hold = {{ wins = \"y\", round = 2 }}\n"
    ));
    assert!((goal.of("win_rate", "y") - 1.0).abs() < 1e-9);
}

/// W-11: each of two conditions of one kind has its own check.
#[test]
fn w_11_conditions_that_add_up_end_one_by_one() {
    let fighter = |name: &str, position: u32| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = {position}\ninitiative = 9\nmove = 5\n\
             evade = 5\nhealth = 20\nweapons = [\"sword\"]\npolicy = [\"pass\"]\n"
        )
    };
    let text = format!(
        "system = \"tara-corax\"\nencounter.max_rounds = 4\n{SWORD}[conditions.burn]\nongoing = {{ damage = 1 }}\n\
         stacks = \"add\"\nends = \"check\"\ncheck = {{ dice = \"1d10\" }}\nneeds = 6\n\
         [encounter.hazards.fire]\nlast = 1\nstretch = [0, 0]\n\
         effects = [{{ condition = \"burn\" }}, {{ condition = \"burn\" }}]\n{}{}",
        fighter("a", 0),
        fighter("b", 9)
    );
    let counted = Counted(played(&text, &[], 20_000));
    // Each condition does damage in 1.875 of 4 Rounds on average, with a standard deviation of 1.05.
    let (mean, error) = (counted.taken("a"), (2.0 * 1.11 / 20_000_f64).sqrt());
    assert!((mean - 3.75).abs() < 4.0 * error, "{mean}");
}

/// TC-5: a use that comes back does not put a weapon into full hands, or a dropped weapon into any.
#[test]
fn tc_5_a_use_that_comes_back_needs_a_free_hand() {
    let head = "encounter.max_rounds = 4\n[weapons.bow]\nkind = \"ranged\"\nrange = 20\nuses = 1\nrecharge = 2\n\
                check = { dice = \"10\" }\ndamage = 1\n";
    let keys = "weapons = [\"bow\", \"sword\"]; undrawn = [\"sword\"]; hands = 1";
    // The sword is drawn when the bow is used up, or instead of the bow.
    for lines in [
        "attack with sword if round > 2 and in_hand.bow; attack with bow; draw sword if round = 1; pass",
        "draw sword if round = 1; attack with bow if round > 1; pass",
    ] {
        let counted = marks(
            head,
            &[
                &format!("a x 0 30 | {keys} | {lines}"),
                "b y 0 2 | health = 40 | pass",
            ],
        );
        let bow = if lines.starts_with("draw") { 0.0 } else { 1.0 };
        assert!(
            (counted.taken("b") - bow).abs() < 1e-9,
            "{lines}: {}",
            counted.taken("b")
        );
    }
}

/// TC-14: moving while casting counts as acting.
#[test]
fn tc_14_combat_casting_that_opens_a_round_acts_first() {
    let counted = marks(
        "[encounter]\nmax_rounds = 2\nacted_first = true\n[spells.long]\ncasting_time = 40\nrange = 50\ndamage = 1\n",
        &[
            "a x 0 20 | spells = [\"long\"]; combat_casting = { check = \"11\", target = 2, units_per = 3 } | \
             set if not ready; cast long if round = 1; combat_cast retreat if round = 2; pass",
            "b y 9 15 |  | advance 1; pass",
        ],
    );
    assert!((counted.of("acted_first", "x") - 100.0).abs() < 1e-9);
}

/// W-9: a critical hit succeeds against any target number, and against combatants that resist with their Evade.
#[test]
fn w_9_nobody_evades_a_critical() {
    for (critical, damage) in [("", 0.0), (", critical = 1", 6.0)] {
        let counted = marks(
            &format!(
                "encounter.max_rounds = 1\n[items.flask]\ntarget = \"enemy\"\nrange = 9\nuses = 1\narea = 2\n\
                 check = {{ dice = \"1d1+4\"{critical} }}\nresist = {{ check = \"evade\" }}\ndamage = 6\n"
            ),
            &[
                "a x 0 20 | items = [\"flask\"] | use flask; pass",
                "b y 5 10 | evade = 9 | pass",
            ],
        );
        assert!((counted.taken("b") - damage).abs() < 1e-9, "{critical}");
    }
}

/// A spell that is wasted after its declaration counts as cast.
#[test]
fn cd_4_a_spell_that_is_wasted_was_cast() {
    let counted = chronicles(
        "encounter.max_rounds = 1\n[spells.zap]\nrange = 5\ndamage = 4\n",
        &[
            "a x 0 9 |  | ready retreat 3 when enemy casts",
            "b y 4 5 | spells = [\"zap\"] | cast zap",
        ],
    );
    assert!((counted.of("actions_lost", "b") - 1.0).abs() < 1e-9);
    assert!((counted.of("spells_cast", "b") - 1.0).abs() < 1e-9);
}

/// W-10, EP-8: a fleeing combatant stops at an exit also between its stages, and leaves when it is free to decide.
#[test]
fn w_10_who_flees_runs_past_no_exit() {
    let counted = phases(
        "encounter.max_rounds = 9\nencounter.exits = [-2]\n",
        &["a x 0 10 |  | flee", "b y 5 5 |  | pass"],
    );
    assert!((counted.of("fled", "a") - 1.0).abs() < 1e-9);
    assert!((counted.of("units_moved", "a") - 2.0).abs() < 1e-9);
}
