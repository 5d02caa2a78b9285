//! A figure as a stand-alone picture for slides: with its title above and its caveats below, on a light background, in
//! plain colours.

use super::drawing::{Px, WIDTH, width};
use super::palette::literal;
use super::{Figure, Markup, render};
use serde::Serialize;

const TITLE: f64 = 50.0;
const NOTE: f64 = 18.0;
const MARGIN: f64 = 20.0;

/// Renders the figure as a stand-alone SVG.
pub fn slide(figure: &Figure) -> Markup {
    #[derive(Serialize)]
    struct Context<'a> {
        figure: &'a Figure,
        css: Markup,
        width: Px,
        height: Px,
        inner: [Px; 2],
        notes: Vec<Line>,
    }
    #[derive(Serialize)]
    struct Line {
        y: Px,
        text: String,
    }
    let (wide, high) = size(figure.svg.as_str()).unwrap_or((WIDTH, WIDTH));
    let notes = figure.note.as_deref().unwrap_or_default();
    let notes = lines(notes, wide);
    let top = TITLE + high;
    render(
        "slide.svg",
        Context {
            figure,
            css: Markup::trusted(literal(include_str!("templates/chart.css"))),
            width: Px(wide + 2.0 * MARGIN),
            height: Px(top + NOTE * notes.len() as f64 + 2.0 * MARGIN),
            inner: [Px(wide), Px(high)],
            notes: (1..)
                .zip(notes)
                .map(|(line, text)| Line {
                    y: Px(top + NOTE * f64::from(line)),
                    text,
                })
                .collect(),
        },
    )
}

/// Returns the width and height of a picture, from its `viewBox`.
fn size(svg: &str) -> Option<(f64, f64)> {
    let (_, rest) = svg.split_once("viewBox=\"")?;
    let (numbers, _) = rest.split_once('"')?;
    let mut numbers = numbers.split_whitespace().skip(2);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Breaks a text into lines of at most `room` pixels.
fn lines(text: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + width(word) + width(" ") <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
