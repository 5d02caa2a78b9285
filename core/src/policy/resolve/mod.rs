//! Policies for one combatant: names are looked up among its gear, and lines are grouped by the occasion on which they
//! are asked.

mod names;
mod owner;
mod pools;

pub(super) use owner::Thing;
pub use owner::{Candidate, Deeds, Owner};

use super::ast::{self, Expr, ExprKind, Reference, Spot};
use super::compile::{Resolve, compile, compile_amount};
use super::condition::out_of_range;
use super::forms::Slot;
use super::parser::{DISTANCE, FARTHEST, UNITS};
use crate::document::diagnostics::Diagnostic;
use crate::document::source::Span;
use crate::fight::Cost;
use crate::fight::check::Check;
use crate::fight::effect::{Effect, Recipient};
use crate::fight::program::{
    AFTER, Action, Aim, Amount, Condition, Feat, Leaving, Line, MOST_UNITS, Mode, Move, Policy,
    Window,
};
use crate::fight::variables::{Aspect, VariableRow};
use crate::names::expected;

/// Turns the lines of a policy, each with its tree unless the text has errors of its own, into a policy for `owner`.
/// Problems come with the index of their line; if one of them is
/// an error, the policy must not be used.
pub fn resolve(
    name: &str,
    lines: &[(&str, Option<&ast::Line>)],
    owner: &Owner<'_>,
) -> (Policy, Vec<(usize, Diagnostic)>) {
    let mut policy = Policy {
        name: name.to_owned(),
        text: lines.iter().map(|(text, _)| (*text).to_owned()).collect(),
        ..Policy::default()
    };
    let mut problems = Vec::new();
    let mut passed = None;
    for (number, (text, tree)) in lines.iter().enumerate() {
        let Some(tree) = tree else { continue };
        let mut resolver = Resolver {
            owner,
            moves: tree.action.form.slots.contains(&Slot::Units),
            problems: Vec::new(),
        };
        let line = resolver.line(tree, number as u16);
        if tree.anytime.is_some() {
            resolver.must_be_free(&line.action, tree);
        }
        resolver.must_suit(&line, tree);
        let is_sound = resolver.problems.iter().all(|problem| !problem.is_error());
        problems.extend(
            resolver
                .problems
                .into_iter()
                .map(|problem| (number, problem)),
        );
        if tree.usage == ast::Usage::Off {
            continue;
        }
        if tree.anytime.is_some() {
            policy.windows[Window::Anytime as usize].push(line);
            continue;
        }
        if tree.after.is_some() {
            policy.windows[Window::AfterRoll as usize].push(line);
            continue;
        }
        let window = tree.action.form.window;
        if let Some((earlier, word)) = passed
            && window == Window::Free
            && !matches!(line.action, Action::Car)
        {
            let problem = Diagnostic::warning(
                0..text.len(),
                "a policy line is never reached",
                format!(
                    "line {}, `{word}`, is always taken before this one is asked",
                    earlier + 1
                ),
            )
            .help(format!(
                "the first line that holds is taken: move this one up, or give `{word}` a condition"
            ));
            problems.push((number, problem));
        }
        // No other action is always allowed.
        let ends = match line.action {
            Action::Pass => Some("pass"),
            Action::Leave(Leaving::Surrenders) => Some("surrender"),
            _ => None,
        };
        if let (true, Some(true), Some(word)) = (is_sound, line.condition.always(), ends) {
            passed = passed.or(Some((number, word)));
        }
        if line.action == Action::Car {
            policy.windows[Window::EnemyMoves as usize].push(line.clone());
        }
        // At a border the combatant leaves; elsewhere it goes there.
        if tree.action.form.word == "flee" {
            policy.windows[Window::Free as usize].push(Line {
                action: Action::Leave(Leaving::Flees),
                ..line.clone()
            });
        }
        policy.windows[window as usize].push(line);
    }
    problems.extend(never_asked(&policy));
    (policy, problems)
}

