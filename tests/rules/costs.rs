//! Other numbers for the Marks clock: `round_marks` and `costs` (TC-1, TC-3, TC-5, TC-8, TC-12).

use crate::support::fights::errors;

/// Returns the errors about these `[rules]`.
fn errors_of(rules: &str) -> String {
    errors(&format!("system = \"tara-corax\"\n[rules]\n{rules}\n"))
}

#[test]
fn tc_5_prices_that_make_no_sense_are_refused() {
    for (rules, wanted) in [
        ("round_marks = 9", "expected a whole number from 10 to 60"),
        ("round_marks = 61", "expected a whole number from 10 to 60"),
        (
            "costs = { quarter = 0 }",
            "expected a whole number from 1 to 60",
        ),
        ("costs = { ful = 20 }", "did you mean `full`?"),
        (
            "costs = { quarter = 11 }",
            "`costs.half` is less than a smaller action costs",
        ),
        ("costs = { full = 9 }", "expected at least 10"),
        (
            "costs = { full = 20 }\nattack_offsets = { 2 = [0, 21] }",
            "expected a whole number from 0 to 20",
        ),
    ] {
        let errors = errors_of(rules);
        assert!(errors.contains(wanted), "no {wanted:?} in {errors}");
    }
}
