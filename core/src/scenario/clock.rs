//! `[clock]`: the turns of a game of one's own.

use crate::dice::{Notation, PlainSum};
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Node, Value};
use crate::document::reader::{self, Reader, shown};
use crate::document::source::Span;
use crate::fields::Rulings;
use crate::fields::conditions::named;
use crate::fields::effects::unknown;
use crate::fields::initiative::bounded;
use crate::fields::keys::{CLOCK, GREATEST, LIKE};
use crate::fields::surroundings::Danger;
use crate::fields::words::{Sum, dice_and_facts};
use crate::fight::budget::Budget;
use crate::fight::health::Roll;
use crate::fight::initiative::{LastResort, MOST_ROLL};
use crate::fight::program::Window;
use crate::fight::turns::{After, Deck, Declare, Hands, Next, Phase, TurnOrder, Unit};
use crate::fight::words::Terms;
use crate::fight::world::{bit, members, set_of};
use crate::fight::{Combatant, Variable};
use crate::names;
use crate::systems::Rules;
use std::sync::Arc;

/// The cards of a deck with two jokers.
const DECK: u8 = 54;

/// The keys of clocks whose places stand in one order.
const OF_ONE_ORDER: [&str; 12] = [
    "next",
    "end_tokens",
    "ties",
    "places",
    "after",
    "ticks",
    "phases",
    "budget",
    "costs",
    "declare",
    "delay",
    "ready",
];

/// The most parts of a Round.
const MOST_PARTS: i64 = 100;

/// The combatants and sides of the fight whose clock is read.
pub(super) struct Muster<'a> {
    pub(super) sides: &'a [String],
    pub(super) combatants: &'a mut [Combatant],
    pub(super) rulings: &'a Rulings,
}

