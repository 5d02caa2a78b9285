//! Properties: no input makes the reader panic, printed text is read back unchanged, compiled conditions agree with
//! their trees, and a value has the same effect however it is set.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use skirmish::fight::Variable;
use skirmish::fight::program::When;
use skirmish::fight::program::{self, Aim, Amount, Comparison};
use skirmish::fight::system::Clocks;
use skirmish::fight::variables::VariableRow;
use skirmish::policy::actions::{FEATS, QUICK, READIED, SUBJECTS, TRIGGERS, facts};
use skirmish::policy::ast::{
    Action, Expr, ExprKind, Line, Name, Operator, Reference, Spot, Trigger, Usage,
};
use skirmish::policy::compile::{compile, compile_amount};
use skirmish::policy::forms::{FORMS, Form, Slot};
use skirmish::policy::parser;
use skirmish::scenario::{Document, Scenario, Value};

use super::{EVERYTHING, KITING};

fn name() -> impl Strategy<Value = Name> {
    let text = prop_oneof![
        "[a-z]{1,8}",
        "[a-zA-Z0-9 '._-]{1,12}",
        "[^\"\\p{C}]{1,10}",
        select(vec![
            "if", "with", "to", "nearest", "12", "-3", "not", "when", "+", "split", "run", "ally",
            "anyone", "falls", "trigger", "me",
        ])
        .prop_map(str::to_owned),
    ];
    text.prop_map(|text| Name {
        text,
        spot: Spot::default(),
    })
}

fn expr(kind: ExprKind) -> Expr {
    Expr {
        kind,
        spot: Spot::default(),
    }
}

fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

fn variables(boolean: bool) -> impl Strategy<Value = Expr> {
    let all: Vec<&'static VariableRow> = facts(Clocks::ALL)
        // Their names belong to a scenario.
        .filter(|row| !row.variable.is_own_trait())
        .filter(|known| known.unit.is_none() == boolean)
        .collect();
    (select(all), name(), 0_u32..=200_000).prop_map(|(known, name, units)| {
        expr(match known.variable {
            Variable::EnemiesWithin(_) | Variable::AlliesWithin(_) => {
                ExprKind::Within(known, units)
            }
            _ if known.name == known.word() => ExprKind::Variable(known),
            _ => ExprKind::Named(known, name),
        })
    })
}

fn number() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (0_i64..50).prop_map(|number| expr(ExprKind::Number(number))),
        (0_i64..=1_000_000_000).prop_map(|number| expr(ExprKind::Number(number))),
        variables(false),
        variables(false),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        prop_oneof![
            inner
                .clone()
                .prop_map(|inner| expr(ExprKind::Negate(Box::new(inner)))),
            (
                select(vec![Operator::Plus, Operator::Minus, Operator::Times]),
                inner.clone(),
                inner
            )
                .prop_map(|(operator, left, right)| binary(operator, left, right)),
        ]
    })
}

fn condition() -> impl Strategy<Value = Expr> {
    let comparisons = vec![
        Comparison::Less,
        Comparison::AtMost,
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::AtLeast,
        Comparison::Greater,
    ];
    let compare = (select(comparisons), number(), number())
        .prop_map(|(sign, left, right)| binary(Operator::Compare(sign), left, right));
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(|truth| expr(ExprKind::Truth(truth))),
        5 => variables(true),
        8 => compare,
    ];
    leaf.prop_recursive(4, 16, 2, |inner| {
        prop_oneof![
            inner
                .clone()
                .prop_map(|inner| expr(ExprKind::Not(Box::new(inner)))),
            (
                select(vec![Operator::And, Operator::Or]),
                inner.clone(),
                inner
            )
                .prop_map(|(operator, left, right)| binary(operator, left, right)),
        ]
    })
}

fn target() -> impl Strategy<Value = Reference<Aim>> {
    prop_oneof![
        Just(Reference::Word(Aim::Nearest)),
        Just(Reference::Word(Aim::Weakest)),
        Just(Reference::Word(Aim::Strongest)),
        Just(Reference::Word(Aim::WeakestOfAll)),
        Just(Reference::Word(Aim::StrongestOfAll)),
        Just(Reference::Word(Aim::Casting)),
        name().prop_map(Reference::Named),
    ]
}

