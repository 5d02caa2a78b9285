//! Every sample in a help text is followed once: in the place of the mistake it is accepted, and means the same.

use super::starter;
use crate::document::diagnostics::Diagnostic;
use crate::scenario::{Loaded, Scenario};
use crate::systems::SYSTEMS;

/// Mistakes whose help shows how it is written: the system, a text of its starter and what stands there instead, with
/// the mistake in `<<` and `>>`, and what is meant, unless the help only gives an example.
const MISTAKES: &[(&str, &str, &str, Option<&str>)] = &[
    // Weapons, spells and items.
    (
        "tara-corax",
        "bonus = 7 }",
        "bonus = 7, <<critical = true>> }",
        None,
    ),
    ("tara-corax", "attacks = 2", "attacks = 6\n<<>>", None),
    ("tara-corax", "attacks = 2", "attacks = 14\n<<>>", None),
    (
        "mage",
        "check = { pool = 5 }",
        "check = { <<pool = \"7d10\">> }",
        Some("pool = 7"),
    ),
    (
        "mage",
        "check = { pool = 5 }",
        "check = { <<pool = \"dexterity +\">> }",
        None,
    ),
    (
        "mage",
        "damage = 2",
        "<<damage = \"stamina + 2\">>",
        Some("damage = { pool = \"stamina + 2\" }"),
    ),
    (
        "chronicles",
        "[rules]",
        "[spells.fire]\nrange = 5\ndamage = 2\n<<ongoing = { damage = 1, rounds = 2 }\n\
      effects = [{ push = 1 }]>>\n[rules]",
        None,
    ),
    // Effects.
    (
        "tara-corax",
        "[rules]",
        "[items.bomb]\narea = 2\ntarget = \"enemy\"\nrange = 9\n<<resist = { check = \"evade\" }>>\n\
      effects = [{ damage = \"1d6\" }]\n[rules]",
        None,
    ),
    (
        "mage",
        "[rules]",
        "[items.bomb]\narea = 2\ntarget = \"enemy\"\nrange = 9\n<<resist = { check = \"evade\" }>>\n\
      effects = [{ damage = 3 }]\n[rules]\ncheck = \"pool\"",
        None,
    ),
    (
        "tara-corax",
        "[rules]",
        "[conditions.stunned]\n[items.bomb]\ntarget = \"enemy\"\nrange = 9\n<<effects = [{}]>>\n[rules]",
        None,
    ),
    (
        "mage",
        "[rules]",
        "[conditions.stunned]\n[items.bomb]\ntarget = \"enemy\"\nrange = 9\n<<effects = [{}]>>\n[rules]",
        None,
    ),
    (
        "chronicles",
        "[rules]",
        "[conditions.stunned]\n[items.bomb]\ntarget = \"enemy\"\nrange = 9\n<<effects = [{}]>>\n[rules]",
        None,
    ),
    (
        "eclipse-phase",
        "[rules]",
        "[conditions.stunned]\n[items.bomb]\ntarget = \"enemy\"\nrange = 9\n<<effects = [{}]>>\n[rules]",
        None,
    ),
    // Rules.
    (
        "tara-corax",
        "[rules]",
        "[rules]\n<<attack_offsets = 3>>",
        None,
    ),
    (
        "tara-corax",
        "[rules]",
        "[rules]\ncosts = { full = 10 }\n<<attack_offsets = 3>>",
        None,
    ),
    (
        "tara-corax",
        "[rules]",
        "[rules.initiative]\n<<ties = \"total\">>",
        None,
    ),
    (
        "mage",
        "[rules]",
        "[rules.initiative]\n<<ties = \"total\">>",
        None,
    ),
    (
        "chronicles",
        "[rules]",
        "[rules.initiative]\n<<ties = \"total\">>",
        None,
    ),
    (
        "eclipse-phase",
        "[rules]",
        "[rules.initiative]\n<<ties = \"total\">>",
        None,
    ),
    (
        "tara-corax",
        "[rules]",
        "[rules.initiative]\n<<dice = \"2d6\"\nexplode = \"highest\">>",
        None,
    ),
    // Combatants.
    (
        "tara-corax",
        "attributes = { agility = 16, intellect = 14 }",
        "<<>>",
        None,
    ),
    (
        "mage",
        "attributes = { dexterity = 3, wits = 3, stamina = 3 }",
        "<<>>",
        None,
    ),
    (
        "chronicles",
        "attributes = { dexterity = 3, composure = 3 }",
        "<<>>",
        None,
    ),
    (
        "eclipse-phase",
        "attributes = { intuition = 20, reflexes = 25 }",
        "<<>>",
        None,
    ),
    (
        "tara-corax",
        "weapons = [\"bow\"]",
        "weapons = <<\"bow\">>",
        Some("[\"bow\"]"),
    ),
    (
        "tara-corax",
        "policy = \"melee\"",
        "<<policy = \"none\">>",
        None,
    ),
    ("tara-corax", "stand = [\"attack\"]", "stand = <<[]>>", None),
    (
        "tara-corax",
        "[[combatants]]",
        "<<[combatants]>>",
        Some("[[combatants]]"),
    ),
    (
        "tara-corax",
        "arena = [-40, 60]",
        "arena = [-40, 60]\n<<ends_when = 3>>",
        None,
    ),
    // Parameters, variants, builds.
    (
        "tara-corax",
        "[rules]",
        "[parameters]\n<<near = []>>\n[rules]",
        None,
    ),
    (
        "tara-corax",
        "[rules]",
        "[parameters]\nnear = { value = 5, <<range = 3>> }\n[rules]",
        None,
    ),
    (
        "tara-corax",
        "set = { \"rules.round\" = \"simple\" }",
        "<<set = \"simple\">>",
        None,
    ),
    (
        "tara-corax",
        "set = { \"rules.round\" = \"simple\" }",
        "<<set = {}>>",
        None,
    ),
    (
        "tara-corax",
        "{ \"rules.round\" = \"simple\" }",
        "{ <<\"rules.round = simple\" = true>> }",
        Some("\"rules.round\" = \"simple\""),
    ),
    (
        "tara-corax",
        "{ \"rules.round\" = \"simple\" }",
        "{ <<rules.round = \"simple\">> }",
        Some("\"rules.round\" = \"simple\""),
    ),
    (
        "tara-corax",
        "{ \"rules.round\" = \"simple\" }",
        "{ \"combatants.archer.move\" = <<+20>> }",
        Some("20"),
    ),
    (
        "tara-corax",
        "\"rules.round\" = \"simple\"",
        "\"<<combatants.archer.weapons.bow.range>>\" = 20",
        Some("weapons.bow.range"),
    ),
    (
        "tara-corax",
        "[rules]",
        "<<[expect]>>\nmetric = \"win_rate\"\nside = \"hunters\"\nmin = 0.1\n[rules]",
        None,
    ),
    (
        "tara-corax",
        "[rules]",
        "[[builds]]\nname = \"axe\"\n<<set = 3>>\n[[builds]]\nname = \"bow\"\nset = { move = 8 }\n[weapons.sword]\nkind = \"melee\"\ncheck = { dice = \"2d10\" }\ndamage = 3\n[rules]",
        None,
    ),
    (
        "tara-corax",
        "[rules]",
        "[[builds]]\nname = \"axe\"\n<<set = {}>>\n[[builds]]\nname = \"bow\"\nset = { move = 8 }\n[weapons.sword]\nkind = \"melee\"\ncheck = { dice = \"2d10\" }\ndamage = 3\n[rules]",
        None,
    ),
    // Expectations.
    (
        "tara-corax",
        "[rules]",
        "[[expect]]\nmetric = \"win_rate\"\nside = \"hunters\"\n<<min = 0.1\nmax = 0.9>>\n[rules]",
        Some("between = [0.1, 0.9]"),
    ),
    (
        "tara-corax",
        "[rules]",
        "[[expect]]\nmetric = \"win_rate\"\nside = \"hunters\"\n<<max = \"90%\"\nmin = \"1%\">>\n[rules]",
        Some("between = [\"1%\", \"90%\"]"),
    ),
    (
        "tara-corax",
        "[rules]",
        "[[expect]]\nmetric = \"win_rate\"\nside = \"hunters\"\nvariant = \"simple round\"\n\
      difference = { <<max = 0.1, min = -0.1>> }\n[rules]",
        Some("between = [-0.1, 0.1]"),
    ),
    (
        "tara-corax",
        "[rules]",
        "[[expect]]\nmetric = \"win_rate\"\nside = \"hunters\"\nvariant = \"simple round\"\n\
      <<difference = {}>>\n[rules]",
        None,
    ),
    // Dice.
    ("tara-corax", "1d8+2", "<<>>", None),
    ("tara-corax", "1d8+2", "<<1d6e>>", Some("1d6x")),
    ("tara-corax", "1d8+2", "<<8d10s6>>", Some("8d10>=6")),
    ("tara-corax", "1d8+2", "<<4d6highest3>>", Some("4d6kh3")),
    ("tara-corax", "1d8+2", "<<2d20lowest1>>", Some("2d20kl1")),
    ("tara-corax", "1d8+2", "<<4d6drop1>>", Some("4d6dl1")),
    ("tara-corax", "1d8+2", "<<8d10>=6fail1>>", Some("8d10>=6f1")),
    ("tara-corax", "1d8+2", "<<m(2d6,1d8)>>", None),
    ("tara-corax", "1d8+2", "<<max 2d6>>", None),
    ("tara-corax", "1d8+2", "<<1d6p>>", None),
    ("tara-corax", "1d8+2", "<<1d20a>>", Some("1d20adv")),
    ("tara-corax", "1d8+2", "<<adv>>", None),
    ("tara-corax", "1d8+2", "<<+>>", None),
    ("tara-corax", "1d8+2", "<<2d>>", None),
    ("tara-corax", "1d8+2", "<<d{x}>>", None),
    ("tara-corax", "1d8+2", "<<8d10cs>>", None),
    ("tara-corax", "1d8+2", "<<8d10cs>=6df>>", None),
    ("tara-corax", "1d8+2", "<<8d10>=6f>>", None),
    ("tara-corax", "1d8+2", "<<8d10df=1>>", None),
    ("tara-corax", "1d8+2", "<<3d6adv>>", Some("3d6kh1")),
    ("tara-corax", "1d8+2", "<<3d6dis>>", Some("3d6kl1")),
    ("tara-corax", "1d8+2", "<<{4d6,3d8}>>", None),
    ("tara-corax", "1d8+2", "<<(1d4-2)d6>>", None),
    ("tara-corax", "1d8+2", "<<(2d6+3)>=10>>", None),
    (
        "tara-corax",
        "1d8+2",
        "<<1d20r1r2r3r4r5r6r7r8r9r10r11>>",
        None,
    ),
    (
        "mage",
        "damage = 2",
        "damage = <<\"6 pool\">>",
        Some("{ pool = 6 }"),
    ),
];