/// Reads `[clock]` into the rules of the clock that it begins with.
pub(super) fn clock(
    node: &Node,
    mut muster: Muster<'_>,
    rules: &mut Rules,
    problems: &mut Vec<Diagnostic>,
) {
    let Some(mut table) = Reader::open(node, &CLOCK, "`[clock]`", problems) else {
        return;
    };
    table.choice(
        "like",
        &LIKE.iter().map(|name| (*name, ())).collect::<Vec<_>>(),
    );
    let (mut deck, mut most) = (Deck::default(), Vec::new());
    let mut traits = Terms::default();
    if let Some(entry) = table.entry("key") {
        let is_table = entry.node.table().is_some();
        if !is_table && entry.node.text() != Some("card") {
            let read = muster.key(&entry.node);
            if let Some(read) = table.ok_or_report(read) {
                (*rules.dice(), traits) = read;
            }
        } else if rules.turns().is_none() {
            let title = "cards are for clocks that begin with Chronicles";
            let label = "this game rolls dice";
            table.report(Diagnostic::error(entry.node.span, title, label));
        } else {
            (deck.cards, most) = (DECK, vec![1; muster.combatants.len()]);
            if is_table && let Some(mut cards) = table.table("key", "`key`") {
                muster.deck(&mut cards, &mut deck, &mut most);
                table.close(cards);
            }
        }
    }
    let next = table.choice("next", Next::ALL).unwrap_or_default();
    let mut after = read(&mut table, "after", |node| muster.after(node, next));
    if deck.hands.is_some() {
        for key in ["places", "after", "phases"] {
            table.refuse_beside(key, "each acts once on each of its cards (`each`)");
        }
        if !matches!(next, Next::High | Next::Low) {
            let title = "hands of cards need an order by keys";
            let label = "expected `next = \"high\"` or `next = \"low\"` with `each`";
            refuse(&mut table, "next", title, label);
        }
        after = After::Cards;
    }
    // What falls needs a new height.
    let falls = match after {
        After::Spent | After::Failure(_) => false,
        After::Less(_) | After::Cards => true,
        After::Cost => next != Next::Low,
    };
    let when = table.choice("when", &[("scene", false), ("round", true)]);
    if falls && when == Some(false) {
        let title = "keys that fall, and hands of cards, are new each Round";
        let label = "expected `when = \"round\"`";
        refuse(&mut table, "when", title, label);
    } else if let Some(every_round) = when.or(falls.then_some(true))
        && !rules.set_when(every_round)
    {
        let title = "initiative cannot be rolled once for the scene here";
        let label = "the turns of this game are rolled anew";
        refuse(&mut table, "when", title, label);
    }
    let unit = table.choice("unit", Unit::ALL).unwrap_or_default();
    match unit {
        Unit::Group => *rules.share() = muster.sets(|one| one.group.as_str()),
        Unit::Side => *rules.share() = muster.sets(|one| &muster.sides[one.side]),
        Unit::Combatant | Unit::Slot => {}
    }
    if deck.hands.is_some() && unit == Unit::Slot {
        let title = "slots have one card each";
        let label = "expected `unit = \"combatant\"` with `each`";
        refuse(&mut table, "unit", title, label);
    }
    let drawn = most_drawn(rules.share(), &most);
    if drawn > deck.cards.into() {
        let title = format!(
            "the deck has {} cards, and {drawn} may be drawn",
            deck.cards
        );
        let label = "expected `cards`, at most 64, for all who draw at once";
        refuse(&mut table, "key", &title, label);
    }
    // They are read before the gear.
    for key in ["budget", "costs", "penalties", "declare"] {
        table.entry(key);
    }
    let Some(turns) = rules.turns() else {
        let slots = (unit == Unit::Slot).then_some("unit");
        for key in OF_ONE_ORDER.into_iter().chain(slots) {
            let title = format!("`{key}` is for clocks that begin with Chronicles");
            let label = "this game has a way of its own (`[rules]`)";
            refuse(&mut table, key, &title, label);
        }
        return table.finish(problems);
    };
    let phases = read(&mut table, "phases", phases);
    if !phases.is_empty() {
        for key in ["places", "after"] {
            table.refuse_beside(key, "each has one place in each of the `phases`");
        }
    }
    let places = &[("moves place", false), ("keeps place", true)];
    let [delay_keeps, ready_keeps] =
        ["delay", "ready"].map(|key| table.choice(key, places).unwrap_or(false));
    let turn = muster.rulings.turn.as_ref();
    let declare = turn.map_or(Declare::Nothing, |turn| turn.declare.clone());
    *turns = TurnOrder {
        declare,
        key: traits,
        delay_keeps,
        ready_keeps,
        unit,
        deck,
        next,
        after,
        budget: muster.budget(!phases.is_empty()),
        phases,
        ..TurnOrder::default()
    };
    let end_tokens = table.integer("end_tokens").unwrap_or(0) as u8;
    if turns.next != Next::Bag {
        table.refuse_beside("end_tokens", "tokens are drawn with `next = \"bag\"`");
    } else if !turns.phases.is_empty() {
        let why = "turns go on through all `phases`, and an end token would cut them off";
        table.refuse_beside("end_tokens", why);
    } else {
        turns.end_tokens = end_tokens;
    }
    let ticks = table.integer("ticks").unwrap_or(10) as i32;
    if turns.counts_up() {
        turns.ticks = ticks;
    } else {
        let why = "time is counted with `after = \"cost\"` and `next = \"low\"`";
        table.refuse_beside("ticks", why);
    }
    if turns.declares_actions() && (unit == Unit::Slot || !matches!(next, Next::High | Next::Low)) {
        let title =
            "a declared action moves a key, and this order does not go by keys of combatants";
        let label = "expected kinds of turn, `{ fast = { action = 1 }, slow = { action = 2 } }`, or an order by keys";
        refuse(&mut table, "declare", title, label);
    }
    if turns.declare != Declare::Nothing && after == After::Cost {
        let title = "there is no beginning of a Round to declare at";
        let label = "places move by cost (`after`)";
        refuse(&mut table, "declare", title, label);
    }
    let mut combatants = muster.combatants.iter();
    if unit == Unit::Slot && combatants.any(|one| !one.policy.at(Window::Seize).is_empty()) {
        let title = "no one seizes a turn where a side's slot is next";
        let label = "expected `pick` lines, which say who takes a slot, and no `seize`";
        refuse(&mut table, "unit", title, label);
    }
    if matches!(after, After::Failure(_)) && unit != Unit::Side {
        let title = "a side goes on until it fails, and here sides have no turns";
        let label = "expected `unit = \"side\"` beside it";
        refuse(&mut table, "after", title, label);
    }
    turns.parts = read(&mut table, "places", |node| muster.places(node));
    turns.ties = read(&mut table, "ties", |node| muster.ties(node));
    table.finish(problems);
}

/// Reads a key, if the table has it.
fn read<T: Default>(
    table: &mut Reader<'_>,
    key: &'static str,
    read: impl FnOnce(&Node) -> Result<T, Diagnostic>,
) -> T {
    let Some(entry) = table.entry(key) else {
        return T::default();
    };
    table.ok_or_report(read(&entry.node)).unwrap_or_default()
}

