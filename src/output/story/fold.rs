//! Folds a story into fewer lines: each walk becomes one line, and so do deeds that a combatant repeats, deeds that
//! several combatants do at the same time, and the initiative of many.

use super::lines::{Content, Line};
use super::writer::SentenceWriter;
use super::{Story, StoryEvent};
use crate::fight::system::Clock;
use crate::sim::Event;
use std::mem;

/// A walk or a repeated deed of one combatant.
#[derive(Debug, Clone, Default)]
struct Run {
    /// Lines of the decision before the first deed.
    asked: Vec<usize>,
    /// The line that remains of the run; `None` before the first deed.
    first: Option<usize>,
    last: usize,
    times: u32,
    /// Lines of a decision whose deed has not followed yet.
    pending: Vec<usize>,
}

/// Folds lines. A deed joins the previous deed of the same combatant in the same Round if it is the next step of a
/// walk, or the same deed without dice. The decisions before the two deeds must be the same, too. In between others may
/// do the same, and anything at other moments.
pub(super) fn fold(story: &Story, teller: &SentenceWriter<'_>, lines: Vec<Line>) -> Vec<Line> {
    let mut runs = vec![Run::default(); teller.fight.combatants.len()];
    let mut is_kept = vec![true; lines.len()];
    let mut done: Vec<Run> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Content::Deed { who: Some(who), .. } = line.content else {
            if !matches!(line.content, Content::Order(_)) {
                done.extend(runs.iter_mut().map(mem::take));
            }
            continue;
        };
        let run = &mut runs[who];
        if let Event::Decision { .. } | Event::Rejected { .. } = story.events[line.event].event {
            run.pending.push(at);
            continue;
        }
        let pending = mem::take(&mut run.pending);
        let joins = run.first.is_some()
            && goes_on(story, &lines[run.last], line)
            && !is_interrupted(story, &lines[run.last..=at])
            && (pending.is_empty() || alike(&lines, &pending, &run.asked));
        if joins {
            for folded in pending.into_iter().chain([at]) {
                is_kept[folded] = false;
            }
            run.last = at;
            run.times += 1;
        } else {
            let next = Run {
                asked: pending,
                first: Some(at),
                last: at,
                times: 1,
                pending: Vec::new(),
            };
            done.push(mem::replace(run, next));
        }
    }
    done.extend(runs);
    let mut sentences: Vec<Option<String>> = vec![None; lines.len()];
    for run in done.iter().filter(|run| run.times > 1) {
        if let Some(first) = run.first {
            sentences[first] = Some(repeated(story, teller, &lines, run));
        }
    }
    let kept = lines.into_iter().zip(is_kept).zip(sentences);
    let kept = kept
        .filter(|((_, is_kept), _)| *is_kept)
        .map(|((mut line, _), folded)| {
            if let (Content::Deed { sentence, .. }, Some(folded)) = (&mut line.content, folded) {
                *sentence = folded;
            }
            line
        });
    // Initiatives are gathered first: a joined line has one number, and the other names do not belong to its event.
    join(story, teller, gather(story, teller, kept.collect()))
}

/// More initiatives than this are gathered in one line, without their dice.
const FEW: usize = 4;

/// Gathers consecutive initiatives in one line if there are many.
fn gather(story: &Story, teller: &SentenceWriter<'_>, lines: Vec<Line>) -> Vec<Line> {
    let rolled = |line: &Line| {
        let (word, who, number) = match story.events[line.event].event {
            Event::Score {
                who,
                score,
                owed: 0,
                shared: false,
                sum,
            } => ("Score", who, teller.rolled(&sum, score.into())),
            Event::Initiative {
                who,
                total,
                shared: false,
                sum,
            } => ("initiative", who, teller.rolled(&sum, total.into())),
            _ => return None,
        };
        Some((word, format!("{}: {number}", teller.name(who))))
    };
    let mut gathered: Vec<Line> = Vec::with_capacity(lines.len());
    let mut rest = lines.into_iter().peekable();
    while let Some(line) = rest.next() {
        let Some((word, first)) = rolled(&line) else {
            gathered.push(line);
            continue;
        };
        let (mut all, mut numbers) = (vec![line], vec![first]);
        while let Some((_, number)) = rest.peek().and_then(rolled) {
            all.extend(rest.next());
            numbers.push(number);
        }
        if numbers.len() > FEW {
            all.truncate(1);
            all[0].content = Content::Deed {
                who: None,
                sentence: format!("{word}: {}", numbers.join(", ")),
                dice: String::new(),
            };
        }
        gathered.extend(all);
    }
    gathered
}

