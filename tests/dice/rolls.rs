//! Single rolls and their parts: tested by hand, by the rule texts, and against every roll.

mod attack {
    use skirmish::dice::attack::Attack;

    #[test]
    fn tc_11_a_five_on_either_die_spoils_a_desperate_shot() {
        let attack = Attack {
            bonus: 50,
            mastery: 3,
            evade: 15,
        };
        assert!(attack.hits(false, [5, 10]));
        assert!(!attack.hits(true, [5, 10]));
        assert!(!attack.hits(true, [10, 1]));
        assert!(attack.hits(true, [6, 6]));
        let odds = attack.odds(true);
        assert!((odds.hit - 0.25).abs() < 1e-16 && (odds.spoiled - 0.75).abs() < 1e-16);
    }

    #[test]
    fn tc_11_a_desperate_shot_goes_without_mastery() {
        let attack = Attack {
            bonus: 0,
            mastery: 3,
            evade: 20,
        };
        // With mastery the dice must reach 17: 7 + 10, 8 + 9 and so on, ten rolls.
        assert!((attack.odds(false).hit - 0.10).abs() < 1e-16);
        assert!((attack.odds(true).hit - 0.01).abs() < 1e-16);
        assert!((attack.odds(true).missed - 0.24).abs() < 1e-16);
        assert!((attack.odds(false).spoiled).abs() < 1e-16);
    }