/// Refuses places of hazards where turns do not go by keys, and swaps where places are shared.
pub(super) fn beside_order(
    turns: &TurnOrder,
    hazards: &[Danger],
    (clock, combatants): (Span, &[Combatant]),
    problems: &mut Vec<Diagnostic>,
) {
    let by_key = matches!(turns.next, Next::High | Next::Low) && turns.unit != Unit::Slot;
    for danger in hazards
        .iter()
        .filter(|danger| danger.hazard.place.is_some())
    {
        if !by_key {
            let title = format!(
                "\"{}\" has no place in the order of turns",
                shown(&danger.hazard.name)
            );
            let label = "`initiative` needs turns by the greatest or the least key; without it, this strikes as the Round begins";
            problems.push(Diagnostic::error(danger.due.span, title, label));
        }
    }
    let swaps = |one: &Combatant| !one.policy.at(Window::Swap).is_empty();
    if turns.unit != Unit::Combatant
        && let Some(one) = combatants.iter().find(|one| swaps(one))
    {
        let title = format!("\"{}\" has no place of its own to swap", one.name);
        let label = "expected `unit = \"combatant\"` with `swap` lines";
        problems.push(Diagnostic::error(clock, title, label));
    }
}

/// The most cards that are drawn at once, where those of a set share theirs.
fn most_drawn(share: &[u64], most: &[i64]) -> i64 {
    let shared = share.iter().fold(0, |all, set| all | set);
    let alone = (0..most.len()).filter(|who| shared & bit(*who) == 0);
    let sets = alone.map(bit).chain(share.iter().copied());
    sets.filter_map(|set| members(set).filter_map(|who| most.get(who)).max())
        .sum()
}

/// Reports a key with this title, if the table has it.
fn refuse(table: &mut Reader<'_>, key: &'static str, title: &str, label: &str) {
    if let Some(entry) = table.entry(key).filter(|_| table.has(key)) {
        table.report(Diagnostic::error(entry.span, title, label));
    }
}

impl Muster<'_> {
    /// Reads `after`.
    fn after(&self, node: &Node, next: Next) -> Result<After, Diagnostic> {
        if let Some(entry) = node.get("failure") {
            let name = reader::text(&entry.node, "failure")?;
            let Some(side) = self.sides.iter().position(|side| side == name) else {
                let known = self.sides.iter().map(String::as_str);
                return Err(unknown(entry.node.span, "side", name, known));
            };
            let mut all = 0..self.combatants.len();
            return Ok(After::Failure(set_of(
                all.by_ref()
                    .filter(|who| self.combatants[*who].side == side),
            )));
        }
        if let Some(entry) = node.get("less") {
            let less = reader::integer(&entry.node, "less", 1..=GREATEST)?;
            return Ok(After::Less(less as i32));
        }
        let words = [
            ("spent", After::Spent),
            ("cost", After::Cost),
            ("failure", After::Failure(u64::MAX)),
        ];
        let after = reader::choice(node, "after", &words).map_err(|problem| {
            problem.help("or `after = { less = 10 }`, `after = { failure = \"heroes\" }`")
        })?;
        if after == After::Cost && !matches!(next, Next::High | Next::Low) {
            let title = "`after = \"cost\"` needs an order by keys";
            let label = "expected `next = \"low\"` or `next = \"high\"` beside it";
            return Err(Diagnostic::error(node.span, title, label));
        }
        Ok(after)
    }
}

/// Reads `phases`: the kinds of actions of each.
fn phases(node: &Node) -> Result<Vec<u8>, Diagnostic> {
    const KEY: &str = "phases";
    let kind = |node: &Node| reader::choice(node, KEY, Phase::ALL).map(Phase::bit);
    let kinds = |node: &Arc<Node>| match &node.value {
        Value::List(kinds) => kinds.iter().try_fold(0, |all, one| Ok(all | kind(one)?)),
        _ => kind(node),
    };
    reader::list(node, KEY)?.iter().map(kinds).collect()
}