/// Joins consecutive lines that say the same about several combatants.
fn join(story: &Story, teller: &SentenceWriter<'_>, lines: Vec<Line>) -> Vec<Line> {
    let is_rejected =
        |line: &Line| matches!(story.events[line.event].event, Event::Rejected { .. });
    let mut joined: Vec<(Line, Vec<&str>)> = Vec::with_capacity(lines.len());
    for line in lines {
        if let Some((before, others)) = joined.last_mut()
            && !is_rejected(&line)
            && let Some(who) = also(before, &line)
        {
            others.push(teller.name(who));
            continue;
        }
        joined.push((line, Vec::new()));
    }
    let lines = joined.into_iter().map(|(mut line, others)| {
        if let Content::Deed { dice, .. } = &mut line.content
            && !others.is_empty()
        {
            *dice = format!("and {}", others.join(", "));
        }
        line
    });
    lines.collect()
}

/// Returns the combatant of `line` if it does the same as the combatant of `before`, at the same moment and without
/// dice.
fn also(before: &Line, line: &Line) -> Option<usize> {
    match (&before.content, &line.content) {
        (
            Content::Deed {
                who: Some(one),
                sentence: told,
                dice: none,
            },
            Content::Deed {
                who: Some(who),
                sentence,
                dice,
            },
        ) if one != who
            && told == sentence
            && none.is_empty()
            && dice.is_empty()
            && before.moment == line.moment
            && before.depth == line.depth =>
        {
            Some(*who)
        }
        _ => None,
    }
}

/// Whether a deed is the next step of the walk in the previous line, or repeats the deed of that line.
fn goes_on(story: &Story, before: &Line, line: &Line) -> bool {
    let told = |line: &Line| -> &StoryEvent { &story.events[line.event] };
    let (one, next) = (told(before), told(line));
    if before.depth != line.depth || !one.dice.is_empty() || !next.dice.is_empty() {
        return false;
    }
    match (one.event, next.event) {
        (
            Event::Step { from, to, kind, .. },
            Event::Step {
                from: next_from,
                to: next_to,
                kind: next_kind,
                ..
            },
        ) => to == next_from && kind == next_kind && (from < to) == (next_from < next_to),
        (one, next) => one == next,
    }
}

/// Whether another combatant does something else between the first and the last of these lines, all of one moment.
fn is_interrupted(story: &Story, lines: &[Line]) -> bool {
    let [first, between @ .., last] = lines else {
        return false;
    };
    let event = |line: &Line| story.events[line.event].event;
    let deed = mem::discriminant(&event(first));
    let mut others = between.iter().map(event);
    first.moment == last.moment
        && others.any(|event| {
            let is_choice = matches!(event, Event::Decision { .. } | Event::Rejected { .. });
            !is_choice && mem::discriminant(&event) != deed
        })
}

/// Whether two decisions have the same text.
fn alike(lines: &[Line], one: &[usize], other: &[usize]) -> bool {
    let contents =
        |of: &[usize]| -> Vec<Content> { of.iter().map(|&at| lines[at].content.clone()).collect() };
    contents(one) == contents(other)
}

/// Returns the sentence of a repeated deed.
fn repeated(story: &Story, teller: &SentenceWriter<'_>, lines: &[Line], run: &Run) -> String {
    let (first, last) = (&lines[run.first.unwrap_or(run.last)], &lines[run.last]);
    let (begin, end) = (
        story.events[first.event].event,
        story.events[last.event].event,
    );
    let until = if teller.fight.system.clock == Clock::Marks && first.moment != last.moment {
        format!("to Mark {}", last.moment.mark)
    } else {
        String::new()
    };
    let (sentence, times) = match (begin, end) {
        (
            Event::Step {
                who, from, kind, ..
            },
            Event::Step { to, .. },
        ) => {
            let walk = Event::Step {
                who,
                from,
                to,
                kind,
            };
            (teller.sentence(&walk), String::new())
        }
        _ => (teller.sentence(&begin), format!("{} times", run.times)),
    };
    let more: Vec<String> = [times, until]
        .into_iter()
        .filter(|one| !one.is_empty())
        .collect();
    if more.is_empty() {
        sentence
    } else {
        format!("{sentence} ({})", more.join(", "))
    }
}
