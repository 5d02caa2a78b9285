//! `[clock.budget]` and `[clock.costs]`: what a turn holds, and what actions take of it. Gear may say its own in `cost`.

use super::Rulings;
use super::effects::unknown;
use super::keys::{COSTS, DECLARES, GREATEST, MOST_AMOUNT, MOST_TIME, RESOURCE};
use super::own::is_word;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Entry, Node, Value};
use crate::document::reader::{self, Reader, ok_or_report, shown};
use crate::fight::budget::{Amounts, Budget, MOST_RESOURCES, Paid, Price};
use crate::fight::turns::Declare;
use std::sync::Arc;

/// The resource of which actions take one unless the file says otherwise.
const ACTION: &str = "action";

/// The resource of which reactions take one unless their lines say otherwise.
const REACTION: &str = "reaction";

/// The action that may be free.
const FREE: &str = "move";

/// The word for time in a price.
const TIME: &str = "time";

/// What a turn holds, for the gear that is read after it.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    /// The names of the resources.
    pub(crate) names: Arc<[String]>,
    pub(crate) budget: Budget,
    /// What combatants declare as a Round begins.
    pub(crate) declare: Declare,
    /// The kinds of turn that they declare.
    pub(crate) kinds: Arc<[String]>,
    /// Whether the file has a budget or costs.
    pub(crate) is_written: bool,
    /// Whether places move by the time of actions.
    is_timed: bool,
}

impl Turn {
    /// Reads both tables of `[clock]`, where there are any.
    pub(crate) fn of(
        clock: Option<&Node>,
        traits: &[String],
        problems: &mut Vec<Diagnostic>,
    ) -> Self {
        let table = |key| Some(&clock?.get(key)?.node);
        let (budget, costs, declare) = (table("budget"), table("costs"), table("declare"));
        let after = clock.and_then(|node| node.text_at("after"));
        let mut turn = Self {
            names: Arc::new([ACTION, REACTION].map(str::to_owned)),
            budget: Budget::default(),
            declare: Declare::Nothing,
            kinds: Arc::default(),
            is_written: budget.or(costs).or(declare).is_some(),
            is_timed: after == Some("cost"),
        };
        turn.budget.amounts[..2].fill(1);
        if let Some(node) = budget {
            turn.read_budget(node, traits, problems);
        }
        if let Some(node) = declare {
            let read = turn.read_declare(node);
            turn.declare = ok_or_report(read, problems).unwrap_or_default();
            turn.is_timed |= matches!(turn.declare, Declare::Action | Declare::SlowToFast);
        }
        let mut names = turn.names.iter();
        let first = names.position(|name| name == ACTION).unwrap_or(0);
        let usual = Price {
            amounts: std::array::from_fn(|at| u8::from(at == first)),
            time: turn.is_timed.into(),
        };
        turn.budget.prices = [usual; _];
        turn.budget.prices[Paid::Move as usize] = Price::default();
        if let Some(node) = costs
            && let Some(table) = Reader::open(node, &COSTS, "`[clock.costs]`", problems)
        {
            turn.read_costs(table, problems);
        }
        turn
    }

    /// Reads `[clock.budget]`.
    fn read_budget(&mut self, node: &Node, traits: &[String], problems: &mut Vec<Diagnostic>) {
        const KEY: &str = "budget";
        let Some(table) = node.table() else {
            let expected = "what a turn holds, as `{ action = 1, bonus = 1 }`";
            return problems.push(reader::wrong_kind(node, KEY, expected));
        };
        let entries = &table.entries;
        if !(1..=MOST_RESOURCES).contains(&entries.len()) {
            let title = format!("a turn holds {} resources", entries.len());
            let label = format!("expected 1 to {MOST_RESOURCES}");
            return problems.push(Diagnostic::error(node.span, title, label));
        }
        let mut names: Vec<String> = Vec::new();
        let mut amounts = Amounts::default();
        for (at, Entry { key, span, node }) in entries.iter().enumerate() {
            let label = if !is_word(key) || &**key == TIME {
                "expected letters, digits and `_`, beginning with a letter; `time` means something else in costs"
            } else if traits.iter().any(|own| **own == **key) {
                "a trait of combatants is called that too: in a `cost` it could be either"
            } else {
                names.push(key.to_string());
                let read = if node.table().is_some() {
                    let what = format!("resource \"{key}\"");
                    Reader::open(node, &RESOURCE, what, problems).and_then(|mut table| {
                        let amount = table.integer("amount");
                        let back = &[("my turn", false), ("round", true)];
                        self.budget.of_round[at] = table.choice("back", back).unwrap_or(false);
                        table.finish(problems);
                        amount
                    })
                } else {
                    ok_or_report(reader::integer(node, key, 0..=MOST_AMOUNT), problems)
                };
                amounts[at] = read.unwrap_or(0) as u8;
                continue;
            };
            let title = format!("no resource of a turn can be called \"{}\"", shown(key));
            return problems.push(Diagnostic::error(*span, title, label));
        }
        self.names = names.into();
        self.budget.amounts = amounts;
    }

