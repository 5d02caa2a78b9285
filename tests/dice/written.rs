//! Dice as written by people and other programs.

use super::SampledFaces;
use super::notation::{brute_force, parsed, refused, rolled};
use super::statistics::assert_drawn;
use proptest::prelude::*;
use skirmish::dice::Notation;

/// A notation, our spelling of it, and whether its values are bounded.
const WRITTEN: [(&str, &str, bool); 62] = [
    ("8d10>=6", "8d10cs>=6", true),
    ("3d6 >= 5", "3d6cs>=5", true),
    ("3d4>2", "3d4cs>2", true),
    ("3d4<2", "3d4cs<2", true),
    ("3d4≤2", "3d4cs<=2", true),
    ("3d4=2", "3d4cs2", true),
    ("3d6>=5f1", "3d6cs>=5df1", true),
    ("3d6>=5f<=2", "3d6cs>=5df<=2", true),
    ("4d6kh3>=5", "4d6kh3cs>=5", true),
    ("2d10x10>=6", "2d10x10cs>=6", false),
    ("1d20adv", "2d20kh1", true),
    ("d20adv", "2d20kh1", true),
    ("2d20adv", "2d20kh1", true),
    ("d20 dis", "2d20kl1", true),
    ("1d20disadvantage+3", "2d20kl1+3", true),
    ("1d20r1adv", "2d20r1kh1", true),
    ("4dF", "4dF", true),
    ("4df+2", "4dF+2", true),
    ("4dFkh2", "4dFkh2", true),
    ("3dF>=0", "3dFcs>=0", true),
    ("2dFr=-1", "2dFr=-1", true),
    ("2d6!!", "2d6x6", false),
    ("1d6!!>4", "1d6x>4", false),
    ("2d6!p", "2d6xp6", false),
    ("2d6xp>4-1", "2d6xp>4-1", false),
    ("1d20ro<2", "1d20r<2", true),
    ("1d6!o", "1d6xo6", true),
    ("4d6r1r2", "4d6r1r2", true),
    ("3d6rr1rr<3", "3d6rr1rr<3", false),
    ("{2d4,1d6}kh1", "max(2d4,1d6)", true),
    ("{2d4, 1d6}kl", "min(2d4,1d6)", true),
    ("{2d4,1d6}dl1", "max(2d4,1d6)", true),
    ("{1d4,1d6,2d3}dh2", "min(1d4,1d6,2d3)", true),
    ("max(1d4+1, 2d3, 4)", "max(1d4+1,2d3,4)", true),
    ("MIN(1d6, 1d8)-1", "min(1d6,1d8)-1", true),
    ("max(-1d4,1d6-4)", "max(-1d4,1d6-4)", true),
    ("2d{0,1,1,5}", "2d{0,1,1,5}", true),
    ("3d{3,-1,0}kl2", "3d{-1,0,3}kl2", true),
    ("(1d4)d6", "(1d4)d6", true),
    ("(1d4-1)d6>=5", "(1d4-1)d6cs>=5", true),
    ("(2d2)dF", "(2d2)dF", true),
    ("(1+1)d6", "2d6", true),
    ("2d6×3", "2d6*3", true),
    ("4w6", "4d6", true),
    ("1d100/10", "1d100/10", true),
    ("(2d6+3) / 2", "(2d6+3)/2", true),
    ("−1d6÷2", "-1d6/2", true),
    ("-(1d6/2)", "-(1d6/2)", true),
    ("-(1d6*3/2*1d2)", "-(1d6*3/2*1d2)", true),
    ("2*(1d6/(3-1))", "2*(1d6/2)", true),
    ("(1d6-4)/-2", "(1d6-4)/-2", true),
    ("(1d8/3)d4", "(1d8/3)d4", true),
    ("REACH(3d6, 2d6)", "reach(3d6,2d6)", true),
    ("1-reach(2d4,(1+1)d6)*2", "1-reach(2d4,2d6)*2", true),
    ("5d10!!kh3", "5d10!!10kh3", false),
    ("4d6!!>4dl1", "4d6!!>4dl1", false),
    ("4d6!pkl2", "4d6xp6kl2", false),
    ("4d{-2,0,3}!!kh2", "4d{-2,0,3}!!3kh2", false),
    ("6d6!!cs>=8f1", "6d6!!6cs>=8df1", false),
    ("4d6!p>=5cs>=5", "4d6xp>=5cs>=5", false),
    ("5d6r1!!kh3>=5", "5d6r1!!6kh3cs>=5", false),
    ("(1d4)d6!!cs>=8", "(1d4)d6!!6cs>=8", false),
];

