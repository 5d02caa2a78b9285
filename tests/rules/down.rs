//! W-18: combatants that are down, temporary health and thresholds, on all clocks, played and solved.

use super::until::{SYSTEMS, fight};
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
