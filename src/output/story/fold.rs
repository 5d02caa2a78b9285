//! Folds a story into fewer lines: each walk becomes one line, and so do deeds that a combatant repeats, deeds that
//! several combatants do at the same time, and the initiative of many.

use super::Story;
use super::lines::{Content, Line};
use super::writer::SentenceWriter;
use crate::fight::system::Clock;
use crate::sim::{Event, Moment};
use std::mem;

/// A walk or a repeated deed of one combatant.
struct Run {
    /// Lines of the decision before the first deed.
    decision: Vec<usize>,
    /// The line of the first deed, which remains.
    first: usize,
    last: usize,
    times: u32,
}

/// Folds lines. A deed joins the previous deed of the same combatant in the same Round if it is the next step of a
/// walk, or the same deed without dice. The decisions before the two deeds must be the same, too. In between others may
/// do the same, and anything at other moments.
pub(super) fn fold(story: &Story, writer: &SentenceWriter<'_>, mut lines: Vec<Line>) -> Vec<Line> {
    let combatants = writer.fight.combatants.len();
    let mut runs: Vec<Run> = Vec::new();
    // For each combatant, its present run, and the lines of a decision whose deed has not followed yet.
    let mut present: Vec<Option<usize>> = vec![None; combatants];
    let mut pending: Vec<Vec<usize>> = vec![Vec::new(); combatants];
    let mut is_kept = vec![true; lines.len()];
    for (at, line) in lines.iter().enumerate() {
        let Content::Deed { who: Some(who), .. } = line.content else {
            if !matches!(line.content, Content::Order(_)) {
                present.fill(None);
                pending.fill(Vec::new());
            }
            continue;
        };
        if is_choice(&story.events[line.event].event) {
            pending[who].push(at);
            continue;
        }
        let decision = mem::take(&mut pending[who]);
        let run = present[who].map(|run| &mut runs[run]).filter(|run| {
            goes_on(story, &lines[run.last], line)
                && !is_interrupted(story, &lines[run.last..=at])
                && (decision.is_empty() || alike(&lines, &decision, &run.decision))
        });
        if let Some(run) = run {
            for folded in decision.into_iter().chain([at]) {
                is_kept[folded] = false;
            }
            run.last = at;
            run.times += 1;
        } else {
            present[who] = Some(runs.len());
            runs.push(Run {
                decision,
                first: at,
                last: at,
                times: 1,
            });
        }
    }
    let repetitions = runs.iter().filter(|run| run.times > 1);
    let sentences: Vec<(usize, String)> = repetitions
        .map(|run| (run.first, repeated(story, writer, &lines, run)))
        .collect();
    for (at, repeated) in sentences {
        if let Content::Deed { sentence, .. } = &mut lines[at].content {
            *sentence = repeated;
        }
    }
    let mut is_kept = is_kept.into_iter();
    lines.retain(|_| is_kept.next().unwrap_or_default());
    // Initiatives are gathered first: a joined line has one number, and the other names do not belong to its event.
    join(story, writer, gather(story, writer, &lines))
}

/// More initiatives than this are gathered in one line, without their dice.
const FEW: usize = 4;

/// Gathers consecutive initiatives in one line if there are many.
fn gather(story: &Story, writer: &SentenceWriter<'_>, lines: &[Line]) -> Vec<Line> {
    let rolled = |line: &Line| {
        let (word, who, number) = match story.events[line.event].event {
            Event::Score {
                who,
                score,
                owed: 0,
                shared: false,
                sum,
            } => ("Score", who, writer.rolled(&sum, score.into())),
            Event::Initiative {
                who,
                total,
                shared: false,
                sum,
            } => ("initiative", who, writer.rolled(&sum, total.into())),
            _ => return None,
        };
        Some((word, format!("{}: {number}", writer.name(who))))
    };
    let mut gathered: Vec<Line> = Vec::with_capacity(lines.len());
    for together in lines.chunk_by(|line, next| rolled(line).is_some() && rolled(next).is_some()) {
        let numbers: Vec<(&str, String)> = together.iter().filter_map(rolled).collect();
        if numbers.len() <= FEW {
            gathered.extend_from_slice(together);
            continue;
        }
        let (words, numbers): (Vec<&str>, Vec<String>) = numbers.into_iter().unzip();
        gathered.push(Line {
            content: Content::Deed {
                who: None,
                sentence: format!("{}: {}", words[0], numbers.join(", ")),
                dice: String::new(),
            },
            ..together[0].clone()
        });
    }
    gathered
}

