//! Drawings: shapes with positions, which a template renders as SVG.
//!
//! Positions are in pixels at full size, from the upper left corner. The look of a shape is a class in
//! `templates/chart.css`.

use super::{Markup, render};
use serde::{Serialize, Serializer};
use std::fmt::Write;

/// The width of a drawing in pixels.
pub(crate) const WIDTH: f64 = 760.0;

/// The width of a drawing in a narrow window, such as on a phone.
pub(crate) const NARROW: f64 = 360.0;

/// The height of a letter, in pixels.
pub(crate) const LETTER: f64 = 13.0;

/// The distance from one line of a text to the next.
pub(crate) const LINE: f64 = 15.0;

/// The factor by which bold letters are wider.
pub(crate) const BOLD: f64 = 1.15;

/// A position or a length, written to a tenth of a pixel.
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

/// A part of a drawing.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Shape {
    /// A line, an area or a mark: anything that a path can draw.
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
    /// Words. If they are cut, `title` has the whole text.
    Text {
        x: Px,
        y: Px,
        class: String,
        text: String,
        title: String,
    },
    /// The beginning of a group. In an encounter, `label` is its short text, which also makes the group reachable by
    /// keyboard, and `title` is its long text. In a chart, `label` is the group's position and height.
    Begin {
        class: String,
        label: String,
        title: String,
    },
    /// The end of a group.
    End,
}

/// Shapes, in drawing order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Drawing {
    pub(super) shapes: Vec<Shape>,
}

/// The position of a text relative to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
    /// Draws a straight line.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        self.path(path(&[from, to]), class);
    }

    /// Draws a path.
    pub(crate) fn path(&mut self, d: String, class: &str) {
        self.titled(d, class, "");
    }

    /// Draws a path with `title` as its tooltip.
    pub(crate) fn titled(&mut self, d: String, class: &str, title: &str) {
        self.shapes.push(Shape::Path {
            d,
            class: class.to_owned(),
            title: title.to_owned(),
        });
    }

    /// Draws the lines of a grid as one path.
    pub(crate) fn grid(&mut self, lines: String) {
        if !lines.is_empty() {
            self.path(lines, "grid");
        }
    }

    /// Draws a rectangle between two opposite corners.
    pub(crate) fn rect(&mut self, from: (f64, f64), to: (f64, f64), class: &str, title: &str) {
        let (x, y) = (from.0.min(to.0), from.1.min(to.1));
        let (width, height) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
        self.block([x, y, width, height], class, title);
    }

    /// Draws a rectangle from its upper left corner, width and height.
    pub(crate) fn block(&mut self, places: [f64; 4], class: &str, title: &str) {
        let [x, y, width, height] = places.map(Px);
        self.shapes.push(Shape::Rect {
            x,
            y,
            width,
            height,
            class: class.to_owned(),
            title: title.to_owned(),
        });
    }

    /// Draws a row or a panel at this position and of this height. `class`, if given, lets readers switch it off.
    pub(crate) fn switched(
        &mut self,
        class: Option<&str>,
        (left, top): (f64, f64),
        height: f64,
        draw: impl FnOnce(&mut Self),
    ) {
        let Some(class) = class else {
            return draw(self);
        };
        let label = format!("{} {} {}", Px(left), Px(top), Px(height));
        self.group(class, [label, String::new()], draw);
    }

    /// Draws a group that is hovered over or reached as one, with its short and its long text.
    pub(crate) fn group(
        &mut self,
        class: &str,
        [label, title]: [String; 2],
        draw: impl FnOnce(&mut Self),
    ) {
        self.shapes.push(Shape::Begin {
            class: class.to_owned(),
            label,
            title,
        });
        draw(self);
        self.shapes.push(Shape::End);
    }

    /// Draws words on a line of text.
    pub(crate) fn text(&mut self, at: (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " m",
            Anchor::End => " e",
        };
        self.words(at, format!("{class}{anchor}").trim(), text);
    }

    /// Draws words whose class has the anchor: `m` centres them on the place, `e` ends them there; otherwise they start
    /// there.
    pub(crate) fn words(&mut self, (x, y): (f64, f64), class: &str, text: &str) {
        self.shapes.push(Shape::Text {
            x: Px(x),
            y: Px(y),
            class: class.to_owned(),
            text: text.to_owned(),
            title: String::new(),
        });
    }

    /// Draws text in at most `room` pixels. Longer text is cut, and its tooltip has the whole text.
    pub(crate) fn fitted(
        &mut self,
        at: (f64, f64),
        anchor: Anchor,
        class: &str,
        text: &str,
        room: f64,
    ) {
        let room = if class.contains("strong") {
            room / BOLD
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

    /// Draws lines of text, one below the other.
    pub(crate) fn lines(
        &mut self,
        (x, y): (f64, f64),
        anchor: Anchor,
        class: &str,
        all: &[String],
    ) {
        for (index, line) in all.iter().enumerate() {
            self.text((x, y + LINE * index as f64), anchor, class, line);
        }
    }

    /// Renders the drawing as SVG of this width and height. Every id in it begins with `id`.
    pub(crate) fn svg(
        &self,
        id: &str,
        (width, height): (f64, f64),
        [title, description]: [&str; 2],
    ) -> Markup {
        #[derive(Serialize)]
        struct Context<'a> {
            id: &'a str,
            class: &'static str,
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
                class: if width < WIDTH {
                    "chart narrow"
                } else {
                    "chart"
                },
                width: Px(width),
                height: Px(height),
                title,
                description,
                shapes: &self.shapes,
            },
        )
    }
}

