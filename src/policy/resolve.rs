//! Policies for one combatant: names looked up among what it has, lines sorted by the occasion on
//! which they are asked.

use super::ast::{self, Expr, ExprKind, Name, Spot, Subject, Target};
use super::compile::{compile, compile_amount};
use super::condition::{number_words, out_of_range};
use super::parser::{DISTANCE, FARTHEST, UNITS};
use super::problem::Problem;
use crate::fight::Variable;
use crate::fight::program::MOST_UNITS;
use crate::fight::program::{
    Action, Aim, Amount, Condition, Feat, Line, Mode, Move, Policy, Readied, WeaponChoice, When,
};
use crate::fight::system::Clocks;
use crate::fight::{Cost, Item, MarkTraits, PhaseTraits, Spell, Task, Traits, Weapon, WeaponKind};
use crate::names;

/// Somebody who may be named as a target.
#[derive(Debug, Clone, Copy)]
pub struct Somebody<'a> {
    /// Unique name; with a count, the group's name and a number.
    pub name: &'a str,
    /// Name of the entry in the file.
    pub group: &'a str,
    /// Its side.
    pub side: &'a str,
    /// What it could ever do.
    pub can: Deeds,
}

/// What somebody could ever do, by what it has: what others may wait for (CD-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names say it")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing of its own, asked for by itself"
)]
pub struct Deeds {
    pub moves: bool,
    pub attacks: bool,
    pub casts: bool,
    pub uses: bool,
    pub draws: bool,
}

/// Who follows the policy, and what it has.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'a> {
    /// The combatant's name in the file.
    pub name: &'a str,
    /// Its side.
    pub side: &'a str,
    /// Its weapons, in order of preference.
    pub weapons: &'a [Weapon],
    /// Its spells.
    pub spells: &'a [Spell],
    /// Its items.
    pub items: &'a [Item],
    /// What it has for its clock.
    pub traits: &'a Traits,
    /// Whether the rules let one wait.
    pub may_wait: bool,
    /// Marks in a Round (TC-1).
    pub round_marks: u8,
    /// Everybody in the fight, in file order.
    pub everybody: &'a [Somebody<'a>],
}

impl Owner<'_> {
    /// Whether its traits have something that Rounds of Marks know.
    fn has(&self, wanted: impl Fn(&MarkTraits) -> bool) -> bool {
        matches!(self.traits, Traits::Marks(traits) if wanted(traits))
    }

    /// What it has for Phases, if that is its clock.
    fn phases(&self) -> Option<&PhaseTraits> {
        match self.traits {
            Traits::Phases(traits) => Some(traits),
            _ => None,
        }
    }

    /// Its tasks.
    fn tasks(&self) -> &[Task] {
        self.phases().map_or(&[], |traits| &traits.tasks)
    }

    /// The variable that `uses.ITEM`, `progress.TASK` or `in_hand.WEAPON` stands for.
    fn named_variable(
        &self,
        kind: &ExprKind,
        name: &Name,
        missing: &mut Vec<Problem>,
    ) -> Option<Variable> {
        Some(match kind {
            ExprKind::Uses(_) => {
                Variable::Uses(find(self.items, name, "item", self, missing)? as u8)
            }
            ExprKind::Progress(_) => {
                Variable::Progress(find(self.tasks(), name, "task", self, missing)? as u8)
            }
            _ => Variable::InHand(find(self.weapons, name, "weapon", self, missing)? as u8),
        })
    }

    /// Its clock.
    fn clocks(&self) -> Clocks {
        match self.traits {
            Traits::Marks(_) => Clocks::MARKS,
            Traits::Turns(_) => Clocks::TURNS,
            Traits::Phases(_) => Clocks::PHASES,
            Traits::Order(_) => Clocks::ORDER,
        }
    }
}

/// A line as read, with what was read.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// The text.
    pub text: &'a str,
    /// The tree, unless the text has errors of its own.
    pub line: Option<&'a ast::Line>,
}

