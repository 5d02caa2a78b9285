//! Magick in a fight (MD-5 to MD-7).

use super::stage::{DUMMY, one, scenario};
use crate::support::fights::{player, variant};
use skirmish::run::Play;
use skirmish::sim::Record;

const FIRE: &str = "[spells.fire]\nsphere = 3\nrequired = 2\nrange = 5\ndamage = 3\n";
const CASTS: &str = "arete = 4\nspells = [\"fire\"]\npolicy = [\"cast fire\"]";

#[test]
fn md_5_sleepers_come_by_as_often_as_the_chance_says() {
    // One turn each: 4 Paradox if Sleepers watch, 3 if not.
    let text = scenario(&[
        &FIRE.replace("sphere", "vulgar = true\nsphere"),
        "[encounter]\nmax_rounds = 1\nsleepers = 0.25\n",
        &one("James 0 2 3 3", CASTS),
        &DUMMY.replace("= 0", "= 2"),
    ]);
    let player = player(&variant(&text), 7);
    let (mut state, mut record) = (player.state(), Record::default());
    let (mut seen, played) = (0.0, 20_000_u32);
    player.play_all(&mut state, 0..played.into(), &mut record, |_, record| {
        let paradox = record.combatants[0].paradox;
        assert!(paradox == 3 || paradox == 4, "{paradox}");
        seen += f64::from(paradox - 3);
    });
    let played = f64::from(played);
    let (watched, alone) = (0.25 * played, 0.75 * played);
    let chi_squared = (seen - watched).powi(2) / watched + (seen - watched).powi(2) / alone;
    // The critical value for one degree of freedom at 0.1 per cent.
    assert!(chi_squared < 10.83, "{seen} of {played}: {chi_squared}");
}
