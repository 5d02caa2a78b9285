//! `skirmish explain`: lists the keys of scenarios and the metrics, from the same tables that the program uses.

mod word;

use super::args::WideArgs;
use super::console::Console;
use crate::fields::keys::{CLOCK, COSTS, EFFECT};
use crate::fight::lasting::Number;
use crate::fight::program::Mode;
use crate::fight::system::{Clocks, System};
use crate::fight::variables::VariableRow;
use crate::names;
use crate::output::schema;
use crate::policy::actions::{self, READIED, SUBJECTS, TARGETS, TRIGGERS};
use crate::report::{Page, Style};
use crate::systems::{OWN, SHARED_RULINGS, SYSTEMS, titles};
use crate::tally::metrics;
use crate::task::{Exit, Failure};
use anyhow::anyhow;
use clap::Args;
use clap::builder::{
    NonEmptyStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser,
};
use std::ffi::OsStr;

/// Arguments of `skirmish explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// What to explain: one of these, or any word, such as a key, a ruling, an action, a metric or a remark
    #[arg(value_parser = AnyWord, value_name = "TOPIC")]
    pub topic: String,

    /// Of policies, rules, metrics and effects those of one system alone: `explain policy mage`
    #[arg(value_parser = system_or_topic(), hide_possible_values = true, value_name = "SYSTEM")]
    pub system: Option<String>,

    /// How wide tables are
    #[command(flatten)]
    pub wide: WideArgs,
}

/// A topic that any system has: its name, the help about it, and the function that writes its page.
type Topic = (
    &'static str,
    &'static str,
    fn(&mut Page, &[&'static System], Clocks),
);

const TOPICS: [Topic; 5] = [
    (
        "policy",
        "Lines of a policy: actions and the variables of conditions",
        policy,
    ),
    (
        "rules",
        "Every ruling of every system with its default",
        rules,
    ),
    ("clock", "The turns of a game of one's own", clock),
    ("metrics", "What is measured", metrics_page),
    (
        "effects",
        "Effects of items, spells, weapons and hazards; conditions and ground",
        effects,
    ),
];

/// Returns the topics and the systems, as help and shells list them.
fn possible_values() -> impl Iterator<Item = PossibleValue> {
    let topic = |(name, help, _): &Topic| PossibleValue::new(*name).help(*help);
    let systems = SYSTEMS.iter().map(|system| {
        let help = format!(
            "{}: {}, and every ruling with its default",
            system.title, system.topic
        );
        PossibleValue::new(system.name).help(help)
    });
    let (first, last) = TOPICS.split_at(2);
    first
        .iter()
        .map(topic)
        .chain(systems)
        .chain(last.iter().map(topic))
}

/// Parses the first argument. Shells offer the topics.
#[derive(Clone)]
struct AnyWord;

impl TypedValueParser for AnyWord {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        NonEmptyStringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(possible_values()))
    }
}

/// Parses the second argument: a system, or a topic after a system. Errors suggest the systems.
fn system_or_topic() -> PossibleValuesParser {
    let values = possible_values().map(|value| {
        let is_topic = TOPICS.iter().any(|(name, ..)| *name == value.get_name());
        value.hide(is_topic)
    });
    values.collect::<Vec<_>>().into()
}

/// Runs the subcommand.
pub(super) fn run(args: &ExplainArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut page = Page::new(Style::Terminal(args.wide.width(console)));
    let words = || [&args.topic].into_iter().chain(&args.system);
    let is_named = |name: &str| words().any(|word| word == name);
    let systems = SYSTEMS.into_iter().filter(|system| is_named(system.name));
    let systems: Vec<&System> = systems.collect();
    let topics = TOPICS.iter().filter(|(name, ..)| is_named(name));
    let topics: Vec<&Topic> = topics.collect();
    let chosen = match &systems[..] {
        [] => &SYSTEMS[..],
        chosen => chosen,
    };
    let clocks = clocks_of(chosen);
    if !possible_values().any(|value| value.get_name() == args.topic) {
        word::explain(&mut page, &args.topic, chosen, clocks)?;
    } else if topics.len() + systems.len() < words().count()
        || topics.len() > 1
        || systems.len() > 1
    {
        return Err(Failure::input(no_pair(words())));
    } else {
        let explain = topics.first().map_or(rules as _, |(.., explain)| *explain);
        explain(&mut page, chosen, clocks);
    }
    console.answer(&page.into_text())?;
    Ok(Exit::Done)
}

/// Returns the clock of a single system, or all.
fn clocks_of(systems: &[&System]) -> Clocks {
    match systems {
        [system] => Clocks::only(system.clock),
        _ => Clocks::ALL,
    }
}

