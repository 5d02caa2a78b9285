//! `skirmish validate --fix`: what is certainly meant otherwise is replaced, and nothing else.

use crate::support::TestDir;
use skirmish::cli::Exit;
use std::io::Write as _;
use std::process::Stdio;

/// A duel in words of other games. Each replacement stands beside its line as a comment.
const FOREIGN: &str = r#"title = "A duel"   # kept
system = "tara-corax"

[parameters]
near = { value = 5, range = "3-20" } # 3-20 is 3..20
far = { value = 9, range = "3..20" }

[weapons.sword]
kind = "melee"
to_hit = { dice = "2d10", bonus = 6 } # to_hit is check
damage = "1d6+2" # ac and hp are kept in a comment

[[fighters]] # fighters is combatants
name = "knight"
team = "castle" # team is side
position = 0
stats = { agility = 10, intellect = 10 } # stats is attributes
move = 10
"ac" = 16 # "ac" is evade
health = 6
weapons = ["sword"]
policy = ["strike if hp < 3", 'attack closest'] # strike is attack, closest is nearest

[[fighters]] # fighters is combatants
name = "raider"
side = "coast"
position = 0
attributes = { agility = 10, intellect = 10 }
move = 10
evade = 16
health = 6
weapons = ["sword"]
policy = ["retreat $near if hp < 2", "retreat $far if max-health > 3", "attack"] # max-health is max_health
"#;

/// Returns the duel in the words of this program.
fn meant() -> String {
    let line = |line: &str| {
        let Some((code, comment)) = line.split_once(" # ") else {
            return line.to_owned();
        };
        let pairs = comment
            .split(", ")
            .filter_map(|pair| pair.split_once(" is "));
        let code = pairs.fold(code.to_owned(), |code, (old, new)| {
            code.replacen(old, new, 1)
        });
        format!("{code} # {comment}")
    };
    let lines: Vec<String> = FOREIGN.split('\n').map(line).collect();
    lines.join("\n")
}

fn fix(dir: &TestDir) -> crate::support::Outcome {
    dir.run("validate --fix duel.toml")
}

#[test]
fn what_is_certain_is_replaced_and_every_other_byte_stays() {
    let dir = TestDir::with_duel(FOREIGN);
    let fixed = fix(&dir).assert_done();
    assert_eq!(dir.read("duel.toml"), meant());
    assert!(fixed.out.starts_with("duel.toml: valid"), "{}", fixed.out);
    let said = [
        "duel.toml:5: `3-20` is now `3..20`\n",
        "duel.toml:10: `to_hit` is now `check`\n",
        "duel.toml:19: `\"ac\"` is now `evade`\n",
        "duel.toml:22: `closest` is now `nearest`\n",
        "duel.toml:33: `max-health` is now `max_health`\n",
    ];
    for line in said {
        assert!(fixed.err.contains(line), "{}", fixed.err);
    }
    assert_eq!(fixed.err.lines().count(), 10, "{}", fixed.err);
    // Nothing is left to do.
    assert_eq!(fix(&dir).assert_done().err, "");
    assert_eq!(dir.read("duel.toml"), meant());
}

#[test]
fn ends_of_lines_and_the_byte_order_mark_stay() {
    let marked = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let dir = TestDir::with_duel(&marked(FOREIGN));
    fix(&dir).assert_done();
    assert_eq!(dir.read("duel.toml"), marked(&meant()));
}

#[test]
fn an_error_without_a_certain_fix_stays() {
    let strange = "policy = ['frobnicate', ";
    let foreign = FOREIGN.replacen("policy = [", strange, 1);
    let dir = TestDir::with_duel(&foreign);
    let fixed = fix(&dir);
    assert_eq!(fixed.exit, Exit::BadInput);
    assert!(
        fixed.err.contains("no action is called `frobnicate`"),
        "{}",
        fixed.err
    );
    assert_eq!(
        dir.read("duel.toml"),
        meant().replacen("policy = [", strange, 1)
    );
}

#[test]
fn a_file_that_would_not_be_better_stays() {
    for (old, new) in [
        // The key would be there twice.
        ("evade = 16", "evade = 16\nac = 16"),
        // It may be a slip of the pen, or something else.
        ("evade = 16", "evaed = 16"),
        ("evade = 16", "evade = "),
    ] {
        let text = meant().replacen(old, new, 1);
        let dir = TestDir::with_duel(&text);
        let fixed = fix(&dir);
        assert_eq!(fixed.exit, Exit::BadInput, "{fixed:#?}");
        assert!(!fixed.err.contains("is now"), "{}", fixed.err);
        assert_eq!(dir.read("duel.toml"), text);
    }
}

#[test]
fn standard_input_goes_fixed_to_standard_output() {
    let dir = TestDir::empty();
    let mut command = dir.command("validate --fix -");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(FOREIGN.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), meant());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("<stdin>:5: `3-20` is now `3..20`"), "{said}");
}

#[test]
fn only_the_file_itself_is_fixed() {
    let dir = TestDir::with_duel(FOREIGN);
    let refused = dir.run("validate --fix duel.toml --set rules.round=simple");
    refused.assert_refused("cannot be used with");
}