/// Returns a path along these places, in relative steps, which are short. Places in the middle of a straight line are
/// left out.
pub(crate) fn path(places: &[(f64, f64)]) -> String {
    // Whole tenths of a pixel add up without rounding errors.
    let tenths = |at: f64| (at * 10.0).round() as i64;
    let mut places = places.iter().map(|(x, y)| (tenths(*x), tenths(*y)));
    let Some(first) = places.next() else {
        return String::new();
    };
    let mut steps: Vec<(i64, i64)> = Vec::new();
    let mut at = first;
    for place in places {
        let step = (place.0 - at.0, place.1 - at.1);
        at = place;
        match steps.last_mut() {
            _ if step == (0, 0) => {}
            Some(last) if goes_on(*last, step) => *last = (last.0 + step.0, last.1 + step.1),
            _ => steps.push(step),
        }
    }
    let px = |tenths: i64| Px(tenths as f64 / 10.0);
    let mut d = format!("M{} {}", px(first.0), px(first.1));
    for (x, y) in steps {
        let _ = match (x, y) {
            (x, 0) => write!(d, "h{}", px(x)),
            (0, y) => write!(d, "v{}", px(y)),
            // A minus sign separates numbers as well as a blank.
            (x, y) if y < 0 => write!(d, "l{}{}", px(x), px(y)),
            (x, y) => write!(d, "l{} {}", px(x), px(y)),
        };
    }
    d
}

/// Whether a step continues in the direction of the previous one.
fn goes_on(one: (i64, i64), other: (i64, i64)) -> bool {
    one.0 * other.1 == one.1 * other.0 && one.0 * other.0 + one.1 * other.1 > 0
}

/// Returns the greatest width of a text in pixels. Browsers choose the font, so this is the width in a wide font.
pub(crate) fn width(text: &str) -> f64 {
    let letter = |c: char| match c {
        'i' | 'j' | 'l' | 'f' | 't' | 'r' | '.' | ',' | ':' | ';' | '\'' | '|' | ' ' | '('
        | ')' => 0.38,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.95,
        '<' | '>' | '=' | '+' | '~' | '^' | '#' | '&' => 0.84,
        'A'..='Z' => 0.72,
        c if c.is_ascii() => 0.6,
        // Letters of some scripts are as wide as they are high.
        c if c >= '\u{1100}' => 1.05,
        _ => 0.7,
    };
    text.chars().map(letter).sum::<f64>() * LETTER
}

/// Cuts a text to a width in pixels, with an ellipsis.
pub(crate) fn cut(text: &str, room: f64) -> String {
    // Room that was computed for this text may be short by a rounding error.
    if width(text) <= room + 0.01 {
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

/// Breaks a text between words into lines that are at most `room` pixels wide. A word that is wider gets several lines.
pub(crate) fn wrap(text: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    // Room that was computed for this text may be short by a rounding error.
    let fits = |line: &str, more: &str| {
        line.is_empty() || width(line) + width(more.trim_end()) <= room + 0.01
    };
    for word in text.split_inclusive(' ') {
        if !fits(&line, word) {
            lines.push(std::mem::take(&mut line));
        }
        for letter in word.chars() {
            if !fits(&line, letter.encode_utf8(&mut [0; 4])) {
                lines.push(std::mem::take(&mut line));
            }
            line.push(letter);
        }
    }
    lines.push(line);
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

/// Returns the outline of a mark around a place. Each series has its own shape, besides its colour.
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
    fn paths_go_from_place_to_place() {
        assert_eq!(path(&[]), "");
        assert_eq!(path(&[(1.0, 2.0), (1.0, 2.0)]), "M1 2");
        let corners = [(0.0, 0.0), (10.0, 0.0), (10.0, 5.0), (4.0, 3.0), (5.0, 4.5)];
        assert_eq!(path(&corners), "M0 0h10v5l-6-2l1 1.5");
        // Steps in the same direction are joined; a step back is not.
        assert_eq!(path(&[(0.0, 0.0), (1.0, 1.0), (3.0, 3.0)]), "M0 0l3 3");
        assert_eq!(path(&[(0.0, 0.0), (3.0, 0.0), (1.0, 0.0)]), "M0 0h3h-2");
    }

    #[test]
    fn long_text_gets_several_lines() {
        assert_eq!(wrap("archer", 100.0), ["archer"]);
        assert_eq!(wrap("", 100.0), [""]);
        for name in ["fighter m", "Grishnakh 1\u{2013}12"] {
            let room = 16.0 + width(name) - 12.0 - 4.0;
            assert_eq!(wrap(name, room), [name]);
        }
        let text = "the Knight of the Seven Kingdoms and the Distant Shores";
        let lines = wrap(text, 120.0);
        assert!(lines.iter().all(|line| width(line) <= 120.0), "{lines:?}");
        assert_eq!(lines.join(" "), text);
        let lines = wrap(&"x".repeat(64), 120.0);
        assert!(lines.iter().all(|line| width(line) <= 120.0), "{lines:?}");
        assert_eq!(lines.concat(), "x".repeat(64));
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
