//! Traces of turns: the dice of pools drawn from tables, and the reasons why lines were not taken.

use super::stage::{DUMMY, one, scenario};
use crate::support::fights::{heard, player, variant};
use skirmish::chance::Purpose::{self, Check, Damage, Other};
use skirmish::output::story::{StoryEvent, StoryOptions};
use skirmish::run::Play;
use skirmish::scenario::Variant;
use skirmish::sim::{Event, Record};

/// Returns a duel of two combatants that strike with pools, roll damage and soak it.
fn duel() -> Variant {
    let fighter = |name: &str, pool: u32| {
        let rest = format!("soak = {{ pool = 3 }}\nweapons = [\"{name}\"]\npolicy = [\"attack\"]");
        let weapon = format!(
            "[weapons.{name}]\nkind = \"melee\"\ncheck = {{ pool = {pool}, difficulty = 7 }}\n\
             damage = {{ pool = 2 }}\n"
        );
        (weapon, one(&format!("{name} 0 3 3 2"), &rest))
    };
    let ((sword, left), (axe, right)) = (fighter("sword", 6), fighter("axe", 9));
    variant(&scenario(&[&sword, &axe, &left, &right]))
}

/// Returns the faces of an event's dice for one purpose.
fn faces(told: &StoryEvent, purpose: Purpose) -> Vec<u32> {
    let of_purpose = told.dice.iter().filter(|die| die.purpose == purpose);
    of_purpose.map(|die| die.face).collect()
}

/// Returns successes less 1s (MD-1, MD-2).
fn net(faces: &[u32], difficulty: u32) -> i64 {
    let count = |such: &dyn Fn(u32) -> bool| faces.iter().filter(|face| such(**face)).count();
    count(&|face| face >= difficulty) as i64 - count(&|face| face == 1) as i64
}

#[test]
fn a_trace_shows_dice_that_come_to_what_was_drawn() {
    let variant = duel();
    let (mut attacks, mut wounds) = (0, 0);
    for encounter in 0..200 {
        for told in &heard(&variant, encounter).0.events {
            match told.event {
                Event::Attack { who, total, .. } => {
                    let dice = faces(told, Check);
                    assert_eq!(net(&dice, 7), total, "{told:?}");
                    let tens = dice.iter().filter(|face| **face == 10).count();
                    // Each 10 gives one more die; wounds remove some.
                    assert!(dice.len() <= [6, 9][who] + tens, "{told:?}");
                    attacks += 1;
                }
                Event::Damage { rolled, .. } => {
                    assert_eq!(net(&faces(told, Damage), 6).max(0), rolled, "{told:?}");
                    assert!(faces(told, Other).len() >= 3, "{told:?}");
                    wounds += 1;
                }
                _ => {}
            }
        }
    }
    assert!(attacks > 400 && wounds > 200, "{attacks} {wounds}");
}

#[test]
fn the_dice_that_a_trace_shows_are_fair() {
    let variant = duel();
    let mut counts = [0_u32; 10];
    for encounter in 0..2000 {
        for told in &heard(&variant, encounter).0.events {
            if let (Event::Attack { .. }, Some(face)) = (told.event, faces(told, Check).first()) {
                counts[*face as usize - 1] += 1;
            }
        }
    }
    let expected = f64::from(counts.iter().sum::<u32>()) / 10.0;
    let of = |count: u32| (f64::from(count) - expected).powi(2) / expected;
    let chi_squared: f64 = counts.into_iter().map(of).sum();
    // The value is exceeded once in a million with 9 degrees of freedom.
    assert!(chi_squared < 44.81, "{chi_squared}: {counts:?}");
}

#[test]
fn a_trace_of_an_encounter_shows_the_same_dice_every_time_and_changes_nothing() {
    let variant = duel();
    let player = player(&variant, 1);
    let (mut table, mut unheard) = (player.state(), Record::default());
    for encounter in 0..50 {
        let (story, record) = heard(&variant, encounter);
        assert_eq!(story, heard(&variant, encounter).0);
        player.play(&mut table, encounter, &mut unheard);
        assert_eq!(record, unheard);
    }
}

#[test]
fn w_4_where_nobody_casts_a_trace_says_so() {
    let rest = "weapons = [\"sling\"]\npolicy = [\"attack casting\", \"attack far\", \"pass\"]";
    let variant = variant(&scenario(&[
        "[weapons.sling]\nkind = \"ranged\"\nrange = 5\ncheck = { pool = 2 }\ndamage = 1\n",
        &one("hero 0 3 3 2", rest),
        &DUMMY.replace("dummy\"", "far\"").replace("= 0", "= 9"),
    ]));
    let (story, record) = heard(&variant, 0);
    let text = story.text(
        &variant.fight,
        &record,
        StoryOptions {
            why: true,
            ..StoryOptions::default()
        },
    );
    assert!(
        text.contains("not `attack casting`: no enemy is casting"),
        "{text}"
    );
    assert!(
        text.contains("not `attack far`: no enemy it can reach"),
        "{text}"
    );
}
