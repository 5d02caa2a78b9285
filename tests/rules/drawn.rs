//! Rolls with totals drawn from tables: the dice shown for them, and the rolls that are made die by die.

use super::watched::violations;
use crate::support::fights::load;
use skirmish::chance::Purpose;
use skirmish::fight::system::Clock;
use skirmish::sim::events::{AttackKind, Moment};
use skirmish::sim::{Event, Observer};
use std::cell::Cell;

/// An archer that moves and makes Desperate Shots, and an ogre with two ranks of dice.
const FIGHT: &str = r#"
format = 1
system = "tara-corax"
[encounter]
max_rounds = 20
[weapons.bow]
kind = "ranged"
range = 60
attacks = 3
check = { dice = "2d10", bonus = 9 }
damage = "3d6+1"
[weapons.club]
kind = "melee"
attacks = 2
check = { dice = "3d6", bonus = 8 }
damage = "4d6kh3"
[[combatants]]
name = "archer"
side = "a"
position = 0
attributes = { agility = 16, intellect = 14 }
move = 15
evade = 18
health = 60
weapons = ["bow"]
policy = ["retreat 1 if not acted", "desperate", "attack"]
[[combatants]]
name = "ogre"
side = "b"
position = 20
attributes = { agility = 11, intellect = 9 }
move = 12
evade = 20
health = 60
weapons = ["club"]
policy = ["attack", "advance"]
"#;

/// Compares the dice shown with the totals of events.
#[derive(Default)]
struct Shown {
    /// Faces of checks and of damage since the last event that used them.
    check: Vec<u32>,
    damage: Vec<u32>,
    wrong: Vec<String>,
    desperate_hits: u32,
    spoiled: u32,
}

impl Observer for Shown {
    fn event(&mut self, _: Moment, event: Event) {
        match event {
            Event::Attack {
                who,
                kind,
                total,
                needed,
                hit,
                ..
            } => {
                let dice = std::mem::take(&mut self.check);
                let (count, bonus) = if who == 0 { (2, 9) } else { (3, 8) };
                let sum = i64::from(dice.iter().sum::<u32>()) + bonus;
                if dice.len() != count || sum != total {
                    self.wrong.push(format!("{dice:?} for a check of {total}"));
                }
                let low = dice.iter().any(|face| *face <= 5);
                if kind == AttackKind::Desperate {
                    self.desperate_hits += u32::from(hit);
                    self.spoiled += u32::from(low && total >= needed);
                    if hit != (total >= needed && !low) {
                        self.wrong.push(format!("{dice:?} hits: {hit}"));
                    }
                } else if hit != (total >= needed) {
                    self.wrong.push(format!("{total} hits {needed}: {hit}"));
                }
            }
            Event::Damage { who, rolled, .. } => {
                let mut dice = std::mem::take(&mut self.damage);
                let sum = if who == 0 {
                    dice.iter().sum::<u32>() + 1
                } else {
                    dice.sort_unstable();
                    dice.iter().skip(1).sum::<u32>()
                };
                let count = if who == 0 { 3 } else { 4 };
                if dice.len() != count || i64::from(sum) != rolled {
                    self.wrong.push(format!("{dice:?} for damage of {rolled}"));
                }
            }
            _ => {}
        }
    }

    fn die(&mut self, _: usize, purpose: Purpose, _: u32, face: u32) {
        match purpose {
            Purpose::Check => self.check.push(face),
            Purpose::Damage => self.damage.push(face),
            _ => {}
        }
    }
}

/// A trace plays the encounter of a run, and shows dice that add up to each total. A Desperate Shot is rolled die by
/// die, and a natural 5 or less spoils it (TC-11).
#[test]
fn traces_show_dice_that_come_to_what_was_drawn() {
    let scenario = load(FIGHT);
    let (hits, spoiled) = (Cell::new(0), Cell::new(0));
    let found = violations(
        &scenario,
        Clock::Marks,
        (7, 150),
        |_| Shown::default(),
        |shown, _| {
            hits.set(hits.get() + shown.desperate_hits);
            spoiled.set(spoiled.get() + shown.spoiled);
            shown.wrong
        },
    );
    assert_eq!(found, None);
    assert!(
        hits.get() > 20 && spoiled.get() > 20,
        "{hits:?} {spoiled:?}"
    );
}
