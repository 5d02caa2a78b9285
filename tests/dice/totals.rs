//! Totals drawn from tables: their distribution, their order, and the dice shown for them.

use super::SampledFaces;
use super::statistics::assert_drawn;
use skirmish::dice::{Distribution, Faces, Notation, TotalTable, Totals, face_from_bits};
use std::collections::BTreeMap;

fn notation(text: &str) -> Notation {
    Notation::parse(text).unwrap()
}

fn totals(text: &str) -> Totals {
    Totals::of(notation(text).into()).unwrap()
}

const WITH_TABLES: [&str; 12] = [
    "2d10+9",
    "2d6+4",
    "7d6",
    "3d1",
    "20d10-30",
    "4d6kh3",
    "1d20adv",
    "1d10x10+2",
    "1000*2d6",
    "max(2d6,1d12)",
    "2d6-1d4",
    "(1d4)d6",
];

/// 0.1% of correct samplers fail here; with these seeds none does.
#[test]
fn totals_by_table_have_the_distribution_of_the_dice() {
    for (seed, text) in (900..).zip(WITH_TABLES) {
        let (totals, mut faces) = (totals(text), SampledFaces::new(seed));
        assert_drawn(text, &notation(text).distribution(), || {
            totals.roll(&mut faces)
        });
    }
}

/// Every published result depends on these totals: they never change.
#[test]
fn value_stability() {
    let drawn = |text| {
        let (totals, mut faces) = (totals(text), SampledFaces::new(11));
        (0..12).map(|_| totals.roll(&mut faces)).collect::<Vec<_>>()
    };
    let sums = [25, 24, 27, 21, 17, 22, 15, 12, 23, 19, 22, 19];
    assert_eq!(drawn("2d10+9"), sums);
    let sums = [29, 28, 33, 26, 22, 27, 19, 15, 28, 23, 27, 23];
    assert_eq!(drawn("7d6"), sums);
    let kept = [15, 15, 17, 13, 10, 14, 9, 6, 15, 12, 14, 11];
    assert_eq!(drawn("4d6kh3"), kept);
}

#[test]
fn a_total_never_falls_while_its_bits_rise_and_has_its_share_of_them() {
    for text in WITH_TABLES {
        let distribution = notation(text).distribution();
        let table = TotalTable::of(&distribution);
        // Finds by bisection the pattern at which each total begins.
        let mut below = 0.0;
        for (value, chance) in distribution.iter() {
            let expected = below * 2_f64.powi(64);
            below += chance;
            if chance < 1e-12 || below > 1.0 - 1e-9 {
                continue;
            }
            let (mut low, mut high) = (0, u64::MAX);
            while low < high {
                let middle = low + (high - low) / 2;
                if table.draw(middle) < value {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            assert_eq!(table.draw(low), value, "{text}");
            assert!(low == 0 || table.draw(low - 1) < value, "{text}");
            assert!(
                (low as f64 - expected).abs() <= 1e-12 * 2_f64.powi(64),
                "{text}: {value}"
            );
        }
        let mut faces = SampledFaces::new(3);
        let mut bits: Vec<u64> = (0..2000).map(|_| faces.bits()).collect();
        bits.sort_unstable();
        assert!(
            bits.iter().map(|bits| table.draw(*bits)).is_sorted(),
            "{text}"
        );
    }
}

#[test]
fn the_table_of_one_die_is_that_die() {
    for sides in [1, 2, 3, 4, 6, 8, 10, 12, 20, 100, 999] {
        let table = TotalTable::of(&Distribution::die(sides));
        let mut faces = SampledFaces::new(sides.into());
        for _ in 0..2000 {
            let bits = faces.bits();
            assert_eq!(table.draw(bits), i64::from(face_from_bits(bits, sides)));
        }
        for bits in [0, 1, 1 << 63, (1 << 63) - 1, u64::MAX] {
            assert_eq!(
                table.draw(bits),
                i64::from(face_from_bits(bits, sides)),
                "d{sides}"
            );
        }
    }
}

#[test]
fn too_many_totals_have_no_table() {
    for (text, has_table) in [
        ("111d10", true),
        ("112d10", false),
        ("2d500", true),
        ("2d501", false),
        ("100d1000", false),
        ("2d100kh1", true),
        ("2d1001kh1", false),
    ] {
        assert_eq!(
            Totals::of(notation(text).into()).is_ok(),
            has_table,
            "{text}"
        );
    }
}

#[test]
fn shown_dice_come_to_the_total() {
    for (seed, text) in (950..).zip(WITH_TABLES) {
        let (roll, totals, mut faces) = (notation(text), totals(text), SampledFaces::new(seed));
        for _ in 0..200 {
            let total = totals.roll(&mut faces);
            let shown = totals.such(total, &mut faces);
            let mut shown = shown.into_iter();
            let read = roll.roll(&mut |sides: u32| {
                let (of, face) = shown.next().expect("a die too few");
                assert_eq!(of, sides);
                face
            });
            assert_eq!((read, shown.next()), (total, None), "{text}");
        }
    }
}

/// All of 20 dice show a 1 once in 10^20 rolls.
#[test]
fn rare_totals_are_shown_as_soon_as_others() {
    let (totals, mut faces) = (totals("20d10"), SampledFaces::new(1));
    assert_eq!(totals.such(20, &mut faces), [(10, 1); 20]);
    let nearly = totals.such(199, &mut faces);
    assert_eq!(nearly.iter().filter(|die| **die == (10, 9)).count(), 1);
    assert_eq!(nearly.iter().filter(|die| **die == (10, 10)).count(), 19);
}

/// Each ordered roll of the dice is equally likely, as if the dice were rolled. A correct sampler exceeds the critical
/// value one time in a thousand.
#[test]
fn shown_dice_have_the_distribution_of_rolled_dice() {
    for (seed, text, sides) in [(970, "3d4", 4_u32), (971, "3d6kh2", 6)] {
        let (totals, mut faces) = (totals(text), SampledFaces::new(seed));
        // The three faces as one number, counted from 0.
        let all = Distribution::die(sides * sides * sides).shifted(-1);
        assert_drawn(text, &all, || {
            let total = totals.roll(&mut faces);
            let shown = totals.such(total, &mut faces);
            shown.iter().fold(0, |roll, (of, face)| {
                roll * i64::from(*of) + i64::from(*face) - 1
            })
        });
    }
}

/// Dice rolled one by one, as scripts roll them.
#[test]
fn where_single_dice_are_wanted_they_are_rolled() {
    let mut script = BTreeMap::from([(0, 4), (1, 9)]).into_values();
    let mut faces = |_: u32| script.next().expect("a die too few");
    assert_eq!(totals("2d10+9").roll(&mut faces), 22);
    assert_eq!(faces.total(&TotalTable::of(&Distribution::die(6))), None);
}
