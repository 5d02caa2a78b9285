//! Mistakes that only a variant, a build, `--set` or a sweep makes: what the message blames, and what still works.

use crate::support::TestDir;
use crate::support::fights::read;
use insta::assert_snapshot;
use skirmish::scenario::{Document, Scenario};
use skirmish::task::Exit;

/// A valid fight, in which a policy names a bow.
const BOWMAN: &str = include_str!("blame.toml");

/// Leaves `a` without the bow.
const DISARMED: &str = "
[[variants]]
name = \"disarmed\"
set = { \"combatants.a.weapons\" = [\"sword\"] }
";

/// Needs nothing that the file lacks.
const QUICK: &str = "
[[variants]]
name = \"quick\"
set = { \"combatants.a.move\" = 6 }
";

/// Two builds, of which the second leaves its side without the bow.
const BUILDS: &str = "
[[builds]]
name = \"archer\"
set = { health = 6, policy = [\"attack\"] }
[[builds]]
name = \"swordsman\"
side = \"SIDE\"
set = { weapons = [\"sword\"] }
";

/// Returns the fight with more text, and with builds of their own for each side.
fn with(parts: &[&str]) -> String {
    [BOWMAN].into_iter().chain(parts.iter().copied()).collect()
}

fn builds() -> String {
    let archers = BUILDS.replacen("name = \"archer\"", "name = \"archer\"\nside = \"b\"", 1);
    with(&[&archers.replace("SIDE", "a")])
}

fn errors(text: &str, set: &[&str]) -> String {
    read(text, set).expect_err(text).to_string()
}

#[test]
fn an_error_of_a_variant_names_the_variant_and_its_line() {
    assert_snapshot!(errors(&with(&[DISARMED]), &[]), @r#"
    error: no weapon called "bow" is at hand
      --> fight.toml:22:24
       |
    22 | policy = ["attack with bow", "attack with sword"]
       |                        ^^^ "a" has `sword`
    ...
    35 | name = "disarmed"
       |        ---------- variant "disarmed" causes this
       |
       = help: a policy can only name a weapon that is in the combatant's `weapons`
    "#);
}

#[test]
fn variants_with_one_mistake_are_all_named() {
    let unarmed = DISARMED.replace("disarmed", "without a bow");
    assert_snapshot!(errors(&with(&[DISARMED, &unarmed]), &[]), @r#"
    error: no weapon called "bow" is at hand
      --> fight.toml:22:24
       |
    22 | policy = ["attack with bow", "attack with sword"]
       |                        ^^^ "a" has `sword`
    ...
    35 | name = "disarmed"
       |        ---------- variant "disarmed" causes this
    ...
    39 | name = "without a bow"
       |        --------------- variant "without a bow" causes this
       |
       = help: a policy can only name a weapon that is in the combatant's `weapons`
    "#);
}

#[test]
fn a_mistake_of_the_base_blames_no_variant() {
    let wrong = with(&[QUICK]).replace("attack with bow", "attack with bov");
    let told = errors(&wrong, &[]);
    assert!(!told.contains("quick"), "{told}");
}

#[test]
fn a_mistake_inside_a_variant_needs_no_second_label() {
    let wrong = with(&[QUICK]).replace("= 6 }", "= -6 }");
    let told = errors(&wrong, &[]);
    assert!(!told.contains("causes"), "{told}");
}

#[test]
fn a_warning_of_a_variant_names_the_variant() {
    let short = "[[variants]]\nname = \"short\"\nset = { \"combatants.b.policy\" = [\"pass\", \"attack\"] }\n";
    let armed = "[[variants]]\nname = \"always\"\nset = { \"combatants.a.policy\" = \"x\" }\n[policies]\nx = [\"pass\", \"attack\"]\n";
    let loaded = read(&with(&[short, armed]), &[]).unwrap();
    assert_snapshot!(loaded.warnings.to_string(), @r#"
    warning: a policy line is never reached
      --> fight.toml:35:43
       |
    35 | set = { "combatants.b.policy" = ["pass", "attack"] }
       |                                           ^^^^^^ line 1, `pass`, is always taken before this one is asked
       |
       = help: the first line that holds is taken: move this one up, or give `pass` a condition

    warning: a policy line is never reached
      --> fight.toml:40:15
       |
    37 | name = "always"
       |        -------- variant "always" causes this
    ...
    40 | x = ["pass", "attack"]
       |               ^^^^^^ line 1, `pass`, is always taken before this one is asked
       |
       = help: the first line that holds is taken: move this one up, or give `pass` a condition
    "#);
}

#[test]
fn an_error_of_a_build_names_the_build_and_its_line() {
    assert_snapshot!(errors(&builds(), &[]), @r#"
    error: no weapon called "bow" is at hand
      --> fight.toml:22:24
       |
    22 | policy = ["attack with bow", "attack with sword"]
       |                        ^^^ "a" has `sword`
    ...
    39 | name = "swordsman"
       |        ----------- build "swordsman" causes this
       |
       = help: a policy can only name a weapon that is in the combatant's `weapons`
    "#);
}

#[test]
fn an_error_of_an_imported_build_names_the_build() {
    let folder = TestDir::empty();
    folder.write(
        "other.toml",
        BOWMAN.replace("attack with bow", "attack with b0w"),
    );
    let import = "[[builds]]\nname = \"guests\"\nside = \"a\"\nfrom = \"other.toml\"\n\
                  [[builds]]\nname = \"hosts\"\nside = \"b\"\nset = { health = 7 }\n";
    folder.write("fight.toml", with(&[import]));
    let told = folder.run("validate fight.toml").messages(Exit::BadInput);
    assert!(told.contains("other.toml:"), "{told}");
    assert!(told.contains("build \"guests\" causes this"), "{told}");
}

#[test]
fn a_mistake_that_two_builds_make_together_names_the_pairing() {
    let loner = "
[[builds]]
name = \"hunter\"
side = \"a\"
set = { policy = [\"attack b\"] }
[[builds]]
name = \"strangers\"
side = \"b\"
from = \"other.toml\"
";
    let folder = TestDir::empty();
    let other = BOWMAN.replace("name = \"b\"", "name = \"c\"");
    folder.write(
        "other.toml",
        other
            .replace("side = \"a\"", "side = \"d\"")
            .replace("side = \"b\"", "side = \"a\""),
    );
    folder.write("fight.toml", with(&[loner]));
    let told = folder.run("validate fight.toml").messages(Exit::BadInput);
    assert!(
        told.contains("\"hunter\" against \"strangers\" causes this"),
        "{told}"
    );
}

#[test]
fn an_error_of_set_names_the_argument() {
    assert_snapshot!(errors(BOWMAN, &["combatants.a.weapons=['sword']", "combatants.b.move=5"]), @r#"
    error: no weapon called "bow" is at hand
      --> fight.toml:22:24
       |
    22 | policy = ["attack with bow", "attack with sword"]
       |                        ^^^ "a" has `sword`
       |
      ::: --set:1:1
       |
     1 | combatants.a.weapons=['sword']
       | -------------------- set here
       |
      ::: --set:1:1
       |
     1 | combatants.b.move=5
       | ----------------- set here
       |
       = help: a policy can only name a weapon that is in the combatant's `weapons`
    "#);
}

#[test]
fn an_error_that_set_makes_in_a_variant_names_both() {
    let archer = "[[variants]]\nname = \"archer\"\nset = { \"combatants.a.policy\" = [\"attack with bow\"] }\n";
    let fine = BOWMAN.replace("\"attack with bow\", ", "");
    let told = errors(
        &format!("{fine}{archer}"),
        &["combatants.a.weapons=['sword']"],
    );
    assert_snapshot!(told, @r#"
    error: no weapon called "bow" is at hand
      --> fight.toml:35:47
       |
    35 | set = { "combatants.a.policy" = ["attack with bow"] }
       |                                               ^^^ "a" has `sword`
       |
      ::: --set:1:1
       |
     1 | combatants.a.weapons=['sword']
       | -------------------- set here
       |
       = help: a policy can only name a weapon that is in the combatant's `weapons`
    "#);
}

#[test]
fn an_error_without_set_does_not_name_the_argument() {
    let told = errors(&with(&[DISARMED]), &["combatants.b.move=5"]);
    assert!(!told.contains("set here"), "{told}");
}

#[test]
fn an_error_of_a_sweep_names_the_value() {
    let document = Document::parse("fight.toml", BOWMAN, &[]).unwrap();
    let point = "combatants.a.weapons=['sword'],['bow','sword']".to_owned();
    assert_snapshot!(document.sweep("base", &[point]).unwrap_err().to_string(), @r#"
    error: no weapon called "bow" is at hand
      --> fight.toml:22:24
       |
    22 | policy = ["attack with bow", "attack with sword"]
       |                        ^^^ "a" has `sword`
       |
      ::: --vary:1:22
       |
     1 | combatants.a.weapons=['sword'],['bow','sword']
       |                      --------- set here
       |
       = help: a policy can only name a weapon that is in the combatant's `weapons`
       = help: it is wrong at combatants.a.weapons = ["sword"]
    "#);
}

#[test]
fn the_rest_of_the_file_works_without_a_wrong_variant_or_build() {
    let folder = TestDir::empty();
    folder.write("fight.toml", format!("{}{DISARMED}{QUICK}", builds()));
    for command in [
        "run fight.toml -n 2 --variant base",
        "run fight.toml -n 2",
        "compare fight.toml -n 2",
        "trace fight.toml --variant quick",
        "sweep fight.toml -n 2 --vary a.move=4,5 --variant quick",
        "knockout fight.toml -n 2",
        "tune fight.toml -n 2 --vary a.move=4,5",
    ] {
        let outcome = folder.run(command).assert_done();
        let told = &outcome.err;
        assert!(
            told.contains("variant \"disarmed\" is left out"),
            "{command}: {told}"
        );
        assert!(
            told.contains("build \"swordsman\" is left out"),
            "{command}: {told}"
        );
        assert!(!outcome.out.contains("disarmed"), "{command}");
    }
}

#[test]
fn whatever_asks_for_a_wrong_variant_or_build_is_refused() {
    let folder = TestDir::empty();
    folder.write("fight.toml", format!("{}{DISARMED}{QUICK}", builds()));
    folder.write("alone.toml", with(&[DISARMED]));
    for command in [
        "validate fight.toml",
        "run fight.toml -n 2 --variant disarmed",
        "compare fight.toml -n 2 --variant disarmed",
        "compare fight.toml -n 2 --baseline disarmed",
        "compare alone.toml -n 2",
        "trace fight.toml --variant disarmed",
        "sweep fight.toml -n 2 --vary a.move=4,5 --variant disarmed",
        "knockout fight.toml -n 2 --variant disarmed",
        "sensitivity fight.toml -n 2 --variant disarmed",
        "tune fight.toml -n 2 --vary a.move=4,5 --variant disarmed",
        "matchup fight.toml -n 2 --variant disarmed",
    ] {
        let told = folder.run(command).messages(Exit::BadInput);
        assert!(
            told.contains("variant \"disarmed\" causes this"),
            "{command}: {told}"
        );
    }
    let told = folder
        .run("matchup fight.toml -n 2")
        .messages(Exit::BadInput);
    assert!(told.contains("build \"swordsman\" causes this"), "{told}");
}

#[test]
fn a_check_needs_only_the_variants_that_it_names() {
    let claim = |variant: &str| {
        format!("[[expect]]\nmetric = \"rounds\"\nvariant = \"{variant}\"\nmin = 1\n")
    };
    let folder = TestDir::empty();
    folder.write("rest.toml", with(&[DISARMED, &claim("base")]));
    folder.write(
        "all.toml",
        with(&[DISARMED, &claim("base"), &claim("disarmed")]),
    );
    let rest = folder.run("check rest.toml").assert_done().err;
    assert!(rest.contains("variant \"disarmed\" is left out"), "{rest}");
    let all = folder.run("check all.toml").messages(Exit::BadInput);
    assert!(all.contains("variant \"disarmed\" causes this"), "{all}");
}

#[test]
fn a_file_is_refused_if_no_variant_can_be_told_from_the_rest() {
    let twice = with(&[QUICK, &QUICK.replace("= 6", "= 7")]);
    assert!(Scenario::parse("fight.toml", &twice, &[]).is_err());
    let nameless = with(&["[[variants]]\nset = { \"combatants.a.move\" = 6 }\n"]);
    assert!(Scenario::parse("fight.toml", &nameless, &[]).is_err());
}