/// Returns the error about two words that do not go together.
fn no_pair<'a>(words: impl Iterator<Item = &'a String>) -> anyhow::Error {
    let words: Vec<&str> = words.map(String::as_str).collect();
    anyhow!(
        "`explain {}`: there is nothing about both\n\
         {} may each be followed by\n\
         {}",
        words.join(" "),
        names::list(TOPICS.map(|(name, ..)| name), "and"),
        names::list(SYSTEMS.map(|system| system.name), "or")
    )
}

/// Explains the lines of policies in `systems`.
fn policy(page: &mut Page, systems: &[&'static System], clocks: Clocks) {
    page.prose(
        "A policy is a list of lines `ACTION [ARGUMENTS] [if CONDITION]`. When a combatant is free \
         to decide, the first line whose condition holds and whose action is legal and affordable \
         is taken.",
    );
    page.prose(
        "`? LINE` is an optional line, `?off LINE` one that is switched off, and the lines between \
         `any order {` and `}`, each a member of the list, may stand in another order: that is what \
         `skirmish tune` may change. `$NAME` is a value of [parameters], wherever a number or a name may stand.",
    );
    for system in systems {
        page.blank();
        page.prose(&format!("{}:", system.title));
        page.listing(
            ["action", "cost", "legal when"],
            system
                .actions
                .iter()
                .map(|action| [action.syntax, action.cost, action.legal]),
        );
    }
    if clocks.meets(Clocks::TURNS) {
        page.blank();
        page.prose(&format!(
        "In Mage, feats may share an action: `attack + attack`, `draw knife + attack split 2,5`. \
         The smallest of their pools is divided, evenly or as `split` says. MODE is {}.",
        names::list(Mode::NAMES.iter().copied(), "or")
    ));
    }
    page.blank();
    page.prose(
        "TARGET is one of these words or a combatant's name; the name of a combatant with a \
         `count` means the nearest of them. K is a whole number. N and D are numbers of Units, or sums \
         that are worked out when the line is taken, of the numbers that a condition may ask for: \
         `retreat move_left`, `advance distance - 5`, `advance to enemies * 2`. The line is not legal \
         while N comes to less than 1 or D to less than 0.",
    );
    page.listing(
        ["target", "who"],
        TARGETS.iter().map(|(name, meaning, _)| [*name, *meaning]),
    );
    page.blank();
    page.prose(
        "A condition is made of variables, whole numbers, + - *, comparisons < <= = != >= >, \
         and, or, not, parentheses, true and false. In a line with a target, `distance` and \
         `target.*` speak of the target that the line would take; in a line without one, of the \
         nearest enemy.",
    );
    let row = |fact: &VariableRow| [fact.name, fact.unit.unwrap_or("boolean"), fact.meaning];
    let head = ["variable", "type", "meaning"];
    page.listing(head, actions::shared_facts().map(row));
    for system in systems {
        page.blank();
        page.prose(&format!("{} alone:", system.title));
        page.listing(head, actions::own_facts(system).map(row));
    }
}

/// Explains the rulings of `systems`.
fn rules(page: &mut Page, systems: &[&'static System], _: Clocks) {
    for (index, system) in systems.iter().enumerate() {
        if index > 0 {
            page.blank();
        }
        rules_of(page, system);
    }
}

fn rules_of(page: &mut Page, system: &System) {
    page.prose(system.about);
    if *system == OWN {
        clock(page, &[], Clocks::ALL);
        page.blank();
        page.prose(
            "The rulings of Chronicles hold besides (`skirmish explain chronicles`), or those of the game in \
             `like`.",
        );
    }
    if !system.costs.is_empty() {
        page.listing(
            ["category", "Marks", "such as"],
            system.costs.iter().copied(),
        );
    }
    page.blank();
    page.prose(&format!(
        "Checks are of the kind `{}` and health is `{}`, unless a ruling says otherwise. Rulings, \
         each a key of [rules]:",
        system.check.name(),
        system.health.name(),
    ));
    page.listing(
        ["key", "values", "default", "meaning"],
        system.rulings.iter().chain(SHARED_RULINGS).map(|ruling| {
            let values = ruling.values.to_string();
            [ruling.name, &values, ruling.default, ruling.meaning].map(str::to_owned)
        }),
    );
    if system.actions.iter().any(|action| action.name() == "ready") {
        readied(page);
    }
}

/// Explains the keys of `[clock]`.
fn clock(page: &mut Page, systems: &[&'static System], _: Clocks) {
    if let [system] = systems
        && !system.turns.is_empty()
    {
        page.prose(&format!(
            "The turns of {}, in the words of `[clock]`:",
            system.title
        ));
        page.listing(["key", "value"], system.turns.iter().copied());
    }
    for (table, keys) in [("[clock]", &CLOCK), ("[clock.costs]", &COSTS)] {
        page.blank();
        page.prose(&format!(
            "Keys of `{table}`, with `system = \"own\"`: {}.",
            keys.meaning
        ));
        page.listing(
            ["key", "values", "default", "meaning"],
            keys.all().map(|key| {
                let values = key.values.to_string();
                [key.name, &values, key.default, key.meaning].map(str::to_owned)
            }),
        );
    }
}

/// Explains the triggers of readied actions, and the delays that wait for them (CD-2, CD-3).
fn readied(page: &mut Page) {
    page.blank();
    page.prose(&format!(
        "`ready ACTION when TRIGGER` takes the action of the turn. ACTION is {}; its target is \
         `trigger`, the one that triggers it, unless it says otherwise (the nearest enemy where that \
         one can never be a target: an ally, or one that has fallen). A readied move goes as many Units \
         as it names, and no more than `move`. TRIGGER is {}, or a name, and:",
        names::list(READIED.iter().copied(), "or"),
        SUBJECTS
            .iter()
            .map(|(word, meaning, _)| format!("`{word}` ({meaning})"))
            .collect::<Vec<_>>()
            .join(", "),
    ));
    page.listing(
        ["trigger", "happens when"],
        TRIGGERS
            .iter()
            .map(|(syntax, meaning, _)| [*syntax, *meaning]),
    );
    page.blank();
    page.prose(
        "`delay until CONDITION` waits; the condition is asked after each turn of another, and the \
         combatant comes in directly after that turn, with a whole turn. `delay yield N` lets up to N of \
         those who come in at the same moment go first. `cancel if CONDITION` is asked when its trigger \
         happens, and is about the combatant that triggered it.",
    );
}

/// Explains effects, and the numbers of `clocks` that conditions and ground change.
fn effects(page: &mut Page, _: &[&System], clocks: Clocks) {
    page.prose(
        "Items, spells, weapons (when they hit) and hazards have `effects`: a list of tables, one \
         effect each with the keys that go with it, as in `effects = [{ damage = \"2d6\" }, { condition = \"stunned\", lasts = 2 }]`.",
    );
    page.listing(
        ["key", "values", "meaning"],
        EFFECT.all().map(|key| {
            [
                key.name.to_owned(),
                key.values.to_string(),
                schema::meaning(key),
            ]
        }),
    );
    page.blank();
    page.prose(
        "A condition is a table [conditions.NAME]; who stands on the `stretch` of ground, \
         [encounter.ground.NAME], has a condition of its name. With `difficult = true` each Unit \
         there takes 2 of movement. Policies ask `has NAME` and \
         `target.has NAME`. `modifies` adds to these numbers, and `modifies = { actions = 0 }` stuns:",
    );
    page.listing(
        ["number", "meaning"],
        Number::ALL
            .iter()
            .filter(|(_, _, own, _)| own.meets(clocks))
            .map(|(name, _, own, text)| [(*name).to_owned(), meaning(text, *own, clocks)]),
    );
    page.blank();
    page.prose(
        "A hazard, [encounter.hazards.NAME], strikes as Rounds begin: all, or all on its `stretch`, or \
         those of whom its `when` holds. \
         Areas, checks, resistance, and when a condition begins and ends: docs/FORMAT.md.",
    );
}

/// Returns a meaning. If the page also lists other systems, the systems that it applies to are added.
fn meaning(text: &str, own: Clocks, page: Clocks) -> String {
    if own == Clocks::ALL || page != Clocks::ALL {
        text.to_owned()
    } else {
        format!("{text} ({})", titles(own))
    }
}

/// Explains the metrics of `clocks`.
fn metrics_page(page: &mut Page, _: &[&System], clocks: Clocks) {
    page.prose(
        "What is measured. Rates and counts have a row in summary.csv for each subject: the \
         encounter as a whole, each side, or each combatant. Counts, categories and curves have \
         their values in distributions.csv.",
    );
    page.listing(
        ["metric", "subject", "kind", "unit", "meaning"],
        metrics::all()
            .filter(|metric| metric.clocks.meets(clocks))
            .map(|metric| {
                [
                    metric.name.to_owned(),
                    metric.scope.name().to_owned(),
                    metric.kind.name().to_owned(),
                    metric.unit.to_owned(),
                    meaning(metric.meaning, metric.clocks, clocks),
                ]
            }),
    );
}
