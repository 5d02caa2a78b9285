//! W-18: combatants that are down, temporary health and thresholds, on all clocks, played and solved.

use super::until::{SYSTEMS, fight, hits, says, traced};
use crate::exact::agrees_with_samples;
use crate::support::fights::{budget, errors_with, solved, variant};

/// A salve that its bearer can use three times on an ally, and a club that fells.
const GEAR: &str = "[weapons.club]\nkind = \"melee\"\ncheck = { dice = \"10\" }\ndamage = 9\n\
                    [items.salve]\ntarget = \"ally\"\nrange = 9\nuses = 3\nheal = 9\n";

/// A hero who attacks, an ogre who fells it each Round, and a priest whose line is `prayer`; each with its initiative.
fn rescue(system: &str, [hero, ogre, priest]: [u8; 3], prayer: &str, rules: &str) -> String {
    let fighters = [
        format!("hero x {hero} | evade = 0; health = 9 | stand; attack"),
        format!("ogre y {ogre} | at_zero = \"out\"; evade = 0; health = 99 | attack hero"),
        format!("priest x {priest} | items = [\"salve\"]; evade = 99; health = 9 | {prayer}"),
    ];
    let fighters = fighters.each_ref().map(|fighter| &**fighter);
    let text = fight(system, GEAR, &fighters)
        .replace("max_rounds = 4", "max_rounds = 9")
        .replace("rules = {", "rules = { at_zero = \"down\",");
    let (before, after) = text.split_once("name = \"ogre\"").expect("an ogre");
    let after = after.replacen("[\"axe\"]", "[\"club\"]", 1);
    let unhurt = if system == "eclipse-phase" {
        "\nwound_threshold = 99"
    } else {
        ""
    };
    let text = format!("{before}name = \"ogre\"{after}")
        .replace("\nside = \"x\"", &format!("\nside = \"x\"{unhurt}"));
    text.replace(
        "initiative.dice = 0",
        &format!("initiative.dice = 0, {rules}"),
    )
}

const WHEN_DOWN: &str = "use salve if allies_down = 1 and ally.health = 0";

/// It falls each Round and is healed three times: it attacks before each of its four falls.
#[test]
fn w_18_one_who_falls_each_round_and_is_healed_three_times_attacks_four_times() {
    for system in SYSTEMS {
        for prayer in [
            WHEN_DOWN,
            "use salve weakest_ally",
            "use salve hero if allies = 0",
        ] {
            let text = rescue(system, [90, 20, 10], prayer, "down = {}");
            assert_eq!(hits(&text), [4, 4, 0], "{system} {prayer}");
        }
    }
}

/// Its place in this Round is still to come, or has passed while it was down. On Marks it acts on from the next Mark.
#[test]
fn w_18_one_who_stands_again_acts_at_its_place_if_that_is_still_to_come() {
    for system in SYSTEMS {
        let text = rescue(system, [10, 20, 15], WHEN_DOWN, "down = {}");
        assert_eq!(hits(&text), [3, 4, 0], "{system}");
        let late = rescue(system, [15, 20, 10], WHEN_DOWN, "down = {}");
        let acts = if system == "tara-corax" { 3 } else { 0 };
        assert_eq!(hits(&late), [acts, 4, 0], "{system}");
    }
}

/// On Marks one that is healed in a Round in which it has not attacked does so from the next Mark on.
fn more(system: &str, hero: u32) -> u32 {
    u32::from(system == "tara-corax" && hero > 1)
}

/// The Round in which it went down is the first.
#[test]
fn w_18_one_who_is_down_too_long_is_lost() {
    for system in SYSTEMS {
        for (rounds, hero) in [(2, 1), (3, 4)] {
            let rules = format!("down = {{ lost_after = {rounds} }}");
            let prayer = "use salve if round > 2";
            let text = rescue(system, [90, 20, 10], prayer, &rules);
            assert_eq!(
                hits(&text)[0],
                hero + more(system, hero),
                "{system} {rounds}"
            );
        }
    }
}

/// The checks of these fights come to 10.
#[test]
fn w_18_checks_decide_who_is_lost_and_who_is_stable() {
    let saves = |more: &str| format!("down = {{ check = {{ dice = \"10\" }}, {more} }}");
    for system in SYSTEMS {
        for (rules, hero) in [
            // Failed as Rounds 2 and 3 begin.
            (saves("needs = 11, failures = 2"), 1),
            (saves("needs = 11"), 4),
            // Stable as Round 2 begins: the Rounds do not count any more.
            (saves("needs = 9, successes = 1, lost_after = 3"), 4),
            (saves("needs = 9, lost_after = 2"), 1),
        ] {
            let text = rescue(system, [90, 20, 10], "use salve if round > 2", &rules);
            assert_eq!(
                hits(&text)[0],
                hero + more(system, hero),
                "{system} {rules}"
            );
        }
    }
}

