//! Remarks on misleading fights. For each remark one scenario calls for it; the duel below calls for none.

use crate::support::fights::{errors, input};
use skirmish::scenario::Remark;
use skirmish::task::{Context, Files, Measure, Question, Task};

/// A fair duel in which every item, weapon and line is used.
const DUEL: &str = r#"
system = "tara-corax"

[weapons.axe]
kind = "melee"
attacks = 1
check = { dice = "2d10", bonus = 3 }
damage = "1d8+2"

[weapons.sword]
kind = "melee"
attacks = 2
check = { dice = "2d10", bonus = 2 }
damage = "1d8"

[[combatants]]
name = "red"
side = "left"
position = 0
attributes = { agility = 10, intellect = 10 }
move = 10
evade = 12
health = 20
weapons = ["axe"]
policy = "red"

[[combatants]]
name = "blue"
side = "right"
position = 8
attributes = { agility = 10, intellect = 10 }
move = 10
evade = 12
health = 20
weapons = ["sword"]
policy = ["attack", "advance"]

[policies]
red = ["attack", "advance"]
"#;

fn notes(question: Question, text: &str) -> Vec<String> {
    let task = Task::new(question, 300.try_into().unwrap());
    let prepared = task
        .prepare(vec![input(text)])
        .unwrap_or_else(|wrong| panic!("{wrong}"));
    let played = prepared
        .play(&Context::new(&Files))
        .unwrap_or_else(|wrong| panic!("{wrong}"));
    prepared.results(played).answer.notes()
}

fn of_run(text: &str) -> Vec<String> {
    notes(
        Question::Run {
            variant: Vec::new(),
        },
        text,
    )
}

fn of_sensitivity(text: &str) -> Vec<String> {
    let measure = Measure {
        variant: "base".to_owned(),
        metric: Vec::new(),
        side: None,
        combatant: None,
        outcome: None,
    };
    notes(Question::Sensitivity(measure), text)
}