#[test]
fn they_are_understood_and_shown_in_our_spelling() {
    for (text, ours, _) in WRITTEN {
        let notation = parsed(text);
        assert_eq!(notation.to_string(), ours, "{text}");
        assert_eq!(parsed(ours), notation, "{text}");
    }
    assert_eq!(parsed("−1d6+10"), parsed("-1d6+10"));
    // An `x` explodes wherever it stands; only the multiplication sign multiplies.
    assert_eq!(parsed("2d6x3").to_string(), "2d6x3");
}

#[test]
fn those_with_an_end_are_exactly_every_roll() {
    for (text, ..) in WRITTEN.iter().filter(|(.., ends)| *ends) {
        // 8d10 has a hundred million rolls.
        if text.starts_with("8d10") || text.contains("4d6kh3") {
            continue;
        }
        let notation = parsed(text);
        let exact = notation.distribution();
        let slow = brute_force(text);
        assert_eq!(exact.iter().count(), slow.len(), "{text}");
        for (value, weight) in &slow {
            let error = (exact.probability(*value) / weight - 1.0).abs();
            assert!(error < 1e-12, "{text}: {value}");
        }
        let ends = (slow[0].0, slow[slow.len() - 1].0);
        assert_eq!((exact.first(), exact.last()), ends, "{text}");
        assert_eq!(
            (notation.min(), notation.max()),
            (ends.0, Some(ends.1)),
            "{text}"
        );
        assert!((exact.mass().value() - 1.0).abs() < 1e-15, "{text}");
    }
}

#[test]
fn successes_of_many_dice_are_binomial() {
    let exact = parsed("8d10>=6").distribution();
    let ways = [1, 8, 28, 56, 70, 56, 28, 8, 1];
    for (value, ways) in (0..).zip(ways) {
        let share = f64::from(ways) / 256.0;
        assert!((exact.probability(value) / share - 1.0).abs() < 1e-13);
    }
    let faces = parsed("8d10>=6f1").distribution();
    assert_eq!((faces.first(), faces.last()), (-8, 8));
    assert!((faces.mean() - 8.0 * 0.4).abs() < 1e-13);
}

/// Returns the chance that a die that explodes on its highest face shows `value`, if each die after the first counts
/// `less` less.
fn chain(sides: i64, less: i64, value: i64) -> f64 {
    let face = |last: i64| 1.0 / sides as f64 * f64::from(u8::from((1..sides).contains(&last)));
    (0..12)
        .map(|more: i64| {
            let before = if more == 0 {
                0
            } else {
                sides + (more - 1) * (sides - less)
            };
            let last = value - before + if more == 0 { 0 } else { less };
            face(last) * (1.0 / sides as f64).powi(more as i32)
        })
        .sum()
}

#[test]
fn penetrating_dice_lose_a_point_for_each_die_that_is_added() {
    for (text, less) in [("1d6!p", 1), ("1d6!!", 0), ("1d6x", 0)] {
        let exact = parsed(text).distribution();
        for value in 1..40 {
            let error = exact.probability(value) - chain(6, less, value);
            assert!(error.abs() < 1e-9, "{text}: {value}");
        }
    }
    // The first die adds 3.5; each further one adds 2.5 and comes with chance 1/6: 3.5 + 2.5 / 6 / (1 - 1/6).
    let mean = parsed("1d6!p").distribution().mean();
    assert!((mean - 4.0).abs() < 1e-14, "{mean}");
    assert_eq!(rolled("1d6!p", &[6, 6, 3]), 6 + 5 + 2);
    assert_eq!(rolled("2d6!p", &[6, 2, 1]), 6 + 2);
    assert_eq!(rolled("1d6!!", &[6, 6, 3]), 15);
    // The die explodes on a 1. A further die counts 1 if it shows a 2, and 0 if it shows a 1.
    assert_eq!(parsed("1d2!p1").max(), Some(2));
}

