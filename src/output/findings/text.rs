//! The findings as text for people, one a line.

use super::{Checked, Expected, Finding, Verdict};
use crate::report::number::{grouped, plural};
use crate::report::{Page, Style, TextGrid, Width};

/// The most moves of a variant that are shown. A fight that has changed can move a hundred numbers.
const MOST_MOVES: usize = 10;

/// Formats a table for each file, and a summary line.
pub fn text(checked: &Checked, width: Width) -> String {
    let mut page = Page::new(Style::Terminal(width));
    let widest = Verdict::Undecided.name().len();
    let first = |verdict: &str, what: &str| format!("{verdict:<widest$}  {what}");
    for file in &checked.files {
        if file.list.is_empty() {
            continue;
        }
        page.heading(1, &file.file);
        let title = first("verdict", "what");
        // A check that solves everything else still plays an exact repeat, which has no interval.
        let has_interval = |one: &&Finding| one.found.is_some_and(|found| found.interval.is_some());
        let mut known = file.list.iter().filter(has_interval).peekable();
        let all_exact = known.peek().is_some() && known.all(|finding| finding.is_exact);
        let interval = if all_exact {
            "bounds".to_owned()
        } else {
            format!("{} interval", checked.confidence)
        };
        let mut grid = TextGrid::new([&*title, "value", &interval, "wanted", "encounters"]);
        let (shown, hidden) = largest_moves(&file.list);
        for &finding in &shown {
            let first = first(finding.verdict_name(), &finding.heading());
            grid.row(row(first, finding));
        }
        page.grid(&grid);
        for hidden in hidden {
            page.paragraph(&smaller_moves(hidden));
        }
        for finding in shown {
            for detail in &finding.details {
                let line = match finding.place {
                    Some((line, _)) => format!("line {line}: {detail}"),
                    None => format!("{}: {detail}", finding.heading()),
                };
                page.paragraph(&line);
            }
        }
        page.blank();
    }
    page.line(&checked.tally());
    page.into_text()
}

/// Describes how many moves of a variant are left out.
pub(super) fn smaller_moves((variant, count): (&str, usize)) -> String {
    let plural = plural(count as u64);
    format!("{variant}: {count} smaller move{plural} failed too; --format json lists all")
}

/// Returns the findings without the smaller moves of each variant, and how many moves were left out for each variant.
/// Win rates are never left out for others.
pub(super) fn largest_moves(list: &[Finding]) -> (Vec<&Finding>, Vec<(&str, usize)>) {
    let is_move = |finding: &Finding| {
        let is_unmoved = matches!(finding.wanted, Expected::Unmoved(_));
        let has_moved = finding.verdict == Verdict::Failed && finding.found.is_some();
        is_unmoved && has_moved && finding.metric.is_some()
    };
    // Shares come before numbers that have no share, because those were 0 before.
    let size = |finding: &Finding| {
        let value = finding.found.map_or(0.0, |found| found.value);
        let wins = finding.metric == Some("win_rate");
        (wins, finding.share, value.abs())
    };
    let mut moves: Vec<usize> = (0..list.len()).filter(|&at| is_move(&list[at])).collect();
    moves.sort_by(|&one, &other| {
        let [one, other] = [one, other].map(|at| size(&list[at]));
        { (other.0, other.1).cmp(&(one.0, one.1)) }.then(other.2.total_cmp(&one.2))
    });
    let mut variants: Vec<(&str, usize)> = Vec::new();
    let mut is_shown = vec![true; list.len()];
    for at in moves {
        let variant = list[at].variant.as_str();
        let known = variants.iter().position(|(known, _)| *known == variant);
        let known = known.unwrap_or_else(|| {
            variants.push((variant, 0));
            variants.len() - 1
        });
        variants[known].1 += 1;
        is_shown[at] = variants[known].1 <= MOST_MOVES;
    }
    let shown = list.iter().zip(is_shown).filter(|(_, is_shown)| *is_shown);
    variants.retain(|(_, count)| *count > MOST_MOVES);
    for (_, count) in &mut variants {
        *count -= MOST_MOVES;
    }
    (shown.map(|(finding, _)| finding).collect(), variants)
}

fn row(first: String, finding: &Finding) -> Vec<String> {
    let (value, interval) = finding.cells();
    vec![
        first,
        value,
        interval,
        finding.wish(),
        if finding.is_exact {
            "exact".to_owned()
        } else {
            grouped(finding.encounters)
        },
    ]
}
