//! What an action does beyond the damage of an attack: to whom, how it is resisted, and its effects (W-11).

use super::check::Check;
use super::health::{Damage, Roll};
use super::system::{Clock, Clocks};
use super::{Stretch, Units};
use serde::{Deserialize, Serialize};

/// Whom an action may be used on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Recipient {
    /// The one who uses it.
    #[default]
    Own,
    /// An enemy.
    Enemy,
    /// An ally, not oneself.
    Ally,
    /// Anybody: an enemy, unless the policy names an ally or oneself.
    Anyone,
    /// The place where an enemy stands: its evade does not count.
    Point,
}

impl Recipient {
    /// Every recipient with its name in the file.
    pub const ALL: &[(&str, Self)] = &[
        ("self", Self::Own),
        ("enemy", Self::Enemy),
        ("ally", Self::Ally),
        ("anyone", Self::Anyone),
        ("point", Self::Point),
    ];
}

/// What an action does, besides the damage of an attack or a spell.
#[derive(Debug, Clone, PartialEq)]
pub struct Power {
    /// Whom it may be used on.
    pub recipient: Recipient,
    /// Greatest distance to it.
    pub range: Units,
    /// Whom else it reaches.
    pub area: Option<Area>,
    /// The roll by which it works.
    pub check: Option<Check>,
    /// What a roll that adds has to reach, where that is not the target's evade.
    pub needs: Option<i64>,
    /// How those whom it reaches resist it.
    pub resist: Option<Resist>,
    /// In the order in which they come.
    pub effects: Vec<Effect>,
}

impl Power {
    /// One that does nothing to the one who uses it.
    pub const NONE: Self = Self {
        recipient: Recipient::Own,
        range: 0,
        area: None,
        check: None,
        needs: None,
        resist: None,
        effects: Vec::new(),
    };

    /// Whether it gives back health.
    #[must_use]
    pub fn heals(&self) -> bool {
        let mut effects = self.effects.iter();
        effects.any(|effect| matches!(effect, Effect::Heal(_)))
    }

    /// The healing of a thing that heals its user and does nothing else.
    #[must_use]
    pub fn draught(&self) -> Option<&Roll> {
        match &self.effects[..] {
            [Effect::Heal(roll)] if self.recipient == Recipient::Own && self.check.is_none() => {
                Some(roll)
            }
            _ => None,
        }
    }
}

/// Everybody near the target, and the target itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Units from the target within which one is reached.
    pub radius: Units,
    /// Whether the side of the one who uses it is not.
    pub spares_allies: bool,
}

/// How one resists an effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Resist {
    /// By which roll.
    pub by: Resistance,
    /// What a success leaves of damage and healing; of other effects it leaves none.
    pub leaves: Share,
}

/// What may shake a combatant when others of its side go down (W-13).
#[derive(Debug, Clone, PartialEq)]
pub struct Morale {
    /// When it is tested.
    pub when: Strain,
    /// The roll by which it holds.
    pub by: Resistance,
    /// What comes over it if it does not.
    pub effect: Effect,
}

/// What tests morale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strain {
    /// Half of the side, oneself included, has fallen or left: once.
    HalfSideDown,
    /// An ally falls or leaves: each time.
    AllyDown,
}

impl Strain {
    /// Every strain with its name in the file.
    pub const ALL: &[(&str, Self)] = &[
        ("half_side_down", Self::HalfSideDown),
        ("ally_down", Self::AllyDown),
    ];

    /// Whether it comes with the last of so many who are down, of all of a side.
    #[must_use]
    pub const fn comes(self, down: u32, all: u32) -> bool {
        match self {
            Self::HalfSideDown => 2 * down >= all && 2 * (down - 1) < all,
            Self::AllyDown => true,
        }
    }
}

/// What strikes all on a stretch of the line as Rounds begin (W-14).
#[derive(Debug, Clone, PartialEq)]
pub struct Hazard {
    /// As the file names it.
    pub name: String,
    /// Where; everywhere if absent.
    pub stretch: Option<Stretch>,
    /// The first Round, and the last.
    pub rounds: (u32, u32),
    /// Rounds from one strike to the next, at least 1.
    pub every: u32,
    /// How each whom it strikes resists it.
    pub resist: Option<Resist>,
    /// In the order in which they come.
    pub effects: Vec<Effect>,
}

