//! Short scenarios: each fighter is one line of text, and its gear is defined here.

use crate::support::fights;

/// Gear that fighters may carry.
const ARMORY: &str = r#"
system = "tara-corax"
[rules]
initiative.mode = "fixed"
[encounter]
max_rounds = 1
[weapons.sword]
kind = "melee"
check = { dice = "1d10" }
damage = 3
[weapons.blades]
kind = "melee"
attacks = 3
check = { dice = "1d10" }
damage = 3
[weapons.spear]
kind = "melee"
reach = 2
check = { dice = "1d10" }
damage = 3
[weapons.pike]
kind = "melee"
reach = 4
check = { dice = "1d10" }
damage = 3
[weapons.bow]
kind = "ranged"
range = 60
attacks = 3
check = { dice = "1d10" }
mastery = 2
damage = 3
[weapons.crossbow]
kind = "ranged"
range = 60
check = { dice = "2d10", bonus = 10 }
mastery = 4
damage = 3
[weapons.knives]
kind = "thrown"
range = 10
attacks = 2
check = { dice = "1d10" }
mastery = 2
damage = 3
[spells.spark]
casting_time = 5
range = 30
damage = 2
[spells.bolt]
casting_time = 10
range = 30
damage = 2
[spells.fire]
casting_time = 20
range = 30
damage = 2
[spells.storm]
casting_time = 50
range = 30
damage = 2
[spells.doom]
casting_time = 80
range = 30
damage = 2
[spells.ray]
casting_time = 10
range = 30
damage = 2
check = { dice = "1d10" }
[spells.beam]
channel = true
range = 30
damage = 2
[items.pill]
cost = "free"
heal = 2
uses = 30
[items.nut]
cost = "quarter"
heal = 2
uses = 2
[items.draught]
cost = "half"
heal = 5
uses = 2
[items.scroll]
cost = "full"
heal = 5
uses = 2
"#;

/// Returns the errors about fighters that are refused.
pub(super) fn errors_of(fighters: &[&str]) -> String {
    errors_with(&[], fighters)
}

/// Returns the errors about fighters that are refused with these options.
pub(super) fn errors_with(options: &[&str], fighters: &[&str]) -> String {
    fights::errors_with(&scenario(fighters), options)
}

/// Returns the text of a scenario with these fighters.
fn scenario(fighters: &[&str]) -> String {
    let mut text = ARMORY.to_owned();
    for fighter in fighters {
        let parts: Vec<&str> = fighter.split('|').map(str::trim).collect();
        let [who, keys, policy] = parts[..] else {
            panic!("not three parts: {fighter}");
        };
        let words: Vec<&str> = who.split_whitespace().collect();
        let [name, side, position, score] = words[..] else {
            panic!("not four words: {who}");
        };
        text.extend([format!(
            "[[combatants]]\nname = {name:?}\nside = {side:?}\nposition = {position}\n"
        )]);
        let keys: Vec<&str> = keys.split(';').map(str::trim).collect();
        let defaults = [
            format!("attributes = {{ agility = {score}, intellect = {score} }}"),
            "move = 10".into(),
            "evade = 6".into(),
            "health = 10".into(),
        ];
        let key = |line: &str| line.split('=').next().map(|key| key.trim().to_owned());
        for default in &defaults {
            if !keys.iter().any(|line| key(line) == key(default)) {
                text.extend([format!("{default}\n")]);
            }
        }
        let lines: Vec<&str> = policy.split(';').map(str::trim).collect();
        text.extend([format!("{}\npolicy = {lines:?}\n", keys.join("\n"))]);
    }
    text
}