/// Generates an action of one of the forms: what fills its slots.
fn action(
    such: impl Fn(&str) -> bool,
    target: impl Strategy<Value = Reference<Aim>>,
) -> impl Strategy<Value = Action> {
    let amount = |range: std::ops::RangeInclusive<i64>| {
        option::of(prop_oneof![
            range.prop_map(|number| expr(ExprKind::Number(number))),
            number().prop_filter("a plain number has a range", |amount| {
                let negated = match &amount.kind {
                    ExprKind::Negate(inner) => inner,
                    _ => amount,
                };
                !matches!(negated.kind, ExprKind::Number(_))
            }),
        ])
    };
    let forms: Vec<&'static Form> = FORMS.iter().filter(|form| such(form.word)).collect();
    let mode = option::of(select(program::Mode::ALL).prop_map(|(_, mode)| mode));
    (
        select(forms),
        (option::of(target), name(), any::<bool>(), any::<bool>()),
        (mode, amount(1..=1000), amount(0..=200_000)),
        (1_i64..=64, option::of(condition())),
    )
        .prop_map(
            |(form, (target, name, named, first), step, (number, until))| {
                let mut action = Action::new(form, Spot::default());
                for slot in form.slots {
                    match slot {
                        Slot::Target => action.target.clone_from(&target),
                        Slot::With | Slot::Drawn => action.name = named.then(|| name.clone()),
                        Slot::Name(_) | Slot::Declared => action.name = Some(name.clone()),
                        Slot::Mode => action.mode = step.0,
                        Slot::Units => action.units.clone_from(&step.1),
                        Slot::To => action.to.clone_from(&step.2),
                        Slot::Choice(..) => action.first = first,
                        Slot::Until => action.until.clone_from(&until),
                        Slot::Marks | Slot::Yield => action.number = number,
                        Slot::Word(_) | Slot::Readied | Slot::For => {}
                    }
                }
                action
            },
        )
}

fn line() -> impl Strategy<Value = Line> {
    let shared = (
        vec(action(|word| FEATS.contains(&word), target()), 2..5),
        0_usize..10,
        option::of(vec(1_u8..=100, 5)),
        option::of(condition()),
    )
        .prop_map(|(mut more, willed, dice, condition)| {
            if let Some(feat) = more.get_mut(willed).filter(|feat| feat.is_rolled()) {
                feat.willpower = Some(Spot::default());
            }
            let action = more.remove(0);
            let split = dice.map(|dice| (dice[..=more.len()].to_vec(), Spot::default()));
            Line {
                usage: Usage::Always,
                anytime: None,
                after: None,
                action,
                more,
                split,
                condition,
            }
        });
    let single = |action| {
        let usages = select(&[Usage::Always, Usage::Optional, Usage::Off][..]);
        let before = (any::<bool>(), option::of(name()));
        (usages, before, action, option::of(condition())).prop_map(
            |(usage, (anytime, after), action, condition)| Line {
                usage,
                anytime: anytime.then(Spot::default),
                after: after.filter(|_| !anytime),
                action,
                more: Vec::new(),
                split: None,
                condition,
            },
        )
    };
    let plain = prop_oneof![
        5 => action(|word| !matches!(word, "ready" | "react"), target()),
        1 => action(|word| QUICK.contains(&word), target())
            .prop_map(|action| Action { quick: true, ..action }),
    ];
    prop_oneof![3 => single(plain.boxed()), 1 => shared, 1 => single(readied().boxed())]
}

/// Generates `ready ACTION when TRIGGER`.
fn readied() -> impl Strategy<Value = Action> {
    let target = prop_oneof![1 => Just(Reference::Word(Aim::Trigger)), 3 => target()];
    let action = action(|word| READIED.contains(&word), target);
    let ready = FORMS.iter().find(|form| form.word == "ready");
    let ready = ready.expect("the form of `ready`");
    let by = prop_oneof![
        3 => select(SUBJECTS).prop_map(|(_, _, recipient)| Reference::Word(recipient)),
        1 => name().prop_map(Reference::Named),
    ];
    let triggers = TRIGGERS.iter().filter(|(.., when)| !when.is_of_reactions());
    let triggers: Vec<_> = triggers.copied().collect();
    let when = (select(triggers), 0_u32..=200_000, any::<bool>());
    (action, by, when).prop_map(move |(action, by, ((_, _, when), units, me))| {
        let when = match when {
            When::ComesWithin(_) => When::ComesWithin(units),
            When::Leaves(_) => When::Leaves(units),
            When::Attacks { .. } => When::Attacks { me },
            other => other,
        };
        let spot = Spot::default();
        Action {
            readied: Some(Box::new((action, Trigger { by, when, spot }))),
            ..Action::new(ready, spot)
        }
    })
}

/// Returns an index for a name; any index will do if it is always the same.
fn resolve(name: &Name) -> u8 {
    (name.text.len() % 4) as u8
}

