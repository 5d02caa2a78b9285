//! Widths of texts at a font size, and texts that are cut to a width.

use super::super::drawing;
use super::super::sides::group;

/// Returns the greatest width of a text in pixels, at a font size of `letter` pixels.
pub(super) fn width(text: &str, letter: f64) -> f64 {
    drawing::width(text) * letter / drawing::LETTER
}

/// Cuts a text to a width in pixels, at a font size of `letter` pixels.
pub(super) fn cut(text: &str, letter: f64, room: f64) -> String {
    drawing::cut(text, room * drawing::LETTER / letter)
}

/// Cuts the name of a combatant, but keeps its number within its group.
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
