//! Parts of scenarios of Eclipse Phase.

/// A blade that does 30 points when it hits, and a gun.
pub(super) const ARMS: &str = r#"
[weapons.blade]
kind = "melee"
reach = 1
check = { skill = 60 }
damage = 30
[weapons.gun]
kind = "ranged"
range = 100
check = { skill = 60 }
damage = 6
"#;

/// Returns a scenario of these parts.
pub(super) fn scenario(parts: &[&str]) -> String {
    format!("system = \"eclipse-phase\"\n{ARMS}\n{}", parts.join("\n"))
}

/// Returns a combatant with this INIT, Durability 30 and the keys in `rest`. Its side is its first letter.
pub(super) fn one(name: &str, position: i32, init: i32, rest: &str) -> String {
    let side = &name[..1];
    format!(
        "[[combatants]]\nname = \"{name}\"\nside = \"{side}\"\nposition = {position}\n\
         initiative = {init}\nhealth = 30\n{rest}\n"
    )
}
