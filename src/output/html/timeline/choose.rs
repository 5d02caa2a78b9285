//! Chooses instructive encounters of a run. A tally keeps the first encounter of each value.

use super::{ObservedEncounter, Picture};
use crate::fight::Ending;
use crate::fight::Fight;
use crate::output::html::Figure;
use crate::output::story::Story;
use crate::report::number::plural;
use crate::run::{Play, Player};
use crate::sim::Record;
use crate::stats::quantile::quantile;
use crate::systems::Rules;
use crate::tally::{Tally, metrics};

/// The most encounters that are tried to find one that the side has won.
const TRIED: usize = 64;

/// An encounter that is worth a look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its number.
    pub encounter: u64,
    /// Its title: `A typical encounter`.
    pub title: String,
    /// The reason for the choice: `the median: 9 Rounds, encounter 17`.
    pub why: String,
}

/// Returns the typical, the quickest, the longest and the most lopsided of the counted encounters. An encounter that is
/// several of these is returned once.
pub fn choose(tally: &Tally, fight: &Fight, player: &Player) -> Vec<Choice> {
    if tally.encounters() == 0 {
        return Vec::new();
    }
    let mut choices: Vec<Choice> = Vec::new();
    let mut add = |title: &str, encounter: u64, why: String| {
        let mut others = choices.iter_mut();
        match others.find(|other| other.encounter == encounter) {
            Some(other) => {
                other.title = format!("{}, {}", other.title, title.to_lowercase());
                other.why = format!("{}; {why}", other.why);
            }
            None => choices.push(Choice {
                encounter,
                title: title.to_owned(),
                why: format!("{why}, encounter {encounter}"),
            }),
        }
    };
    if let Some(length) = tally.metric(tally.system().length) {
        let distribution = tally.distribution(length, 0);
        for (title, which, percent) in [
            ("A typical encounter", "the median", 50),
            ("The quickest encounter", "the shortest", 0),
            ("The longest encounter", "the longest", 100),
        ] {
            let point = quantile(&distribution, percent);
            if let Some(encounter) = point.encounter {
                // The unit in the words of the system: `Rounds`, `Turns`, `Marks`.
                let word = if length.name == metrics::ROUNDS {
                    fight.system.words.round
                } else {
                    length.unit.trim_end_matches('s')
                };
                let plural = plural(point.value.into());
                let why = format!("{which}: {} {word}{plural}", point.value);
                add(title, encounter, why);
            }
        }
    }
    if let Some((encounter, why)) = most_lopsided(tally, fight, player) {
        add("The most lopsided encounter", encounter, why);
    }
    choices
}

/// Returns the encounter that left its winners the greatest share of their health.
fn most_lopsided(tally: &Tally, fight: &Fight, player: &Player) -> Option<(u64, String)> {
    let metric = tally.metric(metrics::HEALTH_LEFT)?;
    let mut candidates = Vec::new();
    for side in 0..fight.sides.len() {
        let members = fight.combatants.iter().filter(|member| member.side == side);
        let whole: u64 = members.map(|member| member.health.max(0) as u64).sum();
        for entry in tally.distribution(metric, side).entries() {
            candidates.extend(entry.first.map(|first| Lopsided {
                left: entry.value.into(),
                whole,
                side,
                encounter: first,
            }));
        }
    }
    candidates.sort_by(|first, second| {
        // Products of whole numbers compare exactly, unlike quotients.
        let share = (second.left * first.whole).cmp(&(first.left * second.whole));
        share.then(first.side.cmp(&second.side))
    });
    let mut table = player.state();
    let mut record = Record::default();
    let won = candidates.into_iter().take(TRIED).find(|candidate| {
        player.play(&mut table, candidate.encounter, &mut record);
        record.ending == Ending::Win(candidate.side as u8)
    })?;
    let Lopsided { left, whole, .. } = won;
    let name = &fight.sides[won.side];
    let why = format!("{name} win with {left} of {whole} health left");
    Some((won.encounter, why))
}

/// The first encounter that left a side this health of its whole health.
struct Lopsided {
    left: u64,
    whole: u64,
    side: usize,
    encounter: u64,
}

/// The most bytes of one of several pictures on a page.
const BUDGET: usize = 25_000;

/// The fewest bytes for which a picture with its story is worthwhile.
const LEAST: usize = 30_000;

/// The bytes of a figure besides picture and story.
const FRAME: usize = 2_500;

/// Pictures of encounters, and the encounters that did not fit.
#[derive(Debug, Default)]
pub struct Shown {
    /// The pictures.
    pub figures: Vec<Figure>,
    /// The encounters that did not fit.
    pub left_out: Vec<Choice>,
}

/// Draws pictures of the chosen encounters of a variant, each with the reason for its choice, using at most `room`
/// bytes for all of them. Every id begins with `prefix`: lower-case letters, digits and `-`. `play` plays an encounter.
pub fn figures(
    prefix: &str,
    (fight, rules): (&Fight, &Rules),
    choices: &[Choice],
    mut room: usize,
    play: &mut dyn FnMut(&Choice) -> (Story, Record),
) -> Shown {
    let mut shown = Shown::default();
    for (index, choice) in choices.iter().enumerate() {
        // Bytes that a picture does not use are left for the next ones.
        let share = (room / (choices.len() - index)).max(LEAST).min(room);
        let (story, record) = play(choice);
        let picture = Picture::new(ObservedEncounter {
            fight,
            rules,
            story: &story,
            record: &record,
            why: false,
        })
        .within(BUDGET.min(share / 2));
        let id = format!("{prefix}encounter-{}", choice.encounter);
        let description = format!("Chosen because: {}. {}", choice.why, picture.outcome());
        let mut figure = picture.figure(id, choice.title.clone(), description);
        figure.folded = Some(format!("{}. {}", choice.why, picture.ending()));
        let drawn = figure.svg.as_str().len() + FRAME;
        if share < LEAST || drawn > share {
            shown.left_out.push(choice.clone());
            continue;
        }
        let story = shorten(&mut figure, share - drawn, fight.system.words.round);
        room = room.saturating_sub(drawn + story);
        shown.figures.push(figure);
    }
    shown
}

/// Cuts the story below a picture to about `room` bytes. Returns the bytes that it takes.
fn shorten(figure: &mut Figure, room: usize, round: &str) -> usize {
    let table = &mut figure.table;
    let (all, bytes) = (table.rows.len(), table.bytes());
    if bytes <= room {
        return bytes;
    }
    let some = all * room / bytes;
    table.rows.truncate(some);
    let note = format!(
        "The first {some} of {all} lines of the story are below; `skirmish trace` tells them all."
    );
    // The note of the picture says that the table has all Rounds.
    figure.note = Some(match figure.note.take() {
        Some(_) => format!("The picture leaves out {round}s. {note}"),
        None => note,
    });
    figure.table.bytes()
}