/// Turns the lines of a policy into one for `owner`. Problems come with the index of their line;
/// with an error among them the policy is not to be used.
#[must_use]
pub fn resolve(
    name: &str,
    lines: &[Written<'_>],
    owner: &Owner<'_>,
) -> (Policy, Vec<(usize, Problem)>) {
    let mut policy = Policy {
        name: name.to_owned(),
        text: lines.iter().map(|line| line.text.to_owned()).collect(),
        ..Policy::default()
    };
    let mut problems = Vec::new();
    let mut passed = None;
    for (number, written) in lines.iter().enumerate() {
        let Some(tree) = written.line else { continue };
        let mut resolver = Resolver {
            owner,
            moves: matches!(
                tree.action,
                ast::Action::Advance(_) | ast::Action::Retreat(_)
            ),
            problems: Vec::new(),
        };
        let (line, always) = resolver.line(tree, number as u16);
        if tree.anytime.is_some() {
            resolver.must_be_free(&line.action, tree);
        }
        problems.extend(
            resolver
                .problems
                .into_iter()
                .map(|problem| (number, problem)),
        );
        if tree.anytime.is_some() {
            policy.anytime.push(line);
            continue;
        }
        if let Some(earlier) = passed
            && line.action.is_decision()
            && !matches!(line.action, Action::Car)
        {
            let problem = Problem::warning(
                0..written.text.len(),
                "a policy line is never reached",
                format!(
                    "line {} always passes before this one is asked",
                    earlier + 1
                ),
            )
            .help(
                "the first line that holds is taken: move this one up, or give `pass` a condition",
            );
            problems.push((number, problem));
        }
        if always == Some(true) && matches!(line.action, Action::Pass) {
            passed = passed.or(Some(number));
        }
        match line.action {
            Action::Delay { .. } => policy.delays.push(line),
            Action::CombatCast { .. } => policy.while_casting.push(line),
            Action::Cancel => policy.cancels.push(line),
            Action::SpendMoxie => policy.spends.push(line),
            Action::Interrupt => policy.interrupts.push(line),
            Action::Hold => policy.holds.push(line),
            Action::Car => {
                policy.reactions.push(line.clone());
                policy.decisions.push(line);
            }
            _ => policy.decisions.push(line),
        }
    }
    problems.extend(never_asked(&policy));
    (policy, problems)
}

/// Warns of lines whose occasion never comes, for no line of the policy brings it about: the first
/// `cancel` where nothing is readied (CD-3), all about a delayed action where none is delayed (EP-6).
fn never_asked(policy: &Policy) -> impl Iterator<Item = (usize, Problem)> {
    let lacks = |such: fn(&Action) -> bool| !policy.decisions.iter().any(|line| such(&line.action));
    let unreadied = lacks(|action| matches!(action, Action::Ready(_)));
    let undelayed = lacks(|action| *action == Action::PutOff);
    let cancels = policy.cancels.iter().take(1).filter(move |_| unreadied);
    let cancels = cancels.map(|line| {
        let title = "a `cancel` is never asked";
        let label = "this policy readies nothing";
        let help = "it is asked when the trigger of one's `ready` line happens (CD-3)";
        (line, title, label, help)
    });
    let delayed = policy.interrupts.iter().chain(&policy.holds);
    let delayed = delayed.filter(move |_| undelayed).map(|line| {
        let title = "a policy line is never reached";
        let label = "it is asked of a delayed action, and no line delays one";
        (line, title, label, "add a line `delay [if CONDITION]`")
    });
    cancels.chain(delayed).map(|(line, title, label, help)| {
        let number = usize::from(line.number);
        let whole = 0..policy.text[number].len();
        (number, Problem::warning(whole, title, label).help(help))
    })
}

struct Resolver<'a> {
    owner: &'a Owner<'a>,
    /// Whether the line is a move, whose target stands where a number might.
    moves: bool,
    problems: Vec<Problem>,
}

impl<'a> Resolver<'a> {
    fn line(&mut self, tree: &ast::Line, number: u16) -> (Line, Option<bool>) {
        let action = self.action(&tree.action, tree.spot);
        let aim = match (&action, tree.target.as_ref()) {
            // Until it happens such a line is about those whose doing it waits for.
            (Action::Ready(readied), _) => Aim::Named(readied.by),
            (_, Some(Target::Trigger)) => {
                let problem = Problem::error(
                    tree.spot.range(),
                    "nothing has triggered this line",
                    "`trigger` is a target of readied actions alone",
                );
                self.problems.push(problem.help(
                    "written `ready ACTION when TRIGGER`; a combatant of that name is quoted",
                ));
                Aim::Nearest
            }
            (_, target) => self.aim(target),
        };
        let more: Vec<Feat> = tree
            .more
            .iter()
            .map(|feat| Feat {
                action: self.action(&feat.action, feat.spot),
                aim: self.aim(feat.target.as_ref()),
            })
            .collect();
        if !more.is_empty() && self.problems.is_empty() {
            self.divides(tree, &action, &more);
        }
        let willpower = self.willpower(tree, &action, &more);
        let (condition, always) = match &tree.condition {
            None => (Condition::default(), Some(true)),
            Some(condition) => self.condition(condition),
        };
        // `if false` is a way to switch a line off; anything else that never holds is a mistake.
        if let (Some(false), Some(condition)) = (always, &tree.condition)
            && condition.kind != ExprKind::Truth(false)
        {
            self.problems.push(Problem::warning(
                condition.spot.range(),
                "a condition never holds",
                "whatever happens, this is false",
            ));
        }
        let line = Line {
            action,
            aim,
            more,
            split: tree
                .split
                .as_ref()
                .map_or_else(Vec::new, |split| split.dice.clone()),
            willpower,
            condition,
            number,
        };
        (line, always)
    }

