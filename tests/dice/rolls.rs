//! Single rolls and their parts: tested by hand, by the rule texts, and against every roll.

#[expect(clippy::float_cmp, reason = "weights round to the nearest number")]
mod distribution {
    use skirmish::dice::distribution::Distribution;

    #[test]
    fn three_dice() {
        let three = Distribution::die(6).dice(3);
        assert_eq!((three.first(), three.last()), (3, 18));
        assert!((three.probability(10) - 27.0 / 216.0).abs() < 1e-16);
        assert!((three.at_most(4) - 4.0 / 216.0).abs() < 1e-17);
        assert!((three.mean() - 10.5).abs() < 1e-15);
        assert!((three.sd() - 8.75_f64.sqrt()).abs() < 1e-15);
        assert_eq!(three.probability(2), 0.0);
        assert_eq!(three.at_least(19), 0.0);
    }

    #[test]
    fn a_thin_tail_keeps_its_digits() {
        let twenty = Distribution::die(10).dice(20);
        let all_ten = twenty.at_least(200);
        assert!((all_ten / 1e-20 - 1.0).abs() < 1e-15);
        assert!((twenty.at_least(199) / 21e-20 - 1.0).abs() < 1e-15);
        assert!((twenty.at_most(20) / 1e-20 - 1.0).abs() < 1e-15);
    }

    #[test]
    fn comparison_covers_every_pair() {
        let [win, tie, lose] = Distribution::die(4).versus(&Distribution::die(6));
        assert!((win - 6.0 / 24.0).abs() < 1e-16);
        assert!((tie - 4.0 / 24.0).abs() < 1e-16);
        assert!((lose - 14.0 / 24.0).abs() < 1e-16);
    }

    #[test]
    fn rows_have_the_tails_of_their_values() {
        let three = Distribution::die(6).dice(3);
        for (value, chances) in three.rows() {
            let [exactly, at_least, at_most] = chances;
            assert_eq!(exactly, three.probability(value));
            assert_eq!(at_least, three.at_least(value));
            assert_eq!(at_most, three.at_most(value));
        }
    }

    #[test]
    fn arithmetic_on_values() {
        let die = Distribution::die(3);
        assert_eq!(die.negated().first(), -3);
        assert_eq!(die.shifted(4).last(), 7);
        let product = die.product(&die.negated());
        assert_eq!((product.first(), product.last()), (-9, -1));
        assert!((product.probability(-6) - 2.0 / 9.0).abs() < 1e-16);
        assert_eq!(die.map(|value| value.min(2)).probability(2), 2.0 / 3.0);
        let (low, high) = (die.part(1, 1), die.part(2, 3));
        assert_eq!(low.with(&high), die);
    }
}

mod magick {
    use skirmish::dice::magick::{MagickEffect, MagickError, Manner};

    #[test]
    fn md_5_james_breathes_fire_at_three_difficulties() {
        for (manner, difficulty, paradox) in [
            (Manner::Coincidental, 6, 0),
            (Manner::Vulgar, 7, 3),
            (Manner::Witnessed, 8, 4),
        ] {
            let effect = MagickEffect::new(4, 3, manner, None).unwrap();
            assert_eq!(effect.difficulty(), difficulty);
            assert_eq!(effect.paradox(), paradox);
            assert_eq!(effect.pool().pool, 4);
        }
    }

    #[test]
    fn md_5_the_difficulty_is_10_at_most() {
        let effect = MagickEffect::new(9, 8, Manner::Witnessed, None).unwrap();
        assert_eq!(effect.difficulty(), 10);
    }

    #[test]
    fn md_5_what_cannot_be_tried() {
        let tried = |arete, sphere, dice| MagickEffect::new(arete, sphere, Manner::Vulgar, dice);
        assert_eq!(tried(0, 1, None), Err(MagickError::Sleeper));
        assert_eq!(tried(11, 1, None), Err(MagickError::Arete(11)));
        assert_eq!(tried(3, 0, None), Err(MagickError::Sphere(0)));
        assert!(matches!(
            tried(2, 3, None),
            Err(MagickError::SphereAboveArete { .. })
        ));
        assert!(matches!(
            tried(2, 2, Some(3)),
            Err(MagickError::Dice { .. })
        ));
        assert_eq!(tried(4, 2, Some(1)).unwrap().pool().pool, 1);
    }
}

mod percentile {
    use skirmish::dice::percentile::Percentile;

    #[test]
    fn ep_9_at_or_under_the_skill() {
        let test = Percentile { skill: 45 };
        assert!(test.judge(45).success);
        assert!(!test.judge(46).success);
        assert!(test.judge(44).critical && test.judge(44).success);
        assert!(test.judge(55).critical && !test.judge(55).success);
    }

    #[test]
    fn ep_9_double_nought_succeeds_and_ninety_nine_fails_whatever_the_skill() {
        let hopeless = Percentile { skill: -30 };
        assert!(hopeless.judge(0).success && !hopeless.judge(1).success);
        let perfect = Percentile { skill: 150 };
        assert!(perfect.judge(98).success && !perfect.judge(99).success);
    }

    #[test]
    fn a_hundred_reads_as_double_nought() {
        assert_eq!(Percentile { skill: 50 }.roll(&mut |_: u32| 100).shown, 0);
        assert_eq!(Percentile { skill: 50 }.roll(&mut |_: u32| 7).shown, 7);
    }
}

mod weight {
    use skirmish::dice::Weight;

    #[test]
    fn ten_tenths_are_one() {
        let tenth = Weight::ratio(1, 10);
        let sum: Weight = std::iter::repeat_n(tenth, 10).sum();
        assert!(((sum - Weight::ONE).value()).abs() < 1e-31);
    }

    #[test]
    fn a_quotient_multiplies_back() {
        let third = Weight::ratio(1, 3);
        assert!((third * Weight::from(3.0) - Weight::ONE).value().abs() < 1e-31);
        let odd = Weight::ratio(12_345, 67_891) / Weight::ratio(7, 9);
        let back = odd * Weight::ratio(7, 9) - Weight::ratio(12_345, 67_891);
        assert!(back.value().abs() < 1e-31);
    }

    #[test]
    fn a_power_is_repeated_multiplication() {
        let tenth = Weight::ratio(1, 10);
        assert!((tenth.power(20).value() - 1e-20).abs() <= 1e-36);
        assert_eq!(tenth.power(0), Weight::ONE);
    }
}

mod faces {
    use super::super::SampledFaces;
    use skirmish::dice::{Faces, face_from_bits};

    #[test]
    fn the_draw_covers_first_and_last_face() {
        assert_eq!(face_from_bits(0, 10), 1);
        assert_eq!(face_from_bits(u64::MAX, 10), 10);
        assert_eq!(face_from_bits(u64::MAX, 1), 1);
        assert_eq!(face_from_bits(u64::MAX, u32::MAX), u32::MAX);
    }

    #[test]
    fn a_face_changes_where_its_share_of_the_bits_ends() {
        // Each face has floor(2^64 / 10) patterns and a fraction: these are the last pattern of face 1 and the first of
        // face 2.
        let tenth = u64::MAX / 10;
        assert_eq!(face_from_bits(tenth, 10), 1);
        assert_eq!(face_from_bits(tenth + 1, 10), 2);
    }

    #[test]
    fn value_stability() {
        let mut faces = SampledFaces::new(7);
        let shown: Vec<u32> = (0..16).map(|_| faces.face(10)).collect();
        assert_eq!(shown, [1, 2, 8, 5, 10, 5, 8, 4, 10, 1, 2, 2, 8, 2, 5, 1]);
    }
}