    /// Reads `declare` of `[clock]`.
    fn read_declare(&mut self, node: &Node) -> Result<Declare, Diagnostic> {
        const KEY: &str = "declare";
        let Some(table) = node.table() else {
            let actions = [Declare::Nothing, Declare::Action, Declare::SlowToFast];
            let words: Vec<_> = DECLARES.iter().copied().zip(&actions).collect();
            let help = "or kinds of turn, with what each holds: `{ fast = { action = 1 }, slow = { action = 2 } }`";
            let read = reader::choice(node, KEY, &words).cloned();
            return read.map_err(|problem| problem.help(help));
        };
        let mut turns = Vec::new();
        for Entry { key, span, node } in &table.entries {
            if !is_word(key) {
                let title = format!("no kind of turn can be called \"{}\"", shown(key));
                let label = "expected letters, digits and `_`, beginning with a letter";
                return Err(Diagnostic::error(*span, title, label));
            }
            let mut amounts = self.budget.amounts;
            let Some(holds) = node.table() else {
                let expected = "what such a turn holds, as `{ action = 1 }`";
                return Err(reader::wrong_kind(node, key, expected));
            };
            for Entry { key, span, node } in &holds.entries {
                let Some(at) = self.names.iter().position(|name| **name == **key) else {
                    let known = self.names.iter().map(String::as_str);
                    return Err(unknown(*span, "resource of a turn", key, known).help(RESOURCES));
                };
                amounts[at] = reader::integer(node, key, 0..=MOST_AMOUNT)? as u8;
                self.budget.amounts[at] = self.budget.amounts[at].max(amounts[at]);
            }
            turns.push(amounts);
        }
        if turns.len() < 2 {
            let title = "one kind of turn leaves nothing to declare";
            let label = "expected at least two";
            return Err(Diagnostic::error(node.span, title, label));
        }
        let names = table.entries.iter().map(|entry| entry.key.to_string());
        self.kinds = names.collect();
        Ok(Declare::Turns(turns))
    }

    /// Reads `[clock.costs]`.
    fn read_costs(&mut self, mut table: Reader<'_>, problems: &mut Vec<Diagnostic>) {
        for (key, kind) in Paid::ALL {
            let Some(entry) = table.entry(key) else {
                continue;
            };
            let usual = self.budget.price(*kind);
            if *key != FREE || entry.node.text() != Some("free") {
                let read = self.price(&entry.node, key, usual, None);
                let price = self.possible(&entry.node, key, read, &mut table);
                self.budget.prices[*kind as usize] = price.unwrap_or(usual);
            }
        }
        if !self.is_timed {
            table.refuse_beside(
                "pass",
                "only `after = \"cost\"` and declared actions take time",
            );
        }
        self.budget.pass = table.integer("pass").unwrap_or(1) as u16;
        table.finish(problems);
    }

