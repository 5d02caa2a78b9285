//! Shapes with their places, which the template writes down as SVG.

use super::super::drawing::{self, Shape};
use super::super::sides::group;

pub(super) use super::super::drawing::{Px, path};

/// Shapes in the order in which they are drawn.
#[derive(Debug, Clone, Default)]
pub(super) struct Canvas {
    pub(super) shapes: Vec<Shape>,
}

impl Canvas {
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        self.path(path(&[from, to]), class);
    }

    pub(super) fn path(&mut self, d: String, class: &str) {
        self.shapes.push(Shape::Path {
            d,
            class: class.to_owned(),
            title: String::new(),
        });
    }

    pub(super) fn rect(&mut self, [x, y, width, height]: [f64; 4], class: &str) {
        self.shapes.push(Shape::Rect {
            x: Px(x),
            y: Px(y),
            width: Px(width),
            height: Px(height),
            class: class.to_owned(),
            title: String::new(),
        });
    }

    pub(super) fn text(&mut self, (x, y): (f64, f64), class: &str, text: &str) {
        self.shapes.push(Shape::Text {
            x: Px(x),
            y: Px(y),
            class: class.to_owned(),
            text: text.to_owned(),
            title: String::new(),
        });
    }

    /// Something that is hovered over or reached as one.
    pub(super) fn group(
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
}

/// How wide a text is at most, in letters of that many pixels.
pub(super) fn width(text: &str, letter: f64) -> f64 {
    drawing::width(text) * letter / drawing::LETTER
}

/// Cuts a text to a width in pixels, at that font size.
pub(super) fn cut(text: &str, letter: f64, room: f64) -> String {
    drawing::cut(text, room * drawing::LETTER / letter)
}

/// Cuts the name of a combatant: the number that it has in its group stays.
pub(super) fn cut_name(name: &str, letter: f64, room: f64) -> String {
    match group(name) {
        (stem, Some(number)) if width(name, letter) > room => {
            let number = format!(" {number}");
            cut(stem, letter, room - width(&number, letter)) + &number
        }
        _ => cut(name, letter, room),
    }
}

#[cfg(test)]
mod tests {
    use super::{cut_name, width};

    #[test]
    fn a_number_outlives_the_name_before_it() {
        assert_eq!(cut_name("ambusher 12", 12.0, 500.0), "ambusher 12");
        let short = cut_name("ambusher 12", 12.0, 60.0);
        assert!(
            short.starts_with("am") && short.ends_with("\u{2026} 12"),
            "{short}"
        );
        assert!(width(&short, 12.0) <= 60.0 + 12.0);
        assert_eq!(
            cut_name("ambusher", 12.0, 40.0).chars().last(),
            Some('\u{2026}')
        );
    }
}