impl Hazard {
    /// Whether it strikes as that Round begins.
    #[must_use]
    pub const fn strikes(&self, round: u32) -> bool {
        let (first, last) = self.rounds;
        first <= round && round <= last && (round - first).is_multiple_of(self.every)
    }

    /// Whether it does not strike in every Round.
    #[must_use]
    pub const fn counts_rounds(&self) -> bool {
        self.every > 1 || self.rounds.0 > 1 || self.rounds.1 < u32::MAX
    }
}

/// A stretch of the line that changes numbers of all who stand there (W-15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ground {
    /// Where.
    pub stretch: Stretch,
    /// The condition of those who stand there: an index into the conditions of the fight.
    pub condition: u8,
}

impl Ground {
    /// What it does to one who stands there.
    #[must_use]
    pub const fn lasting(&self, who: u8) -> Lasting {
        Lasting {
            condition: self.condition,
            left: 0,
            by: who,
        }
    }
}

/// A share of damage or healing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Share {
    /// Half, rounded down.
    Half,
    /// Nothing.
    None,
    /// All of it.
    All,
}

impl Share {
    /// Every share with its name in the file.
    pub const ALL: &[(&str, Self)] = &[
        ("half", Self::Half),
        ("none", Self::None),
        ("all", Self::All),
    ];

    /// That share of some points.
    #[must_use]
    pub const fn of(self, points: i64) -> i64 {
        match self {
            Self::Half => points / 2,
            Self::None => 0,
            Self::All => points,
        }
    }
}

/// The roll by which one resists.
#[derive(Debug, Clone, PartialEq)]
pub enum Resistance {
    /// None of its own: the roll of the action is held against the evade of each. Where that does not add
    /// up, a test of the skill with which one defends itself (EP-9).
    Evade,
    /// A check of one's own.
    Roll {
        /// The check.
        check: Check,
        /// What a roll that adds has to reach.
        needs: i64,
    },
}

/// One effect of an action.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Damage, less armour.
    Damage {
        /// Before armour; rolled once for all whom it reaches.
        damage: Damage,
        /// Points less for each Unit from the target.
        falloff: i64,
        /// Points of armour that it goes through.
        pierces: i64,
    },
    /// Health given back, up to that at the start.
    Heal(Roll),
    /// A lasting condition.
    Begin {
        /// Index into the conditions of the fight.
        condition: u8,
        /// Rounds for which it lasts; 0 for one without end.
        rounds: u8,
    },
    /// The end of a condition.
    End {
        /// Index into the conditions of the fight.
        condition: u8,
    },
    /// So many Units away from the one who does it, or with a minus towards it.
    Push(Units),
    /// On the ground.
    Prone,
    /// The end of a spell that is being cast, without effect.
    Interrupt,
}

impl Effect {
    /// Whether one who resists may have a share of it.
    #[must_use]
    pub const fn can_be_shared(&self) -> bool {
        matches!(self, Self::Damage { .. } | Self::Heal(_))
    }
}

/// Most conditions of one combatant at a time; a further one does not begin.
pub const MOST_CONDITIONS: usize = 8;

/// Most conditions of a fight.
pub const MOST_KINDS: usize = 64;

/// Defines [`Number`] and its list.
macro_rules! numbers {
    ($($number:ident $name:literal $clocks:expr, $meaning:literal;)+) => {
        /// A number of a combatant that conditions change.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "`Number::ALL` describes each")]
        pub enum Number {
            $($number,)+
        }

        impl Number {
            /// Each with its name in the file, the clocks that have it, and its meaning.
            pub const ALL: &[(&str, Self, Clocks, &str)] =
                &[$(($name, Self::$number, $clocks, $meaning),)+];
        }

        /// How many numbers there are.
        const NUMBERS: usize = [$(Number::$number),+].len();
    };
}

numbers! {
    Evade "evade" Clocks::ALL, "the number that an attack's roll must reach";
    Armor "armor" Clocks::ALL, "taken off each damage roll";
    Attack "attack" Clocks::ALL, "added to the roll, the skill or the dice of its attacks and spells";
    Damage "damage" Clocks::ALL, "added to the damage of its attacks";
    Move "move" Clocks::ALL, "Units of movement (in Mage: yards at a run)";
    Initiative "initiative" Clocks::ALL, "added to its Score, or its total";
    ExtraActions "extra_actions" Clocks::TURNS, "undivided actions a turn";
    Speed "speed" Clocks::PHASES, "Phases of a turn in which it acts";
    Defence "defence" Clocks::ORDER, "dice that it takes off attacks";
}