impl Muster<'_> {
    /// Returns what a turn holds, if that is more than one action.
    fn budget(&self, has_phases: bool) -> Option<Budget> {
        let turn = self.rulings.turn.as_ref()?;
        let mut combatants = self.combatants.iter();
        let is_usual = combatants.all(|one| {
            let mut asked = one.policy.variables();
            turn.budget.is_usual(one)
                && one.policy.at(Window::React).is_empty()
                && !asked.any(|asked| matches!(asked, Variable::Left(_)))
        });
        (turn.is_written || !is_usual || has_phases).then_some(turn.budget)
    }

    /// Returns the sets of combatants with the same name of a kind.
    fn sets<'n>(&'n self, name: impl Fn(&'n Combatant) -> &'n str) -> Vec<u64> {
        let mut sets: Vec<(&str, u64)> = Vec::new();
        for (who, one) in self.combatants.iter().enumerate() {
            let name = name(one);
            match sets.iter_mut().find(|(known, _)| *known == name) {
                Some((_, set)) => *set |= bit(who),
                None => sets.push((name, bit(who))),
            }
        }
        sets.into_iter().map(|(_, set)| set).collect()
    }

    /// Reads the deck of `key`, and the most cards that each combatant may draw.
    fn deck(&self, table: &mut Reader<'_>, deck: &mut Deck, most: &mut [i64]) {
        let cards = table.integer("cards").unwrap_or(DECK.into());
        deck.cards = cards as u8;
        if let Some(jokers) = table.within("jokers", 0..=cards) {
            table.needed("gives");
            deck.jokers =
                named(table, "gives", self.rulings).map(|(condition, _)| (jokers as u8, condition));
        } else {
            let why = "a joker gives a condition: `jokers = 2` says how many there are";
            table.refuse_beside("gives", why);
        }
        let keep = table.integer("keep").unwrap_or(64) as u8;
        let Some(entry) = table.entry("each") else {
            return table.refuse_beside("keep", "`each` says how many cards are drawn");
        };
        let read = self
            .dice_and_traits(&entry.node, "each")
            .and_then(|(sum, more)| {
                let greatest = sum.dice.as_ref().map_or(Some(0), Notation::max);
                for (most, more) in most.iter_mut().zip(&more) {
                    *most = greatest.unwrap_or(MOST_ROLL) + i64::from(*more);
                }
                let dice = sum.dice.map(|dice| bounded(&entry.node, "each", dice));
                Ok(Hands {
                    dice: dice.transpose()?,
                    more,
                    keep,
                })
            });
        deck.hands = table.ok_or_report(read);
    }

    /// Reads a number, or dice and traits: the dice, and the points of each combatant.
    fn dice_and_traits(&self, node: &Node, key: &str) -> Result<(Sum, Vec<i32>), Diagnostic> {
        let whole;
        let node = match node.value {
            Value::Integer(Some(number)) => {
                whole = Node::new(node.span, Value::from(&*number.to_string()));
                &whole
            }
            _ => node,
        };
        let sum = dice_and_facts(node, key, self.rulings)?;
        let is_trait = |fact: &Variable| matches!(fact, Variable::Trait(_));
        if !sum.terms.facts.iter().all(|term| is_trait(&term.fact)) {
            let title = format!("`{key}` is made of dice and of one's own traits");
            let label = "it has something else in it";
            return Err(Diagnostic::error(node.span, title, label));
        }
        let points = self.combatants.iter().map(|one| {
            let points = sum.terms.value(|fact| match fact {
                Variable::Trait(index) => one.own[usize::from(index)].unwrap_or(0).into(),
                _ => 0,
            });
            points as i32
        });
        let points = points.collect();
        Ok((sum, points))
    }

    /// Reads `key`: its dice, with the traits added to the ratings of combatants.
    fn key(&mut self, node: &Node) -> Result<(Roll, Terms), Diagnostic> {
        let (sum, points) = self.dice_and_traits(node, "key")?;
        for (one, points) in self.combatants.iter_mut().zip(points) {
            one.traits.add_to_initiative(points);
        }
        let roll = sum.dice.map_or_else(
            || Ok(PlainSum::points(0).into()),
            |dice| bounded(node, "key", dice),
        )?;
        Ok((roll, sum.terms))
    }

    /// Reads `ties`: for each combatant the values that are compared.
    fn ties(&self, node: &Node) -> Result<Vec<Vec<i32>>, Diagnostic> {
        const KEY: &str = "ties";
        let list = reader::list(node, KEY)?;
        let mut values = vec![Vec::new(); self.combatants.len()];
        for (at, word) in list.iter().enumerate() {
            let text = reader::text(word, KEY)?;
            let side = text.strip_prefix("side ").map(str::trim);
            let of: Box<dyn Fn(&Combatant) -> i32> = if let Some(own) = self.rulings.own.find(text)
            {
                Box::new(move |one| one.own[usize::from(own)].unwrap_or(0))
            } else if let Some(index) =
                side.and_then(|name| self.sides.iter().position(|side| side == name))
            {
                Box::new(move |one| (one.side == index).into())
            } else if text == "rating" {
                Box::new(|one| one.traits.order().map_or(0, |traits| traits.dexterity))
            } else if text == "total" && at == 0
                || text == LastResort::RollOff.name() && at + 1 == list.len()
            {
                continue;
            } else {
                let title = format!("`{KEY}` cannot have \"{}\" here", shown(text));
                let own = self.rulings.own.names.iter().map(String::as_str);
                let known = own.chain(["rating", "roll-off"]);
                let label = names::suggest(text, known, '"')
                    .unwrap_or_else(|| "expected a trait, `\"rating\"`, `\"side NAME\"`, or at the end `\"roll-off\"`".to_owned());
                return Err(Diagnostic::error(word.span, title, label));
            };
            for (values, one) in values.iter_mut().zip(self.combatants.iter()) {
                values.push(of(one));
            }
        }
        Ok(values)
    }

    /// Reads `places`: the combatants that have a place in each part of a Round.
    fn places(&self, node: &Node) -> Result<Vec<u64>, Diagnostic> {
        const KEY: &str = "places";
        let all = || self.combatants.iter();
        let of_trait = |node: &Node, name: &str| {
            let own = self.rulings.own.find(name).ok_or_else(|| {
                let title = format!("no trait is called `{}`", shown(name));
                let known = self.rulings.own.names.iter().map(String::as_str);
                let usual = || "expected a trait that combatants have".to_owned();
                Diagnostic::error(
                    node.span,
                    title,
                    names::suggest(name, known, '`').unwrap_or_else(usual),
                )
            })?;
            Ok(move |one: &Combatant| i64::from(one.own[usize::from(own)].unwrap_or(1)))
        };
        let first = |number: i64| (1..=number.min(MOST_PARTS)).collect();
        let parts: Vec<Vec<i64>> = match &node.value {
            Value::Integer(_) => {
                let number = reader::integer(node, KEY, 1..=MOST_PARTS)?;
                vec![first(number); self.combatants.len()]
            }
            Value::Text(text, _) => {
                let number = of_trait(node, text)?;
                all().map(|one| first(number(one))).collect()
            }
            Value::Table(chart) => {
                let Some(of) = chart.get("of") else {
                    let title = "the chart of `places` does not say of which trait it is";
                    let label = "expected `of`, as in `{ of = \"spd\", 2 = [6, 12] }`";
                    return Err(Diagnostic::error(node.span, title, label));
                };
                let number = of_trait(&of.node, reader::text(&of.node, "of")?)?;
                let mut rows: Vec<(i64, Vec<i64>)> = Vec::new();
                for entry in chart.entries.iter().filter(|entry| &*entry.key != "of") {
                    let row = entry.key.parse().map_err(|_| {
                        let title = format!("`{}` is no value of a trait", shown(&entry.key));
                        Diagnostic::error(entry.span, title, "expected a number")
                    })?;
                    let parts = reader::list(&entry.node, "places")?.iter();
                    let parts = parts.map(|part| reader::integer(part, "places", 1..=MOST_PARTS));
                    rows.push((row, parts.collect::<Result<_, _>>()?));
                }
                let row = |one: &Combatant| {
                    let number = number(one);
                    let row = rows.iter().find(|(row, _)| *row == number);
                    row.map(|(_, parts)| parts.clone()).ok_or_else(|| {
                        let title = format!("the chart of `places` has no row for {number}");
                        let label = format!("\"{}\" has this much of the trait", one.name);
                        Diagnostic::error(node.span, title, label)
                    })
                };
                all().map(row).collect::<Result<_, _>>()?
            }
            _ => {
                let expected = "a number, the name of a trait, or a chart like `{ of = \"spd\", 2 = [6, 12] }`";
                return Err(reader::wrong_kind(node, KEY, expected));
            }
        };
        let last = parts.iter().flatten().max().copied().unwrap_or(0);
        let of_part = |part: i64| {
            let such = (0..self.combatants.len()).filter(|who| parts[*who].contains(&part));
            set_of(such)
        };
        Ok((1..=last).map(of_part).filter(|set| *set != 0).collect())
    }
}