#[test]
fn rolls_take_their_dice_in_the_order_written() {
    assert_eq!(rolled("4dF", &[1, 2, 3, 3]), 1);
    assert_eq!(rolled("1d20adv", &[7, 16]), 16);
    assert_eq!(rolled("1d20dis", &[7, 16]), 7);
    assert_eq!(rolled("3d6>=5f1", &[5, 1, 6]), 1);
    assert_eq!(rolled("max(2d6,1d8)", &[3, 4, 6]), 7);
    assert_eq!(rolled("{2d6,1d8}kl1", &[3, 4, 6]), 6);
    assert_eq!(rolled("(1d4)d6", &[3, 1, 2, 6]), 9);
    assert_eq!(rolled("(1d4-1)d6", &[1]), 0);
    assert_eq!(rolled("2d{0,5,9}", &[1, 3]), 9);
    assert_eq!(rolled("2d6r1r2", &[1, 2, 2, 5]), 7);
    assert_eq!(rolled("4dFkl2", &[1, 2, 3, 3]), -1);
}

#[test]
fn samplers_agree_with_the_exact_distributions() {
    // A correct sampler stays below the critical value of `assert_drawn` 999 times in a thousand; the seeds are fixed.
    for (seed, (text, ..)) in (700..).zip(WRITTEN) {
        let (notation, mut faces) = (parsed(text), SampledFaces::new(seed));
        let exact = notation.distribution();
        assert_drawn(text, &exact, || notation.roll(&mut faces));
    }
}

/// Returns the help that a refused notation comes with.
fn helped(text: &str) -> String {
    let error = Notation::parse(text).expect_err(text);
    let help = error.help.unwrap_or_default();
    for line in help.lines() {
        assert!(line.chars().count() <= 72, "{line}");
    }
    format!("{}: {}; {help}", &text[error.span], error.message)
}

#[test]
fn what_is_not_understood_is_told_how_it_is_written() {
    for (text, place, help) in [
        ("3d6e", "e", "`1d6x`"),
        ("3d6ex6", "ex", "`1d6x`"),
        ("8d10t6", "t", "`8d10>=6`"),
        ("8d10 successes", "successes", "`8d10>=6`"),
        ("8d10f1", "f", "`8d10>=6f1`"),
        ("4d6b3", "b", "`4d6kh3`"),
        ("4d6best3", "best", "`4d6kh3`"),
        ("4d6 drop lowest", "drop", "`4d6dl1`"),
        ("2d6 plus 3", "plus", "`+`"),
        ("2d6 times 3", "times", "`*`"),
        ("adv", "adv", "`1d20adv`"),
        ("3d20adv", "adv", "`3d20kh1`"),
        ("2d6+3>=8", ">", "`--at-least`"),
        ("{4d6,3d8}", "{4d6,3d8}", "kh1`"),
        ("{4d6,3d8,1d4}kh2", "kh2", "kh1`"),
        ("{4d6;3d8}kh1", ";", "commas"),
        ("max 2d6", "max", "`max(2d6,1d8)`"),
        ("d{}", "}", "`d{0,1,1,2}`"),
        ("(1d4)d6kh1", "d6kh1", "number of dice"),
        ("(1d4-3)d6", "(1d4-3)d6", "from 0"),
        ("(1d6x)d6", "(1d6x)d6", "from 0"),
        ("1d6/0", "0", "`1d100/10`"),
        ("1d6/(1d4-1)", "(1d4-1)", "`1d100/10`"),
        ("6d6!!>=8", ">=8", "`6d6!!cs>=8`"),
        ("reach 2d6", "reach", "`reach(3d6,2d6)`"),
        ("reach(2d6+1,2d6)", "reach(2d6+1,2d6)", "`reach(3d6,2d6)`"),
    ] {
        let told = helped(text);
        assert!(told.starts_with(&format!("{place}: ")), "{text}: {told}");
        assert!(told.contains(help), "{text}: {told}");
    }
}