/// Returns the duel with some text replaced so that it calls for `remark`, for each remark on a run.
fn misleading(remark: Remark) -> String {
    let changes: &[(&str, &str)] = match remark {
        Remark::Timeouts => &[(r#"red = ["attack", "advance"]"#, r#"red = ["retreat 1"]"#)],
        Remark::NeverActs => &[(
            r#"red = ["attack", "advance"]"#,
            r#"red = ["attack if round > 90"]"#,
        )],
        Remark::NeverAttacks => &[(
            r#"red = ["attack", "advance"]"#,
            r#"red = ["set if not ready", "retreat 1"]"#,
        )],
        Remark::NeverHurts => &[("health = 20", "health = 20\narmor = 50")],
        Remark::UnusedLine => &[(
            r#"red = ["attack", "advance"]"#,
            r#"red = ["attack if round > 90", "attack", "advance"]"#,
        )],
        Remark::UnusedWeapon => &[(r#"weapons = ["axe"]"#, r#"weapons = ["axe", "sword"]"#)],
        Remark::UnusedSpell => &[
            (
                "[[combatants]]",
                "[spells.bolt]\ncasting_time = 5\nrange = 30\ndamage = \"1d4\"\n\n[[combatants]]",
            ),
            (
                r#"weapons = ["axe"]"#,
                "weapons = [\"axe\"]\nspells = [\"bolt\"]",
            ),
        ],
        Remark::UnusedItem => &[
            (
                "[[combatants]]",
                "[items.potion]\nheal = \"1d4\"\n\n[[combatants]]",
            ),
            (
                r#"weapons = ["axe"]"#,
                "weapons = [\"axe\"]\nitems = [\"potion\"]",
            ),
        ],
        Remark::FarAway => &[(r#"red = ["attack", "advance"]"#, r#"red = ["retreat"]"#)],
        Remark::StepBack => &[
            (
                "[weapons.axe]",
                "[rules]\ninitiative.mode = \"fixed\"\n\n[weapons.axe]",
            ),
            (
                r#"red = ["attack", "advance"]"#,
                r#"red = ["attack", "retreat 1", "advance"]"#,
            ),
        ],
        Remark::IdleCondition => return shielded("mage", "lasts = 1", "use shield"),
        Remark::IdleRenewal => return shielded("chronicles", "lasts = 2", "use shield"),
        Remark::DiceAsPoints => {
            return shielded("mage", "lasts = 9", "pass").replacen(
                "position = 0",
                "position = 9",
                1,
            );
        }
        Remark::SharedNumber => &[(r#"weapons = ["sword"]"#, r#"weapons = ["axe"]"#)],
    };
    let mut text = DUEL.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    text
}

/// Returns a fight in which a knight has a shield and an ogre comes to it and attacks it.
fn shielded(system: &str, length: &str, line: &str) -> String {
    let one = |name: &str, initiative: u32, lines: &[&str]| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = 0\ninitiative = {initiative}\n\
             move = 10\nevade = 5\nhealth = 99\nweapons = [\"axe\"]\nitems = [\"shield\"]\npolicy = {lines:?}\n"
        )
    };
    format!(
        "system = \"{system}\"\nrules = {{ check = \"roll-over\", health = \"points\", initiative.dice = 0 }}\n\
         encounter.max_rounds = 4\n[weapons.axe]\nkind = \"melee\"\ncheck = {{ dice = \"1d20\" }}\ndamage = 1\n\
         [items.shield]\nuses = 100\neffects = [{{ condition = \"shielded\", {length} }}]\n\
         [conditions.shielded]\nmodifies = {{ evade = 5 }}\n{}{}",
        one("knight", 20, &[line]),
        one("ogre", 15, &["attack", "advance"]),
    )
}

/// W-11: a shield that lasts until its bearer's next turn counts on every clock; one for a Round that its bearer's turn
/// ends does not.
#[test]
fn shields_until_the_next_turn_are_not_idle() {
    for system in ["tara-corax", "mage", "chronicles", "eclipse-phase"] {
        let idle = |length: &str| {
            let notes = of_run(&shielded(system, length, "use shield if not has shielded"));
            let idle = |note: &&String| note.contains("[idle-");
            notes.iter().filter(idle).cloned().collect::<Vec<String>>()
        };
        assert_eq!(
            idle("until = \"start of my next turn\""),
            [""; 0],
            "{system}"
        );
        assert_eq!(idle("until = \"end of my next turn\""), [""; 0], "{system}");
        let own_turn = matches!(system, "mage" | "chronicles");
        assert_eq!(idle("lasts = 1").len(), usize::from(own_turn), "{system}");
    }
}

/// W-19: so does one that changes a trait, which the checks of others ask for.
#[test]
fn a_shield_that_changes_a_trait_is_not_idle() {
    let until = "until = \"start of my next turn\"";
    let text = shielded("chronicles", until, "use shield if not has shielded")
        .replace("{ dice = \"1d20\" }", "\"1d20 >= target.guard\"")
        .replace("{ evade = 5 }", "{ guard = 5 }")
        .replace("evade = 5", "traits = { guard = 5 }");
    let notes = of_run(&text);
    assert!(
        notes.iter().all(|note| !note.contains("[idle-")),
        "{notes:?}"
    );
}

/// A condition counts in one variant and not in another: the remark names the variant.
#[test]
fn an_idle_condition_is_one_of_a_variant() {
    let text = misleading(Remark::IdleCondition)
        + "\n[[variants]]\nname = \"longer\"\nset = { \"items.shield.effects\" = \
           [{ condition = \"shielded\", until = \"start of my next turn\" }] }\n";
    let notes = of_run(&text);
    let mut idle = notes
        .iter()
        .filter(|note| note.contains("[idle-condition]"));
    let told = idle.next().expect("a note on the base");
    assert!(told.contains("base"), "{told}");
    assert_eq!(idle.next(), None);
}

/// MD-1: a pool pays its penalties in dice, and there is nothing to say.
#[test]
fn dice_as_points_are_told_where_the_roll_pays_them() {
    let text = misleading(Remark::DiceAsPoints);
    let told = |text: &str| {
        let notes = of_run(text);
        let found = notes
            .into_iter()
            .find(|note| note.contains("[dice-as-points]"));
        found.unwrap_or_default()
    };
    let yards = told(&text);
    assert!(
        yards.contains("rolls of `ogre` lose up to 4 points"),
        "{yards}"
    );
    assert!(yards.contains("`rules.per_yard = \"none\"`"), "{yards}");
    let free = text.replace(
        "health = \"points\"",
        "health = \"points\", per_yard = \"none\"",
    );
    assert_eq!(told(&free), "");
    let pool = text
        .replace("roll-over", "pool")
        .replace("dice = \"1d20\"", "pool = 9");
    assert_eq!(told(&pool), "");
}

fn asked(remark: Remark, text: &str) -> Vec<String> {
    if remark == Remark::SharedNumber {
        of_sensitivity(text)
    } else {
        of_run(text)
    }
}

#[test]
fn a_fair_duel_is_not_remarked_on() {
    assert_eq!(of_run(DUEL), [""; 0]);
    assert_eq!(
        of_sensitivity(DUEL)
            .iter()
            .filter(|note| note.contains('['))
            .count(),
        0
    );
}

#[test]
fn every_remark_is_made_where_it_is_called_for_and_can_be_silenced() {
    for &(name, remark) in Remark::ALL {
        let text = misleading(remark);
        let tag = format!("[{name}]");
        let made = |notes: &[String]| notes.iter().any(|note| note.ends_with(&tag));
        let notes = asked(remark, &text);
        assert!(made(&notes), "{name}: {notes:?}");
        let silenced = format!("silence = [\"{name}\"]\n{text}");
        let rest = asked(remark, &silenced);
        assert!(!made(&rest), "{name}: {rest:?}");
        assert_eq!(
            rest.len(),
            notes.iter().filter(|note| !note.ends_with(&tag)).count(),
            "{name}"
        );
    }
}

#[test]
fn the_way_out_of_timeouts_depends_on_their_cause() {
    let cause = |text: &str| {
        let notes = of_run(text);
        let found = notes.into_iter().find(|note| note.ends_with("[timeouts]"));
        found.expect("a note on timeouts")
    };
    let flight = cause(&misleading(Remark::FarAway));
    assert!(
        flight.contains("`red` walks away to the end; set encounter.arena"),
        "{flight}"
    );
    let peace = DUEL.replace(r#"["attack", "advance"]"#, r#"["attack if round = 1"]"#);
    let peace = cause(&peace);
    assert!(peace.contains("none attacks"), "{peace}");
    let harmless = cause(&DUEL.replace("evade = 12", "evade = 40"));
    assert!(
        harmless.contains("no attack and no spell ever does damage"),
        "{harmless}"
    );
    let short = DUEL.replace(
        "[weapons.axe]",
        "[encounter]\nmax_rounds = 3\n\n[weapons.axe]",
    );
    let short = cause(&short);
    assert!(
        short.ends_with("raise encounter.max_rounds, now 3 [timeouts]"),
        "{short}"
    );
}

/// More Rounds are advised only where timeouts end by then.
#[test]
fn who_heals_faster_than_he_is_hurt_needs_no_more_rounds() {
    let troll = |name: &str| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = 0\ninitiative = 4\nmove = 0\n\
             evade = 10\nhealth = 30\nregeneration = 3\nweapons = [\"fist\"]\npolicy = [\"attack\"]\n"
        )
    };
    let fight = |rounds: u32, damage: u32| {
        let notes = of_run(&format!(
            "system = \"chronicles\"\nrules.check = \"roll-over\"\nencounter.max_rounds = {rounds}\n\
             [weapons.fist]\nkind = \"melee\"\ncheck = {{ dice = \"1d20\" }}\ndamage = {damage}\n{}{}",
            troll("troll"),
            troll("other")
        ));
        notes.into_iter().find(|note| note.contains("[timeouts]"))
    };
    assert_eq!(
        fight(20, 2)
            .expect("a stalemate")
            .split_once(": ")
            .unwrap()
            .1,
        "none of the first 8 ends within 200 Rounds either; change what the combatants do or regain, or decide them by \
         a goal, `encounter.goals.NAME` [timeouts]"
    );
    assert!(
        fight(5, 9)
            .expect("timeouts")
            .ends_with("raise encounter.max_rounds, now 5 [timeouts]")
    );
    let single = fight(1, 9).expect("timeouts");
    assert!(
        single.ends_with(": encounter.max_rounds is 1, so a single Round is played [timeouts]"),
        "{single}"
    );
}

/// Items and tasks that do damage are attacks, too; items that do none are not.
#[test]
fn grenades_and_tasks_are_no_peace() {
    let cause = |effect: &str, line: &str| {
        let one = |name: &str, position: u32| {
            format!(
                "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = {position}\ninitiative = 9\n\
                 items = [\"grenade\"]\ntasks = [\"mine\"]\nhealth = 900\nevade = 5\nmove = 10\npolicy = [\"{line}\"]\n"
            )
        };
        let notes = of_run(&format!(
            "system = \"eclipse-phase\"\nrules.check = \"roll-over\"\nrules.health = \"points\"\n\
             encounter.max_rounds = 8\n[items.grenade]\ntarget = \"enemy\"\nrange = 50\nuses = 1000\n\
             effects = [{{ {effect} }}]\n[tasks.mine]\nphases = 20\nrange = 50\ndamage = 2\n{}{}",
            one("red", 0),
            one("blue", 5)
        ));
        let found = notes.into_iter().find(|note| note.contains("[timeouts]"));
        found.expect("a note on timeouts")
    };
    assert!(!cause("damage = 2", "use grenade").contains("none attacks"));
    assert!(!cause("damage = 2", "task mine").contains("none attacks"));
    assert!(cause("push = 1", "use grenade").contains("none attacks"));
}

#[test]
fn what_one_variant_uses_is_used() {
    let text = misleading(Remark::UnusedWeapon)
        + "\n[[variants]]\nname = \"sword\"\nset = { \"combatants.red.policy\" = [\"attack with sword\", \"advance\"] }\n";
    let notes = of_run(&text);
    assert!(
        !notes.iter().any(|note| note.contains("[unused-weapon]")),
        "{notes:?}"
    );
}

#[test]
fn an_unknown_remark_cannot_be_silenced() {
    let text = format!("silence = [\"timeout\"]\n{DUEL}");
    let wrong = errors(&text);
    assert!(wrong.contains("did you mean \"timeouts\"?"), "{wrong}");
}

/// Lines that are asked on an occasion of their own are lines, too.
#[test]
fn lines_of_every_kind_are_unused() {
    let one = |name: &str, lines: &str| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = 0\ninitiative = 9\nmoxie = 1\n\
             health = 9\nweapons = [\"gun\"]\npolicy = [{lines}]\n"
        )
    };
    let lines = ["spend moxie", "interrupt", "hold", "delay"];
    let turn = |turn: u32| {
        let all = lines.map(|line| format!("\"{line} if turn = {turn}\", "));
        of_run(&format!(
            "system = \"eclipse-phase\"\n[weapons.gun]\nkind = \"ranged\"\nrange = 50\n\
             check = {{ skill = 40 }}\ndamage = 1\n{}{}",
            one("red", &(all.concat() + "\"attack\"")),
            one("blue", "\"attack\"")
        ))
    };
    let unused = turn(1000);
    for line in lines {
        let unused = unused.iter().find(|note| note.contains("[unused-line]"));
        let unused = unused.expect("a note on unused lines");
        assert!(unused.contains(&format!("`{line} if")), "{unused}");
    }
    let used = turn(1);
    let spends = |note: &String| note.contains("spend moxie");
    assert!(!used.iter().any(spends), "{used:?}");
}

/// What the remark on steps back says is true: of the price of a Set and an attack, and of lines that are taken.
#[test]
fn steps_back_keep_off_who_cannot_pay_for_a_set_and_an_attack() {
    let held_off = |from: &str, to: &str| {
        let text = misleading(Remark::StepBack);
        assert!(text.contains(from), "{from}");
        let notes = of_run(&text.replacen(from, to, 1));
        notes.iter().any(|note| note.contains("[step-back]"))
    };
    assert!(held_off("\n[weapons.axe]", "\n[weapons.axe]"));
    let fixed = "initiative.mode = \"fixed\"";
    let cheap = format!("{fixed}\ncosts = {{ quarter = 1, half = 2, full = 5 }}");
    assert!(!held_off(fixed, &cheap));
    assert!(!held_off("\"retreat 1\"", "\"retreat 1 if false\""));
}

/// Units on the far side of Unit 0 are negative (W-1).
#[test]
fn who_walks_far_to_the_left_is_at_a_negative_unit() {
    let notes = of_run(&misleading(Remark::FarAway));
    let far = notes.iter().find(|note| note.contains("[far-away]"));
    let far = far.expect("a note on a long walk");
    assert!(far.contains("`red` walks as far as Unit -"), "{far}");
}

#[test]
fn a_reserve_that_never_comes_in_is_not_blamed_on_its_policy() {
    let late = DUEL.replacen("[policies]", RESERVE, 1);
    let notes = of_run(&late);
    let expected = "`late` never comes in, or never finds a legal line when it has";
    assert!(
        notes.iter().any(|note| note.starts_with(expected)),
        "{notes:#?}"
    );
}

/// A third combatant, which would come in long after the duel is over.
const RESERVE: &str = r#"[[combatants]]
name = "late"
side = "left"
position = 0
enters = 900
attributes = { agility = 10, intellect = 10 }
move = 10
evade = 12
health = 20
weapons = ["axe"]
policy = "red"

[policies]"#;