/// What a combatant's conditions add to its numbers, all together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Changes([i16; NUMBERS]);

impl Changes {
    /// What they add to a number.
    #[inline]
    #[must_use]
    pub const fn of(&self, number: Number) -> i32 {
        self.0[number as usize] as i32
    }

    /// Adds to a number; beyond what it can hold nothing more.
    pub fn add(&mut self, number: Number, more: i16) {
        let one = &mut self.0[number as usize];
        *one = one.saturating_add(more);
    }

    /// Adds others.
    fn add_all(&mut self, others: &Self) {
        for (one, more) in self.0.iter_mut().zip(others.0) {
            *one = one.saturating_add(more);
        }
    }
}

/// A lasting condition, as `[conditions.NAME]` defines it.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// As the file names it.
    pub name: String,
    /// What it adds to numbers.
    pub changes: Changes,
    /// Whether its bearer begins nothing: `actions = 0`.
    pub stuns: bool,
    /// What a second one comes to.
    pub stacks: Stacks,
    /// What ends it.
    pub ends: Ends,
    /// Damage each Round, less armour.
    pub ongoing: Option<Damage>,
}

/// What becomes of a condition that begins on one who has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Stacks {
    /// Nothing.
    #[default]
    No,
    /// Of both the longer.
    Highest,
    /// Both last, and count twice.
    Add,
    /// The new in the place of the old.
    Refresh,
}

impl Stacks {
    /// Every value with its name in the file.
    pub const ALL: &[(&str, Self)] = &[
        ("no", Self::No),
        ("highest", Self::Highest),
        ("add", Self::Add),
        ("refresh", Self::Refresh),
    ];
}

/// What ends a condition. One that lasts a number of Rounds ends after that many in any case.
#[derive(Debug, Clone, PartialEq)]
pub enum Ends {
    /// Its Rounds, counted at the end of each of its bearer's turns.
    OwnTurn,
    /// Its Rounds, counted at the end of each Round.
    RoundEnd,
    /// Damage to its bearer.
    Damage,
    /// A check of its bearer at the end of each of its turns.
    Check {
        /// The check.
        check: Check,
        /// What a roll that adds has to reach.
        needs: i64,
    },
    /// Nothing.
    Never,
}

/// A condition that a combatant has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lasting {
    /// Index into the conditions of the fight; [`Lasting::NONE`] for none.
    pub condition: u8,
    /// Rounds left; 0 for one without end.
    pub left: u8,
    /// Who has brought it about.
    pub by: u8,
}

impl Lasting {
    /// No condition.
    pub const NONE: u8 = u8::MAX;
}

/// The conditions of a combatant, and what they come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Affliction {
    all: [Lasting; MOST_CONDITIONS],
    /// What they add to numbers.
    pub changes: Changes,
    /// Whether one of them stuns.
    pub stunned: bool,
}

impl Default for Affliction {
    fn default() -> Self {
        let none = Lasting {
            condition: Lasting::NONE,
            left: 0,
            by: 0,
        };
        Self {
            all: [none; MOST_CONDITIONS],
            changes: Changes::default(),
            stunned: false,
        }
    }
}

impl Affliction {
    /// The conditions, in the order in which they began.
    pub fn all(&self) -> impl Iterator<Item = Lasting> + Clone + use<> {
        let all = self.all.into_iter();
        all.filter(|one| one.condition != Lasting::NONE)
    }

    /// Whether it has a condition.
    #[must_use]
    pub fn has(&self, condition: u8) -> bool {
        self.all().any(|one| one.condition == condition)
    }

    /// Begins a condition, as it stacks. Returns whether anything has changed.
    pub fn begin(&mut self, new: Lasting, conditions: &[Condition]) -> bool {
        let before = self.all;
        let mut same = self.all.iter_mut();
        let same = same.find(|one| one.condition == new.condition);
        match (conditions[usize::from(new.condition)].stacks, same) {
            (Stacks::Add, _) | (_, None) => {
                let mut free = self.all.iter_mut();
                if let Some(free) = free.find(|one| one.condition == Lasting::NONE) {
                    *free = new;
                }
            }
            (Stacks::No, Some(_)) => {}
            (Stacks::Refresh, Some(old)) => *old = new,
            (Stacks::Highest, Some(old)) => {
                let longer = old.left != 0 && (new.left == 0 || new.left > old.left);
                if longer {
                    *old = new;
                }
            }
        }
        self.sum_up(conditions);
        self.all != before
    }

