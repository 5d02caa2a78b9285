//! Builds a fight from a tree: one variant of the scenario.

use super::advice::advise;
use super::builds;
use super::clock::{self, Muster};
use super::combatants::{CombatantEntry, entries, sheets};
use super::frame::{Frame, encounter};
use super::keys::SCENARIO;
use super::muster::{assemble, clashes};
use super::occasions::{NameResolver, reserves};
use super::parameters::{BoundParameters, TABLE};
use super::policies::policies;
use super::remarks::{Remark, silence};
use crate::document::diagnostics::Diagnostic;
use crate::document::node::Node;
use crate::document::reader::{self, Reader, integer};
use crate::document::source::Span;
use crate::fields::Rulings;
use crate::fields::budget::{Turn, penalties};
use crate::fields::conditions::condition;
use crate::fields::effects::changes_rolls;
use crate::fields::gear::{Defined, Gear, define, item, spell, task, weapon};
use crate::fields::initiative::share;
use crate::fields::own::OwnTraits;
use crate::fields::sums::others_roll_sums;
use crate::fields::surroundings::Danger;
use crate::fields::traits::down;
use crate::fight::check::Check;
use crate::fight::effect::{Change, Effect, Ground, Hazard};
use crate::fight::health::{AtZero, DownRules};
use crate::fight::lasting::{Condition, MOST_KINDS};
use crate::fight::system::{Clocks, Pools, System};
use crate::fight::turns::Declare;
use crate::fight::words::Terms;
use crate::fight::world::set_of;
use crate::fight::{Combatant, Fight, Goal, MAX_COMBATANTS, Variable};
use crate::names;
use crate::policy::parameters::Parameters;
use crate::systems;
use crate::systems::own::TEMPLATES;
use crate::systems::{OWN, Rules};
use std::sync::Arc;

/// Returns the reason why a system with Task Actions has no spells.
pub(super) fn no_spells(system: &System) -> String {
    format!(
        "{} has none: a Task Action may take their place",
        system.title
    )
}

/// The default limit on Rounds.
const MAX_ROUNDS: u32 = 50;

/// The result of reading a tree.
#[derive(Debug)]
pub(super) struct Built {
    /// The fight and its rules; `None` if there are errors.
    pub(super) fight: Option<(Fight, Rules)>,
    /// Errors and warnings.
    pub(super) problems: Vec<Diagnostic>,
    /// Warnings about unused definitions: reported only if no variant uses them.
    pub(super) unused: Vec<Diagnostic>,
}

/// The keys of a scenario that are the same for all variants.
#[derive(Debug, Default)]
pub(super) struct Heading {
    pub(super) title: Option<String>,
    pub(super) question: Option<String>,
    pub(super) silence: Vec<Remark>,
}

/// Builds the fight of a tree, without its `variants` and `expect`.
pub(super) fn build(root: &Node) -> (Heading, Built) {
    let mut problems = Vec::new();
    let mut unused = Vec::new();
    let mut heading = Heading::default();
    let mut bound = BoundParameters::read(root, &mut problems);
    bound.known.traits = OwnTraits::of(root).names;
    let filled = bound.put_into(root, &mut problems);
    let root = filled.as_ref().unwrap_or(root);
    let known = &bound.known;
    let mut found = Vec::new();
    let fight = read(root, known, &mut heading, &mut found, &mut unused);
    bound.idle(&mut unused);
    advise(&mut found, root, system_of(root), |root| {
        let mut problems = Vec::new();
        read(
            root,
            known,
            &mut Heading::default(),
            &mut problems,
            &mut Vec::new(),
        );
        problems
    });
    problems.append(&mut found);
    let explained = problems.into_iter().map(|problem| bound.explain(problem));
    let problems: Vec<Diagnostic> = explained.collect();
    let errors = problems.iter().any(Diagnostic::is_error);
    if errors {
        // An error may have caused the warnings.
        unused.clear();
    }
    let built = Built {
        fight: fight.filter(|_| !errors),
        problems,
        unused,
    };
    (heading, built)
}