#[test]
fn w_18_one_may_have_to_get_up_from_the_ground() {
    for system in SYSTEMS {
        let text = rescue(system, [90, 20, 10], WHEN_DOWN, "down = { prone = true }");
        says(
            &traced(&text),
            &[
                "hero    goes down",
                "hero    stands again",
                "hero    stands up",
            ],
        );
    }
}

/// A healer that has readied its salve for a fall uses it at once, so that the hero acts in each Round.
#[test]
fn w_18_a_fall_may_trigger_the_healing() {
    let prayer = "ready use salve weakest_ally when hero falls";
    let text = rescue("chronicles", [10, 20, 30], prayer, "down = {}");
    says(
        &traced(&text),
        &[
            "hero    goes down",
            "priest  interrupts",
            "hero    stands again",
            "hero    attacks ogre",
        ],
    );
    assert_eq!(hits(&text), [3, 4, 0]);
}

/// A declared healing of one who is down is carried out, though another might interrupt it.
#[test]
fn w_18_a_declared_healing_reaches_one_who_is_down() {
    let text = rescue("chronicles", [90, 20, 10], WHEN_DOWN, "down = {}");
    let guard = "[[combatants]]\nname = \"guard\"\nside = \"x\"\ninitiative = 95\nposition = 0\nmove = 0\nevade = 99\n\
                 health = 9\nweapons = [\"axe\"]\npolicy = [\"ready attack ogre when priest falls\"]\n";
    assert_eq!(hits(&(text + guard)), [4, 4, 0, 0]);
}

/// It is no target, and its side has lost when no one of it stands, whoever might heal it.
#[test]
fn w_18_a_side_that_is_down_has_lost() {
    for system in SYSTEMS {
        let fighters = [
            "hero x 10 | evade = 0; health = 1 | attack",
            "ogre y 20 | at_zero = \"out\"; evade = 0; health = 9 | attack",
        ];
        let text =
            fight(system, "", &fighters).replace("rules = {", "rules = { at_zero = \"down\",");
        let told = traced(&text);
        says(&told, &["hero  goes down", "y win in"]);
        assert_eq!(hits(&text), [0, 1], "{system}");
    }
}

/// The check against death, healing of all in an area and temporary health in one fight, by chance.
#[test]
fn w_18_solved_fights_agree_with_played_ones() {
    let gear = "[weapons.mace]\nkind = \"melee\"\nreach = 5\ncheck = { dice = \"1d4\" }\ndamage = \"1d3\"\n\
                [items.song]\ntarget = \"ally\"\nrange = 9\narea = 9\nspares = \"enemies\"\nuses = 2\n\
                effects = [{ heal = \"1d2\" }, { temporary_health = \"1d2\" }]\n";
    for system in SYSTEMS {
        let fighters = [
            "hero x 15 | evade = 3; temporary_health = 1; thresholds = [2, 3]; health = 2 | attack weakest",
            "bard x 15 | items = [\"song\"]; evade = 3; health = 2 | use song if allies_down > 0; attack",
            "ogre y 15 | at_zero = \"out\"; evade = 3; health = 5 | attack",
            "troll y 16 | evade = 2; health = 3 | attack weakest",
        ];
        let rules = "rules = { at_zero = \"down\", down = { lost_after = 3, check = \"1d4\", needs = 3, failures = 2 },";
        let text = fight(system, gear, &fighters)
            .replace("[\"axe\"]", "[\"mace\"]")
            .replace("max_rounds = 4", "max_rounds = 3")
            .replace("rules = {", rules);
        let variant = variant(&text);
        let solution = solved(&variant, budget(400_000), true);
        let solution = solution.unwrap_or_else(|_| panic!("{text}"));
        agrees_with_samples(&variant, &solution, 4_000);
    }
}

#[test]
fn w_18_mistakes_are_told_with_the_way_out() {
    let text = rescue("chronicles", [90, 20, 10], WHEN_DOWN, "down = {}");
    let wrong = |key: &str| errors_with(&text, &[key]);
    assert!(wrong("rules.at_zero=\"dwn\"").contains("did you mean \"down\"?"));
    assert!(wrong("rules.down={ failures = 2 }").contains("without a `check` nothing is rolled"));
    assert!(wrong("rules.down={ lost_after = 0 }").contains("from 1 to 200"));
    assert!(wrong("combatants.hero.temporary_health=-1").contains("out of range"));
    for thresholds in ["[3, 3]", "[1,2,3,4,5,6,7,8,9]", "[0]"] {
        let problem = wrong(&format!("combatants.hero.thresholds={thresholds}"));
        assert!(problem.contains("`thresholds`"), "{problem}");
    }
}
