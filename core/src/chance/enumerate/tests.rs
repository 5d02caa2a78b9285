//! Tests of the enumerator.

use super::*;
use crate::chance::answers::as_written;
use crate::dice::{Faces, Notation};

struct Hand<'a>(&'a mut Enumerator<'static>);

impl Faces for Hand<'_> {
    fn face(&mut self, sides: u32) -> u32 {
        self.0.face(0, Purpose::Check, sides)
    }
}

/// Returns all results of a roll, with their weights.
fn all(text: &str) -> Vec<(i64, Weight)> {
    let notation = Notation::parse(text).unwrap();
    let mut dice = Enumerator::default();
    let mut found: Vec<(i64, Weight)> = Vec::new();
    dice.begin(0.0);
    let mut more = true;
    while more {
        let total = notation.roll(&mut Hand(&mut dice));
        match found.iter_mut().find(|(other, _)| *other == total) {
            Some((_, weight)) => *weight += dice.weight(),
            None => found.push((total, dice.weight())),
        }
        more = dice.advance();
    }
    assert!(dice.lost() < 1e-20);
    found
}

#[test]
fn every_roll_comes_with_its_weight() {
    for text in ["2d6+1", "3d4kh2", "1d8!", "2d6!"] {
        let exact = Notation::parse(text).unwrap().distribution();
        for (total, weight) in all(text) {
            let error = weight.value() - exact.probability(total);
            assert!(error.abs() < 1e-16, "{text}: {total}");
        }
    }
}

#[test]
fn a_chance_is_the_decimal_number_that_is_written() {
    for share in [0.0, 0.3, 0.25, 0.07, 0.123_456_789, 0.999, 1.0] {
        let parts = (share * 4_294_967_296.0_f64).round() as u64;
        assert!((as_written(parts) - share).abs() < 1e-16, "{share}");
        let mut dice = Enumerator::default();
        dice.begin(0.0);
        let happens = dice.happens(0, Purpose::Other, parts);
        let expected = if happens { share } else { 1.0 - share };
        assert!((dice.weight().value() - expected).abs() < 1e-16, "{share}");
    }
}

#[test]
fn settled_rolls_are_one_question() {
    let mut dice = Enumerator::default();
    let (mut paths, mut works) = (0, 0.0);
    dice.begin(0.0);
    loop {
        let good = dice.result((), |dice| dice.face(0, Purpose::Check, 20) > 5, |good| good);
        paths += 1;
        works += if good { dice.weight().value() } else { 0.0 };
        if !dice.advance() {
            break;
        }
    }
    assert_eq!(paths, 2);
    assert!((works - 0.75).abs() < 1e-16);
}

#[test]
fn a_blow_that_may_fell_is_a_question_without_weight() {
    let mut dice = Enumerator::new(vec![10]);
    let mut seen = Vec::new();
    dice.begin(0.0);
    loop {
        let fallen = dice.fells(0, 4, false) == Some(true) || dice.fells(0, 6, false) == Some(true);
        seen.push((fallen, dice.blows().count(), dice.weight().value()));
        if !dice.advance() {
            break;
        }
    }
    seen.sort_by_key(|one| one.1);
    assert_eq!(seen, [(true, 1, 1.0), (true, 2, 1.0)]);
    assert_eq!(dice.fells(1, 4, false), None);
}

#[test]
fn amounts_of_damage_that_nothing_tells_apart_are_one_answer() {
    let mut dice = Enumerator::new(vec![10, 0]);
    let roll = |dice: &mut Enumerator| dice.face(1, Purpose::Damage, 6) as i32 - 2;
    let kind = |amount: i32| i32::from(amount > 0);
    let mut seen = Vec::new();
    dice.begin(0.0);
    loop {
        let damage = dice.damage((1, 0), (), roll, kind);
        let fallen = dice.fells(0, damage, false) == Some(true);
        let blows: Vec<_> = dice.blows().map(|blow| (blow.by, blow.effect)).collect();
        seen.push((damage, fallen, blows, (6.0 * dice.weight().value()).round()));
        if !dice.advance() {
            break;
        }
    }
    seen.sort_by_key(|one| (one.0, one.1));
    let expected = [
        (-1, false, vec![], 2.0),
        (1, false, vec![(1, BlowEffect::Stands)], 4.0),
        (1, true, vec![(1, BlowEffect::Fells)], 4.0),
    ];
    assert_eq!(seen, expected);
    let spreads = dice.spreads();
    let spread = spreads.iter().find(|spread| spread.least == 1).unwrap();
    assert_eq!(*spread.chances, [Weight::ratio(1, 4); 4]);
}

#[test]
fn rolls_that_an_earlier_answer_rules_out_share_no_weight() {
    let mut dice = Enumerator::new(vec![10]);
    dice.begin(0.0);
    let even = |dice: &mut Enumerator| {
        let roll = |dice: &mut Enumerator| dice.face(0, Purpose::Check, 6) as i32;
        dice.again(0, roll, |face| face % 2)
    };
    let mut seen = Vec::new();
    loop {
        dice.count_more_successes(0, "successes", even);
        let damage = dice.damage((0, 1), "damage", even, |_| 0);
        assert!((dice.weight().value() - 1.0 / 3.0).abs() < 1e-15);
        seen.push(damage);
        let blows: Vec<Blow> = dice.blows().collect();
        assert_eq!((blows.len(), blows[0].effect), (1, BlowEffect::Successes));
        let mean = dice.spreads()[blows[0].spread as usize].mean();
        assert!((mean - 4.0).abs() < 1e-15);
        if !dice.advance() {
            break;
        }
    }
    seen.sort_unstable();
    assert_eq!(seen, [2, 4, 6]);
}
