//! Policy lines: parsing and printing.

use skirmish::fight::program::Aim;
use skirmish::fight::system::Clocks;
use skirmish::policy::ast::{Line, Reference};
use skirmish::policy::parameters::Parameters;
use skirmish::policy::parser::{parse, parse_for};
use skirmish::systems::SYSTEMS;

fn line(text: &str) -> Line {
    parse(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

fn first_problem(text: &str) -> String {
    match parse(text) {
        Ok(line) => panic!("accepted: {line:?}"),
        Err(problems) => problems[0].title.to_string(),
    }
}

#[test]
fn every_action_of_the_list_is_known_to_the_parser() {
    let systems = SYSTEMS.into_iter();
    let actions = systems.flat_map(|system| system.actions.iter().map(move |one| (system, one)));
    for (system, action) in actions {
        let example = action
            .syntax
            .replace(['[', ']'], "")
            .replace("CONDITION", "prone")
            .replace("TARGET", "weakest")
            .replace("advance|retreat", "retreat")
            .replace("up|down", "down")
            .replace(" N", " 3")
            .replace(" D", " 4")
            .replace(" K", " 5")
            .replace("MODE", "swim")
            .replace("draw|use|stand ...", "use rope")
            .replace("ACTION", "attack weakest")
            .replace("TRIGGER", "enemy comes-within 3");
        for text in [example.clone(), format!("{example} if hp > 3")] {
            let read = parse_for(&text, Clocks::only(system.clock), &Parameters::default());
            assert!(read.is_ok(), "{text}: {read:?}");
        }
    }
}

#[test]
fn a_quoted_word_is_always_a_name() {
    let weapon = |text| {
        let action = line(text).action;
        (action.target, action.name.map(|name| name.text))
    };
    assert_eq!(
        weapon("attack nearest"),
        (Some(Reference::Word(Aim::Nearest)), None)
    );
    for quoted in ["attack \"nearest\"", "attack 'nearest'"] {
        let (target, _) = weapon(quoted);
        assert!(matches!(target, Some(Reference::Named(name)) if name.text == "nearest"));
    }
    let (target, weapon) = weapon("attack d'Artagnan with half-moon-blade");
    assert!(matches!(target, Some(Reference::Named(name)) if name.text == "d'Artagnan"));
    assert_eq!(weapon.as_deref(), Some("half-moon-blade"));
}

#[test]
fn conditions_bind_as_they_are_read() {
    for (text, meant) in [
        ("ready or moved and acted", "ready or (moved and acted)"),
        ("not ready and moved", "(not ready) and moved"),
        ("not hp < 3", "not (hp < 3)"),
        ("hp + 2 * marks < 3", "(hp + (2 * marks)) < 3"),
        ("hp - 1 - 2 > 0", "((hp - 1) - 2) > 0"),
        ("-hp * 2 < 0", "((-hp) * 2) < 0"),
    ] {
        assert_eq!(
            line(&format!("pass if {text}")),
            line(&format!("pass if {meant}"))
        );
    }
}

#[test]
fn a_move_says_how_far_in_numbers_of_a_condition() {
    for (text, printed) in [
        ("advance distance-5", "advance distance - 5"),
        ("advance 5 half-orc", "advance 5 half-orc"),
        ("advance 5 #2", "advance 5 #2"),
        ("advance (hp) goblin", "advance health goblin"),
        (
            "retreat -distance + 9 to 2 * enemies",
            "retreat -distance + 9 to 2 * enemies",
        ),
        (
            "retreat (hp + 1) * 2 weakest",
            "retreat (health + 1) * 2 weakest",
        ),
        (
            "advance to uses.'a b' 'a b'",
            "advance to uses.\"a b\" \"a b\"",
        ),
        ("advance enemies_within( 3 )", "advance enemies_within(3)"),
        ("retreat move_left if prone", "retreat move_left if prone"),
        ("advance casting", "advance casting"),
        ("advance 'hp'", "advance \"hp\""),
        ("advance weakest of all", "advance weakest of all"),
    ] {
        let read = line(text);
        assert_eq!(read.to_string(), printed);
        assert_eq!(line(printed), read);
    }
    for (text, problem) in [
        ("advance 0", "`0` is out of range"),
        ("advance -5", "`-5` is out of range"),
        ("retreat to 200001", "`200001` is out of range"),
        ("advance 5th", "neither a number nor a name"),
        ("advance distance -", "ends too early"),
        ("advance distance - #", "means nothing in a condition"),
        ("advance (ready)", "a number of Units needs a number"),
        ("retreat to (hp < 3)", "a distance needs a number"),
        ("advance to goblin", "lacks a distance"),
        ("advance to distanse", "no variable is called `distanse`"),
        ("advance 3 + attack", "`advance` cannot share an action"),
        ("attack weakest of", "`weakest of` lacks `all`"),
        ("attack strongest of orcs", "`strongest of` lacks `all`"),
        (
            "pass if enemies_within > 2",
            "lacks a distance in parentheses",
        ),
        ("pass if enemies_within() > 2", "needs a plain number"),
        ("pass if allies_within(hp) > 2", "needs a plain number"),
        ("pass if allies_within(200001) > 2", "out of range"),
        ("pass if allies_within(2 > 2", "is not closed"),
        (
            "pass if enemies_wihtin(2) > 2",
            "no variable is called `enemies_wihtin`",
        ),
    ] {
        assert!(
            first_problem(text).contains(problem),
            "{text}: {}",
            first_problem(text)
        );
    }
}

#[test]
fn nesting_and_length_are_bounded() {
    let nested = |depth| format!("pass if {}ready{}", "(".repeat(depth), ")".repeat(depth));
    line(&nested(60));
    assert!(first_problem(&nested(70)).contains("nested too deeply"));
    let nots = format!("pass if {}ready", "not ".repeat(100));
    assert!(first_problem(&nots).contains("nested too deeply"));
    let long = format!("pass if hp > 0{}", "+1".repeat(600));
    assert!(first_problem(&long).contains("too long"));
    assert!(first_problem(&"x".repeat(5000)).contains("too long"));
}

#[test]
fn a_channel_may_have_two_conditions() {
    let line = line("channel wall weakest until hp < 3 or moved if enemies > 2");
    assert!(line.condition.is_some());
    assert!(line.action.until.is_some());
    assert!(first_problem("set until ready").contains("until"));
    assert!(first_problem("set if ready if moved").contains("one condition"));
}
