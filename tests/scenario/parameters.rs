//! `[parameters]`, optional lines and blocks of lines.

use super::{KITING, bad, good, kiting_with};
use crate::support::fights::{self, errors_with, sampled, variant};
use skirmish::scenario::Variant;

/// Returns the documentation's fight with a parameter for the archer's position and further declared parameters.
fn with_parameters(declared: &str) -> String {
    let text = kiting_with("position = 30", "position = \"$start\"");
    format!("{text}\n[parameters]\nstart = 30\n{declared}\n")
}

/// A duel in which a parameter stands for each kind of value.
const DUEL: &str = r#"
system = "tara-corax"

[parameters]
near = { value = 3, range = "1..9" }
step = 2
bonus = -1
side = "left"
evade = 12
careful = true
sword = "sword"
round = "simple"

[rules]
round = "$round"

[weapons.sword]
kind = "melee"
check = { dice = "2d10", bonus = "$bonus" }
damage = "1d$step"

[[combatants]]
name = "a"
side = "$side"
position = 0
attributes = { agility = 8, intellect = 6 }
move = 6
evade = "$evade"
health = 12
weapons = ["$sword"]
policy = "careful"

[[combatants]]
name = "b"
side = "right"
position = 6
attributes = { agility = 9, intellect = 6 }
move = 5
evade = 10
health = 10
weapons = ["sword"]
policy = ["attack with $sword", "set if not ready", "advance"]

[policies]
careful = [
  "retreat $step if $careful and distance <= $near - 2 and round < 3",
  "wait $step if enemies_within($near) = 0",
  "attack b with $sword",
  "set if not ready",
  "advance 1",
]
"#;

/// Returns the duel with values in place of the parameters.
fn written_out() -> String {
    let (head, rest) = DUEL.split_once("[rules]").unwrap();
    let head = head.split("[parameters]").next().unwrap();
    let values = [
        ("\"$round\"", "\"simple\""),
        ("\"$bonus\"", "-1"),
        ("1d$step", "1d2"),
        ("\"$side\"", "\"left\""),
        ("\"$evade\"", "12"),
        ("\"$sword\"", "\"sword\""),
        ("$sword", "sword"),
        ("$step", "2"),
        ("$careful", "true"),
        ("$near", "3"),
    ];
    values
        .iter()
        .fold(format!("{head}[rules]{rest}"), |text, (from, to)| {
            text.replace(from, to)
        })
}

#[test]
fn a_parameter_stands_wherever_a_value_does() {
    let (with, without) = (good(DUEL), good(&written_out()));
    assert!(with.warnings.is_empty(), "{}", with.warnings);
    let (with, without) = (&with.scenario.variants[0], &without.scenario.variants[0]);
    assert_eq!(with.rules, without.rules);
    let [with, without] = [with, without].map(|one| sampled(one, 1, 500));
    assert_eq!(with.wins(0), without.wins(0));
    assert!(with.wins(0) > 0 && with.wins(1) > 0);
}

#[test]
fn a_parameter_is_set_from_outside_and_by_variants() {
    let text = format!(
        "{DUEL}\n[[variants]]\nname = \"v\"\nset = {{ \"parameters.evade\" = 15, \"parameters.near\" = 9 }}\n"
    );
    let loaded = good(&text);
    let evade = |variant: &Variant| variant.fight.combatants[0].evade;
    assert_eq!(
        loaded
            .scenario
            .variants
            .iter()
            .map(evade)
            .collect::<Vec<_>>(),
        [12, 15]
    );
    for set in ["parameters.evade=17", "evade=17"] {
        let loaded = fights::loaded(DUEL, &[set]);
        assert_eq!(evade(&loaded.scenario.variants[0]), 17);
        let settings = [("parameters.evade".to_owned(), "17".to_owned())];
        assert_eq!(loaded.scenario.settings, settings);
    }
    // The range of a parameter stays in force when its value is set.
    let loaded = fights::loaded(DUEL, &["near=30"]);
    assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
    let sweep = loaded
        .document
        .sweep("base", &["evade=10..12".to_owned()])
        .unwrap();
    let evades: Vec<_> = sweep
        .points
        .iter()
        .map(|point| evade(&point.variant))
        .collect();
    assert_eq!(
        (sweep.axes[0].key(), evades),
        ("parameters.evade".to_owned(), vec![10, 11, 12])
    );
}

#[test]
fn a_parameter_is_one_of_the_numbers_of_a_sensitivity() {
    let numbers = good(DUEL).document.numbers("base").unwrap();
    let keys: Vec<&str> = numbers.all.iter().map(|one| one.key.as_str()).collect();
    for key in [
        "parameters.near",
        "parameters.step",
        "parameters.bonus",
        "parameters.evade",
    ] {
        let number = numbers.all.iter().find(|one| one.key == key);
        assert!(
            number.is_some_and(|one| one.from.is_some() && one.to.is_some()),
            "{key}: {keys:?}"
        );
    }
    assert!(!keys.contains(&"combatants.a.evade"));
}

