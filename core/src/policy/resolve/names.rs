//! Names in a policy line, looked up among the combatants and among the gear of one of them.

use super::Resolver;
use super::owner::{Candidate, Deeds, Owner, Thing};
use crate::document::diagnostics::Diagnostic;
use crate::fight::effect::Recipient;
use crate::fight::program::{Action, Aim, When};
use crate::fight::system::Clocks;
use crate::fight::variables::VariableRow;
use crate::fight::{Weapon, WeaponKind};
use crate::names;
use crate::policy::actions::{SUBJECTS, TARGETS, fact_words, synonym};
use crate::policy::ast::{self, Name, Reference};

impl Resolver<'_> {
    /// The combatants for which a predicate is true, one bit each.
    pub(super) fn combatants_where(&self, such: impl Fn(&Candidate<'_>) -> bool) -> u64 {
        (0..64)
            .zip(self.owner.candidates)
            .filter(|(_, candidate)| such(candidate))
            .fold(0, |all, (index, _)| all | 1 << index)
    }

    /// All combatants except the owner. A member of a group may wait for the other members, so a group is included.
    pub(super) fn others(&self) -> u64 {
        let name = self.owner.name;
        let own = self.combatants_where(|candidate| candidate.group == name);
        let alone = own & own.wrapping_sub(1) == 0;
        self.combatants_where(|_| true) & if alone { !own } else { u64::MAX }
    }

    /// The groups of combatants for which a predicate is true, as a list for a message.
    fn groups(&self, such: impl Fn(&Candidate<'_>) -> bool) -> String {
        let candidates = self
            .owner
            .candidates
            .iter()
            .filter(|candidate| such(candidate));
        let mut groups: Vec<&str> = candidates.map(|candidate| candidate.group).collect();
        groups.dedup();
        names::list(groups, "or")
    }

    /// All combatants with this name, on any side.
    pub(super) fn called(&self, name: &str) -> u64 {
        self.combatants_where(|candidate| candidate.name == name || candidate.group == name)
    }

    /// The combatants whose deeds trigger an action, one bit each.
    pub(in super::super) fn triggered_by(&mut self, trigger: &ast::Trigger) -> u64 {
        let by = match &trigger.by {
            Reference::Word(recipient) => self.targets(*recipient),
            Reference::Named(name) => self.anybody(name),
        };
        let (can, what): (fn(Deeds) -> bool, &str) = match trigger.when {
            When::ComesWithin(_) | When::Leaves(_) | When::Moves | When::LeavesReach => {
                (|can| can.moves, "can move")
            }
            When::Attacks { .. } => (|can| can.attacks, "has a weapon"),
            When::Casts => (|can| can.casts, "has a spell"),
            When::Uses => (|can| can.uses, "has a thing to use"),
            When::Draws => (|can| can.draws, "has a weapon to draw"),
            When::Falls | When::Acts | When::EndsTurn => (|_| true, "is there"),
        };
        let mut possible = self.combatants_where(|candidate| can(candidate.can)) & by;
        if trigger.when == (When::Attacks { me: true }) {
            possible &= self.targets(Recipient::Enemy);
        }
        let unknown = by == 0 && matches!(trigger.by, Reference::Named(_));
        if possible == 0 && !unknown {
            let who = match &trigger.by {
                Reference::Word(Recipient::Enemy) => "no enemy".to_owned(),
                Reference::Word(Recipient::Ally) => "no ally".to_owned(),
                Reference::Word(_) => "no other combatant".to_owned(),
                Reference::Named(name) => format!("not one called \"{}\"", name.text),
            };
            let label = if by == 0 {
                "there is none".to_owned()
            } else if possible == by & self.combatants_where(|candidate| can(candidate.can)) {
                format!("{who} {what}")
            } else {
                "only an enemy attacks it".to_owned()
            };
            self.problems.push(
                Diagnostic::warning(trigger.spot, "a trigger can never happen", label)
                    .help("an action that is not triggered before the next turn is lost (CD-3)"),
            );
        }
        by
    }

    /// The combatants that may be the target of an action for this recipient, one bit each.
    pub(in super::super) fn targets(&self, recipient: Recipient) -> u64 {
        let side = self.owner.side;
        match recipient {
            Recipient::Ally => {
                self.combatants_where(|candidate| candidate.side == side) & self.others()
            }
            Recipient::Anyone => self.others(),
            _ => self.combatants_where(|candidate| candidate.side != side),
        }
    }

    /// Reports `trigger` as a target if no combatant that triggers the readied action can be among its `targets` and
    /// stand.
    pub(in super::super) fn may_be_target(
        &mut self,
        by: u64,
        targets: u64,
        trigger: &ast::Trigger,
    ) {
        let label = if trigger.when == When::Falls {
            "a fallen combatant is no target"
        } else if by == 0 || by & targets != 0 {
            return;
        } else if by & !self.targets(Recipient::Enemy) != 0 {
            "only allies trigger it"
        } else {
            "only enemies trigger it"
        };
        self.error(
            trigger.spot,
            "`trigger` can never be the target here",
            label,
            "a target stands, and is an enemy, or an ally of what is used on allies; without one the action is about the nearest",
        );
    }

    /// The combatants with this name, on any side, except the owner itself.
    pub(super) fn anybody(&mut self, name: &Name) -> u64 {
        let owner = self.owner;
        let called = self.called(&name.text);
        let others = called & self.others();
        if others == 0 && !self.is_absent(name) {
            let problem = if called == 0 {
                let words = SUBJECTS.iter().map(|(word, ..)| *word);
                let known = owner.candidates.iter();
                let candidates = known.flat_map(|one| [one.group, one.name]).chain(words);
                nobody(name, candidates, "expected whose doing triggers the action")
            } else {
                Diagnostic::error(
                    name.spot,
                    "a combatant's own doing is never a trigger",
                    format!("\"{}\" follows this policy", name.text),
                )
            };
            self.problems.push(problem.help(format!(
                "a trigger is the doing of `enemy`, `ally`, `anyone`, or of {}",
                self.groups(|candidate| candidate.group != owner.name)
            )));
        }
        others
    }

    /// The index of the gear that an action names; 0 if there is none of that name.
    pub(in super::super) fn index(&mut self, thing: Thing, written: &ast::Action) -> u8 {
        self.found(thing, written).unwrap_or(0) as u8
    }

    fn found(&mut self, thing: Thing, written: &ast::Action) -> Option<usize> {
        find(
            thing,
            written.name.as_ref()?,
            self.owner,
            &mut self.problems,
        )
    }

    pub(in super::super) fn spell(&mut self, written: &ast::Action, channel: bool) -> u8 {
        let index = self.found(Thing::Spell, written);
        let (Some(index), Some(name)) = (index, &written.name) else {
            return 0;
        };
        let owner = self.owner;
        if owner.spells[index].channel != channel {
            let (is, instead) = if channel {
                ("a spell with a casting time", "cast")
            } else {
                ("a Channel", "channel")
            };
            self.error(
                name.spot,
                format!("\"{}\" is {is}", name.text),
                format!("written `{instead} {name}`"),
                "a spell with `channel = true` is channelled, every other is cast",
            );
        }
        index as u8
    }

    pub(in super::super) fn weapon(
        &mut self,
        written: &ast::Action,
        kind: Option<WeaponKind>,
    ) -> Option<u8> {
        let Some(name) = &written.name else {
            self.needs_weapon(written, kind);
            return None;
        };
        let index = self.found(Thing::Weapon, written)?;
        let found = self.owner.weapons[index].kind;
        if kind.is_some_and(|kind| kind != found) {
            let title = match kind {
                Some(WeaponKind::Ranged) => "a Desperate Shot needs a ranged weapon",
                _ => "a charge needs a melee weapon",
            };
            self.problems.push(Diagnostic::error(
                name.spot,
                title,
                format!("\"{}\" is {}", name.text, kind_name(found)),
            ));
        }
        Some(index as u8)
    }

    /// Reports an error if no weapon could ever serve the line.
    pub(in super::super) fn needs_weapon(
        &mut self,
        written: &ast::Action,
        kind: Option<WeaponKind>,
    ) {
        let owner = self.owner;
        let fits = |weapon: &Weapon| kind.is_none_or(|kind| kind == weapon.kind);
        if owner.weapons.iter().any(fits) {
            return;
        }
        let what = kind.map_or("a weapon", kind_name);
        let all = names::list(owner.weapons.iter().map(|weapon| &weapon.name[..]), "and");
        let label = if owner.weapons.is_empty() {
            format!("\"{}\" has no weapon", owner.name)
        } else {
            format!("\"{}\" has only {all}", owner.name)
        };
        self.error(
            written.spot,
            format!("`{}` needs {what}", written.form.word),
            label,
            "name it in the combatant's `weapons`",
        );
    }

    /// The aim of an action (W-4, W-11).
    pub(in super::super) fn aim(&mut self, action: &Action, written: &ast::Action) -> Aim {
        let (target, spot) = (written.target.as_ref(), written.spot);
        let recipient = self.owner.recipient(action);
        let friendly = matches!(target, Some(Reference::Word(aim)) if aim.is_friendly());
        let aim = match (recipient, target) {
            (Recipient::Own, None | Some(Reference::Word(Aim::Own))) => match action {
                // The conditions of its line are about the nearest enemy.
                Action::Use(_) => Aim::Nearest,
                _ => Aim::Own,
            },
            (Recipient::Own, Some(_)) => {
                self.error(
                    spot,
                    "this is used on oneself",
                    "it takes no other target",
                    "its definition may say `target = \"ally\"`, `\"enemy\"` or `\"anyone\"`",
                );
                Aim::Own
            }
            (Recipient::Ally, None) => Aim::Ally(u64::MAX),
            (
                Recipient::Ally | Recipient::Anyone,
                Some(Reference::Word(aim @ (Aim::Ally(_) | Aim::WeakestAlly))),
            ) => *aim,
            (Recipient::Anyone, Some(Reference::Word(Aim::Own))) if !self.moves => Aim::Own,
            (Recipient::Ally, Some(Reference::Named(name))) => self.friends(name),
            (Recipient::Ally, Some(Reference::Word(Aim::Trigger))) => Aim::Trigger,
            (Recipient::Anyone, Some(Reference::Named(name))) => {
                let called = self.called(&name.text);
                if called != 0 && called & self.targets(Recipient::Enemy) == 0 {
                    self.friends(name)
                } else {
                    self.target(name)
                }
            }
            (Recipient::Ally, Some(_)) => {
                self.error(
                    spot,
                    "this is used on allies",
                    "its target is an enemy",
                    "a target of it is `ally`, `weakest_ally` or the name of an ally",
                );
                Aim::Ally(u64::MAX)
            }
            _ if friendly => {
                self.error(
                    spot,
                    "the target of this is an enemy",
                    "expected an enemy",
                    "an item or a spell with `target = \"ally\"` or `\"anyone\"` may be used on allies",
                );
                Aim::Nearest
            }
            (_, Some(Reference::Word(aim))) => *aim,
            (_, Some(Reference::Named(name))) => self.target(name),
            (_, None) => Aim::Nearest,
        };
        if self.owner.revives(action) {
            aim.or_down()
        } else {
            aim
        }
    }

    /// Whether a name is that of a combatant that is left out of the fight.
    fn is_absent(&self, name: &Name) -> bool {
        self.owner.absent.contains(&name.text.as_str())
    }

    /// The allies with this name.
    fn friends(&mut self, name: &Name) -> Aim {
        let owner = self.owner;
        let friends = self.called(&name.text) & self.targets(Recipient::Ally);
        if friends == 0 && !self.is_absent(name) {
            let allies = owner.candidates.iter().filter(|one| one.side == owner.side);
            let problem = nobody(name, allies.map(|one| one.name), "expected an ally");
            self.problems.push(problem.help(format!(
                "a target is `ally`, `weakest_ally` or the name of an ally: {}",
                self.groups(|candidate| candidate.side == owner.side)
            )));
        }
        Aim::Ally(friends)
    }

    /// The index of the resource of which a reaction takes one.
    pub(in super::super) fn resource(&mut self, written: &ast::Action) -> u8 {
        let name = written.name.clone().unwrap_or_else(|| Name {
            text: "reaction".to_owned(),
            spot: written.spot,
        });
        let found = find(Thing::Resource, &name, self.owner, &mut self.problems);
        found.unwrap_or(0) as u8
    }

    /// The trait of the scenario's own that a line takes a point of.
    pub(in super::super) fn own_trait(&mut self, name: &Name) -> Option<u8> {
        let own = self.owner.own.0;
        let Some(own) = own.iter().position(|own| *own == name.text) else {
            let title = format!("no trait is called `{}`", name.text);
            let known = own.iter().map(String::as_str);
            let label = names::suggest(&name.text, known, '`');
            let label = label.unwrap_or_else(|| "expected a trait that combatants have".to_owned());
            let help = "traits stand with each combatant: `traits = { grit = 2 }`";
            self.error(name.spot, title, label, help);
            return None;
        };
        Some(own as u8)
    }

    /// The enemies with this name.
    pub(super) fn target(&mut self, name: &Name) -> Aim {
        let owner = self.owner;
        let called = self.called(&name.text);
        let enemies = called & self.targets(Recipient::Enemy);
        if enemies == 0 && !self.is_absent(name) {
            let opponents = owner.candidates.iter().filter(|one| one.side != owner.side);
            let problem = if called == 0 {
                let words = TARGETS.iter().map(|target| target.0);
                let moves = self.moves;
                let is_number = |known: &VariableRow| moves && known.unit.is_some();
                let numbers: Vec<&str> = fact_words(Clocks::only(owner.clock), is_number).collect();
                let candidates = opponents
                    .flat_map(|candidate| [candidate.group, candidate.name])
                    .chain(words.chain(["with", "to", "if", "until"]))
                    .chain(numbers);
                let known = |word: &str| TARGETS.iter().any(|(target, ..)| *target == word);
                match synonym(&name.text, Clocks::only(owner.clock), known) {
                    Some(word) => Diagnostic::error(
                        name.spot,
                        format!("no combatant is called \"{}\"", name.text),
                        format!("`{}` is called `{word}` here", name.text),
                    )
                    .meaning(name.spot, word),
                    None => nobody(name, candidates, "expected a target"),
                }
            } else {
                let label = format!(
                    "on \"{}\", the side of \"{}\" itself",
                    owner.side, owner.name
                );
                Diagnostic::error(name.spot, format!("\"{}\" is no enemy", name.text), label)
            };
            self.problems.push(problem.help(format!(
                "a target is `nearest`, `weakest`, `strongest`, `casting` or the name of an enemy: {}",
                self.groups(|candidate| candidate.side != owner.side)
            )));
        }
        Aim::Named(enemies)
    }
}

fn nobody<'a>(
    name: &Name,
    candidates: impl IntoIterator<Item = &'a str>,
    expected: &str,
) -> Diagnostic {
    let label = names::suggest(&name.text, candidates, '`');
    Diagnostic::error(
        name.spot,
        format!("no combatant is called \"{}\"", name.text),
        label.unwrap_or_else(|| expected.to_owned()),
    )
}

