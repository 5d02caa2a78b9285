//! Sweeps, thresholds and sensitivity, which change one number many times; and knockouts, which change everything once.

mod bad_input;
mod command;
mod knockout;
mod points;
mod sensitivity;
mod threshold;

use crate::support::{Row, TestDir};

/// Two combatants that hit each other once a Round, as often and as hard as their numbers say.
pub(crate) const DUEL: &str = r#"
title = "A duel"
system = "tara-corax"

[weapons.sword]
kind = "melee"
check = { dice = "2d10", bonus = 6 }
damage = "1d6+2"

[weapons.spear]
kind = "melee"
check = { dice = "2d10", bonus = 6 }
damage = "1d6+2"

[[combatants]]
name = "knight"
side = "castle"
position = 0
attributes = { agility = 10, intellect = 10 }
move = 10
evade = 16
armor = 1
health = 20
weapons = ["sword"]
policy = "fight"

[[combatants]]
name = "raider"
side = "coast"
position = 0
attributes = { agility = 10, intellect = 10 }
move = 10
evade = 16
armor = 1
health = 20
weapons = ["spear"]
policy = "fight"

[policies]
fight = ["attack", "set if not ready"]

[[variants]]
name = "armoured"
set = { "combatants.knight.armor" = 3 }
"#;

/// A duel that one side always wins with its first blow.
pub(crate) const SURE: &str = r#"
    system = "tara-corax"
    weapons.club = { kind = "melee", check = { dice = "2d10", bonus = 30 }, damage = 100 }
    combatants = [
        { name = "ogre", side = "a", position = 0, initiative = 20, move = 10, evade = 10, health = 10, weapons = ["club"], policy = ["attack"] },
        { name = "rat", side = "b", position = 0, initiative = 1, move = 10, evade = 10, health = 10, weapons = ["club"], policy = ["pass"] },
    ]
"#;

/// A duel of one Round, which alice wins if she hits at once: with 10 - evade of 10 faces. If she does not, Bob attacks
/// at Mark 12.
pub(crate) const ONE_ROUND: &str = r#"
title = "One Round"
system = "tara-corax"
[rules]
round = "simple"
initiative.mode = "fixed"
[encounter]
max_rounds = 1
[weapons.a]
kind = "melee"
check = { dice = "1d10", bonus = 0 }
damage = 1
[[combatants]]
name = "alice"
side = "left"
position = 0
initiative = 20
move = 0
evade = 8
health = 2
weapons = ["a"]
policy = ["attack"]
[[combatants]]
name = "bob"
side = "right"
position = 0
initiative = 18
move = 0
evade = 9
health = 1
weapons = ["a"]
policy = ["attack"]
"#;

/// Runs a command on the duel of a folder. Returns the rows of the file that it writes.
fn effects(dir: &TestDir, command: &str, arguments: &[&str]) -> Vec<Row> {
    dir.call_on_duel(command, arguments).printed();
    dir.rows(&format!("results/duel/{command}.csv"))
}

/// Returns the row with this cell.
fn row<'a>(rows: &'a [Row], column: &str, value: &str) -> &'a Row {
    let mut rows = rows.iter();
    let found = rows.find(|row| cell(row, column) == value);
    found.unwrap_or_else(|| panic!("no row of {value}"))
}

/// Returns the cell in a column.
pub(crate) fn cell<'a>(row: &'a Row, column: &str) -> &'a str {
    &row[column]
}