/// Warns of lines that need another one: the first `cancel` if nothing is readied (CD-3), and all lines about a delayed
/// action if none is delayed (EP-6).
fn never_asked(policy: &Policy) -> impl Iterator<Item = (usize, Diagnostic)> {
    let lacks =
        |such: fn(&Action) -> bool| !policy.decisions().iter().any(|line| such(&line.action));
    let unreadied = lacks(|action| matches!(action, Action::Ready(_)));
    let undelayed = lacks(|action| *action == Action::PutOff);
    let first_cancel = policy
        .at(Window::Triggered)
        .iter()
        .take(1)
        .filter(move |_| unreadied);
    let cancels = first_cancel.map(|line| {
        let title = "a `cancel` is never asked";
        let label = "this policy readies nothing";
        let help = "it is asked when the trigger of the `ready` line happens (CD-3)";
        (line, title, label, help)
    });
    let delayed = [Window::Delayed, Window::PhaseEnds]
        .into_iter()
        .flat_map(|window| policy.at(window))
        .filter(move |_| undelayed);
    let delayed = delayed.map(|line| {
        let title = "a policy line is never reached";
        let label = "it is asked of a delayed action, and no line delays one";
        (line, title, label, "add a line `delay [if CONDITION]`")
    });
    cancels.chain(delayed).map(|(line, title, label, help)| {
        let number = usize::from(line.number);
        let whole = 0..policy.text[number].len();
        (number, Diagnostic::warning(whole, title, label).help(help))
    })
}

pub(super) struct Resolver<'a> {
    pub(super) owner: &'a Owner<'a>,
    /// Whether the line is a move, whose target stands where a number might.
    moves: bool,
    problems: Vec<Diagnostic>,
}

