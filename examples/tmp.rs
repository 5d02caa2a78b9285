use skirmish::chance::Streams;
use skirmish::clock::marks::{Plan, rules::*};
use skirmish::dice::Notation;
use skirmish::engine::*;
use skirmish::fight::{check::Check, *};
use skirmish::policy::{program::*, *};
fn cond(v: Variable, c: Comparison, k: i64) -> Condition {
    Condition::new(vec![Test {
        quantity: Quantity::Variable(v),
        comparison: c,
        constant: k,
        then: Next::Accept,
        otherwise: Next::Reject,
    }])
}
fn line(action: Action, condition: Condition, number: u16) -> Line {
    Line {
        action,
        aim: Aim::Nearest,
        condition,
        number,
    }
}
fn main() {
    let n: u64 = std::env::args()
        .nth(1)
        .map_or(1_000_000, |a| a.parse().unwrap());
    let roll = |t: &str| Notation::parse(t).unwrap().into();
    let bow = Weapon {
        name: "bow".into(),
        kind: WeaponKind::Ranged,
        range: 60,
        offsets: vec![0, 5, 10],
        check: Check::RollOver {
            roll: roll("2d10+7"),
        },
        mastery: 0,
        damage: roll("1d8+2"),
    };
    let axe = Weapon {
        name: "axe".into(),
        kind: WeaponKind::Melee,
        range: 0,
        offsets: vec![0, 7],
        check: Check::RollOver {
            roll: roll("2d10+6"),
        },
        mastery: 0,
        damage: roll("2d6+4"),
    };
    let base = |name: &str, side, position, w: Weapon, speed, agi, policy| Combatant {
        name: name.into(),
        group: name.into(),
        side,
        position,
        speed,
        evade: 16,
        armor: 2,
        health: 40,
        weapons: vec![w],
        in_hand: 1,
        spells: vec![],
        items: vec![],
        prone: false,
        traits: Traits {
            agility: agi,
            intellect: 14,
            ..Default::default()
        },
        policy,
    };
    let kite = Policy {
        name: "kite".into(),
        text: vec![],
        decisions: vec![
            line(
                Action::Retreat {
                    units: Some(7),
                    to: None,
                },
                cond(Variable::Distance, Comparison::AtMost, 5),
                0,
            ),
            line(Action::Set, cond(Variable::Ready, Comparison::Equal, 0), 1),
            line(Action::Attack(WeaponChoice::First), Condition::default(), 2),
        ],
        ..Default::default()
    };
    let brute = Policy {
        name: "brute".into(),
        text: vec![],
        decisions: vec![
            line(Action::Attack(WeaponChoice::First), Condition::default(), 0),
            line(Action::Set, Condition::default(), 1),
            line(
                Action::Advance {
                    units: None,
                    to: None,
                },
                Condition::default(),
                2,
            ),
        ],
        ..Default::default()
    };
    let fight = Fight {
        sides: vec!["a".into(), "b".into()],
        combatants: vec![
            base("archer", 0, 20, bow, 12, 16, kite),
            base("brute", 1, 50, axe, 10, 14, brute),
        ],
        arena: Some(Arena { min: 0, max: 120 }),
        max_rounds: 50,
        meeting_hits: true,
    };
    let plan = Plan::new(fight, Rules::default());
    let mut state = plan.start();
    let mut chance = Streams::new(1, ["archer", "brute"]);
    let mut record = Record::default();
    let (mut a, mut rounds, mut dec, mut att, mut units) = (0u64, 0u64, 0u64, 0u64, 0u64);
    let t = std::time::Instant::now();
    for e in 0..n {
        chance.begin(e);
        plan.play(&mut state, &mut chance, &mut Silent, &mut record);
        if record.ending == Ending::Win(0) {
            a += 1;
        }
        rounds += u64::from(record.rounds);
        for c in &record.combatants {
            dec += u64::from(c.decisions);
            att += u64::from(c.attacks);
            units += u64::from(c.units_moved);
        }
    }
    let s = t.elapsed().as_secs_f64();
    let f = n as f64;
    println!(
        "{:.3} win, rounds {:.2}, decisions {:.1} attacks {:.1} units {:.1}; {:.0} ns/encounter; {:.1} ns/(decision+attack+unit)",
        a as f64 / f,
        rounds as f64 / f,
        dec as f64 / f,
        att as f64 / f,
        units as f64 / f,
        s / f * 1e9,
        s * 1e9 / (dec + att + units) as f64
    );
}