    /// Keeps those conditions for which `keep` is true, and what it makes of them. Returns those that have
    /// ended, a bit each.
    pub fn retain(
        &mut self,
        conditions: &[Condition],
        mut keep: impl FnMut(&mut Lasting) -> bool,
    ) -> u64 {
        let (mut ended, mut kept) = (0, 0);
        for index in 0..MOST_CONDITIONS {
            let mut one = self.all[index];
            if one.condition == Lasting::NONE {
                break;
            }
            self.all[index].condition = Lasting::NONE;
            if keep(&mut one) {
                self.all[kept] = one;
                kept += 1;
            } else {
                ended |= 1 << one.condition;
            }
        }
        for one in &mut self.all[kept..] {
            *one = Self::default().all[0];
        }
        self.sum_up(conditions);
        ended
    }

    fn sum_up(&mut self, conditions: &[Condition]) {
        (self.changes, self.stunned) = (Changes::default(), false);
        for one in self.all() {
            let condition = &conditions[usize::from(one.condition)];
            self.changes.add_all(&condition.changes);
            self.stunned |= condition.stuns;
        }
    }
}

/// The most that conditions may add to a number.
#[must_use]
pub fn most_added<'a>(conditions: impl IntoIterator<Item = &'a Condition>, number: Number) -> i64 {
    let added = |one: &Condition| {
        let times = if one.stacks == Stacks::Add {
            MOST_CONDITIONS as i64
        } else {
            1
        };
        i64::from(one.changes.of(number)).max(0) * times
    };
    conditions.into_iter().map(added).sum()
}

/// The numbers that conditions change on a clock: names and meanings.
pub fn numbers(clock: Clock) -> impl Iterator<Item = (&'static str, Number, &'static str)> {
    let all = Number::ALL.iter();
    let here = all.filter(move |(_, _, clocks, _)| clocks.meets(Clocks::only(clock)));
    here.map(|(name, number, _, meaning)| (*name, *number, *meaning))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(stacks: Stacks) -> Condition {
        let mut changes = Changes::default();
        changes.add(Number::Evade, -4);
        Condition {
            name: "dazed".to_owned(),
            changes,
            stuns: false,
            stacks,
            ends: Ends::OwnTurn,
            ongoing: None,
        }
    }

    /// Rounds left of each and the change of evade, after conditions of such lengths have begun.
    fn after(stacks: Stacks, rounds: &[u8]) -> (Vec<u8>, i32) {
        let conditions = [condition(stacks)];
        let mut one = Affliction::default();
        for &left in rounds {
            let new = Lasting {
                condition: 0,
                left,
                by: 0,
            };
            one.begin(new, &conditions);
        }
        let left = one.all().map(|one| one.left).collect();
        (left, one.changes.of(Number::Evade))
    }

    #[test]
    fn a_second_condition_comes_to_what_it_says() {
        assert_eq!(after(Stacks::No, &[2, 3]), (vec![2], -4));
        assert_eq!(after(Stacks::Highest, &[2, 3, 1]), (vec![3], -4));
        assert_eq!(after(Stacks::Highest, &[2, 0, 3]), (vec![0], -4));
        assert_eq!(after(Stacks::Refresh, &[3, 2]), (vec![2], -4));
        assert_eq!(after(Stacks::Add, &[2, 3]), (vec![2, 3], -8));
        let many = [1; MOST_CONDITIONS + 1];
        assert_eq!(after(Stacks::Add, &many).1, -4 * MOST_CONDITIONS as i32);
    }

    #[test]
    fn what_has_ended_leaves_no_gap_and_no_trace() {
        let conditions = [condition(Stacks::Add)];
        let mut one = Affliction::default();
        for left in [1, 2, 3] {
            let new = Lasting {
                condition: 0,
                left,
                by: 1,
            };
            one.begin(new, &conditions);
        }
        let ended = one.retain(&conditions, |one| one.left != 2);
        assert_eq!(ended, 1);
        assert_eq!(one.all().map(|one| one.left).collect::<Vec<u8>>(), [1, 3]);
        assert_eq!(one.retain(&conditions, |_| false), 1);
        assert_eq!(one, Affliction::default());
    }
}
