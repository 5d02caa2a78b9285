//! Drawings: shapes with positions, which a template renders as SVG.
//!
//! Positions are in units from the upper left corner. Pages show all charts in one size, except that a narrow window
//! shrinks them: a unit is then about three quarters of a pixel, and letters are still legible. The look of a shape is a
//! class in `templates/chart.css`. The class of a text also has its anchor: `m` centres the text on its place, `e` ends
//! it there; otherwise it starts there.

use super::{Markup, render};
use minijinja::context;
use minijinja::value::Serde;
use serde::{Serialize, Serializer};
use std::fmt::Write;

/// The width of a chart.
pub(crate) const WIDTH: f64 = 480.0;

/// The height of a letter.
pub(crate) const LETTER: f64 = 14.0;

/// The distance from one line of a text to the next.
pub(crate) const LINE: f64 = 16.0;

/// The distance from the middle of a line of text down to its baseline.
pub(crate) const BASELINE: f64 = 5.0;

/// The height of the first line of a heading, with the gap below it.
const HEADING: f64 = 28.0;

/// The factor by which bold letters are wider.
pub(crate) const BOLD: f64 = 1.15;

/// A position or a length, written to a tenth of a unit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
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

/// A part of a drawing. In an encounter, the title of a group is its long text.
#[derive(Debug, Clone, Serialize)]
struct Shape {
    class: String,
    /// The tooltip.
    title: String,
    #[serde(flatten)]
    form: Form,
}

/// The form of a shape.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Form {
    /// A line, an area or a mark: anything that a path can draw.
    Path { d: String },
    /// A bar or a cell.
    Rect { place: [Px; 4] },
    /// Words. If they are cut, the title has the whole text.
    Text { x: Px, y: Px, text: String },
    /// The beginning of a group. In an encounter, `label` is its short text, which also makes the group reachable by
    /// keyboard. In a chart, `label` is the group's top and height.
    Begin { label: String },
    /// The end of a group.
    End,
}

/// Shapes, in drawing order, and the size of the whole.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Drawing {
    pub(super) width: Px,
    pub(super) height: Px,
    shapes: Vec<Shape>,
}

impl Drawing {
    /// Creates an empty drawing of this width.
    pub(super) fn new(width: f64) -> Self {
        Self {
            width: Px(width),
            ..Self::default()
        }
    }

    /// Returns about how many bytes the drawing takes on a page.
    pub(super) fn bytes(&self) -> usize {
        let form = |form: &Form| match form {
            Form::Path { d } => d.len(),
            Form::Text { text, .. } => 20 + text.len(),
            Form::Begin { label } => 60 + label.len(),
            Form::Rect { .. } => 40,
            Form::End => 0,
        };
        let shapes = self.shapes.iter();
        let bytes =
            shapes.map(|shape| 25 + shape.class.len() + shape.title.len() + form(&shape.form));
        bytes.sum()
    }