#[test]
fn absurd_dice_are_refused_before_any_work() {
    let begun = std::time::Instant::now();
    let deep = format!("{}1d6{}", "max(".repeat(10_000), ")".repeat(10_000));
    let rerolls: Vec<String> = (2..1000).map(|face| format!("rr>{face}")).collect();
    let rerolls = format!("1d1000000x>1{}", rerolls.concat());
    let wide = format!("d{{{}}}", vec!["1"; 100_000].join(","));
    for (text, part) in [
        ("999999d999999", "limit is 1000"),
        ("((((1d4)d6)d8)d10)d12", "limit is 1000"),
        ("(1000d6)d6", "limit is 1000"),
        ("(1d1000)d1000", "limit"),
        ("(1d1000)d100x", "limit"),
        ("d{0,1000000000}", "different values"),
        ("max(1d1000000,1d1000000)*1d1000000", "limit"),
        ("max(1000d1000,1000d1000,1000d1000)", "limit"),
        (&rerolls, "more than 10 rerolls"),
        (&deep, "nested more than"),
        (&wide, "more than 1000"),
        ("d{1,2,3}!p<=1", ""),
    ] {
        let message = Notation::parse(text).map_or_else(|_| refused(text).1, |_| String::new());
        assert!(message.contains(part), "{text}: {message}");
    }
    assert!(begun.elapsed().as_secs() < 5);
    for text in ["1d1!p", "1d{0,0}x", "1dFx=-1", "1d1!!"] {
        let message = refused(text).1;
        assert!(
            message.contains("never ends") || message.contains("lower bound"),
            "{text}"
        );
    }
}

/// Generates notations of many parts.
fn any() -> impl Strategy<Value = String> {
    let sides = prop::sample::select(&["4", "6", "20", "%", "F", "{-2,0,3}"][..]);
    let modifiers = prop::sample::select(
        &[
            "",
            "kh1",
            "kl",
            "dl1",
            "r1",
            "ro<1",
            "rr1",
            "!",
            "xo",
            "!p",
            "!!",
            ">=1",
            ">=1f=0",
            "adv",
            "dis",
            "r1kh1",
            "x>=1",
            "cs=1",
            "!>=1",
            "!!kh1",
            "!pkl1",
            "!!cs>=7",
            "!pcs>=3f=1",
            "r1!!=2dl1",
        ][..],
    );
    let dice = (1..4_u32, sides, modifiers)
        .prop_map(|(count, sides, modifiers)| format!("{count}d{sides}{modifiers}"));
    let number = (0..9_u32).prop_map(|number| number.to_string());
    let reach =
        (0..3_u32, 0..3_u32).prop_map(|(mine, theirs)| format!("reach({mine}d6,{theirs}d4)"));
    prop_oneof![dice, number, reach].prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}+{b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})-({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})×{b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("max({a},{b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{{{a},{b}}}kl1")),
            inner.clone().prop_map(|a| format!("−{a}")),
            (inner.clone(), -3..4_i32).prop_map(|(a, by)| format!("{a}/{by}")),
            (inner.clone(), 1..4_i32).prop_map(|(a, by)| format!("-({a})/{by}")),
            inner.prop_map(|a| format!("({a})d4")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(5),
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_printed_reads_as_itself(text in any()) {
        if let Ok(notation) = Notation::parse(&text) {
            let printed = notation.to_string();
            let again = Notation::parse(&printed);
            prop_assert_eq!(again.as_ref(), Ok(&notation), "{} as {}", text, printed);
            prop_assert_eq!(again.map(|again| again.to_string()), Ok(printed));
        }
    }

    #[test]
    fn rolls_lie_in_the_range_and_have_weight(text in any(), seed: u64) {
        if let Ok(notation) = Notation::parse(&text) {
            let exact = notation.distribution();
            prop_assert!((exact.mass().value() - 1.0).abs() < 1e-12, "{}", text);
            prop_assert_eq!(exact.first().max(notation.min()), exact.first(), "{}", text);
            let mut faces = SampledFaces::new(seed);
            for _ in 0..20 {
                let value = notation.roll(&mut faces);
                prop_assert!(exact.probability(value) > 0.0, "{}: {}", text, value);
                prop_assert!(notation.max().is_none_or(|most| value <= most), "{}", text);
                prop_assert!(value >= notation.min(), "{}", text);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused_at_a_place_in_it(
        text in "([0-9dwFfxrkhlcs!p<>=+*(){} ,vé−≥×/-]|adv|dis|max|min|reach|kh){0,24}",
    ) {
        if let Err(error) = Notation::parse(&text) {
            prop_assert!(error.span.start <= error.span.end && error.span.end <= text.len());
            prop_assert!(text.is_char_boundary(error.span.start));
            prop_assert!(text.is_char_boundary(error.span.end));
        }
    }
}