/// Evaluates an expression naively: the tree, in wide integers.
fn value(expr: &Expr, ask: &impl Fn(Variable) -> i64) -> i128 {
    let truth = |truth: bool| i128::from(truth);
    match &expr.kind {
        ExprKind::Number(number) => i128::from(*number),
        ExprKind::Truth(constant) => truth(*constant),
        ExprKind::Variable(known) => i128::from(ask(known.variable)),
        ExprKind::Within(known, units) => i128::from(ask(known.variable.with(*units))),
        ExprKind::Named(known, name) => i128::from(ask(known.variable.with(resolve(name).into()))),
        ExprKind::Negate(inner) => -value(inner, ask),
        ExprKind::Not(inner) => 1 - value(inner, ask),
        ExprKind::Binary(operator, left, right) => {
            let (left, right) = (value(left, ask), value(right, ask));
            match operator {
                Operator::Or => left | right,
                Operator::And => left & right,
                Operator::Plus => left + right,
                Operator::Minus => left - right,
                Operator::Times => left * right,
                Operator::Compare(Comparison::Less) => truth(left < right),
                Operator::Compare(Comparison::AtMost) => truth(left <= right),
                Operator::Compare(Comparison::Equal) => truth(left == right),
                Operator::Compare(Comparison::NotEqual) => truth(left != right),
                Operator::Compare(Comparison::AtLeast) => truth(left >= right),
                Operator::Compare(Comparison::Greater) => truth(left > right),
            }
        }
    }
}

/// Returns a value for each variable, derived from a seed, within its bounds and mostly small.
fn ask(seed: u64) -> impl Fn(Variable) -> i64 {
    move |variable| {
        let salt = format!("{variable:?}");
        let hash = salt
            .bytes()
            .fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            });
        let most = variable.bound();
        let most = if hash >> 60 == 0 { most } else { most.min(50) };
        ((hash >> 8) % (most as u64 + 1)) as i64
    }
}