    /// W-8: free actions alone may be taken at any time.
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
        self.problems.push(
            Problem::error(
                tree.spot.range(),
                "only free actions can be taken at any time",
                label,
            )
            .help(
                "free are `use` of an item with `cost = \"free\"`, `car` and `combat_cast`; otherwise leave out `anytime` (W-8)",
            ),
        );
    }

    fn aim(&mut self, target: Option<&Target>) -> Aim {
        match target {
            None | Some(Target::Nearest) => Aim::Nearest,
            Some(Target::Weakest) => Aim::Weakest,
            Some(Target::Strongest) => Aim::Strongest,
            Some(Target::WeakestOfAll) => Aim::WeakestOfAll,
            Some(Target::StrongestOfAll) => Aim::StrongestOfAll,
            Some(Target::Casting) => Aim::Casting,
            Some(Target::Trigger) => Aim::Trigger,
            Some(Target::Named(name)) => self.target(name),
        }
    }

    /// MD-4: which feat has a sure success. Willpower takes points, and a pool to succeed with.
    fn willpower(&mut self, tree: &ast::Line, first: &Action, more: &[Feat]) -> Option<u8> {
        let spots = tree.more.iter().map(|feat| feat.willpower);
        let (index, spot) = std::iter::once(tree.willpower)
            .chain(spots)
            .enumerate()
            .find_map(|(index, spot)| Some((index, spot?)))?;
        if !matches!(self.owner.traits, Traits::Turns(traits) if traits.willpower > 0) {
            self.lacks(
                spot,
                "`with willpower` needs a point to spend",
                "no `willpower`",
                "give it points: `willpower = 5`",
            );
        }
        let action = match index {
            0 => first,
            _ => &more[index - 1].action,
        };
        let pools = self.pools(action);
        if let Some((_, name)) = pools.first()
            && pools.iter().all(|(pool, _)| pool.is_none())
        {
            self.problems.push(
                Problem::error(
                    spot.range(),
                    "Willpower buys a success of a pool",
                    format!("\"{name}\" has another kind of check"),
                )
                .help("a sure success needs `check = { pool = ... }`"),
            );
        }
        Some(index as u8)
    }

    /// The pools of whatever may serve a feat that is rolled: its weapons, or its spell.
    fn pools(&self, action: &Action) -> Vec<(Option<i64>, &'a str)> {
        let owner = self.owner;
        match *action {
            Action::Attack(choice) => owner
                .weapons
                .iter()
                .enumerate()
                .filter(|(index, _)| {
                    choice == WeaponChoice::First || choice == WeaponChoice::Only(*index as u8)
                })
                .map(|(_, weapon)| (weapon.check.pool(weapon.mastery), weapon.name.as_str()))
                .collect(),
            Action::Cast(spell) => {
                owner
                    .spells
                    .get(usize::from(spell))
                    .map_or_else(Vec::new, |spell| {
                        let pool = spell.check.as_ref().and_then(|check| check.pool(0));
                        vec![(pool, spell.name.as_str())]
                    })
            }
            _ => Vec::new(),
        }
    }

    /// MA-3: what an action of several feats must have. A pool is divided; the smallest one that the
    /// line could ever have must be enough for all parts.
    fn divides(&mut self, tree: &ast::Line, first: &Action, more: &[Feat]) {
        let owner = self.owner;
        let feats = 1 + more.len();
        let spots = std::iter::once(tree.spot).chain(tree.more.iter().map(|feat| feat.spot));
        let mut smallest: Option<(i64, &str)> = None;
        for (action, spot) in std::iter::once(first)
            .chain(more.iter().map(|feat| &feat.action))
            .zip(spots)
        {
            // What may serve the feat: the line needs one that fits.
            let pools: Vec<(Option<i64>, &str)> = match *action {
                Action::Cast(index) => {
                    let spell = &owner.spells[usize::from(index)];
                    if spell.magick.is_some_and(|magick| magick.ritual) {
                        self.problems.push(
                            Problem::error(
                                spot.range(),
                                "a ritual cannot share an action",
                                format!("\"{}\" takes several turns", spell.name),
                            )
                            .help("write `cast` as a line of its own"),
                        );
                    }
                    self.pools(action)
                }
                Action::Attack(_) => self.pools(action),
                Action::Draw(WeaponChoice::Only(weapon)) => {
                    let weapon = &owner.weapons[usize::from(weapon)];
                    if weapon.ready_turns > 0 {
                        self.problems.push(
                            Problem::error(
                                spot.range(),
                                format!("\"{}\" is too clumsy to share an action", weapon.name),
                                format!("drawing it takes {} turns of its own", weapon.ready_turns),
                            )
                            .help("write `draw` as a line of its own"),
                        );
                    }
                    match &weapon.ready_check {
                        None => continue,
                        Some(dice) => vec![(Some(dice.count.into()), weapon.name.as_str())],
                    }
                }
                Action::Use(item) => {
                    let item = &owner.items[usize::from(item)];
                    match &item.ready_check {
                        None => continue,
                        Some(dice) => vec![(Some(dice.count.into()), item.name.as_str())],
                    }
                }
                _ => continue,
            };
            if let Some((_, name)) = pools.first()
                && pools.iter().all(|(pool, _)| pool.is_none())
            {
                self.problems.push(
                    Problem::error(
                        spot.range(),
                        "only a pool can be divided",
                        format!("\"{name}\" has another kind of check"),
                    )
                    .help("several things at once need `check = { pool = ... }`"),
                );
                return;
            }
            let best = pools
                .iter()
                .filter_map(|(pool, name)| Some(((*pool)?, *name)))
                .max();
            if let Some((pool, name)) = best
                && smallest.is_none_or(|(least, _)| pool < least)
            {
                smallest = Some((pool, name));
            }
        }
        let Some((pool, name)) = smallest else {
            if tree.split.is_some() || feats > 1 {
                self.problems.push(
                    Problem::error(
                        tree.spot.range(),
                        "there is no pool to divide",
                        "none of these feats is rolled",
                    )
                    .help("each takes an action: write them as lines of their own"),
                );
            }
            return;
        };
        let wanted = tree.split.as_ref().map_or(feats as i64, |split| {
            split.dice.iter().map(|dice| i64::from(*dice)).sum()
        });
        if wanted > pool {
            let span = tree
                .split
                .as_ref()
                .map_or(tree.spot.range(), |split| split.spot.range());
            self.problems.push(
                Problem::error(
                    span,
                    format!("the parts need {wanted} dice, and there are {pool}"),
                    format!("\"{name}\" has the smallest pool, {pool} dice"),
                )
                .help("the smallest pool is divided, and each part needs at least one die (MA-3)"),
            );
        }
    }

    fn condition(&mut self, condition: &ast::Expr) -> (Condition, Option<bool>) {
        let mut missing = Vec::new();
        let owner = self.owner;
        let compiled = compile(condition, &mut |kind, name| {
            owner.named_variable(kind, name, &mut missing)
        });
        let unresolved = !missing.is_empty();
        self.problems.append(&mut missing);
        match compiled {
            Ok(compiled) if !unresolved => (compiled.condition, compiled.always),
            Ok(_) => (Condition::default(), None),
            Err(problem) => {
                self.problems.push(problem);
                (Condition::default(), None)
            }
        }
    }

    /// How far a move goes: a number, or a sum that is worked out when the line is taken.
    fn amount(
        &mut self,
        amount: &Expr,
        range: std::ops::RangeInclusive<i64>,
        what: &str,
    ) -> Option<Amount> {
        let owner = self.owner;
        if let ExprKind::Variable(known) = &amount.kind
            && owner.everybody.iter().any(|one| {
                let name = known.0.name;
                one.side != owner.side && (one.name == name || one.group == name)
            })
        {
            let name = known.0.name;
            let title = format!("`{name}` is a variable here, and an enemy is called so");
            let problem = Problem::error(amount.spot.range(), title, "it says how far to move");
            self.problems.push(problem.help(format!(
                "the enemy is quoted: `\"{name}\"`; the variable is put in parentheses: `({name} + 0)`"
            )));
            return None;
        }
        let mut missing = Vec::new();
        let sum = compile_amount(amount, &mut |kind, name| {
            owner.named_variable(kind, name, &mut missing)
        });
        let unresolved = !missing.is_empty();
        self.problems.append(&mut missing);
        let sum = match sum {
            Ok(sum) if !unresolved => sum,
            Ok(_) => return None,
            Err(problem) => {
                self.problems.push(problem);
                return None;
            }
        };
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

    fn action(&mut self, action: &ast::Action, spot: Spot) -> Action {
        let owner = self.owner;
        match action {
            ast::Action::Attack { weapon } => {
                Action::Attack(self.weapon("attack", spot, weapon.as_ref(), None))
            }
            ast::Action::Desperate { weapon } => Action::Desperate(self.weapon(
                "desperate",
                spot,
                weapon.as_ref(),
                Some(WeaponKind::Ranged),
            )),
            ast::Action::Charge { weapon } => {
                if !owner.has(|traits| traits.abilities.charge) {
                    self.lacks(
                        spot,
                        "`charge` needs a charging ability",
                        "none of the three charges",
                        "give it `abilities = [\"frenzied_charge\"]`, `\"mounted_charge\"` or `\"lansing_charge\"`",
                    );
                }
                Action::Charge(self.weapon(
                    "charge",
                    spot,
                    weapon.as_ref(),
                    Some(WeaponKind::Melee),
                ))
            }
            ast::Action::Set => Action::Set,
            ast::Action::Advance(step) => Action::Advance(self.step(step, spot)),
            ast::Action::Retreat(step) => Action::Retreat(self.step(step, spot)),
            ast::Action::Cast { spell } => Action::Cast(self.spell(spell, false)),
            ast::Action::Channel { spell, until } => Action::Channel {
                spell: self.spell(spell, true),
                until: until.as_ref().map(|until| self.condition(until).0),
            },
            ast::Action::CombatCast { advance } => {
                if !owner.has(|traits| traits.combat_casting.is_some()) {
                    self.lacks(
                        spot,
                        "`combat_cast` needs the Combat Casting skill",
                        "no `combat_casting`",
                        "give it `combat_casting = { check = \"1d10+5\", target = 2, units_per = 3 }`",
                    );
                }
                Action::CombatCast { advance: *advance }
            }
            ast::Action::Car => {
                if !owner.has(|traits| traits.car.is_some()) {
                    self.lacks(
                        spot,
                        "`car` needs a Combat Action Radius",
                        "no `car`",
                        "give it a radius in Units: `car = 10`",
                    );
                }
                self.needs_weapon("car", spot, Some(WeaponKind::Melee));
                Action::Car
            }
            ast::Action::Use { item } => Action::Use(self.index(owner.items, item, "item")),
            ast::Action::Draw { weapon: None } => {
                if owner.weapons.is_empty() {
                    self.needs_weapon("draw", spot, None);
                }
                Action::Draw(WeaponChoice::First)
            }
            ast::Action::Draw {
                weapon: Some(weapon),
            } => Action::Draw(WeaponChoice::Only(self.index(
                owner.weapons,
                weapon,
                "weapon",
            ))),
            ast::Action::Sheathe { weapon } => {
                Action::Sheathe(self.index(owner.weapons, weapon, "weapon"))
            }
            ast::Action::Stand => Action::Stand,
            ast::Action::Quick(action) => {
                let action = self.action(action, spot);
                if let Action::Use(item) = action
                    && let Some(item) = owner.items.get(usize::from(item))
                    && !item.quick
                {
                    let label = format!("using \"{}\" is the Complex Action", item.name);
                    let title = "that is no Quick Action";
                    let problem = Problem::error(spot.range(), title, label);
                    let help = "give the item `cost = \"quick\"`, or leave out `quick`";
                    self.problems.push(problem.help(help));
                }
                action
            }
            ast::Action::Wait { marks, at } => {
                let most = i64::from(owner.round_marks);
                if !(1..=most).contains(marks) {
                    let problem = out_of_range(*at, *marks, "a number of Marks", 1..=most);
                    let help = format!("a Round has {most} Marks (`rules.round_marks`, TC-1)");
                    self.problems.push(problem.help(help));
                }
                if !owner.may_wait {
                    self.problems.push(
                        Problem::error(
                            spot.range(),
                            "`wait` is not allowed by the rules of this scenario",
                            "`rules.wait` is false",
                        )
                        .help("take the line out, or set `rules.wait = true`"),
                    );
                }
                Action::Wait(u8::try_from(*marks).unwrap_or(u8::MAX))
            }
            ast::Action::Delay { up } => Action::Delay { up: *up },
            ast::Action::Await { yields, until } => Action::Await {
                yields: *yields,
                until: until
                    .as_ref()
                    .map_or_else(Condition::default, |until| self.until(until)),
            },
            ast::Action::Ready { feat, trigger } => {
                let action = self.action(&feat.action, feat.spot);
                let aim = match feat.target.as_ref() {
                    None => Aim::Trigger,
                    target => self.aim(target),
                };
                let by = self.triggered_by(trigger);
                if feat.target == Some(Target::Trigger) {
                    self.may_be_target(by, trigger);
                }
                Action::Ready(Box::new(Readied {
                    feat: Feat { action, aim },
                    aimless: feat.target.is_none(),
                    by,
                    when: trigger.when,
                }))
            }
            ast::Action::Cancel => Action::Cancel,
            ast::Action::PutOff => Action::PutOff,
            ast::Action::Task { task } => Action::Task(self.index(owner.tasks(), task, "task")),
            ast::Action::SpendMoxie => {
                if owner.phases().is_some_and(|traits| traits.moxie == 0) {
                    self.lacks(
                        spot,
                        "`spend moxie` needs Moxie",
                        "no `moxie`",
                        "give it points of Moxie: `moxie = 3`",
                    );
                }
                Action::SpendMoxie
            }
            ast::Action::Interrupt => Action::Interrupt,
            ast::Action::Hold => Action::Hold,
            ast::Action::Pass => Action::Pass,
        }
    }

    /// The condition on which one who delays comes in (CD-2). One that cannot come true meanwhile
    /// would wait for itself.
    fn until(&mut self, until: &Expr) -> Condition {
        let (condition, always) = self.condition(until);
        let told = if always == Some(false) {
            Some(("a delay never ends", "whatever happens, this is false"))
        } else if self.condition(&as_one_waits(until)).1 == Some(false) {
            Some((
                "a delay waits for itself",
                "while one waits, this stays false",
            ))
        } else {
            None
        };
        if let Some((title, label)) = told {
            self.problems.push(
                Problem::error(until.spot.range(), title, label).help(
                    "it is asked after each turn of another: `delay until enemy_acted`, `delay until turns_left = 0`",
                ),
            );
        }
        condition
    }

    /// Everybody of whom something is true, a bit each.
    fn those(&self, such: impl Fn(&Somebody<'_>) -> bool) -> u64 {
        (0..64)
            .zip(self.owner.everybody)
            .filter(|(_, somebody)| such(somebody))
            .fold(0, |all, (index, _)| all | 1 << index)
    }

    /// Everybody but the owner, if it is one alone. A member of a group waits for the others of it.
    fn others(&self) -> u64 {
        let name = self.owner.name;
        let own = self.those(|somebody| somebody.group == name);
        let alone = own & own.wrapping_sub(1) == 0;
        self.those(|_| true) & if alone { !own } else { u64::MAX }
    }

    /// Those whose doing triggers an action, a bit each.
    fn triggered_by(&mut self, trigger: &ast::Trigger) -> u64 {
        let side = self.owner.side;
        let by = match &trigger.by {
            Subject::Enemy => self.those(|somebody| somebody.side != side),
            Subject::Ally => self.those(|somebody| somebody.side == side) & self.others(),
            Subject::Anyone => self.others(),
            Subject::Named(name) => self.anybody(name),
        };
        let (can, what): (fn(Deeds) -> bool, &str) = match trigger.when {
            When::ComesWithin(_) | When::Leaves(_) | When::Moves => (|can| can.moves, "can move"),
            When::Attacks { .. } => (|can| can.attacks, "has a weapon"),
            When::Casts => (|can| can.casts, "has a spell"),
            When::Uses => (|can| can.uses, "has a thing to use"),
            When::Draws => (|can| can.draws, "has a weapon to draw"),
            When::Falls | When::Acts => (|_| true, "is there"),
        };
        let mut possible = self.those(|somebody| can(somebody.can)) & by;
        if trigger.when == (When::Attacks { me: true }) {
            possible &= self.those(|somebody| somebody.side != side);
        }
        let unknown = by == 0 && matches!(trigger.by, Subject::Named(_));
        if possible == 0 && !unknown {
            let who = match &trigger.by {
                Subject::Enemy => "no enemy".to_owned(),
                Subject::Ally => "no ally".to_owned(),
                Subject::Anyone => "nobody else".to_owned(),
                Subject::Named(name) => format!("not one called \"{}\"", name.text),
            };
            let label = if by == 0 {
                "there is none".to_owned()
            } else if possible == by & self.those(|somebody| can(somebody.can)) {
                format!("{who} {what}")
            } else {
                "only an enemy attacks one".to_owned()
            };
            self.problems.push(
                Problem::warning(trigger.spot.range(), "a trigger can never happen", label)
                    .help("what is not triggered before one's next turn is lost (CD-3)"),
            );
        }
        by
    }

    /// `trigger` as the target of a readied action: an enemy that stands.
    fn may_be_target(&mut self, by: u64, trigger: &ast::Trigger) {
        let side = self.owner.side;
        let label = if trigger.when == When::Falls {
            "whoever has fallen is no target any more"
        } else if by != 0 && by & self.those(|somebody| somebody.side != side) == 0 {
            "only those of one's own side trigger it"
        } else {
            return;
        };
        self.problems.push(
            Problem::error(
                trigger.spot.range(),
                "`trigger` can never be the target here",
                label,
            )
            .help("a target is an enemy that stands; without one the action is about the nearest"),
        );
    }

    /// Those of that name, of any side, but not the owner itself.
    fn anybody(&mut self, name: &Name) -> u64 {
        let owner = self.owner;
        let of_that_name =
            self.those(|somebody| somebody.name == name.text || somebody.group == name.text);
        let others = of_that_name & self.others();
        if others == 0 {
            let groups = || owner.everybody.iter().map(|somebody| somebody.group);
            let problem = if of_that_name == 0 {
                let words = super::actions::SUBJECTS.iter().map(|(word, _)| *word);
                let known = owner.everybody.iter();
                let candidates = known
                    .flat_map(|somebody| [somebody.group, somebody.name])
                    .chain(words);
                Problem::error(
                    name.spot.range(),
                    format!("nobody is called \"{}\"", name.text),
                    match names::nearest(&name.text, candidates) {
                        Some(nearest) => format!("did you mean `{nearest}`?"),
                        None => "expected whose doing triggers the action".to_owned(),
                    },
                )
            } else {
                Problem::error(
                    name.spot.range(),
                    "what one does oneself is never a trigger",
                    format!("\"{}\" follows this policy", name.text),
                )
            };
            let mut all: Vec<&str> = groups().filter(|group| *group != owner.name).collect();
            all.dedup();
            self.problems.push(problem.help(format!(
                "a trigger is the doing of `enemy`, `ally`, `anyone`, or of {}",
                names::list(all, "or")
            )));
        }
        others
    }

    fn lacks(&mut self, spot: Spot, title: &str, what: &str, help: &str) {
        let label = format!("\"{}\" has {what}", self.owner.name);
        self.problems
            .push(Problem::error(spot.range(), title, label).help(help));
    }

    /// A move, in a mode that the combatant has (MA-4).
    fn step(&mut self, step: &ast::Move, spot: Spot) -> Move {
        let mode = step.mode.unwrap_or_default();
        if let Traits::Turns(traits) = self.owner.traits {
            if mode == Mode::Fly && traits.fly.is_none() {
                self.lacks(
                    spot,
                    "`fly` needs a rate of flight",
                    "no `fly`",
                    "give it yards a turn: `fly = 15`",
                );
            }
            if mode == Mode::Climb && traits.climb.is_none() {
                self.lacks(
                    spot,
                    "`climb` needs a pool to climb with",
                    "no `climb`",
                    "give it a pool: `climb = { pool = 5 }`",
                );
            }
        }
        Move {
            mode,
            units: step
                .units
                .as_ref()
                .and_then(|units| self.amount(units, 1..=MOST_UNITS, UNITS)),
            to: step
                .to
                .as_ref()
                .and_then(|to| self.amount(to, 0..=FARTHEST, DISTANCE)),
        }
    }

    fn index<T: Named>(&mut self, all: &[T], name: &Name, what: &str) -> u8 {
        let owner = self.owner;
        find(all, name, what, owner, &mut self.problems).unwrap_or(0) as u8
    }

    fn spell(&mut self, name: &Name, channel: bool) -> u8 {
        let owner = self.owner;
        let Some(index) = find(owner.spells, name, "spell", owner, &mut self.problems) else {
            return 0;
        };
        if owner.spells[index].channel != channel {
            let (is, instead) = if channel {
                ("a spell with a casting time", "cast")
            } else {
                ("a Channel", "channel")
            };
            self.problems.push(
                Problem::error(
                    name.spot.range(),
                    format!("\"{}\" is {is}", name.text),
                    format!("written `{instead} {name}`"),
                )
                .help("a spell with `channel = true` is channelled, every other is cast"),
            );
        }
        index as u8
    }

    fn weapon(
        &mut self,
        action: &str,
        spot: Spot,
        name: Option<&Name>,
        kind: Option<WeaponKind>,
    ) -> WeaponChoice {
        let owner = self.owner;
        let Some(name) = name else {
            self.needs_weapon(action, spot, kind);
            return WeaponChoice::First;
        };
        let Some(index) = find(owner.weapons, name, "weapon", owner, &mut self.problems) else {
            return WeaponChoice::First;
        };
        let found = owner.weapons[index].kind;
        if kind.is_some_and(|kind| kind != found) {
            let title = match kind {
                Some(WeaponKind::Ranged) => "a Desperate Shot needs a ranged weapon",
                _ => "a charge needs a melee weapon",
            };
            self.problems.push(Problem::error(
                name.spot.range(),
                title,
                format!("\"{}\" is {}", name.text, kind_name(found)),
            ));
        }
        WeaponChoice::Only(index as u8)
    }

    /// Complains if no weapon could ever serve the line.
    fn needs_weapon(&mut self, action: &str, spot: Spot, kind: Option<WeaponKind>) {
        let owner = self.owner;
        let fits = |weapon: &Weapon| kind.is_none_or(|kind| kind == weapon.kind);
        if owner.weapons.iter().any(fits) {
            return;
        }
        let what = match kind {
            Some(WeaponKind::Ranged) => "a ranged weapon",
            Some(WeaponKind::Melee) => "a melee weapon",
            Some(WeaponKind::Thrown) => "a thrown weapon",
            None => "a weapon",
        };
        let all = names::list(owner.weapons.iter().map(|weapon| &weapon.name[..]), "and");
        let label = if owner.weapons.is_empty() {
            format!("\"{}\" has no weapon", owner.name)
        } else {
            format!("\"{}\" has only {all}", owner.name)
        };
        self.problems.push(
            Problem::error(spot.range(), format!("`{action}` needs {what}"), label)
                .help("name it in the combatant's `weapons`"),
        );
    }

    /// The enemies of that name.
    fn target(&mut self, name: &Name) -> Aim {
        let owner = self.owner;
        let mut enemies = 0_u64;
        let mut friend = false;
        for (index, somebody) in owner.everybody.iter().enumerate() {
            if somebody.name != name.text && somebody.group != name.text {
                continue;
            }
            if somebody.side == owner.side {
                friend = true;
            } else if index < 64 {
                enemies |= 1 << index;
            }
        }
        if enemies == 0 {
            let others = || {
                owner
                    .everybody
                    .iter()
                    .filter(|somebody| somebody.side != owner.side)
            };
            let problem = if friend {
                Problem::error(
                    name.spot.range(),
                    format!("\"{}\" is no enemy", name.text),
                    format!(
                        "on \"{}\", the side of \"{}\" itself",
                        owner.side, owner.name
                    ),
                )
            } else {
                let words = super::actions::TARGETS.iter().map(|target| target.0);
                let numbers: Vec<&str> = if self.moves {
                    number_words(owner.clocks()).collect()
                } else {
                    Vec::new()
                };
                let candidates = others()
                    .flat_map(|somebody| [somebody.group, somebody.name])
                    .chain(words.chain(["with", "to", "if", "until"]))
                    .chain(numbers);
                Problem::error(
                    name.spot.range(),
                    format!("nobody is called \"{}\"", name.text),
                    match names::nearest(&name.text, candidates) {
                        Some(nearest) => format!("did you mean `{nearest}`?"),
                        None => "expected a target".to_owned(),
                    },
                )
            };
            let mut groups: Vec<&str> = others().map(|somebody| somebody.group).collect();
            groups.dedup();
            self.problems.push(problem.help(format!(
                "a target is `nearest`, `weakest`, `strongest`, `casting` or the name of an enemy: {}",
                names::list(groups, "or")
            )));
        }
        Aim::Named(enemies)
    }
}

/// A condition with what is false of one who waits put in: it has not done anything this turn.
fn as_one_waits(expr: &Expr) -> Expr {
    let inner = |expr: &Expr| Box::new(as_one_waits(expr));
    let kind = match &expr.kind {
        ExprKind::Variable(known)
            if matches!(
                known.variable(),
                Variable::Moved
                    | Variable::Acted
                    | Variable::Attacked
                    | Variable::Delayed
                    | Variable::Interrupted
            ) =>
        {
            ExprKind::Truth(false)
        }
        ExprKind::Not(one) => ExprKind::Not(inner(one)),
        ExprKind::And(left, right) => ExprKind::And(inner(left), inner(right)),
        ExprKind::Or(left, right) => ExprKind::Or(inner(left), inner(right)),
        other => other.clone(),
    };
    Expr {
        kind,
        spot: expr.spot,
    }
}

/// Something with a name that a policy may use.
trait Named {
    fn name(&self) -> &str;
}

impl Named for Weapon {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for Spell {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for Item {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for Task {
    fn name(&self) -> &str {
        &self.name
    }
}

fn find<T: Named>(
    all: &[T],
    name: &Name,
    what: &str,
    owner: &Owner<'_>,
    problems: &mut Vec<Problem>,
) -> Option<usize> {
    let index = all.iter().position(|one| one.name() == name.text);
    if index.is_none() {
        let has = || all.iter().map(Named::name);
        let label = match names::nearest(&name.text, has()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None if all.is_empty() => format!("\"{}\" has no {what}s", owner.name),
            None => format!("\"{}\" has {}", owner.name, names::list(has(), "and")),
        };
        let article = if what == "item" { "an" } else { "a" };
        problems.push(
            Problem::error(
                name.spot.range(),
                format!("no {what} called \"{}\" is at hand", name.text),
                label,
            )
            .help(format!(
                "a policy can only name {article} {what} that is in the combatant's `{what}s`"
            )),
        );
    }
    index
}

fn kind_name(kind: WeaponKind) -> &'static str {
    match kind {
        WeaponKind::Melee => "a melee weapon",
        WeaponKind::Ranged => "a ranged weapon",
        WeaponKind::Thrown => "a thrown weapon",
    }
}
