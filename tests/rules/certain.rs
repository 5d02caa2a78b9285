//! Counts that follow from the rules.

use crate::support::fights::{sampled, variant_with};
use skirmish::stats::{Confidence, Summary};
use skirmish::tally::Tally;

/// The default weapon: it always hits and does 3 damage.
const SWORD: &str = "[weapons.sword]\nkind = \"melee\"\ncheck = { dice = \"10\" }\ndamage = 3\n";

/// The counts of the only possible encounter.
struct Counted(Tally);

impl Counted {
    /// Returns the value of a metric of a combatant, a side or the encounter.
    fn of(&self, metric: &str, subject: &str) -> f64 {
        let metric = self.0.metric(metric).expect("a metric of this fight");
        let index = (0..self.0.subjects(metric.scope))
            .find(|&index| self.0.subject(metric.scope, index) == subject)
            .unwrap_or_else(|| panic!("no {subject}"));
        let distribution = self.0.distribution(metric, index);
        let summary = Summary::of(&distribution, metric.kind, Confidence::default());
        summary.mean.expect("a value")
    }

    /// Returns the damage that a combatant took.
    fn taken(&self, who: &str) -> f64 {
        self.of("damage_taken", who)
    }
}

/// Plays `encounters` encounters of a scenario, and counts them.
fn played(text: &str, set: &[&str], encounters: u64) -> Tally {
    sampled(&variant_with(text, set), 1, encounters)
}

/// Conditions may raise health above its value at the start, so the interval of health left extends above it, too.
#[test]
fn intervals_hold_health_that_conditions_have_raised() {
    let text = format!(
        "system = \"tara-corax\"\n[encounter]\nmax_rounds = 2\nhazards.bless = {{ last = 1, effects = [{{ condition = \"strong\" }}] }}\n\
         [conditions.strong]\nmodifies = {{ health = 5 }}\nends = \"never\"\n{SWORD}{}",
        ["a", "b"].map(|side| {
            format!(
                "[[combatants]]\nname = \"{side}\"\nside = \"{side}\"\nposition = 0\nattributes = {{ agility = 9, intellect = 9 }}\n\
                 move = 5\nevade = 5\nhealth = 20\nweapons = [\"sword\"]\npolicy = [\"attack if round = 2 and score > 12\"]\n"
            )
        }).concat()
    );
    let tally = played(&text, &[], 200);
    for (metric, most) in [("health", 25.0), ("health_left", 25.0)] {
        let metric = tally.metric(metric).expect("a metric of all fights");
        let summary = Summary::of(
            &tally.distribution(metric, 0),
            metric.kind,
            Confidence::default(),
        );
        let (mean, interval) = (summary.mean.unwrap(), summary.interval.unwrap());
        assert!(mean > 20.0 && mean < most, "{mean}");
        assert!(
            interval.low <= mean && mean <= interval.high,
            "{mean} in {interval:?}"
        );
    }
}

/// W-11: each of two conditions of one kind has its own check.
#[test]
fn w_11_conditions_that_add_up_end_one_by_one() {
    let fighter = |name: &str, position: u32| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = {position}\ninitiative = 9\nmove = 5\n\
             evade = 5\nhealth = 20\nweapons = [\"sword\"]\npolicy = [\"pass\"]\n"
        )
    };
    let text = format!(
        "system = \"tara-corax\"\nencounter.max_rounds = 4\n{SWORD}[conditions.burn]\nongoing = {{ damage = 1 }}\n\
         stacks = \"add\"\nends = \"check\"\ncheck = {{ dice = \"1d10\" }}\nneeds = 6\n\
         [encounter.hazards.fire]\nlast = 1\nstretch = [0, 0]\n\
         effects = [{{ condition = \"burn\" }}, {{ condition = \"burn\" }}]\n{}{}",
        fighter("a", 0),
        fighter("b", 9)
    );
    let counted = Counted(played(&text, &[], 20_000));
    // Each condition does damage in 1.875 of 4 Rounds on average, with a standard deviation of 1.05.
    let (mean, error) = (counted.taken("a"), (2.0 * 1.11 / 20_000_f64).sqrt());
    assert!((mean - 3.75).abs() < 4.0 * error, "{mean}");
}
