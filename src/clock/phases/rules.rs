//! The rulings of Eclipse Phase, each an option of `[rules]` with the rule book's default.

/// With how much of its skill one defends itself against shots (EP-9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shots {
    /// Half, rounded down.
    Half,
    /// All of it.
    Full,
    /// Not at all.
    None,
}

/// All options of `[rules]`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own, with two values"
)]
pub struct Rules {
    /// `initiative.mode = "fixed"`: no die (EP-1).
    pub fixed: bool,
    /// `initiative.roll = "per-speed"`: a die and an action for each point of Speed (EP-7).
    pub per_speed: bool,
    /// `initiative.wound`: what a wound takes off the total (EP-4).
    pub wound_initiative: i32,
    /// `quick_actions`: Quick Actions a stage (EP-3).
    pub quick_actions: u8,
    /// `movement = "whole"`: a turn's movement whenever one acts (EP-8).
    pub whole_movement: bool,
    /// `interrupted = "kept"`: an attack made impossible costs no Complex Action (EP-6).
    pub keeps_interrupted: bool,
    /// `wound_penalty`: what a wound takes off every test (EP-9).
    pub wound_penalty: i64,
    /// `defence = "success"`: any success of Fray defends (EP-9).
    pub any_success_defends: bool,
    /// `fray_shots` (EP-9).
    pub fray_shots: Shots,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            fixed: false,
            per_speed: false,
            wound_initiative: 1,
            quick_actions: 3,
            whole_movement: false,
            keeps_interrupted: false,
            wound_penalty: 10,
            any_success_defends: false,
            fray_shots: Shots::Half,
        }
    }
}
