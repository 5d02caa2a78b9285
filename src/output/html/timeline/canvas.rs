//! Shapes with their places, which the template writes down as SVG.

use super::super::drawing::{self, Shape};

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
