//! Runs the commands that the README and the docs show, and compares the output.
//!
//! After a change that is meant to change the output, `TRYCMD=overwrite cargo test shown` writes the new text into the
//! files; review the diff before keeping it.

#[test]
fn commands_print_what_is_shown_of_them() {
    trycmd::TestCases::new()
        .case("README.md")
        .case("tests/cmd/shards.md")
        .case("docs/*.md")
        .case("docs/rules/*.md");
}

#[test]
fn wrong_options_are_refused() {
    trycmd::TestCases::new().case("tests/cmd/mistakes.md");
}
