//! Properties of all pools, dice and tables.

use super::extended::{self, Options};
use proptest::prelude::*;
use skirmish::dice::extended::OnBotch;
use skirmish::dice::pool::{Again, Botch, Chronicles, Ones, PoolOdds, Storyteller, Tens};
use skirmish::dice::{Distribution, Notation};
use skirmish::names::Named;

fn one_of<T: Named + std::fmt::Debug>() -> impl Strategy<Value = T> {
    prop::sample::select(T::ALL).prop_map(|(_, value)| value)
}

prop_compose! {
    fn storyteller(most: u32)(
        pool in 0..=most,
        difficulty in 2..=10_u32,
        tens in one_of::<Tens>(),
        ones in one_of::<Ones>(),
        ones_on_explosion in one_of::<Ones>(),
        botch in one_of::<Botch>(),
        required in 1..6_u32,
        willpower: bool,
    ) -> Storyteller {
        Storyteller {
            tens, ones, ones_on_explosion, botch, required, willpower,
            ..Storyteller::new(pool, difficulty)
        }
    }
}

fn odds(rule: Storyteller) -> PoolOdds {
    rule.compile().unwrap().odds()
}

fn assert_whole(distribution: &Distribution) {
    assert!((distribution.mass().value() - 1.0).abs() <= 1e-15);
    for value in distribution.first() - 1..=distribution.first() + 40 {
        let sum = distribution.at_least(value) + distribution.below(value);
        assert!((sum - 1.0).abs() <= 1e-15, "{value}: {sum}");
        let sum = distribution.at_most(value) + distribution.at_least(value + 1);
        assert!((sum - 1.0).abs() <= 1e-15, "{value}: {sum}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(3),
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_distribution_sums_to_one(rule in storyteller(60)) {
        let odds = odds(rule);
        assert_whole(&odds.net());
        let sum = odds.botch() + odds.failure() + odds.diminished() + odds.success();
        prop_assert!((sum - 1.0).abs() <= 1e-15);
    }

    #[test]
    fn one_die_more_never_lowers_the_mean(rule in storyteller(40)) {
        // At difficulty 10 with cancelling 1s a plain die adds nothing on average.
        let more = Storyteller { pool: rule.pool + 1, ..rule };
        prop_assert!(odds(more).net().mean() >= odds(rule).net().mean() - 1e-12);
    }

    #[test]
    fn a_higher_difficulty_never_helps(rule in storyteller(30)) {
        prop_assume!(rule.difficulty < 10);
        let harder = Storyteller { difficulty: rule.difficulty + 1, ..rule };
        let (easy, hard) = (odds(rule), odds(harder));
        prop_assert!(hard.net().mean() <= easy.net().mean() + 1e-12);
        for net in -5..10 {
            prop_assert!(hard.net().at_least(net) <= easy.net().at_least(net) + 1e-15);
        }
    }

    #[test]
    fn more_required_is_never_likelier(rule in storyteller(30)) {
        let more = Storyteller { required: rule.required + 1, ..rule };
        prop_assert!(odds(more).success() <= odds(rule).success());
        prop_assert!((odds(more).botch() - odds(rule).botch()).abs() < 1e-300);
    }

    #[test]
    fn willpower_is_worth_a_success_and_never_botches(rule in storyteller(30)) {
        let willing = Storyteller { willpower: true, ..rule };
        let (plain, bought) = (odds(Storyteller { willpower: false, ..rule }), odds(willing));
        prop_assert!(bought.botch() <= 0.0);
        let rolled = plain.net().map(|net| net.max(0)).mean();
        prop_assert!((bought.net().mean() - rolled - 1.0).abs() < 1e-12);
    }

    #[test]
    fn rerolling_more_faces_helps(pool in 1..40_i32, rote: bool) {
        let mean = |again, rote| {
            let rule = Chronicles { again, rote, ..Chronicles::new(pool) };
            let odds = rule.compile().unwrap().odds();
            assert_whole(&odds.net());
            odds.net().mean()
        };
        prop_assert!(mean(Again::Never, rote) < mean(Again::Ten, rote));
        prop_assert!(mean(Again::Ten, rote) < mean(Again::Nine, rote));
        prop_assert!(mean(Again::Nine, rote) < mean(Again::Eight, rote));
        prop_assert!(mean(Again::Ten, false) < mean(Again::Ten, true));
    }

    #[test]
    fn an_extended_roll_is_over_one_way_or_the_other(
        rule in storyteller(8),
        required in 1..25_u32,
        on_botch in one_of::<OnBotch>(),
        difficulty_step in 0..3_u32,
        max_rolls in 1..40_u32,
    ) {
        let options = Options {
            on_botch,
            difficulty_step,
            max_rolls: Some(max_rolls),
            ..Options::default()
        };
        let rule = Storyteller { required, ..rule };
        let odds = extended::new(rule, options).unwrap().odds().unwrap();
        let sum = odds.summary.success + odds.ended.mass().value() + odds.unfinished;
        prop_assert!((sum - 1.0).abs() <= 1e-15);
        prop_assert!(odds.summary.mean_rolls <= f64::from(max_rolls) + 1e-12);
    }

    #[test]
    fn a_canonical_form_reads_as_itself(
        count in 1..6_u32,
        sides in 2..9_u32,
        keep in prop::option::of(("kh|kl|dh|dl", 1..2_u32)),
        reroll in prop::sample::select(&["", "r1", "rr<2"][..]),
        bonus in -9..10_i64,
    ) {
        let keep = keep.map_or(String::new(), |(word, number)| format!("{word}{number}"));
        let text = format!("{count}d{sides}{reroll}{keep}{bonus:+}");
        let notation = Notation::parse(&text).unwrap();
        prop_assert_eq!(notation.to_string(), text);
        let distribution = notation.distribution();
        assert_whole(&distribution);
        prop_assert_eq!(distribution.first(), notation.min());
        prop_assert_eq!(Some(distribution.last()), notation.max());
    }
}

#[test]
fn tails_keep_thirteen_digits() {
    // All of twenty dice show a 1: 10^-20, with or without a botch.
    let net = odds(Storyteller::new(20, 6)).net();
    assert!((net.at_most(-20) / 1e-20 - 1.0).abs() < 1e-13);
    // All dice show a 10, without extra dice: the end of a binomial distribution.
    let plain = Storyteller {
        tens: Tens::Plain,
        ..Storyteller::new(20, 10)
    };
    assert!((odds(plain).net().at_least(20) / 1e-20 - 1.0).abs() < 1e-13);
    // A die that explodes 25 times: (1/10)^25, including everything beyond.
    let chain = Notation::parse("1d10x10").unwrap().distribution();
    assert!((chain.at_least(251) / 1e-25 - 1.0).abs() < 1e-13);
}