/// The index of a piece of gear among those of its owner.
pub(super) fn find(
    thing: Thing,
    name: &Name,
    owner: &Owner<'_>,
    problems: &mut Vec<Diagnostic>,
) -> Option<usize> {
    let (what, article) = match thing {
        Thing::Weapon => ("weapon", "a"),
        Thing::Spell => ("spell", "a"),
        Thing::Item => ("item", "an"),
        Thing::Limited => ("item or weapon with `uses`", "an"),
        Thing::Task => ("task", "a"),
        Thing::Condition => ("condition", "a"),
        Thing::Resource => ("resource", "a"),
        Thing::Turn => ("kind of turn", "a"),
    };
    let all = owner.names(thing);
    let index = all.iter().position(|known| *known == name.text);
    if index.is_none() {
        let label = match names::suggest(&name.text, all.iter().copied(), '`') {
            Some(suggestion) => suggestion,
            None if all.is_empty() && matches!(thing, Thing::Condition) => {
                "the file defines no conditions".to_owned()
            }
            None if matches!(thing, Thing::Condition) => {
                format!(
                    "the file defines {}",
                    names::list(all.iter().copied(), "and")
                )
            }
            None if matches!(thing, Thing::Resource) => {
                format!("a turn holds {}", names::list(all.iter().copied(), "and"))
            }
            None if matches!(thing, Thing::Turn) => {
                format!("expected {}", names::list(all.iter().copied(), "or"))
            }
            None if all.is_empty() => match thing {
                Thing::Limited => format!("\"{}\" has none with `uses`", owner.name),
                _ => format!("\"{}\" has no {what}s", owner.name),
            },
            None => format!(
                "\"{}\" has {}",
                owner.name,
                names::list(all.iter().copied(), "and")
            ),
        };
        let title = format!("no {what} called \"{}\" is at hand", name.text);
        let begins = |one: &&&str| {
            let rest = one.strip_prefix(name.text.as_str());
            rest.is_some_and(|rest| rest.starts_with(' '))
        };
        let help = match thing {
            _ if let Some(whole) = all.iter().find(begins) => {
                format!("a name with a blank is written in quotes: `'{whole}'`")
            }
            Thing::Resource => {
                "the resources of a turn stand in `[clock.budget]`, as `reaction = 1`; `for NAME` says which one a reaction takes".to_owned()
            }
            Thing::Turn => "the kinds of turn stand in `declare` of `[clock]`".to_owned(),
            Thing::Condition => "conditions are defined in tables `[conditions.NAME]`".to_owned(),
            Thing::Limited => {
                "`uses` asks for an item or a weapon with `uses` of the combatant".to_owned()
            }
            _ => format!(
                "a policy can only name {article} {what} that is in the combatant's `{what}s`"
            ),
        };
        problems.push(Diagnostic::error(name.spot, title, label).help(help));
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
