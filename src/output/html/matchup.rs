//! The figures of a matchup of builds: the matrix of scores, the mixes, and points against scores.

use super::chapter::Part;
use super::charts::{EVEN, Group, Heat, HeatCell, Whisker, Whiskers};
use super::figure::{Figure, Table};
use super::palette::{NEUTRAL, side};
use super::sides::FigureStyle;
use super::words::named;
use crate::output::chart::Unit;
use crate::output::sheet::{Column, Record, columns, distinct};
use crate::tally::Scope;

const NUMBERS: [Column; 4] = columns![N, Value, CiLow, CiHigh];

/// Returns the figures: the matrix, the mix of each side, and the worth of points.
pub(super) fn figures(part: &Part, style: FigureStyle<'_>) -> Vec<Figure> {
    let mut all = vec![matrix(part, style.prefix)];
    let shares = part.facts("share");
    for (index, name) in distinct(shares.iter().copied(), Column::Side)
        .into_iter()
        .enumerate()
    {
        all.push(mix(part, style, index, name));
    }
    all.extend(points(part, style.prefix));
    all
}

fn matrix(part: &Part, prefix: &str) -> Figure {
    let rows = part.facts("score");
    let names = |column| distinct(rows.iter().copied(), column);
    let (mut down, across) = (names(Column::Build), names(Column::Opponent));
    // The matrix leaves out a build against itself, so the first build is no opponent in its own row.
    let is_one_list = { down.iter() }.all(|name| across.contains(name));
    let across = if is_one_list { down.clone() } else { across };
    down.retain(|name| !name.is_empty());
    let cell = |row: &str, column: &str| {
        let found = { rows.iter() }
            .find(|one| one.is(Column::Build, row) && one.is(Column::Opponent, column))?;
        let value = found.number(Column::Value)?;
        let words = Unit::Share.in_words(value, found.interval());
        Some(HeatCell {
            value,
            text: format!("{:.0}", 100.0 * value),
            title: format!("{row} against {column}: {words}"),
        })
    };
    let drawn = Heat::new(["build", "against"], [&down, &across], Some(EVEN), cell).draw();
    let table = Table::excerpt(
        &rows,
        &columns![Build, Opponent],
        &NUMBERS,
        &[(Column::Fact, "score")],
    );
    let title = "Who beats whom?";
    let description = "The score of the row against the column, in %: the encounters that it wins, and half of those \
                       that neither wins.";
    let id = format!("{prefix}matchup-matrix");
    Figure::new(id, [title, description], &drawn, table, &note(part))
}

/// Returns the note below each figure.
fn note(part: &Part) -> String {
    format!(
        "Bounds are {}, of all pairs together.",
        part.manifest.intervals()
    )
}

/// Returns the side of a mix as words; empty if all builds play on both sides.
fn whose(side: &str) -> String {
    named(!side.is_empty(), &format!(" of {side}"))
}

/// Returns a row of a chart.
fn bar(row: &Record<'_>, name: &str, series: usize) -> Option<Whisker> {
    let known = row.estimate(Column::Value)?;
    let text = match known {
        (value, None) => Unit::Share.text(value, 1),
        (value, interval) => Unit::Share.in_words(value, interval),
    };
    Some(Whisker::new(name, series, known, text))
}

fn mix(part: &Part, style: FigureStyle<'_>, index: usize, name: &str) -> Figure {
    let colour = style.sides.colour(Scope::Side, name);
    let colour = if colour == NEUTRAL { side(0) } else { colour };
    let of = |fact: &str| -> Vec<Record<'_>> {
        let rows = part.facts(fact).into_iter();
        rows.filter(|row| row.is(Column::Side, name)).collect()
    };
    let (shares, against) = (of("share"), of("against_mix"));
    let is_played = |row: &&Record<'_>| row.number(Column::Value).is_some_and(|share| share > 0.0);
    let build = |row: &Record<'_>, colour| bar(row, row.text(Column::Build), colour);
    let played = { shares.iter().filter(is_played) }.filter_map(|row| build(row, colour));
    let scores = against.iter().filter_map(|row| build(row, NEUTRAL));
    let groups = vec![
        Group::new("share in the mix", played),
        Group::new("score against the mix", scores),
    ];
    let drawn = Whiskers::new(Unit::Share, "share or score", groups).draw();
    let all: Vec<Record<'_>> = shares.iter().chain(&against).copied().collect();
    let table = Table::excerpt(
        &all,
        &columns![Fact, Build],
        &NUMBERS,
        &[(Column::Side, name)],
    );
    let whose = whose(name);
    let title = format!("Which mix of builds{whose} cannot be exploited?");
    let description = "Above, how often each build is played in it; below, what each build scores against the mix of \
                       the other side. What scores less than the best is not played.";
    let id = format!("{}matchup-mix-{index}", style.prefix);
    Figure::new(id, [&title, description], &drawn, table, &note(part))
}

/// Returns the figure of builds by their points; `None` if no build has points.
fn points(part: &Part, prefix: &str) -> Option<Figure> {
    let mut priced = part.facts("points");
    if priced.is_empty() {
        return None;
    }
    let cost = |row: &Record<'_>| row.number(Column::Value).unwrap_or_default();
    priced.sort_by(|one, other| cost(one).total_cmp(&cost(other)));
    let means = part.facts("against_all");
    let group = |name: &str, is_on: bool| {
        let rows = { priced.iter() }.filter(|row| row.is(Column::Detail, "frontier") == is_on);
        let rows = rows.filter_map(|row| {
            let same = |one: &&Record<'_>| {
                one.text(Column::Build) == row.text(Column::Build)
                    && one.text(Column::Side) == row.text(Column::Side)
            };
            let name = format!("{} ({} points)", row.text(Column::Build), cost(row));
            let colour = if is_on { side(0) } else { NEUTRAL };
            bar(means.iter().find(same)?, &name, colour)
        });
        Group::new(name, rows)
    };
    let mut groups = vec![
        group("on the frontier", true),
        group("not on the frontier", false),
    ];
    groups.retain(|group| !group.content.is_empty());
    let drawn = Whiskers::new(Unit::Share, "mean score against all", groups).draw();
    let each = part.facts("per_point");
    let all: Vec<Record<'_>> = priced.iter().chain(&each).copied().collect();
    let table = Table::excerpt(&all, &columns![Fact, Side, Build, Detail], &NUMBERS, &[]);
    let title = "What do the points buy?";
    let description = "The mean score against all others, the cheapest build first.";
    let id = format!("{prefix}matchup-points");
    let words = [title, description];
    Some(Figure::new(id, words, &drawn, table, &note(part)))
}
