//! Colours for light and dark paper, and their uses.
//!
//! The series have the hues of Okabe and Ito, which people with colour vision deficiencies can distinguish. Each is
//! dark enough on light paper, and light enough on dark paper, to stand out. Tests check both.

use std::fmt::Write;

/// A named colour, with its value on light and on dark paper.
struct Colour {
    name: &'static str,
    light: &'static str,
    dark: &'static str,
}

const fn colour(name: &'static str, light: &'static str, dark: &'static str) -> Colour {
    Colour { name, light, dark }
}

/// All colours. `c1` to `c8` are for series, `h0` to `h6` for cells from the least to the greatest, and `h7` to `h9` for
/// cells below the middle, the farther the higher.
const COLOURS: [Colour; 35] = [
    colour("paper", "#ffffff", "#14171b"),
    colour("panel", "#f4f6f8", "#1d2126"),
    colour("ink", "#1b1f24", "#e8eaed"),
    colour("soft", "#555d66", "#a9b1ba"),
    colour("line", "#868e97", "#767f89"),
    colour("grid", "#e3e7eb", "#2c3239"),
    colour("link", "#0b57a4", "#7db7f0"),
    colour("c1", "#0072b2", "#56b4e9"),
    colour("c2", "#c75000", "#f0883c"),
    colour("c3", "#00805f", "#2fc79a"),
    colour("c4", "#b0508a", "#e08fc0"),
    colour("c5", "#806600", "#e3c13b"),
    colour("c6", "#5b4fa0", "#b3a5f2"),
    colour("c7", "#9a3324", "#f2a596"),
    colour("c8", "#5d6670", "#b4bcc5"),
    colour("h0", "#f7fbff", "#182430"),
    colour("h1", "#dbe9f6", "#1c3a52"),
    colour("h2", "#b8d5ea", "#1f5076"),
    colour("h3", "#8fc1e0", "#24678f"),
    colour("h4", "#3f86ba", "#5fb0dd"),
    colour("h5", "#1f63a0", "#93cdec"),
    colour("h6", "#0b3f77", "#cbe8f7"),
    colour("h7", "#fbdcc4", "#4a2c17"),
    colour("h8", "#ee9d68", "#a8683a"),
    colour("h9", "#a84300", "#f7c9a4"),
    // The text on these cells.
    colour("t0", "#1b1f24", "#ffffff"),
    colour("t1", "#1b1f24", "#ffffff"),
    colour("t2", "#1b1f24", "#ffffff"),
    colour("t3", "#1b1f24", "#ffffff"),
    colour("t4", "#000000", "#0c1116"),
    colour("t5", "#ffffff", "#0c1116"),
    colour("t6", "#ffffff", "#0c1116"),
    colour("t7", "#1b1f24", "#ffffff"),
    colour("t8", "#000000", "#000000"),
    colour("t9", "#ffffff", "#0c1116"),
];

/// The number of colours for series.
pub(crate) const SERIES: usize = 8;

/// The colour of everything that belongs to no side: a draw, a timeout, an encounter as a whole.
pub(crate) const NEUTRAL: usize = SERIES - 1;

/// Returns the colour of a side by its index. It is never the neutral colour.
pub(crate) const fn side(index: usize) -> usize {
    index % NEUTRAL
}

/// The colours of cells from the least number to the greatest.
pub(crate) const RISING: [usize; 7] = [0, 1, 2, 3, 4, 5, 6];

/// The colours of cells around a middle: those of the second side, none, those of the first.
pub(crate) const DIVERGING: [usize; 7] = [9, 8, 7, 0, 2, 4, 6];

