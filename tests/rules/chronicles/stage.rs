//! Parts of scenarios of Chronicles.

/// A weapon for each range, with one die: 8 hits for 1, and 3 misses.
pub(super) const GEAR: &str = r#"
[weapons.fist]
kind = "melee"
reach = 1
check = { pool = 1 }
damage = 0
[weapons.bow]
kind = "ranged"
range = 50
check = { pool = 1 }
damage = 0
[weapons.cannon]
kind = "ranged"
range = 50
check = { pool = 1 }
damage = 99
[spells.bolt]
range = 50
damage = 1
[items.salve]
heal = 1
uses = 5
"#;

/// Returns a scenario of these parts and the gear.
pub(super) fn scenario(parts: &[&str]) -> String {
    format!("system = \"chronicles\"\n{}\n{GEAR}", parts.join("\n"))
}

/// Returns a combatant with all gear that can move 10 Units: `NAME SIDE POSITION DEXTERITY COMPOSURE`, further keys, and
/// its policy.
pub(super) fn one(who: &str, rest: &str, policy: &[&str]) -> String {
    let words: Vec<&str> = who.split(' ').collect();
    let [name, side, position, dexterity, composure] = words[..] else {
        panic!("not five words: {who}");
    };
    let health = if rest.contains("health") {
        ""
    } else {
        "health = 10"
    };
    format!(
        "[[combatants]]\nname = \"{name}\"\nside = \"{side}\"\nposition = {position}\nmove = 10\n\
         {health}\nattributes = {{ dexterity = {dexterity}, composure = {composure} }}\n\
         weapons = [\"fist\", \"bow\", \"cannon\"]\nspells = [\"bolt\"]\nitems = [\"salve\"]\n{rest}\n\
         policy = {policy:?}\n"
    )
}
