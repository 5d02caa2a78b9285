//! Parts of scenarios of Mage.

/// A combatant that stands opposite and does nothing.
pub(super) const DUMMY: &str = r#"
[[combatants]]
name = "dummy"
side = "dummies"
position = 0
attributes = { dexterity = 1, wits = 1, stamina = 1 }
policy = ["pass"]
"#;

/// Returns a scenario of these parts.
pub(super) fn scenario(parts: &[&str]) -> String {
    format!("system = \"mage\"\n{}", parts.join("\n"))
}

/// Returns a combatant: `NAME POSITION DEXTERITY WITS STAMINA`, and the keys in `rest`.
pub(super) fn one(who: &str, rest: &str) -> String {
    let words: Vec<&str> = who.split(' ').collect();
    let [name, position, dexterity, wits, stamina] = words[..] else {
        panic!("not five words: {who}");
    };
    format!(
        "[[combatants]]\nname = \"{name}\"\nside = \"{name}s\"\nposition = {position}\n\
         attributes = {{ dexterity = {dexterity}, wits = {wits}, stamina = {stamina} }}\n{rest}\n"
    )
}