/// Generates scenarios with pieces removed, doubled and inserted.
fn mutated() -> impl Strategy<Value = String> {
    let pieces = vec![
        "",
        "\"",
        "'",
        "[",
        "]",
        "{",
        "}",
        "=",
        ".",
        "\n",
        "-",
        "0",
        "99999999999999999999",
        "nan",
        "1.5",
        "true",
        "[[combatants]]",
        "[[variants]]",
        "\\u0000",
        "é",
        "\u{0}",
        "if",
        "not ",
        "(",
        "d",
        "1d6",
        "count = 64\n",
        "\"rules.round\" = 3",
        "\u{202e}",
        "\r\n",
        "\t",
    ];
    let cut = (any::<Index>(), 0_usize..40, select(pieces));
    (any::<bool>(), vec(cut, 1..6)).prop_map(|(which, cuts)| {
        let mut text = if which { KITING } else { EVERYTHING }.to_owned();
        for (at, length, piece) in cuts {
            let bytes = |text: &str, mut at: usize| {
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let start = bytes(&text, at.index(text.len() + 1));
            let end = bytes(&text, (start + length).min(text.len())).max(start);
            text.replace_range(start..end, piece);
        }
        text
    })
}

/// Reads a scenario and renders all messages about it.
fn read(text: &str, sets: &[String]) -> usize {
    match Scenario::parse("fight.toml", text, sets) {
        Ok(loaded) => loaded.warnings.render(true, 80).len(),
        Err(errors) => {
            assert!(errors.has_errors());
            errors.render(false, 80).len()
        }
    }
}

#[test]
fn a_name_that_begins_like_a_parameter_is_printed_in_quotes() {
    let text = "ready attack \"$é\" when \"$near\" acts";
    let line = parser::parse(text).unwrap();
    assert_eq!(line.to_string(), text);
}

proptest! {
    #[test]
    fn a_printed_line_is_read_as_it_was(line in line()) {
        let text = line.to_string();
        prop_assert_eq!(parser::parse(&text), Ok(line), "{}", text);
    }

    #[test]
    fn a_compiled_condition_says_what_its_tree_says(
        condition in condition(),
        seeds in vec(any::<u64>(), 20),
    ) {
        // It is refused because a number could exceed 64 bits.
        let Ok(compiled) = compile(&condition, &mut |_, name| Some(resolve(name))) else { return Ok(()) };
        for seed in seeds {
            let ask = ask(seed);
            let truth = value(&condition, &ask) != 0;
            prop_assert_eq!(compiled.holds(&ask), truth, "{}", condition);
            if let Some(always) = compiled.always() {
                prop_assert_eq!(always, truth);
            }
        }
    }

    #[test]
    fn a_compiled_sum_says_what_its_tree_says(
        amount in number(),
        seeds in vec(any::<u64>(), 20),
    ) {
        // It is refused because a number could exceed 64 bits.
        let Ok(sum) = compile_amount(&amount, &mut |_, name| Some(resolve(name))) else { return Ok(()) };
        let step = program::Move {
            mode: program::Mode::default(),
            units: Some(Amount::Sum(sum)),
            to: None,
        };
        for seed in seeds {
            let ask = ask(seed);
            let units = value(&amount, &ask);
            let committed = (units >= 1).then(|| units.min(1000) as u16);
            prop_assert_eq!(step.committed(&ask), committed, "{}", amount);
        }
    }

    #[test]
    fn no_line_makes_the_parser_panic(text in "\\PC{0,60}") {
        for problem in parser::parse(&text).err().unwrap_or_default() {
            let (span, _) = problem.place.expect("a place");
            prop_assert!(text.get(span.bytes()).is_some());
        }
    }

    #[test]
    fn no_mixture_of_words_makes_the_parser_panic(words in vec(select(vec![
        "attack", "split", "2,5", ",", "run", "draw", "set", "advance", "retreat", "cast", "channel", "wait", "if", "until", "with",
        "to", "and", "or", "not", "(", ")", "<", "<=", "=", "+", "-", "*", "7", "distance",
        "ready", "uses.", "\"a b\"", "'", "true", "target.hp", "in_hand.x", "1000000000", "é",
        "anytime", "weakest", "of", "all", "enemies_within", "use",
    ]), 0..30)) {
        let text = words.join(" ");
        for problem in parser::parse(&text).err().unwrap_or_default() {
            let (span, _) = problem.place.expect("a place");
            prop_assert!(text.get(span.bytes()).is_some());
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(\\PC|\n){0,200}") {
        read(&text, &[]);
    }

    #[test]
    fn no_damaged_scenario_makes_the_reader_panic(text in mutated()) {
        read(&text, &[]);
    }

    #[test]
    fn no_argument_makes_the_reader_panic(
        set in prop_oneof![
            "\\PC{0,30}",
            "(rules|weapons|combatants|policies|variants|title)(\\.[a-z]{0,8}|\\.archer|\\.kite|\\.move){0,3} ?=\\PC{0,12}",
        ],
    ) {
        read(KITING, &[set]);
    }

    #[test]
    fn a_value_is_the_same_however_it_is_set(
        health in 1_i64..1000,
        range in 1_i64..1000,
        chance in 0.0_f64..=1.0,
        // Any name that can stand unescaped in both kinds of quotes, so that paths must quote it. A `$` would begin a
        // parameter.
        name in "([^\"'$\\\\\\p{C}\\p{Zl}\\p{Zp}][^\"'\\\\\\p{C}\\p{Zl}\\p{Zp}]{0,9})?[a-z.= ]{0,4}[a-zé]",
    ) {
        prop_assume!(name.trim() == name);
        let text = EVERYTHING.replace("long bow", &name);
        let path = format!("weapons.\"{name}\".range");
        let by_sweep = Document::parse("fight.toml", &text, &[])
            .and_then(|document| document.with(&[
                ("combatants.mage.health", Value::from(health)),
                (&path, Value::from(range)),
                ("rules.fizzle_chance", Value::from(chance)),
            ]))
            .and_then(|document| document.variant("base"))
            .unwrap_or_else(|errors| panic!("{errors}"));
        let sets = [
            format!("combatants.mage.health={health}"),
            format!("{path}={range}"),
            format!("rules.fizzle_chance={}", Value::from(chance)),
        ];
        let by_argument = Scenario::parse("fight.toml", &text, &sets)
            .unwrap_or_else(|errors| panic!("{errors}"));
        let by_hand = text
            .replacen("health = 30", &format!("health = {health}"), 1)
            .replacen("range = 60", &format!("range = {range}"), 1)
            .replacen("[weapons.", &format!("[rules]\nfizzle_chance = {}\n[weapons.", Value::from(chance)), 1);
        let by_hand = Scenario::parse("fight.toml", &by_hand, &[])
            .unwrap_or_else(|errors| panic!("{errors}"));
        let by_argument = &by_argument.scenario.variants[0];
        prop_assert_eq!(&by_sweep.fight, &by_argument.fight);
        prop_assert_eq!(&by_sweep.rules, &by_argument.rules);
        prop_assert_eq!(&by_argument.fight, &by_hand.scenario.variants[0].fight);
        prop_assert_eq!(&by_argument.rules, &by_hand.scenario.variants[0].rules);
    }
}