fn read(
    root: &Node,
    parameters: &Parameters,
    heading: &mut Heading,
    problems: &mut Vec<Diagnostic>,
    unused: &mut Vec<Diagnostic>,
) -> Option<(Fight, Rules)> {
    let mut top = Reader::open(root, &SCENARIO, "the scenario", problems)?;
    if let Some(entry) = top.entry("format")
        && let Err(problem) = integer(&entry.node, "format", 1..=1)
    {
        top.report(problem.help("only format 1 exists"));
    }
    heading.title = top.text("title").map(str::to_owned);
    heading.question = top.text("question").map(str::to_owned);
    // Every part of the tree asks `base_name`.
    top.name("base");
    heading.silence = silence(&mut top);
    let system = system_of(root);
    if let Some(entry) = top.entry("system") {
        let known = systems::SYSTEMS.map(|system| (system.name, ()));
        let named = reader::choice(&entry.node, "system", &known);
        top.ok_or_report(named.map_err(|problem| {
            let written = entry.node.text().unwrap_or_default();
            let is_written = |(name, ..): &&(&'static str, _, _)| names::alike(name, written);
            let template = TEMPLATES.iter().find(is_written).unwrap_or(&TEMPLATES[0]).0;
            problem.help(format!(
                "`skirmish systems` describes each of them; any other game is `system = \"own\"` (docs/OWN-GAME.md), \
                 and `skirmish new FILE --system {template}` writes one to begin with"
            ))
        }));
    }
    let is_own = root
        .text_at("system")
        .is_none_or(|name| names::alike(name, OWN.name));
    let clock = top.entry("clock").filter(|_| is_own);
    if !is_own {
        top.refuse("clock", "a published system has its own; begin with it: `system = \"own\"`, and `like` in `[clock]`");
    }
    let clocks = Clocks::only(system.clock);
    let (mut rulings, mut rules) = (Rulings::of(system), Rules::of(system.clock));
    if let Some(table) = top.table("rules", "`[rules]`") {
        rulings.read(table, rules.fields_mut(), problems);
    }
    rulings.own = OwnTraits::of(root);
    if system.pools == Pools::OfTraits && others_roll_sums(root) {
        rulings.sheets = sheets(root, rules.fields(), &rulings).into();
    }
    let written = root.get("rules").and_then(|entry| entry.node.get("down"));
    let down = written.and_then(|entry| down(&entry.node, &rulings, problems));
    let defined = define(&mut top, "conditions", problems, |name, table| {
        condition(name, table, &rulings)
    });
    rulings.things = things(root);
    let mut items = root.entries("items").iter();
    rulings.revises = items.any(|item| changes_rolls(&item.node));
    let of_clock = clock.map(|entry| &*entry.node);
    if is_own && rules.turns().is_some() {
        rulings.turn = Some(Turn::of(of_clock, &rulings.own.names, problems));
    }
    if let Some(entry) = of_clock.and_then(|clock| clock.get("penalties")) {
        let read = top.ok_or_report(penalties(&entry.node));
        rulings.penalties = read.unwrap_or_default();
    }
    rulings.conditions = defined.into_iter().map(|row| row.thing).collect();
    rulings.defined = rulings.conditions.len();
    let frame = top
        .table("encounter", "`[encounter]`")
        .map_or_else(Frame::default, |table| {
            encounter(table, rules.fields_mut(), &mut rulings, problems)
        });
    let grounds = frame.grounds.iter().enumerate();
    let grounds = grounds.map(|(index, (stretch, _, toll))| Ground {
        stretch: *stretch,
        condition: (rulings.defined + index) as u8,
        toll: *toll,
    });
    let grounds: Vec<Ground> = grounds.collect();
    if rulings.conditions.len() > MOST_KINDS {
        top.report(Diagnostic::error(
            top.span(),
            "a fight has too many conditions",
            format!("at most {MOST_KINDS}, with those of its ground"),
        ));
    }
    let own = rules.fields();
    let mut gear = Gear {
        weapons: define(&mut top, "weapons", problems, |name, table| {
            weapon(name, table, own, &rulings)
        }),
        ..Gear::default()
    };
    if system.tasks {
        top.refuse("spells", &no_spells(system));
    } else {
        gear.spells = define(&mut top, "spells", problems, |name, table| {
            spell(name, table, own, &rulings)
        });
    }
    gear.items = define(&mut top, "items", problems, |name, table| {
        item(name, table, own, &rulings)
    });
    if system.tasks {
        gear.tasks = define(&mut top, "tasks", problems, |name, table| {
            task(name, table, &rulings)
        });
    }
    let list = top.entry("combatants");
    let policies = top.entry("policies").map_or_else(Vec::new, |entry| {
        policies(&entry.node, (clocks, parameters), problems)
    });
    top.entry(TABLE);
    top.entry("variants");
    top.entry(builds::TABLE);
    top.entry("expect");
    let list = list.and_then(|entry| {
        let help = "combatants are written as tables `[[combatants]]`";
        let list = reader::list(&entry.node, "combatants");
        let list = top.ok_or_report(list.map_err(|problem| problem.help(help)))?;
        Some((entry.span, list))
    });
    top.finish(problems);
    let (span, list) = list?;

    let entries = entries(list, &gear, parameters, (own, &rulings), &frame, problems)?;
    clashes(&entries, problems);
    // A wrong check has been replaced by one that rolls against Evade.
    if !problems.iter().any(Diagnostic::is_error) {
        rolled_against(&entries, problems);
        own_traits(&entries, &rulings.own.names, problems);
    }
    one_side_only(span, &entries, problems);
    rulings.conditions.truncate(MOST_KINDS);
    let resources: Arc<[String]> = match &rulings.turn {
        Some(turn) => turn.names.clone(),
        None => Arc::default(),
    };
    let turn = rulings.turn.as_ref();
    let declares = turn.filter(|turn| turn.declare != Declare::Nothing);
    let parts = (
        system,
        &rules,
        (
            &rulings.conditions[..],
            [&rulings.own.names[..], &resources[..]],
            declares.map(|turn| &*turn.kinds),
        ),
        &frame.hazards[..],
        frame.arena.is_some() || !frame.exits.is_empty(),
    );
    let (sides, mut combatants) = assemble(&entries, &policies, parts, problems);
    unknown_kinds(&entries, &frame.hazards, &rulings.conditions, unused);
    idle("weapon", &gear.weapons, unused);
    idle("spell", &gear.spells, unused);
    idle("item", &gear.items, unused);
    idle("task", &gear.tasks, unused);
    for policy in policies.iter().filter(|policy| !policy.used.get()) {
        let label = "no combatant follows it";
        unused.push(never_used(policy.span, "policy", policy.name, label));
    }
    let node = root.get("rules").map(|entry| &*entry.node);
    *rules.share() = share(node, &sides, &combatants, problems);
    if let Some(entry) = clock {
        let muster = Muster {
            sides: &sides,
            combatants: &mut combatants,
            rulings: &rulings,
        };
        clock::clock(&entry.node, muster, &mut rules, problems);
        if let Some(turns) = rules.turns() {
            let those = (entry.span, &combatants[..]);
            clock::beside_order(turns, &frame.hazards, those, problems);
        }
    }
    let recharging = combatants.iter().enumerate().filter(|(_, one)| {
        let mut recharges = one.recharges();
        recharges.any(|recharge| recharge.is_some())
    });
    let recharging = set_of(recharging.map(|(who, _)| who));
    let mut next = 0;
    let groups = entries.iter().map(|entry| {
        let members = (next..next + entry.count).take_while(|who| *who < MAX_COMBATANTS);
        next += entry.count;
        (entry.combatant.name.as_str(), set_of(members))
    });
    let groups: Vec<(&str, u64)> = groups.collect();
    let first = combatants.first().map(|leader| &leader.traits);
    let cast = NameResolver {
        system,
        parameters,
        conditions: &rulings.conditions,
        traits: first.cloned(),
        groups: &groups,
    };
    reserves(
        &entries,
        &mut combatants,
        &cast,
        frame.waits_for_reserves,
        problems,
    );
    let goes_down = |who: &usize| combatants[*who].at_zero == AtZero::Down;
    let down = DownRules {
        who: set_of((0..combatants.len()).filter(goes_down)),
        ..down.unwrap_or_default()
    };
    if let (Some(entry), 0) = (written, down.who) {
        let label = "no combatant has `at_zero = \"down\"`";
        unused.push(never_used(entry.span, "table", "rules.down", label));
    }
    let mut outcomes = 0;
    let goals = frame.goals.into_iter();
    let goals = goals.filter_map(|goal| goal.resolve(&sides, &cast, &mut outcomes, problems));
    let goals: Vec<Goal> = goals.collect();
    let hazards = frame.hazards.into_iter().map(|danger| Hazard {
        occasion: cast.settle(&danger.due, &danger.hazard.name, problems),
        ..danger.hazard
    });
    let hazards: Vec<Hazard> = hazards.collect();
    let of_hazards = hazards.iter().flat_map(|hazard| &hazard.effects);
    let counts_turns = combatants
        .iter()
        .flat_map(Combatant::changes)
        .chain(of_hazards.filter_map(Effect::change))
        .any(Change::counts_turns);
    let mut weapons = combatants.iter().flat_map(|one| &*one.weapons);
    let counts_turns = counts_turns || weapons.any(|weapon| !weapon.penalties.is_empty());
    let of_hazards = hazards.iter().flat_map(|hazard| &hazard.effects);
    let is_of_traits = |change: &Change| matches!(change, Change::Traits(_));
    let keeps_afflictions = counts_turns
        || combatants.iter().any(Combatant::has_price)
        || combatants
            .iter()
            .flat_map(Combatant::changes)
            .any(is_of_traits)
        || of_hazards.filter_map(Effect::change).any(is_of_traits);
    if let Some(turns) = rules.turns()
        && !keeps_afflictions
        && rulings.conditions.is_empty()
    {
        turns.key = Terms::default();
    }
    let fight = Fight {
        system,
        goals,
        counts_turns,
        down,
        temporary_adds: rulings.temporary_adds,
        recharging,
        sides,
        combatants,
        waits_for_reserves: frame.waits_for_reserves,
        arena: frame.arena,
        exits: frame.exits,
        first_mover: frame.first_mover,
        acted_first: frame.acted_first,
        max_rounds: frame.max_rounds.unwrap_or(MAX_ROUNDS),
        meeting_hits: rulings.meeting_hits,
        traits: rulings.own.names,
        resources: match rules.turns() {
            Some(turns) if turns.budget.is_some() => resources,
            _ => Arc::default(),
        },
        keeps_afflictions,
        counts_advantages: rulings.counts_advantages,
        ends: frame.ends,
        conditions: rulings.conditions,
        hazards,
        grounds,
    };
    Some((fight, rules))
}

/// Returns the names of all items, and of weapons with a number of uses.
fn things(root: &Node) -> Vec<String> {
    let all = |key: &str, limited: bool| {
        let entries = root.entries(key).iter();
        entries
            .filter(move |entry| !limited || entry.node.get("uses").is_some())
            .map(|entry| entry.key.to_string())
    };
    all("items", false).chain(all("weapons", true)).collect()
}

/// Returns the system that a tree names. An unknown name stands for the nearest known one, so that the rest can be
/// read.
pub(super) fn system_of(root: &Node) -> &'static System {
    let nearest = |written| {
        let all = systems::SYSTEMS.map(|system| system.name);
        names::nearest(written, all).and_then(systems::named)
    };
    let named = root.text_at("system").and_then(nearest);
    let like = || root.get("clock")?.node.text_at("like").and_then(nearest);
    match named {
        Some(system) if *system == OWN => like().unwrap_or(system),
        other => other.unwrap_or(systems::SYSTEMS[0]),
    }
}