#[test]
fn wrong_parameters_are_pointed_at() {
    let wrong = [
        ("<= $near", "<= $naer", "did you mean `$near`?"),
        ("\"$evade\"", "\"$evede\"", "did you mean `$evade`?"),
        ("evade = 12", "evade = \"high\"", "`evade` is \"high\" here"),
        ("step = 2", "step = 2.5", "a policy takes whole numbers"),
        (
            "step = 2",
            "\"my step\" = 2",
            "a parameter cannot be called",
        ),
        ("step = 2", "step = { valeu = 2 }", "did you mean `value`?"),
        ("step = 2", "step = [2]", "parameter \"step\" is a list"),
        ("step = 2", "step = \"$near\"", "has no value of its own"),
        ("step = 2", "step = 5000000000", "too large for a policy"),
        ("\"1..9\"", "\"9..1\"", "a range runs backwards"),
        ("\"1..9\"", "7", "expected a range in quotes, or a list"),
        ("\"1..9\"", "[]", "is empty"),
        (
            "retreat $step",
            "retreat $",
            "`$` lacks the name of a parameter",
        ),
    ];
    for (old, new, title) in wrong {
        let told = bad(&DUEL.replace(old, new));
        assert!(told.contains(title), "{new}\n{told}");
    }
    let told = bad(&KITING.replacen("set if not ready", "wait $step if not ready", 1));
    assert!(
        told.contains("the scenario has no `[parameters]`"),
        "{told}"
    );
}

#[test]
fn parameters_that_are_set_and_nowhere_declared_are_refused() {
    let told = errors_with(DUEL, &["parameters.naer=3"]);
    assert!(told.contains("did you mean `near`?"), "{told}");
    let told = errors_with(KITING, &["parameters.near=3"]);
    assert!(
        told.contains("the scenario has no `[parameters]`"),
        "{told}"
    );
}

#[test]
fn an_unused_parameter_is_warned_of_unless_a_variant_uses_it() {
    let text = with_parameters("far = 7");
    let warnings = good(&text).warnings.to_string();
    assert!(
        warnings.contains("parameter \"far\" is never used"),
        "{warnings}"
    );
    assert!(!warnings.contains("\"start\""), "{warnings}");
    let used = format!(
        "{text}\n[[variants]]\nname = \"w\"\nset = {{ \"encounter.max_rounds\" = \"$far\" }}\n"
    );
    let loaded = good(&used);
    assert!(!loaded.warnings.to_string().contains("never used"));
    let rounds = loaded.scenario.variants.last().unwrap().fight.max_rounds;
    assert_eq!(rounds, 7);
}

#[test]
fn optional_lines_and_blocks_are_played_as_they_are_written() {
    let marked = DUEL.replace(
        "\"set if not ready\",\n  \"advance 1\",",
        "\"any order {\", \"? set if not ready\", \"advance 1\", \"}\",",
    );
    assert_ne!(marked, DUEL);
    let [with, without] = [marked.as_str(), DUEL].map(|text| sampled(&variant(text), 1, 500));
    assert_eq!(with.wins(0), without.wins(0));
    // A line that is switched off is equivalent to no line.
    let off = marked.replace("\"? set", "\"?off set");
    let none = marked.replace(
        "\"any order {\", \"? set if not ready\", \"advance 1\", \"}\"",
        "\"advance 1\"",
    );
    let [with, without] = [&off, &none].map(|text| sampled(&variant(text), 1, 500));
    assert_eq!(with.wins(0), without.wins(0));
}

#[test]
fn wrong_marks_of_lines_are_pointed_at() {
    let wrong = [
        ("\"any order {\", \"advance 1\"", "a block does not end"),
        ("\"advance 1\", \"}\"", "a block ends that never began"),
        ("\"?\"", "a policy line is empty"),
        ("\"?off fly away\"", "no action is called `fly`"),
        ("\"? ? advance\"", "no action is called `?`"),
        (
            "\"any order { advance }\"",
            "a block is written in several members of the list",
        ),
    ];
    for (new, title) in wrong {
        let told = bad(&DUEL.replace("\"advance 1\"", new));
        assert!(told.contains(title), "{new}\n{told}");
    }
}

#[test]
fn many_unknown_parameters_are_refused_in_little_time() {
    let names: Vec<String> = (0..100_000).map(|name| format!("\"$p{name}\"")).collect();
    let item = format!("[items.bomb]\nuses = [{}]", names.join(", "));
    let begun = std::time::Instant::now();
    let told = bad(&with_parameters(&item));
    assert!(told.contains("$p0"), "{told}");
    assert!(begun.elapsed().as_secs() < 8);
}
