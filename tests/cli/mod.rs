//! What the README and the docs show, run and compared.
//!
//! After a change that is meant to change what is printed, `TRYCMD=overwrite cargo test shown`
//! writes the new text into the files; read the difference before keeping it.

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