/// Reports combatants without an Evade if any check is rolled against it.
fn rolled_against(entries: &[CombatantEntry<'_>], problems: &mut Vec<Diagnostic>) {
    let against = entries.iter().find_map(|entry| {
        let combatant = &entry.combatant;
        let weapons = combatant.weapons.iter();
        let spells = combatant.spells.iter();
        let items = combatant.items.iter();
        let items = items.filter(|item| item.power.needs.is_none());
        let mut checks = weapons
            .map(|weapon| (&weapon.name, Some(&weapon.check)))
            .chain(spells.map(|spell| (&spell.name, spell.check.as_ref())))
            .chain(items.map(|item| (&item.name, item.power.check.as_ref())));
        checks
            .find(|(_, check)| check.is_some_and(Check::is_against_evade))
            .map(|(name, _)| name)
    });
    let Some(against) = against else { return };
    for entry in entries
        .iter()
        .filter(|entry| !entry.has_evade && !entry.broken)
    {
        problems.push(Diagnostic::error(
            entry.span,
            format!("combatant \"{}\" lacks `evade`", entry.combatant.name),
            format!("\"{against}\" is rolled against it"),
        ));
    }
}

/// Reports combatants without a trait that the checks or the damage of their own gear read.
fn own_traits(entries: &[CombatantEntry<'_>], names: &[String], problems: &mut Vec<Diagnostic>) {
    for CombatantEntry {
        combatant, span, ..
    } in entries
    {
        let lacks = combatant.facts().find_map(|(gear, fact)| match fact {
            Variable::Trait(own) => {
                let own = usize::from(own);
                combatant.own[own].is_none().then(|| (gear, &names[own]))
            }
            _ => None,
        });
        if let Some((gear, name)) = lacks {
            let title = format!("combatant \"{}\" has no trait `{name}`", combatant.name);
            let problem = Diagnostic::error(*span, title, format!("its \"{gear}\" reads it"));
            problems.push(problem.help(format!("written `traits = {{ {name} = 2 }}`")));
        }
    }
}

/// Reports an error if all combatants are on one side.
fn one_side_only(span: Span, entries: &[CombatantEntry<'_>], problems: &mut Vec<Diagnostic>) {
    let mut there = entries.iter().filter(|entry| entry.count > 0);
    let (Some(first), Some(last)) = (there.clone().next(), entries.last()) else {
        problems.push(Diagnostic::error(
            span,
            "there are no combatants",
            "expected at least two combatants, on at least two sides",
        ));
        return;
    };
    let side = first.side;
    // A missing side has been reported, and may be a second side.
    if !side.is_empty() && there.all(|entry| entry.side == side) {
        problems.push(
            Diagnostic::error(
                last.span,
                format!("all combatants are on one side, \"{side}\""),
                "expected a combatant on another side",
            )
            .help("a fight needs at least two combatants, on at least two sides"),
        );
    }
}

/// Warns about kinds of damage that combatants resist and that nothing deals.
fn unknown_kinds(
    entries: &[CombatantEntry<'_>],
    hazards: &[Danger],
    conditions: &[Condition],
    unused: &mut Vec<Diagnostic>,
) {
    let of_effects = |effect: &Effect| effect.damage()?.kind.clone();
    let ongoing = conditions.iter().filter_map(|row| {
        let ongoing = row.ongoing.as_ref();
        ongoing.and_then(|damage| damage.kind.clone())
    });
    let hazards = hazards.iter().flat_map(|row| &row.hazard.effects);
    let mut known: Vec<Arc<str>> = hazards.filter_map(of_effects).chain(ongoing).collect();
    for CombatantEntry { combatant, .. } in entries {
        let weapons = combatant.weapons.iter();
        let spells = combatant.spells.iter();
        let own = weapons.map(|weapon| &weapon.damage);
        let own = own.chain(spells.map(|spell| &spell.damage));
        let tasks = combatant
            .tasks
            .iter()
            .filter_map(|task| task.strike.as_ref());
        let own = own.chain(tasks.map(|(_, damage)| damage));
        known.extend(own.filter_map(|damage| damage.kind.clone()));
        known.extend(combatant.effects().filter_map(of_effects));
    }
    for entry in entries {
        let resists = entry.combatant.resists.iter();
        for (kind, _) in resists.filter(|(kind, _)| !known.contains(kind)) {
            let known = known.iter().map(|known| &**known);
            let usual = || "`damage_type` says what kind of damage it is".to_owned();
            let label = names::suggest(kind, known, '"').unwrap_or_else(usual);
            unused.push(Diagnostic::warning(
                entry.span,
                format!(
                    "nothing does {kind} damage, which \"{}\" resists",
                    entry.combatant.name
                ),
                label,
            ));
        }
    }
}

fn idle<T>(what: &str, defined: &[Defined<T>], unused: &mut Vec<Diagnostic>) {
    for thing in defined.iter().filter(|thing| !thing.used.get()) {
        unused.push(never_used(
            thing.span,
            what,
            &thing.name,
            "no combatant has it",
        ));
    }
}

fn never_used(span: Span, what: &str, name: &str, label: &str) -> Diagnostic {
    Diagnostic::warning(span, format!("{what} \"{name}\" is never used"), label)
}