    #[test]
    fn tc_22_reaching_the_evade_hits() {
        let attack = Attack {
            bonus: 9,
            mastery: 0,
            evade: 15,
        };
        assert!(attack.hits(false, [3, 3]));
        assert!(!attack.hits(false, [3, 2]));
        assert!((attack.odds(false).hit - 0.90).abs() < 1e-16);
    }
}

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
        assert_eq!(three.quantile(0.5), 10);
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
        let versus = Distribution::die(4).versus(&Distribution::die(6));
        assert!((versus.win - 6.0 / 24.0).abs() < 1e-16);
        assert!((versus.tie - 4.0 / 24.0).abs() < 1e-16);
        assert!((versus.lose - 14.0 / 24.0).abs() < 1e-16);
    }

    #[test]
    fn rows_have_the_tails_of_their_values() {
        let three = Distribution::die(6).dice(3);
        for row in three.rows() {
            assert_eq!(row.exactly, three.probability(row.value));
            assert_eq!(row.at_least, three.at_least(row.value));
            assert_eq!(row.at_most, three.at_most(row.value));
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

mod initiative {
    use skirmish::dice::Distribution;
    use skirmish::dice::initiative::{Explode, Initiative, Precedence, ROUND_MARKS, TieBreak};

    /// Counts all pairs of faces of two d10, one by one.
    fn counted(ratings: [i64; 2], least: i64, tie: TieBreak) -> [f64; 4] {
        let mut counts = [0.0; 4];
        for (one, other) in (1..=10).flat_map(|one| (1..=10).map(move |other| (one, other))) {
            let (mine, theirs) = (ratings[0] + one, ratings[1] + other);
            let weights = if mine < least && theirs < least {
                [0.0, 0.0, 0.0, 1.0]
            } else if theirs < least || mine > theirs && mine >= least {
                [1.0, 0.0, 0.0, 0.0]
            } else if mine < least || mine < theirs {
                [0.0, 0.0, 1.0, 0.0]
            } else {
                match tie {
                    TieBreak::First => [1.0, 0.0, 0.0, 0.0],
                    TieBreak::Second => [0.0, 0.0, 1.0, 0.0],
                    TieBreak::Simultaneous => [0.0, 1.0, 0.0, 0.0],
                    TieBreak::RollOff => [0.5, 0.0, 0.5, 0.0],
                }
            };
            for (count, weight) in counts.iter_mut().zip(weights) {
                *count += weight / 100.0;
            }
        }
        counts
    }

    #[test]
    fn who_acts_first_is_what_all_pairs_of_faces_say() {
        for ratings in [[6, 5], [5, 6], [5, 5], [-4, -6], [-20, 3], [30, -30]] {
            for least in [i64::MIN, 1] {
                for tie in [
                    TieBreak::First,
                    TieBreak::Second,
                    TieBreak::Simultaneous,
                    TieBreak::RollOff,
                ] {
                    let total = |rating: i64| Distribution::die(10).shifted(rating);
                    let odds = Precedence::of(&total(ratings[0]), &total(ratings[1]), least, tie);
                    let found = [odds.before, odds.simultaneous, odds.after, odds.neither];
                    let expected = counted(ratings, least, tie);
                    for (found, expected) in found.iter().zip(expected) {
                        let apart: f64 = found - expected;
                        assert!(apart.abs() < 1e-14, "{ratings:?} {least} {tie:?}: {odds:?}");
                    }
                }
            }
        }
    }

    fn score(characteristic: i64, explode: Explode) -> Initiative {
        Initiative {
            round_marks: ROUND_MARKS,
            characteristic,
            evade_modifier: 0,
            explode,
        }
    }

    fn rolled(initiative: Initiative, script: &[u32]) -> i64 {
        let mut faces = script.iter().copied();
        let result = initiative.roll(&mut |_: u32| faces.next().expect("a face too few"));
        assert_eq!(faces.next(), None, "the script was not used up");
        result
    }

    #[test]
    fn tc_2_the_characteristic_is_the_average_rounded_down_less_half_the_armour() {
        assert_eq!(Initiative::characteristic(16, 15), 15);
        let armoured = Initiative {
            evade_modifier: 5,
            ..score(15, Explode::Once)
        };
        assert_eq!(rolled(armoured, &[4]), 17);
    }

    #[test]
    fn tc_3_the_rogue_and_the_warrior_roll_their_scores() {
        assert_eq!(rolled(score(15, Explode::Once), &[9]), 24);
        assert_eq!(rolled(score(9, Explode::Once), &[10, 6]), 25);
        assert_eq!(rolled(score(12, Explode::Once), &[10, 4]), 26);
    }

    #[test]
    fn tc_3_a_second_ten_is_added_or_rolled_on() {
        assert_eq!(rolled(score(2, Explode::Once), &[10, 10]), 22);
        assert_eq!(rolled(score(2, Explode::Recursive), &[10, 10, 3]), 25);
        assert_eq!(rolled(score(2, Explode::None), &[10]), 12);
        assert_eq!(rolled(score(25, Explode::Once), &[10, 4]), 30);
        assert_eq!(rolled(score(10, Explode::Recursive), &[10, 10]), 30);
    }

    #[test]
    fn every_score_has_its_weight() {
        let once = score(15, Explode::Once).distribution();
        assert!((once.probability(16) - 0.1).abs() < 1e-17);
        assert!((once.probability(25)).abs() < 1e-300);
        assert!((once.probability(26) - 0.01).abs() < 1e-18);
        assert!((once.probability(30) - 0.06).abs() < 1e-17);
        let recursive = score(2, Explode::Recursive).distribution();
        assert!((recursive.probability(23) - 0.001).abs() < 1e-18);
        assert!((recursive.at_least(30) - 0.003).abs() < 1e-17);
        for (characteristic, explode) in [
            (-3, Explode::Once),
            (4, Explode::Recursive),
            (31, Explode::Recursive),
            (-5000, Explode::Recursive),
            (20, Explode::None),
        ] {
            let scores = score(characteristic, explode).distribution();
            assert!((scores.mass().value() - 1.0).abs() < 1e-15);
            assert!(scores.last() <= 30);
        }
        assert!((score(-3, Explode::Once).distribution().below(1) - 0.3).abs() < 1e-16);
    }

    #[test]
    fn tc_1_a_longer_round_has_higher_scores() {
        let longer = Initiative {
            round_marks: 45,
            ..score(25, Explode::Recursive)
        };
        assert_eq!(rolled(longer, &[10, 4]), 39);
        assert_eq!(rolled(longer, &[10, 10]), 45);
        let scores = longer.distribution();
        assert_eq!(scores.last(), 45);
        assert!((scores.at_least(45) - 0.01 * 0.6 - 0.001 * 4.0).abs() < 1e-17);
    }
}

mod magick {
    use skirmish::dice::magick::{Effect, MagickError, Manner};

    #[test]
    fn md_5_james_breathes_fire_at_three_difficulties() {
        for (manner, difficulty, paradox) in [
            (Manner::Coincidental, 6, 0),
            (Manner::Vulgar, 7, 3),
            (Manner::Witnessed, 8, 4),
        ] {
            let effect = Effect::new(4, 3, manner, None).unwrap();
            assert_eq!(effect.difficulty(), difficulty);
            assert_eq!(effect.paradox(), paradox);
            assert_eq!(effect.pool().pool, 4);
        }
    }

    #[test]
    fn md_5_the_difficulty_is_10_at_most() {
        let effect = Effect::new(9, 8, Manner::Witnessed, None).unwrap();
        assert_eq!(effect.difficulty(), 10);
    }

    #[test]
    fn md_6_a_botch_gives_at_least_one_paradox_not_one_more() {
        let odds = |effect: &Effect| effect.pool().compile().unwrap().odds();
        let quiet = Effect::new(4, 3, Manner::Coincidental, None).unwrap();
        let botch = odds(&quiet).botch();
        let paradox = quiet.paradox_of(&odds(&quiet));
        assert!((paradox.probability(1) - botch).abs() < 1e-16);
        assert!((paradox.mass().value() - 1.0).abs() < 1e-15);
        let loud = Effect::new(4, 3, Manner::Vulgar, None).unwrap();
        let paradox = loud.paradox_of(&odds(&loud));
        assert_eq!((paradox.first(), paradox.last()), (3, 3));
    }

    #[test]
    fn md_5_what_cannot_be_tried() {
        let tried = |arete, sphere, dice| Effect::new(arete, sphere, Manner::Vulgar, dice);
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

mod opposed {
    use skirmish::dice::opposed::OpposedOdds;
    use skirmish::dice::pool::{Storyteller, Tens};

    #[test]
    fn one_die_against_one_die_by_hand() {
        // Each die: -1 with 1/10, 0 with 4/10, 1 with 5/10.
        let die = Storyteller {
            tens: Tens::Plain,
            ..Storyteller::new(1, 6)
        };
        let odds = die.compile().unwrap().odds();
        let raw = OpposedOdds::of(&odds, &odds, false);
        assert!((raw.versus.tie - 0.42).abs() < 1e-16);
        assert!((raw.versus.win - 0.29).abs() < 1e-16);
        assert!((raw.margin.probability(2) - 0.05).abs() < 1e-16);
        let floored = OpposedOdds::of(&odds, &odds, true);
        assert!((floored.versus.tie - 0.5).abs() < 1e-16);
        assert!((floored.versus.lose - 0.25).abs() < 1e-16);
    }

    #[test]
    fn the_margin_says_who_wins() {
        let odds = |pool, difficulty| Storyteller::new(pool, difficulty).compile().unwrap().odds();
        let opposed = OpposedOdds::of(&odds(7, 6), &odds(4, 8), false);
        assert!((opposed.margin.at_least(1) - opposed.versus.win).abs() < 1e-15);
        assert!((opposed.margin.below(0) - opposed.versus.lose).abs() < 1e-15);
        assert!((opposed.margin.mass().value() - 1.0).abs() < 1e-15);
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
        assert_eq!(test.odds().success, 46);
        assert_eq!(test.odds().critical_success, 5);
        assert_eq!(test.odds().critical_failure, 5);
    }

    #[test]
    fn ep_9_double_nought_succeeds_and_ninety_nine_fails_whatever_the_skill() {
        let hopeless = Percentile { skill: -30 };
        assert_eq!(hopeless.odds().success, 1);
        assert_eq!(hopeless.odds().critical_success, 1);
        let perfect = Percentile { skill: 150 };
        assert_eq!(perfect.odds().success, 99);
        assert_eq!(perfect.odds().critical_failure, 1);
    }

    /// Double nought succeeds for both, and is a critical: of the defender's successes only criticals defend.
    #[test]
    fn ep_9_a_critical_beats_any_plain_success() {
        let attack = Percentile { skill: 0 };
        let odds = attack.opposed(Percentile { skill: 50 }, false);
        assert_eq!(odds.critical_hit, 95);
        assert_eq!(odds.defended, 5);
        assert_eq!([odds.plain_hit, odds.missed], [0, 9_900]);
        let odds = attack.opposed(Percentile { skill: 50 }, true);
        assert_eq!([odds.critical_hit, odds.defended], [49, 51]);
    }

    /// Ranks of successes: all criticals above all plain ones. The defender needs the same rank or a higher one.
    #[test]
    fn ep_9_the_higher_success_wins_and_equal_ones_defend() {
        let rank = |skill: i64, shown: i64| {
            let success = shown == 0 || (shown < 99 && shown <= skill);
            let critical = shown % 10 == shown / 10;
            success.then_some(shown + if critical { 1_000 } else { 0 })
        };
        for [skill, fray] in [[45, 30], [60, 60], [98, 5], [-20, 120], [130, 130]] {
            let odds = Percentile { skill }.opposed(Percentile { skill: fray }, false);
            let mut counts = [0; 3];
            for attack in (0..100).filter_map(|shown| rank(skill, shown)) {
                for defence in 0..100 {
                    let defended = rank(fray, defence).is_some_and(|defence| defence >= attack);
                    counts[if defended {
                        2
                    } else {
                        usize::from(attack < 1_000)
                    }] += 1;
                }
            }
            let got = [odds.critical_hit, odds.plain_hit, odds.defended];
            assert_eq!(got, counts, "{skill} against {fray}");
            assert_eq!(got.iter().sum::<u32>() + odds.missed, 10_000);
        }
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
    use skirmish::dice::{Faces, SampledFaces, face_from_bits};

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