/// The mistakes in `--set` and `--vary`, with the mistake in `<<` and `>>`.
const ARGUMENTS: &[(&str, &str)] = &[
    ("--set", "<<rules.round>>"),
    ("--set", "<<move>>=9"),
    ("--set", "<<combatants.archer>>=9"),
    ("--set", "<<combatants.archer.weapons.bow.range>>=9"),
    ("--set", "combatants.archer.move=<<+20>>"),
    ("--vary", "<<combatants.archer.move>>"),
    ("--vary", "combatants.archer.move=<<8..x>>"),
    ("--vary", "combatants.archer.move=<<8..20:0>>"),
    ("--vary", "combatants.archer.move=<<20..8>>"),
    ("--vary", "combatants.archer.move=<<1..100000>>"),
];

/// The parts of help texts in backticks.
fn quoted(problems: Vec<Diagnostic>) -> Vec<String> {
    let helps = problems.into_iter().flat_map(|problem| problem.help);
    helps
        .flat_map(|help| {
            let parts = help.split('`').skip(1).step_by(2);
            parts.map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
}

/// A text around a mistake, and the mistake.
fn parts(text: &str) -> (&str, &str, &str) {
    let (before, rest) = text.split_once("<<").expect(text);
    let (mistake, after) = rest.split_once(">>").expect(text);
    (before, mistake, after)
}

/// Whether a part of a help text is a sample that can take the place of a mistake, and not a word or a sign.
fn is_sample(part: &str, mistake: &str) -> bool {
    if mistake.contains(" = ") {
        part.contains(" = ")
    } else if mistake.ends_with(']') && mistake.len() > 2 {
        part.starts_with("[[") && part.contains(mistake.trim_matches(['[', ']']))
    } else {
        part.contains(|letter: char| letter.is_ascii_digit() || "\".".contains(letter))
            && !part.contains("--")
            && !mistake.starts_with(part)
    }
}

#[test]
fn a_sample_in_a_help_text_takes_the_place_of_the_mistake() {
    let mut wrong = Vec::new();
    for (name, old, new, meant) in MISTAKES {
        let system = SYSTEMS.iter().find(|system| system.name == *name);
        let starter = starter(system.expect(name));
        assert!(starter.contains(old), "{name} {old}");
        let text = starter.replacen(old, new, 1);
        let (before, mistake, after) = parts(&text);
        let read = |sample: &str, after: &str| {
            let text = format!("{before}{sample}{after}");
            Scenario::parse("fight.toml", &text, &[]).and_then(Loaded::whole)
        };
        let meaning = |loaded: Loaded| (loaded.scenario.variants, loaded.scenario.expectations);
        let problems = read(mistake, after).expect_err(new).into_list();
        let mut after = after.to_owned();
        let mut samples = Vec::new();
        let mut quoted = quoted(problems).into_iter();
        while let Some(part) = quoted.next() {
            if part.starts_with("[conditions.burning]") {
                let content = quoted.next().expect("what the table says");
                after = after.replacen("[rules]", &format!("{part}\n{content}\n[rules]"), 1);
            } else if mistake.is_empty() && old.contains(" = ") && part.contains(" = ")
                || is_sample(&part, mistake)
            {
                let value = mistake.rsplit(" = ").next().unwrap_or_default();
                samples.push(part.replace("...", value));
            }
        }
        if samples.is_empty() {
            wrong.push(format!("{name} {new}: no sample"));
        }
        let meant = meant.map(|meant| meaning(read(meant, &after).expect(meant)));
        for sample in samples {
            let place = format!("{name} {new}: `{sample}`");
            match read(&sample, &after) {
                Err(problems) => wrong.push(format!("{place} {:?}", problems.into_list())),
                Ok(loaded) => {
                    let found = meaning(loaded);
                    if meant.as_ref().is_some_and(|meant| *meant != found) {
                        wrong.push(format!("{place} means something else"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_sample_in_the_help_for_an_argument_takes_the_place_of_the_mistake() {
    let starter = starter(SYSTEMS[0]);
    for (option, argument) in ARGUMENTS {
        let (before, mistake, after) = parts(argument);
        let read = |sample: &str| {
            let argument = format!("{before}{sample}{after}");
            if *option == "--set" {
                return Scenario::parse("fight.toml", &starter, &[argument]).map(drop);
            }
            let loaded = Scenario::parse("fight.toml", &starter, &[]).expect("a scenario");
            loaded.document.sweep("base", &[argument]).map(drop)
        };
        let problems = read(mistake).expect_err(argument).into_list();
        let mut followed = 0;
        for part in quoted(problems) {
            let sample = part.strip_prefix("--set ").unwrap_or(&part);
            if is_sample(sample, mistake) {
                assert_eq!(read(sample).err(), None, "{argument}: `{sample}`");
                followed += 1;
            }
        }
        assert!(followed > 0, "{argument}");
    }
}

/// Mistakes in the condition of a line, in `[` and `]`.
const CONDITIONS: &[&str] = &[
    "distance [==] 5",
    "distance [===] 5",
    "distance [<>] 5",
    "distance [~=] 5",
    "distance [/=] 5",
    "distance [≠] 5",
    "distance [=<] 5",
    "distance [≤] 5",
    "distance [=>] 5",
    "distance [≥] 5",
    "ready [&&] prone",
    "ready [&] prone",
    "ready [||] prone",
    "ready [|] prone",
    "[!] ready",
    "[health % 2 = 1]",
    "[health / 3 < max_health]",
    "[1 < distance < 5]",
    "[ready = true]",
    "[ready = false]",
    "[enemies_within >= 2]",
];

#[test]
fn a_sample_in_the_help_for_a_condition_takes_the_place_of_the_mistake() {
    let starter = starter(SYSTEMS[0]);
    for condition in CONDITIONS {
        let (before, rest) = condition.split_once('[').expect(condition);
        let (mistake, after) = rest.split_once(']').expect(condition);
        let read = |part: &str| {
            let policy = format!("[\"attack if {before}{part}{after}\", \"pass\"]");
            let set = format!("combatants.archer.policy={policy}");
            Scenario::parse("fight.toml", &starter, &[set]).map(drop)
        };
        let samples = quoted(read(mistake).expect_err(condition).into_list());
        assert!(!samples.is_empty(), "{condition}: no sample");
        for sample in samples {
            assert!(read(&sample).is_ok(), "{condition}: `{sample}` is refused");
        }
    }
}

#[test]
fn what_a_hint_on_speed_names_may_be_written() {
    let help = |text: &str, set: &[&str]| {
        let set: Vec<String> = set.iter().map(|set| (*set).to_owned()).collect();
        let read = Scenario::parse("fight.toml", text, &set).and_then(Loaded::whole);
        read.map_or_else(|problems| quoted(problems.into_list()), |_| Vec::new())
    };
    let agents = starter(SYSTEMS[3]);
    let fast = "combatants.fury.speed=5";
    assert!(help(&agents, &[fast]).contains(&"rules.speed.max".to_owned()));
    assert!(help(&agents, &[fast, "rules.speed.max=5"]).is_empty());
    let clocks = include_str!("../../../../../scenarios/four-clocks.toml");
    let named = help(clocks, &["combatants.archer.speed=2"]);
    assert!(named.contains(&"combatants.NAME.speed".to_owned()));
    let variant = "[[variants]]\nname = \"fast\"\n\
                   set = { system = \"mage\", \"combatants.archer.speed\" = 2 }\n";
    assert!(help(&format!("{clocks}\n{variant}"), &[]).is_empty());
}