impl Resolver<'_> {
    pub(super) fn error(
        &mut self,
        span: impl Into<Span>,
        title: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problems
            .push(Diagnostic::error(span, title, label).help(help));
    }

    fn line(&mut self, tree: &ast::Line, number: u16) -> Line {
        let action = self.action(&tree.action);
        let aim = match (&action, tree.action.target.as_ref()) {
            // Before the trigger happens, the line is about the combatants that can trigger it.
            (Action::Ready(readied), _) => Aim::Named(readied.by),
            (Action::Declare(feat), _) => feat.aim,
            (_, Some(Reference::Word(Aim::Trigger))) => {
                self.error(
                    tree.action.spot,
                    "nothing has triggered this line",
                    "`trigger` is a target of readied actions alone",
                    "written `ready ACTION when TRIGGER`; a combatant of that name is quoted",
                );
                Aim::Nearest
            }
            (action, _) => self.aim(action, &tree.action),
        };
        let more: Vec<Feat> = (tree.more.iter())
            .map(|feat| {
                let action = self.action(feat);
                let aim = self.aim(&action, feat);
                Feat { action, aim }
            })
            .collect();
        if !more.is_empty() && self.problems.is_empty() {
            self.divides(tree, &action, &more);
        }
        let willpower = self.willpower(tree, &action, &more);
        let condition = match &tree.condition {
            None => Condition::default(),
            Some(written) => self.condition(written),
        };
        // `if false` is a way to switch a line off; any other condition that never holds is a mistake.
        if let (Some(false), Some(written)) = (condition.always(), &tree.condition)
            && written.kind != ExprKind::Truth(false)
        {
            self.problems.push(Diagnostic::warning(
                written.spot,
                "a condition never holds",
                "whatever happens, this is false",
            ));
        }
        let actions = more.iter().map(|feat| &feat.action).chain([&action]);
        let prices: Vec<_> = actions
            .flat_map(|action| self.owner.price(action))
            .copied()
            .collect();
        let condition = condition.needing(&prices);
        Line {
            action,
            aim,
            more,
            split: (tree.split.clone()).map_or_else(Vec::new, |(dice, _)| dice),
            willpower,
            after: (tree.after.as_ref()).map(|result| result.text.as_str().into()),
            condition,
            number,
        }
    }

    /// Reports an action that is not free: only free actions may be taken at any time (W-8).
    fn must_be_free(&mut self, action: &Action, tree: &ast::Line) {
        let label = match action {
            Action::Use(item) => {
                let Some(item) = self.owner.items.get(usize::from(*item)) else {
                    return;
                };
                if item.cost == Cost::Free {
                    return;
                }
                format!("using \"{}\" takes Marks", item.name)
            }
            Action::Car | Action::CombatCast { .. } => return,
            _ => "not a free action".to_owned(),
        };
        self.error(tree.action.spot, "only free actions can be taken at any time", label, "free are `use` of an item with `cost = \"free\"`, `car` and `combat_cast`; otherwise leave out `anytime` (W-8)");
    }

    /// Reports an action that is for rolls and not taken after one, or is taken after one and not for it; and a result that
    /// no roll of its owner has.
    fn must_suit(&mut self, line: &Line, tree: &ast::Line) {
        let items = self.owner.items;
        let changing = |action: &Action| {
            match action {
                Action::Use(item) => items.get(usize::from(*item)),
                _ => None,
            }
            .filter(|item| item.power.changes_rolls())
        };
        let Some(result) = &tree.after else {
            let all = line.feats().map(|(action, _)| match action {
                Action::Ready(readied) => &readied.feat.action,
                action => action,
            });
            for item in all.filter_map(changing) {
                let title = format!("\"{}\" changes a roll, and none has been made", item.name);
                let label = "used once a roll is known";
                let name = ast::Name {
                    text: item.name.clone(),
                    spot: tree.action.spot,
                };
                let help = format!("written `after won: use {name}`");
                self.error(tree.action.spot, title, label, help);
            }
            return;
        };
        let item = changing(&line.action);
        if item.is_none() && line.action != Action::Pass || !tree.more.is_empty() {
            self.error(
                tree.action.spot,
                "nothing else is done between a roll and its effect",
                "expected `use` of an item that changes the roll, or `pass`",
                "an effect of such an item has `instead`, `add`, `reroll` or `misses`: `effects = [{ reroll = true }]`",
            );
        }
        if item.is_some_and(|item| item.power.raises_rolls())
            && let Some(weapon) =
                { self.owner.weapons.iter() }.find(|one| !one.check.may_be_raised())
        {
            let title = format!("nothing can be added to rolls of \"{}\"", weapon.name);
            let label = "its check is a test of a skill, or counts levels";
            let help = "`reroll`, `instead` and `misses` are for any check";
            self.error(tree.action.spot, title, label, help);
        }
        let effects = item.map_or(&[][..], |item| &item.power.effects);
        let written = effects
            .iter()
            .flat_map(Effect::after)
            .map(|result| &**result);
        let checks = self.owner.weapons.iter().map(|weapon| &weapon.check);
        let degrees = checks.flat_map(Check::degrees);
        let degrees: Vec<&str> = degrees.map(|degree| degree.name.as_str()).collect();
        let known = || AFTER.iter().copied().chain(degrees.iter().copied());
        let mut all = written.chain([&*result.text]);
        if let Some(unknown) = all.find(|one| !known().any(|known| known == *one)) {
            let title = format!("no roll of \"{}\" can be `{unknown}`", self.owner.name);
            let label = expected(unknown, known, '`');
            self.error(
                result.spot,
                title,
                label,
                "`won` and `lost` are about an attack of one's own, `struck` about that of another; or a degree of the check of a weapon",
            );
        }
    }

    /// Compiles a condition, and reports its errors. One that has any always holds.
    pub(super) fn condition(&mut self, condition: &Expr) -> Condition {
        let compiled = self.compiled(|resolve| compile(condition, resolve));
        compiled.unwrap_or_default()
    }

    /// Compiles an expression, and reports its errors. `None` if it has any.
    fn compiled<T>(
        &mut self,
        compile: impl FnOnce(&mut Resolve<'_>) -> Result<T, Diagnostic>,
    ) -> Option<T> {
        let (owner, mut problems) = (self.owner, Vec::new());
        let compiled = compile(&mut |known, name| owner.argument(known, name, &mut problems))
            .map_err(|problem| problems.push(problem));
        let is_right = problems.is_empty();
        problems.sort_by_key(|problem| {
            let place = problem.place.as_ref();
            place.map(|(span, _)| span.bytes().start)
        });
        self.problems.append(&mut problems);
        compiled.ok().filter(|_| is_right)
    }

    /// Compiles an amount of a move: a number, or a sum that is evaluated when the line is taken.
    fn amount(
        &mut self,
        amount: &Expr,
        range: std::ops::RangeInclusive<i64>,
        what: &str,
    ) -> Option<Amount> {
        if let ExprKind::Variable(VariableRow { name, .. }) = &amount.kind
            && self.called(name) & self.targets(Recipient::Enemy) != 0
        {
            self.error(
                amount.spot,
                format!("`{name}` is a variable here, and an enemy is called so"),
                "it says how far to move",
                format!("the enemy is quoted: `\"{name}\"`; the variable is put in parentheses: `({name} + 0)`"),
            );
            return None;
        }
        let sum = self.compiled(|resolve| compile_amount(amount, resolve))?;
        match sum.constant() {
            None => Some(Amount::Sum(sum)),
            Some(units) if range.contains(&units) => Some(Amount::Fixed(units as u32)),
            Some(units) => {
                let problem = out_of_range(amount.spot, units, what, range);
                self.problems.push(problem);
                None
            }
        }
    }

    pub(super) fn action(&mut self, written: &ast::Action) -> Action {
        let action = (written.form.resolve)(self, written);
        if let (true, Action::Use(item)) = (written.quick, &action)
            && let Some(item) = self.owner.items.get(usize::from(*item))
            && !item.quick
        {
            self.error(
                written.spot,
                "that is no Quick Action",
                format!("using \"{}\" is the Complex Action", item.name),
                "give the item `cost = \"quick\"`, or leave out `quick`",
            );
        }
        action
    }

    /// Reports a declaration of what this clock does not have declared.
    pub(super) fn may_declare(&mut self, written: &ast::Action) {
        let (label, help) = match (self.owner.declares, &written.declared) {
            (None, _) => (
                "no `declare` in `[clock]`",
                "written `declare = \"action\"`, or kinds of turn: `declare = { fast = { action = 1 }, slow = { action = 2 } }`",
            ),
            (Some([]), None) => (
                "this clock has actions declared",
                "written `declare ACTION [if CONDITION]`",
            ),
            (Some([_, ..]), Some(_)) => (
                "this clock has kinds of turn declared",
                "written `declare KIND [if CONDITION]`",
            ),
            _ => return,
        };
        let title = "this is not declared here";
        self.error(written.spot, title, label, help);
    }

    /// Reports a wait that the rules do not allow, or that is longer than a Round.
    pub(super) fn may_wait(&mut self, written: &ast::Action) {
        let most = i64::from(self.owner.round_marks);
        if !(1..=most).contains(&written.number) {
            let problem = out_of_range(written.at, written.number, "a number of Marks", 1..=most);
            let help = format!("a Round has {most} Marks (`rules.round_marks`, TC-1)");
            self.problems.push(problem.help(help));
        }
        if !self.owner.may_wait {
            self.error(
                written.spot,
                "`wait` is not allowed by the rules of this scenario",
                "`rules.wait` is false",
                "take the line out, or set `rules.wait = true`",
            );
        }
    }

    /// The condition on which a delaying combatant comes in (CD-2). A condition that cannot become true in the meantime
    /// would wait for itself.
    pub(super) fn until(&mut self, until: &Expr) -> Condition {
        let condition = self.condition(until);
        if !condition.may_hold_without(Aspect::Deed) {
            let (title, label) = match condition.always() {
                Some(_) => ("a delay never ends", "whatever happens, this is false"),
                None => (
                    "a delay waits for itself",
                    "while one waits, this stays false",
                ),
            };
            self.error(until.spot, title, label, "it is asked after each turn of another: `delay until enemy_acted`, `delay until turns_left = 0`");
        }
        condition
    }

    pub(super) fn lacks(&mut self, spot: Spot, title: &str, what: &str, help: &str) {
        let label = format!("\"{}\" has {what}", self.owner.name);
        self.error(spot, title, label, help);
    }

    /// A move in a mode that the combatant has (MA-4).
    pub(super) fn step(&mut self, written: &ast::Action) -> Move {
        let mode = written.mode.unwrap_or_default();
        if let Some(traits) = self.owner.traits.turns() {
            if mode == Mode::Fly && traits.fly.is_none() {
                self.lacks(
                    written.spot,
                    "`fly` needs a rate of flight",
                    "no `fly`",
                    "give it yards a turn: `fly = 15`",
                );
            }
            if mode == Mode::Climb && traits.climb.is_none() {
                self.lacks(
                    written.spot,
                    "`climb` needs a pool to climb with",
                    "no `climb`",
                    "give it a pool: `climb = { pool = 5 }`",
                );
            }
        }
        Move {
            mode,
            units: written
                .units
                .as_ref()
                .and_then(|units| self.amount(units, 1..=MOST_UNITS, UNITS)),
            to: written
                .to
                .as_ref()
                .and_then(|to| self.amount(to, 0..=FARTHEST, DISTANCE)),
        }
    }
}
