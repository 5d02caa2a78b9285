//! A line a finding, for people.

use super::{Checked, Finding, Verdict};
use crate::report::number::grouped;
use crate::report::{Page, Style, TextGrid, Width};

/// Everything as a table a file, and a closing line.
#[must_use]
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
        let all_exact = file.list.iter().all(|finding| finding.is_exact);
        let interval = if all_exact {
            "bounds".to_owned()
        } else {
            format!("{} interval", checked.confidence)
        };
        let mut grid = TextGrid::new(&[&title, "value", &interval, "wanted", "encounters"]);
        for finding in &file.list {
            grid.row(row(
                first(finding.verdict_name(), &finding.heading()),
                finding,
            ));
        }
        page.grid(&grid);
        for finding in &file.list {
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
