//! Drawings: shapes with their places, which a template writes down as SVG.
//!
//! Places are in pixels at full size, from the upper left corner. What a shape looks like is a class of
//! `templates/chart.css`.

use super::{Markup, render};
use serde::{Serialize, Serializer};
use std::fmt::Write;

/// The width of a drawing in pixels.
pub(crate) const WIDTH: f64 = 760.0;

/// The height of a letter.
pub(crate) const LETTER: f64 = 13.0;

/// A place or a length, written with a tenth of a pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Px(pub(crate) f64);

impl std::fmt::Display for Px {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Adding 0 turns -0 into 0.
        let tenths = (self.0 * 10.0).round() + 0.0;
        write!(f, "{}", tenths / 10.0)
    }
}

impl Serialize for Px {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A piece of a drawing.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Shape {
    /// A line, an area, a mark: whatever a path can be.
    Path {
        d: String,
        class: String,
        title: String,
    },
    /// A bar or a cell.
    Rect {
        x: Px,
        y: Px,
        width: Px,
        height: Px,
        class: String,
        title: String,
    },
    /// Words; `title` has them whole where they have been cut.
    Text {
        x: Px,
        y: Px,
        class: String,
        text: String,
        title: String,
    },
}

/// Shapes in the order in which they are drawn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Drawing {
    shapes: Vec<Shape>,
}

/// Where a text stands in relation to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
    /// A straight line.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let d = path(&[from, to]);
        self.path(d, class, "");
    }

    /// A path; `title` is what hovering tells.
    pub(crate) fn path(&mut self, d: String, class: &str, title: &str) {
        self.shapes.push(Shape::Path {
            d,
            class: class.to_owned(),
            title: title.to_owned(),
        });
    }

    /// A rectangle from corner to corner.
    pub(crate) fn rect(&mut self, from: (f64, f64), to: (f64, f64), class: &str, title: &str) {
        self.shapes.push(Shape::Rect {
            x: Px(from.0.min(to.0)),
            y: Px(from.1.min(to.1)),
            width: Px((to.0 - from.0).abs()),
            height: Px((to.1 - from.1).abs()),
            class: class.to_owned(),
            title: title.to_owned(),
        });
    }

    /// Words on a line of text.
    pub(crate) fn text(&mut self, at: (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " m",
            Anchor::End => " e",
        };
        self.shapes.push(Shape::Text {
            x: Px(at.0),
            y: Px(at.1),
            class: format!("{class}{anchor}").trim().to_owned(),
            text: text.to_owned(),
            title: String::new(),
        });
    }

    /// Words in so many pixels; what does not fit is cut, and told whole when hovered over.
    pub(crate) fn fitted(
        &mut self,
        at: (f64, f64),
        anchor: Anchor,
        class: &str,
        text: &str,
        room: f64,
    ) {
        // Bold letters are wider.
        let room = if class.contains("strong") {
            room / 1.12
        } else {
            room
        };
        let short = cut(text, room);
        self.text(at, anchor, class, &short);
        if short != text
            && let Some(Shape::Text { title, .. }) = self.shapes.last_mut()
        {
            text.clone_into(title);
        }
    }

    /// The drawing as SVG. Every id in it begins with `id`.
    pub(crate) fn svg(&self, id: &str, height: f64, title: &str, description: &str) -> Markup {
        #[derive(Serialize)]
        struct Context<'a> {
            id: &'a str,
            width: Px,
            height: Px,
            title: &'a str,
            description: &'a str,
            shapes: &'a [Shape],
        }
        render(
            "drawing.svg",
            Context {
                id,
                width: Px(WIDTH),
                height: Px(height),
                title,
                description,
                shapes: &self.shapes,
            },
        )
    }
}

/// A path along those places.
pub(crate) fn path(places: &[(f64, f64)]) -> String {
    let mut d = String::new();
    for (index, (x, y)) in places.iter().enumerate() {
        let letter = if index == 0 { 'M' } else { 'L' };
        let _ = write!(d, "{letter}{} {}", Px(*x), Px(*y));
    }
    d
}

/// How wide a text is at most, in pixels, in letters of that many pixels: browsers have fonts of their
/// own, so this is what a wide one takes.
pub(crate) fn width(text: &str) -> f64 {
    let letter = |c: char| match c {
        'i' | 'j' | 'l' | 'f' | 't' | 'r' | '.' | ',' | ':' | ';' | '\'' | '|' | ' ' | '('
        | ')' => 0.38,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.95,
        '<' | '>' | '=' | '+' | '~' | '^' | '#' | '&' => 0.84,
        'A'..='Z' => 0.72,
        c if c.is_ascii() => 0.6,
        // Some scripts are as wide as they are high.
        c if c >= '\u{1100}' => 1.05,
        _ => 0.7,
    };
    text.chars().map(letter).sum::<f64>() * LETTER
}

/// As much of a text as fits into so many pixels, with an ellipsis where it was cut.
pub(crate) fn cut(text: &str, room: f64) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        short.push(c);
        if width(&short) + LETTER > room {
            short.pop();
            break;
        }
    }
    format!("{}…", short.trim_end())
}

/// The outline of a mark around a place: each series has its own, besides its colour.
pub(crate) fn mark(series: usize, (x, y): (f64, f64)) -> String {
    let corners = |places: &[(f64, f64)]| {
        let places: Vec<(f64, f64)> = places.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
        format!("{}Z", path(&places))
    };
    match series % 6 {
        0 => format!(
            "M{} {}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z",
            Px(x - 4.5),
            Px(y)
        ),
        1 => corners(&[(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)]),
        2 => corners(&[(0.0, -5.5), (5.5, 0.0), (0.0, 5.5), (-5.5, 0.0)]),
        3 => corners(&[(0.0, -5.0), (5.0, 4.0), (-5.0, 4.0)]),
        4 => corners(&[(0.0, 5.0), (5.0, -4.0), (-5.0, -4.0)]),
        _ => corners(&[(-5.0, -2.5), (5.0, -2.5), (5.0, 2.5), (-5.0, 2.5)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_a_tenth_and_no_minus_zero() {
        assert_eq!(Px(12.34).to_string(), "12.3");
        assert_eq!(Px(12.0).to_string(), "12");
        assert_eq!(Px(-0.01).to_string(), "0");
    }

    #[test]
    fn what_does_not_fit_is_cut() {
        assert_eq!(cut("archer", 100.0), "archer");
        let short = cut(&"very ".repeat(20), 100.0);
        assert!(
            short.ends_with('…') && width(&short) <= 100.0 + LETTER,
            "{short}"
        );
    }
}
