//! The forms of actions: for each action its word, its slots in the order in which they are written, the occasion on
//! which its line is asked, and what it becomes for one combatant. The parser and the printer go through the slots.

use super::ast::{Action as Written, Reference};
use super::resolve::{Resolver, Thing};
use crate::fight::WeaponKind;
use crate::fight::effect::Recipient;
use crate::fight::program::{Action, Aim, Condition, Feat, Leaving, Readied, Window};

/// A part of an action after its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// `[TARGET]`
    Target,
    /// `[with WEAPON]`
    With,
    /// A name that must stand there, and the kind of thing that it names.
    Name(&'static str),
    /// `[WEAPON]`; on the clock of Marks it must stand there.
    Drawn,
    /// `[MODE]`, where the clock knows modes (MA-4).
    Mode,
    /// `[N]` of a move.
    Units,
    /// `[to D]`
    To,
    /// One of two words that must stand there.
    Choice(&'static str, &'static str),
    /// `[until CONDITION]`
    Until,
    /// `K` Marks (TC-23).
    Marks,
    /// `[yield [N]]` (CD-2).
    Yield,
    /// A word that must stand there.
    Word(&'static str),
    /// `ACTION when TRIGGER` (CD-3).
    Readied,
    /// `[for RESOURCE]`
    For,
    /// An action, or the name of a kind of turn.
    Declared,
}

/// The form of an action.
#[derive(Debug)]
pub struct Form {
    /// The word with which it begins.
    pub word: &'static str,
    /// What follows, in order.
    pub slots: &'static [Slot],
    /// The occasion on which its lines are asked.
    pub(super) window: Window,
    /// Compiles it for a combatant.
    pub(super) resolve: fn(&mut Resolver<'_>, &Written) -> Action,
}

impl PartialEq for Form {
    fn eq(&self, other: &Self) -> bool {
        (self.word, self.slots) == (other.word, other.slots)
    }
}

impl Eq for Form {}

const fn form(
    word: &'static str,
    slots: &'static [Slot],
    resolve: fn(&mut Resolver<'_>, &Written) -> Action,
) -> Form {
    Form {
        word,
        slots,
        window: Window::Free,
        resolve,
    }
}

/// The forms of all actions. `delay` has three: for the Score (TC-4), for the turn (CD-2) and for the action (EP-6).
pub static FORMS: &[Form] = &[
    form(
        "attack",
        &[Slot::Target, Slot::With],
        |resolver, written| Action::Attack(resolver.weapon(written, None)),
    ),
    form(
        "desperate",
        &[Slot::Target, Slot::With],
        |resolver, written| Action::Desperate(resolver.weapon(written, Some(WeaponKind::Ranged))),
    ),
    form(
        "charge",
        &[Slot::Target, Slot::With],
        |resolver, written| {
            if !resolver.owner.has(|traits| traits.charges) {
                resolver.lacks(
                written.spot,
                "`charge` needs a charging ability",
                "none of the three charges",
                "give it `abilities = [\"frenzied-charge\"]`, `\"mounted-charge\"` or `\"lansing-charge\"`",
            );
            }
            Action::Charge(resolver.weapon(written, Some(WeaponKind::Melee)))
        },
    ),
    form("set", &[], |_, _| Action::Set),
    form(
        "advance",
        &[Slot::Mode, Slot::Units, Slot::To, Slot::Target],
        |resolver, written| Action::Advance(resolver.step(written)),
    ),
    form(
        "retreat",
        &[Slot::Mode, Slot::Units, Slot::To, Slot::Target],
        |resolver, written| Action::Retreat(resolver.step(written)),
    ),
    form(
        "cast",
        &[Slot::Name("a spell"), Slot::Target],
        |resolver, written| Action::Cast(resolver.spell(written, false)),
    ),
    form(
        "channel",
        &[Slot::Name("a spell"), Slot::Target, Slot::Until],
        |resolver, written| Action::Channel {
            spell: resolver.spell(written, true),
            until: (written.until.as_ref()).map(|until| resolver.condition(until)),
        },
    ),
    Form {
        window: Window::Casting,
        ..form(
            "combat_cast",
            &[Slot::Choice("advance", "retreat"), Slot::Target],
            |resolver, written| {
                if !resolver.owner.has(|traits| traits.combat_casting.is_some()) {
                    resolver.lacks(
                        written.spot,
                        "`combat_cast` needs the Combat Casting skill",
                        "no `combat_casting`",
                        "give it `combat_casting = { check = \"1d10+5\", target = 2, units_per = 3 }`",
                    );
                }
                Action::CombatCast {
                    advance: written.first,
                }
            },
        )
    },
    form("car", &[Slot::Target], |resolver, written| {
        if !resolver.owner.has(|traits| traits.car.is_some()) {
            resolver.lacks(
                written.spot,
                "`car` needs a Combat Action Radius",
                "no `car`",
                "give it a radius in Units: `car = 10`",
            );
        }
        resolver.needs_weapon(written, Some(WeaponKind::Melee));
        Action::Car
    }),
    form(
        "use",
        &[Slot::Name("an item"), Slot::Target],
        |resolver, written| Action::Use(resolver.index(Thing::Item, written)),
    ),
    form("draw", &[Slot::Drawn], |resolver, written| {
        if written.name.is_some() {
            return Action::Draw(Some(resolver.index(Thing::Weapon, written)));
        }
        resolver.needs_weapon(written, None);
        Action::Draw(None)
    }),
    form("sheathe", &[Slot::Name("a weapon")], |resolver, written| {
        Action::Sheathe(resolver.index(Thing::Weapon, written))
    }),
    form("stand", &[], |_, _| Action::Stand),
    form("wait", &[Slot::Marks], |resolver, written| {
        resolver.may_wait(written);
        Action::Wait(u8::try_from(written.number).unwrap_or(u8::MAX))
    }),
    Form {
        window: Window::Score,
        ..form("delay", &[Slot::Choice("up", "down")], |_, written| {
            Action::Delay { up: written.first }
        })
    },
    form("delay", &[Slot::Yield, Slot::Until], |resolver, written| {
        let until = written.until.as_ref();
        Action::Await {
            yields: written.number as u8,
            until: until.map_or_else(Condition::default, |until| resolver.until(until)),
        }
    }),
    form("delay", &[], |_, _| Action::PutOff),
    form("ready", &[Slot::Readied], readied),
    Form {
        window: Window::React,
        ..form("react", &[Slot::Readied, Slot::For], readied)
    },
    Form {
        window: Window::Triggered,
        ..form("cancel", &[], |_, _| Action::Cancel)
    },
    form(
        "task",
        &[Slot::Name("a task"), Slot::Target],
        |resolver, written| Action::Task(resolver.index(Thing::Task, written)),
    ),
    Form {
        window: Window::PhaseBegins,
        ..form("spend", &[Slot::Word("moxie")], |resolver, written| {
            // A combatant with 0 points keeps the line: a sweep may begin there.
            let traits = resolver.owner.traits.phases();
            if traits.is_some_and(|traits| traits.moxie.is_none()) {
                resolver.lacks(
                    written.spot,
                    "`spend moxie` needs Moxie",
                    "no `moxie`",
                    "give it points of Moxie: `moxie = 3`",
                );
            }
            Action::SpendMoxie
        })
    },
    Form {
        window: Window::Delayed,
        ..form("interrupt", &[], |_, _| Action::Interrupt)
    },
    Form {
        window: Window::PhaseEnds,
        ..form("hold", &[], |_, _| Action::Hold)
    },
    Form {
        window: Window::Pick,
        ..form("pick", &[Slot::Target], |_, _| Action::Pick)
    },
    Form {
        window: Window::Seize,
        ..form("seize", &[Slot::For], |resolver, written| {
            let name = written.name.as_ref();
            let own = name.and_then(|name| resolver.own_trait(name));
            Action::Seize(own.map(|own| (own, 1)).into_iter().collect())
        })
    },
    Form {
        window: Window::Declare,
        ..form("declare", &[Slot::Declared], declared)
    },
    Form {
        window: Window::Swap,
        ..form("swap", &[Slot::Target], |_, _| Action::Swap)
    },
    form("flee", &[Slot::Mode], |resolver, written| {
        if !resolver.owner.has_borders {
            let title = "`flee` needs a border to flee over";
            let label = "the line of this encounter has no ends, and no exits";
            resolver.error(written.spot, title, label, "give it ends, `arena = [-20, 20]`, or `exits = [40]` in `[encounter]`; or `retreat`, with an `ends_when` for those who get away (W-10)");
        }
        Action::Retreat(resolver.step(written))
    }),
    form("surrender", &[], |_, _| Action::Leave(Leaving::Surrenders)),
    form("pass", &[], |_, _| Action::Pass),
];

/// Compiles what `declare` names: a kind of turn or an action.
fn declared(resolver: &mut Resolver<'_>, written: &Written) -> Action {
    resolver.may_declare(written);
    let Some(declared) = written.declared.as_deref() else {
        return Action::DeclareTurn(resolver.index(Thing::Turn, written));
    };
    let action = resolver.action(declared);
    let aim = resolver.aim(&action, declared);
    Action::Declare(Box::new(Feat { action, aim }))
}

/// Compiles `ACTION when TRIGGER` (CD-3).
fn readied(resolver: &mut Resolver<'_>, written: &Written) -> Action {
    let Some((readied, trigger)) = written.readied.as_deref() else {
        return Action::Pass;
    };
    let action = resolver.action(readied);
    let recipient = resolver.owner.recipient(&action);
    let mut aim = resolver.aim(&action, readied);
    let targets = resolver.targets(recipient);
    let otherwise = (readied.target.is_none() && recipient != Recipient::Own)
        .then(|| std::mem::replace(&mut aim, Aim::Trigger));
    let by = resolver.triggered_by(trigger);
    if readied.target == Some(Reference::Word(Aim::Trigger)) {
        resolver.may_be_target(by, targets, trigger);
    }
    Action::Ready(Box::new(Readied {
        feat: Feat { action, aim },
        targets,
        otherwise,
        by,
        when: trigger.when,
        resource: if written.form.window == Window::React {
            resolver.resource(written)
        } else {
            0
        },
    }))
}