/// Returns the CSS declarations of the colours.
pub(super) fn variables(dark: bool) -> String {
    let mut css = String::new();
    for colour in &COLOURS {
        let value = if dark { colour.dark } else { colour.light };
        let _ = write!(css, "--{}:{value};", colour.name);
    }
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rgb(text: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| {
            let channel = u8::from_str_radix(&text[at..at + 2], 16).expect("two digits");
            let share = f64::from(channel) / 255.0;
            if share <= 0.04045 {
                share / 12.92
            } else {
                ((share + 0.055) / 1.055).powf(2.4)
            }
        })
    }

    fn luminance([r, g, b]: [f64; 3]) -> f64 {
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Returns the contrast of two colours as defined by WCAG 2, from 1 to 21.
    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(rgb(one)), luminance(rgb(other)));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    fn find(name: &str) -> &'static Colour {
        COLOURS.iter().find(|one| one.name == name).expect(name)
    }

    fn both(one: &str, other: &str) -> f64 {
        let (one, other) = (find(one), find(other));
        contrast(one.light, other.light).min(contrast(one.dark, other.dark))
    }

    #[test]
    fn words_stand_out() {
        for (ink, paper) in [
            ("ink", "paper"),
            ("ink", "panel"),
            ("soft", "paper"),
            ("soft", "panel"),
            ("link", "paper"),
        ] {
            let found = both(ink, paper);
            assert!(found >= 4.5, "{ink} on {paper}: {found:.2}");
        }
        for shade in RISING.into_iter().chain(DIVERGING) {
            let found = both(&format!("t{shade}"), &format!("h{shade}"));
            assert!(found >= 4.5, "text on h{shade}: {found:.2}");
        }
    }

    #[test]
    fn marks_stand_out() {
        for series in 1..=SERIES {
            let name = format!("c{series}");
            let found = both(&name, "paper");
            assert!(found >= 3.0, "{name}: {found:.2}");
        }
        assert!(both("line", "paper") >= 3.0);
    }

    #[test]
    fn shades_go_one_way() {
        let below = DIVERGING[..4].iter().rev();
        let below: Vec<usize> = below.copied().collect();
        for pair in RISING.windows(2).chain(below.windows(2)) {
            let (one, other) = (
                find(&format!("h{}", pair[0])),
                find(&format!("h{}", pair[1])),
            );
            assert!(luminance(rgb(one.light)) > luminance(rgb(other.light)));
            assert!(luminance(rgb(one.dark)) < luminance(rgb(other.dark)));
        }
    }

    /// Colours as seen by people who lack one of the three kinds of cones: Machado, Oliveira and Fernandes, "A
    /// Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity 1.
    const DEFICIENCIES: [(&str, [[f64; 3]; 3]); 4] = [
        ("none", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ),
    ];

    /// Converts to CIE L*a*b*, in which equal distances look about equal.
    fn lab([red, green, blue]: [f64; 3]) -> [f64; 3] {
        let bent = |share: f64| {
            if share > 0.008_856 {
                share.cbrt()
            } else {
                7.787 * share + 16.0 / 116.0
            }
        };
        let across = bent((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
        let light = bent(0.2126 * red + 0.7152 * green + 0.0722 * blue);
        let deep = bent((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
        [
            116.0 * light - 16.0,
            500.0 * (across - light),
            200.0 * (light - deep),
        ]
    }

    #[test]
    fn the_first_colours_differ_for_those_who_see_few() {
        for (name, matrix) in DEFICIENCIES {
            let seen = |colour: [f64; 3]| {
                lab(matrix.map(|row| {
                    let sum: f64 = row.iter().zip(colour).map(|(a, b)| a * b).sum();
                    sum.clamp(0.0, 1.0)
                }))
            };
            for one in 1..=4 {
                for other in one + 1..=4 {
                    let (one, other) = (find(&format!("c{one}")), find(&format!("c{other}")));
                    for pair in [(one.light, other.light), (one.dark, other.dark)] {
                        let (a, b) = (seen(rgb(pair.0)), seen(rgb(pair.1)));
                        let apart: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
                        assert!(
                            apart.sqrt() >= 10.0,
                            "{name}: {pair:?}: {:.1}",
                            apart.sqrt()
                        );
                    }
                }
            }
        }
    }
}