    /// Reads a price. `others` are the rulings whose traits may stand beside the resources.
    fn price(
        &self,
        node: &Node,
        key: &str,
        usual: Price,
        others: Option<&Rulings>,
    ) -> Result<Price, Diagnostic> {
        let Value::Table(table) = &node.value else {
            if !matches!(node.value, Value::Integer(_)) {
                let free = if key == FREE { "\"free\", or " } else { "" };
                let expected = format!("{free}what it takes of a turn, as `{{ action = 1 }}`");
                return Err(reader::wrong_kind(node, key, &expected));
            }
            let time = self.time(node, key)?;
            return Ok(Price { time, ..usual });
        };
        let mut price = usual;
        let mut names_any = false;
        for Entry { key, span, node } in &table.entries {
            let own = others.and_then(|rulings| rulings.own.find(key));
            let mut names = self.names.iter();
            if let Some(at) = names.position(|name| **name == **key) {
                if !std::mem::replace(&mut names_any, true) {
                    price.amounts = Amounts::default();
                }
                price.amounts[at] = reader::integer(node, key, 0..=MOST_AMOUNT)? as u8;
            } else if &**key == TIME && (self.is_timed || own.is_none()) {
                price.time = self.time(node, key)?;
            } else if own.is_none() {
                let traits = others.map_or(&[][..], |rulings| &rulings.own.names[..]);
                let known = self.names.iter().chain(traits).map(String::as_str);
                let (what, help) = if others.is_some() {
                    ("trait, and no resource of a turn,", TRAITS_TOO)
                } else {
                    ("resource of a turn", RESOURCES)
                };
                return Err(unknown(*span, what, key, known).help(help));
            }
        }
        Ok(price)
    }

    fn time(&self, node: &Node, key: &str) -> Result<u16, Diagnostic> {
        if self.is_timed {
            return reader::integer(node, key, 0..=MOST_TIME).map(|time| time as u16);
        }
        let title = format!("`{key}` is time here, and nothing counts the time of actions");
        let label = "expected `after = \"cost\"` or `declare = \"action\"` in `[clock]`";
        let first = &self.names[0];
        let help = format!("a number of a resource is written with its name: `{{ {first} = 1 }}`");
        Err(Diagnostic::error(node.span, title, label).help(help))
    }

    /// Reports a price that no turn can pay, and one that ends no turn.
    fn possible(
        &self,
        node: &Node,
        key: &str,
        price: Result<Price, Diagnostic>,
        table: &mut Reader<'_>,
    ) -> Option<Price> {
        let price = table.ok_or_report(price)?;
        if price.is_free() && key != FREE {
            let title = format!("`{key}` takes nothing of a turn");
            let label = "a turn would go on for ever";
            let help = "give it a resource of its own that bounds it, such as `shout = 1` in `[clock.budget]`, and `{ shout = 1 }` here";
            table.report(Diagnostic::error(node.span, title, label).help(help));
        } else if let Some(at) = price.lacks(&self.budget.amounts) {
            let (name, amount) = (&self.names[at], price.amounts[at]);
            let title = format!("no turn has {amount} `{name}`");
            let label = format!("`budget` gives it {}", self.budget.amounts[at]);
            table.report(Diagnostic::warning(node.span, title, label));
        }
        Some(price)
    }
}

/// Where resources come from.
const RESOURCES: &str = "the resources of a turn stand in `[clock.budget]`";

/// Where resources and traits come from.
const TRAITS_TOO: &str = "the resources of a turn stand in `[clock.budget]`, and traits with each combatant: `traits = { mana = 10 }`";

/// Reads what a weapon, a spell or an item takes of a turn: in `cost`, beside the traits that it takes.
pub(super) fn turn_price(table: &mut Reader<'_>, kind: Paid, rulings: &Rulings) -> Price {
    let Some(turn) = &rulings.turn else {
        return Price::default();
    };
    let usual = turn.budget.price(kind);
    let Some(entry) = table.entry("cost") else {
        return usual;
    };
    let read = turn.price(&entry.node, "cost", usual, Some(rulings));
    let price = turn.possible(&entry.node, "cost", read, table);
    price.unwrap_or(usual)
}

/// Reads `penalties`: a number for the first attack of a turn, one for the second and so on.
pub(crate) fn penalties(node: &Node) -> Result<Vec<i16>, Diagnostic> {
    let list = reader::list(node, "penalties")?.iter();
    let read = list.map(|node| reader::integer(node, "penalties", -GREATEST..=GREATEST));
    read.map(|one| one.map(|one| one as i16)).collect()
}