/// Joins consecutive lines that say the same about several combatants.
fn join(story: &Story, writer: &SentenceWriter<'_>, lines: Vec<Line>) -> Vec<Line> {
    let mut joined: Vec<(Line, Vec<&str>)> = Vec::with_capacity(lines.len());
    for line in lines {
        let is_rejected = matches!(story.events[line.event].event, Event::Rejected { .. });
        match joined.last_mut() {
            Some((before, others)) if !is_rejected && let Some(who) = also(before, &line) => {
                others.push(writer.name(who));
            }
            _ => joined.push((line, Vec::new())),
        }
    }
    for (line, others) in &mut joined {
        if let Content::Deed { dice, .. } = &mut line.content
            && !others.is_empty()
        {
            *dice = format!("and {}", others.join(", "));
        }
    }
    joined.into_iter().map(|(line, _)| line).collect()
}

/// Returns the combatant of `line` if it does the same as the combatant of `before`, at the same moment and without
/// dice.
fn also(before: &Line, line: &Line) -> Option<usize> {
    fn deed(line: &Line) -> Option<(usize, (&str, Moment, usize))> {
        match &line.content {
            Content::Deed {
                who: Some(who),
                sentence,
                dice,
            } if dice.is_empty() => Some((*who, (sentence, line.moment, line.depth))),
            _ => None,
        }
    }
    let ((first, what), (who, same)) = (deed(before)?, deed(line)?);
    (first != who && what == same).then_some(who)
}

/// Whether a deed is the next step of the walk in the previous line, or repeats the deed of that line.
fn goes_on(story: &Story, before: &Line, line: &Line) -> bool {
    let [last, next] = [before, line].map(|line| &story.events[line.event]);
    if before.depth != line.depth || !last.dice.is_empty() || !next.dice.is_empty() {
        return false;
    }
    match (last.event, next.event) {
        (
            Event::Step { from, to, kind, .. },
            Event::Step {
                from: next_from,
                to: next_to,
                kind: next_kind,
                ..
            },
        ) => to == next_from && kind == next_kind && (from < to) == (next_from < next_to),
        (last, next) => last == next,
    }
}

/// Whether another combatant does something else between the first and the last of these lines, all of one moment.
fn is_interrupted(story: &Story, lines: &[Line]) -> bool {
    let [first, between @ .., last] = lines else {
        return false;
    };
    let event = |line: &Line| story.events[line.event].event;
    let deed = mem::discriminant(&event(first));
    let is_other = |event: Event| !is_choice(&event) && mem::discriminant(&event) != deed;
    first.moment == last.moment && between.iter().map(event).any(is_other)
}

/// Whether two decisions have the same text.
fn alike(lines: &[Line], first: &[usize], second: &[usize]) -> bool {
    let content = |at: &usize| &lines[*at].content;
    first.iter().map(content).eq(second.iter().map(content))
}

/// Returns the sentence of a repeated deed.
fn repeated(story: &Story, writer: &SentenceWriter<'_>, lines: &[Line], run: &Run) -> String {
    let [first, last] = [run.first, run.last].map(|at| &lines[at]);
    let event = |line: &Line| story.events[line.event].event;
    let mut deed = event(first);
    let mut times = Some(format!("{} times", run.times));
    if let (Event::Step { to, .. }, Event::Step { to: end, .. }) = (&mut deed, event(last)) {
        *to = end;
        times = None;
    }
    let sentence = writer.sentence(&deed);
    let is_long = writer.fight.system.clock == Clock::Marks && first.moment != last.moment;
    let until = is_long.then(|| format!("to Mark {}", last.moment.mark));
    let notes: Vec<String> = times.into_iter().chain(until).collect();
    if notes.is_empty() {
        sentence
    } else {
        format!("{sentence} ({})", notes.join(", "))
    }
}

fn is_choice(event: &Event) -> bool {
    matches!(event, Event::Decision { .. } | Event::Rejected { .. })
}