    /// Draws another drawing on top of this one.
    pub(crate) fn append(&mut self, above: Self) {
        self.shapes.extend(above.shapes);
    }

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
        self.push(class, title, Form::Path { d });
    }

    fn push(&mut self, class: &str, title: &str, form: Form) {
        self.shapes.push(Shape {
            class: class.to_owned(),
            title: title.to_owned(),
            form,
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
    pub(crate) fn block(&mut self, place: [f64; 4], class: &str, title: &str) {
        let form = Form::Rect {
            place: place.map(Px),
        };
        self.push(class, title, form);
    }

    /// Draws a row or a panel from `top` down. `draw` returns its lower end. `class`, if given, lets readers switch it
    /// off.
    pub(crate) fn switched(
        &mut self,
        class: Option<&str>,
        top: f64,
        draw: impl FnOnce(&mut Self) -> f64,
    ) -> f64 {
        let Some(class) = class else {
            return draw(self);
        };
        let begin = self.shapes.len();
        let bottom = draw(self);
        let label = format!("{} {}", Px(top), Px(bottom - top));
        self.push(class, "", Form::Begin { label });
        self.shapes[begin..].rotate_right(1);
        self.push("", "", Form::End);
        bottom
    }

    /// Draws shapes that readers can switch off by their class, if it is given. Nothing else moves then.
    pub(crate) fn layer(&mut self, class: Option<&str>, draw: impl FnOnce(&mut Self)) {
        match class {
            Some(class) => self.group(class, Default::default(), draw),
            None => draw(self),
        }
    }

    /// Draws a group that is hovered over or reached as one, with its short and its long text.
    pub(crate) fn group(
        &mut self,
        class: &str,
        [label, title]: [String; 2],
        draw: impl FnOnce(&mut Self),
    ) {
        self.push(class, &title, Form::Begin { label });
        draw(self);
        self.push("", "", Form::End);
    }

    /// Draws words on a line of text.
    pub(crate) fn text(&mut self, at: (f64, f64), class: &str, text: &str) {
        self.titled_text(at, [class, ""], text);
    }

    fn titled_text(&mut self, (x, y): (f64, f64), [class, title]: [&str; 2], text: &str) {
        let (x, y, text) = (Px(x), Px(y), text.to_owned());
        self.push(class, title, Form::Text { x, y, text });
    }

    /// Draws text in at most `room` units. Longer text is cut, and its tooltip has the whole text.
    pub(crate) fn fitted(&mut self, at: (f64, f64), class: &str, text: &str, room: f64) {
        let short = cut(text, room);
        let title = if short == text { "" } else { text };
        self.titled_text(at, [class, title], &short);
    }

    /// Draws lines of text, one below the other.
    pub(crate) fn lines(&mut self, (x, y): (f64, f64), class: &str, lines: &[String]) {
        for (index, line) in lines.iter().enumerate() {
            self.text((x, y + LINE * index as f64), class, line);
        }
    }

    /// Draws a heading, unless it is empty. Returns its lower end.
    pub(crate) fn heading(&mut self, top: f64, title: &str) -> f64 {
        if title.is_empty() {
            return top;
        }
        let lines = wrap(title, WIDTH / BOLD);
        self.lines((0.0, top + HEADING - 10.0), "strong over", &lines);
        top + HEADING + LINE * (lines.len() - 1) as f64
    }

    /// Renders the drawing as SVG. Every id in it begins with `id`.
    pub(crate) fn svg(&self, id: &str, [title, description]: [&str; 2]) -> Markup {
        let drawing = Serde(self);
        render("drawing.svg", context! { id, title, description, drawing })
    }
}

/// Returns a path along these places, in relative steps, which are short. Places in the middle of a straight line are
/// left out.
pub(crate) fn path(places: &[(f64, f64)]) -> String {
    // Whole tenths of a unit add up without rounding errors.
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
fn goes_on(before: (i64, i64), step: (i64, i64)) -> bool {
    before.0 * step.1 == before.1 * step.0 && before.0 * step.0 + before.1 * step.1 > 0
}

/// Returns the greatest width of a text in units. Browsers choose the font, so this is the width in a wide font.
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

/// Cuts a text to a width in units, with an ellipsis.
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

/// Breaks a text between words into lines that are at most `room` units wide. A word that is wider gets several lines.
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

/// Returns places for labels with these wanted places, in ascending order, and heights, so that none overlap. If there is
/// no room for all labels between `high` and `low`, the first ones go beyond `high`.
pub(crate) fn apart(wanted: &[(f64, f64)], (high, low): (f64, f64)) -> Vec<f64> {
    let mut free = high;
    let mut places: Vec<f64> = wanted
        .iter()
        .map(|(y, height)| {
            let place = y.max(free);
            free = place + height;
            place
        })
        .collect();
    // A label that was pushed below the bottom moves the labels above it back up.
    let mut most = low;
    for (place, (_, height)) in places.iter_mut().zip(wanted).rev() {
        *place = place.min(most - height);
        most = *place;
    }
    places
}

/// Returns a closed outline with these corners.
pub(crate) fn polygon(corners: &[(f64, f64)]) -> String {
    format!("{}Z", path(corners))
}

/// Returns the outline of a circle.
pub(crate) fn circle((x, y): (f64, f64), radius: f64) -> String {
    let (left, y, r, d) = (Px(x - radius), Px(y), Px(radius), Px(2.0 * radius));
    format!("M{left} {y}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0Z")
}

/// Returns the outline of a diamond that reaches this far across and down.
pub(crate) fn diamond((x, y): (f64, f64), (across, down): (f64, f64)) -> String {
    polygon(&[
        (x, y - down),
        (x + across, y),
        (x, y + down),
        (x - across, y),
    ])
}

/// Returns two diagonal strokes that reach this far in each direction.
pub(crate) fn cross((x, y): (f64, f64), reach: f64) -> String {
    let stroke = |reach: f64| path(&[(x - reach, y - reach.abs()), (x + reach, y + reach.abs())]);
    stroke(reach) + &stroke(-reach)
}

/// Returns the outline of a mark around a place. Each series has its own shape, besides its colour.
pub(crate) fn mark(series: usize, (x, y): (f64, f64)) -> String {
    let corners = |corners: [(f64, f64); 4]| polygon(&corners.map(|(dx, dy)| (x + dx, y + dy)));
    match series % 6 {
        0 => circle((x, y), 4.5),
        1 => corners([(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)]),
        2 => diamond((x, y), (5.5, 5.5)),
        3 => polygon(&[(x, y - 5.0), (x + 5.0, y + 4.0), (x - 5.0, y + 4.0)]),
        4 => polygon(&[(x, y + 5.0), (x + 5.0, y - 4.0), (x - 5.0, y - 4.0)]),
        _ => corners([(-5.0, -2.5), (5.0, -2.5), (5.0, 2.5), (-5.0, 2.5)]),
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
    fn labels_never_overlap() {
        for wanted in [
            vec![10.0, 10.0, 10.0, 40.0],
            vec![0.0, 95.0, 96.0, 97.0],
            vec![50.0; 6],
            vec![3.0],
        ] {
            // The second label has two lines.
            let heights = [LINE, 2.0 * LINE, LINE, LINE, LINE, LINE];
            let wanted: Vec<(f64, f64)> = wanted.into_iter().zip(heights).collect();
            let places = apart(&wanted, (0.0, 115.0));
            let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(
                gaps.zip(heights).all(|(gap, height)| gap >= height),
                "{places:?}"
            );
            let last = places.last().zip(wanted.last());
            assert!(
                last.is_some_and(|(place, (_, height))| place + height <= 115.0)
                    && places[0] >= 0.0,
                "{places:?}"
            );
        }
        // Labels that are far enough apart stay where they are.
        let wanted = [10.0, 40.0, 80.0].map(|y| (y, LINE));
        assert_eq!(apart(&wanted, (0.0, 100.0)), [10.0, 40.0, 80.0]);
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
