//! Conditions that last, and the numbers that they change (W-11).

use super::check::OwnCheck;
use super::health::Damage;
use super::system::{Clock, Clocks};
use crate::names::named;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most conditions of one combatant at a time; a further one does not begin.
pub const MOST_CONDITIONS: usize = 8;

/// The most conditions of a fight.
pub const MOST_KINDS: usize = 64;

/// The most traits of a scenario's own.
pub const MOST_TRAITS: usize = 16;

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
            /// Every number with its name in the file, the clocks that have it, and its meaning.
            pub const ALL: &[(&str, Self, Clocks, &str)] =
                &[$(($name, Self::$number, $clocks, $meaning),)+];
        }

        /// The count of numbers.
        const NUMBERS: usize = [$(Number::$number),+].len();
    };
}

numbers! {
    Evade "evade" Clocks::ALL, "the number that an attack's roll must reach; in Mage the difficulty of an attack's pool, too";
    Armor "armor" Clocks::ALL, "taken off each damage roll, never below 0";
    Attack "attack" Clocks::ALL, "added to the roll, the skill or the dice of its attacks, spells and items";
    AttacksAgainst "attacks against" Clocks::ALL, "added to the roll, the skill or the dice of attacks, spells and items against it";
    Damage "damage" Clocks::ALL, "added to the damage of its attacks, not of spells and tasks; of a pool that is rolled for damage, its dice";
    Move "move" Clocks::ALL, "Units of movement (in Mage: yards at a run)";
    Initiative "initiative" Clocks::ALL, "added to its Score, or its total";
    ExtraActions "extra_actions" Clocks::TURNS, "undivided actions a turn; a turn with none left has no action";
    Speed "speed" Clocks::PHASES, "Phases of a turn in which it acts, at least 1";
    Defence "defence" Clocks::ORDER, "dice that it takes off attacks";
    Fray "fray" Clocks::PHASES, "added to the skill by which it turns attacks aside, in full against shots, too";
    Difficulty "difficulty" Clocks::TURNS, "of the pools of its attacks, spells and items, from 2 to 10";
    Attacks "attacks" Clocks::MARKS, "attacks of a full set, from 1 to 5, or as many as `attack_offsets` knows";
    Reach "reach" Clocks::ALL, "Units of reach of its melee weapons, never below 0";
    Health "health" Clocks::ALL, "the most health that it may have, at least 1";
}

/// The sums that are added to a combatant's numbers, and to its traits of the scenario's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Changes([i16; CHANGES]);

/// The count of all sums: numbers, traits, and the advantages of attacks, of attacks against it, and of each trait.
const CHANGES: usize = NUMBERS + MOST_TRAITS + 2 + MOST_TRAITS;

/// What may have advantage or disadvantage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Twice {
    /// Its attacks, spells and items.
    Attack,
    /// Those against it.
    Against,
    /// Its checks with a trait of the scenario's own.
    Trait(u8),
}

impl Twice {
    const fn index(self) -> usize {
        let first = NUMBERS + MOST_TRAITS;
        match self {
            Self::Attack => first,
            Self::Against => first + 1,
            Self::Trait(own) => first + 2 + own as usize,
        }
    }
}

/// Disadvantages are counted in the upper byte, advantages in the lower one.
const DISADVANTAGE: i16 = 1 << 8;

impl Default for Changes {
    fn default() -> Self {
        Self([0; CHANGES])
    }
}

/// As a list without the zeros at its end: few fights change a trait.
impl Serialize for Changes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let length = self.0.iter().rposition(|change| *change != 0);
        self.0[..length.map_or(0, |last| last + 1)].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Changes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut changes = Self::default();
        let written = Vec::deserialize(deserializer)?;
        changes
            .0
            .iter_mut()
            .zip(written)
            .for_each(|(one, change)| *one = change);
        Ok(changes)
    }
}

impl Changes {
    /// The sum that they add to a number.
    #[inline]
    pub const fn of(&self, number: Number) -> i32 {
        self.0[number as usize] as i32
    }

    /// Adds to a number, saturating at the numeric bounds.
    pub fn add(&mut self, number: Number, more: i16) {
        let one = &mut self.0[number as usize];
        *one = one.saturating_add(more);
    }

    /// The sum that they add to a trait of the scenario's own.
    #[inline]
    pub fn of_trait(&self, own: u8) -> i32 {
        self.0[NUMBERS + usize::from(own)].into()
    }

    /// Adds to a trait of the scenario's own, saturating at the numeric bounds.
    pub fn add_to_trait(&mut self, own: u8, more: i16) {
        let one = &mut self.0[NUMBERS + usize::from(own)];
        *one = one.saturating_add(more);
    }

    /// The number of advantages, and of disadvantages.
    pub fn advantages(&self, what: Twice) -> [i16; 2] {
        let both = self.0[what.index()];
        [both % DISADVANTAGE, both / DISADVANTAGE]
    }

    /// Whether there are any advantages or disadvantages.
    pub fn has_advantages(&self) -> bool {
        let first = Twice::Attack.index();
        self.0[first..].iter().any(|both| *both != 0)
    }

    /// Whether they change traits of the scenario's own, or give advantages or disadvantages.
    pub fn are_of_checks(&self) -> bool {
        self.0[NUMBERS..].iter().any(|change| *change != 0)
    }

    /// Adds an advantage or a disadvantage.
    pub fn add_advantage(&mut self, what: Twice, advantage: bool) {
        self.0[what.index()] += if advantage { 1 } else { DISADVANTAGE };
    }

    /// Adds other changes.
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
    /// Its additions to numbers.
    pub changes: Changes,
    /// Whether its bearer can begin nothing: `actions = 0`.
    pub stuns: bool,
    /// How a second condition of the same kind counts.
    pub stacks: Stacks,
    /// What ends it.
    pub ends: Ends,
    /// Damage each Round, whatever the armour.
    pub ongoing: Option<Damage>,
}

named! {
    /// The result if a condition begins on a combatant that has it already.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Stacks {
        /// Nothing changes.
        #[default]
        No "no";
        /// The longer one lasts.
        Highest "highest";
        /// Both last, and count twice.
        Add "add";
        /// The new one replaces the old one.
        Refresh "refresh";
    }
}

/// What ends a condition. A condition that lasts a number of Rounds ends after them in any case.
#[derive(Debug, Clone, PartialEq)]
pub enum Ends {
    /// Its Rounds, counted at the end of each of its bearer's turns.
    OwnTurn,
    /// Its Rounds, counted at the end of each turn of the combatant that caused it or, once that one is down, at the
    /// end of each Round.
    SourceTurn,
    /// Its Rounds, counted at the end of each Round.
    RoundEnd,
    /// Damage to its bearer.
    Damage,
    /// A check of its bearer at the end of each of its turns.
    Check(OwnCheck),
    /// Nothing.
    Never,
}

impl Ends {
    /// Whether it ends only after a number of Rounds.
    pub const fn needs_rounds(&self) -> bool {
        matches!(self, Self::OwnTurn | Self::SourceTurn | Self::RoundEnd)
    }
}

/// How a condition counts the time that it lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Until {
    /// By Rounds, as its [`Ends`] says.
    #[default]
    Rounds,
    /// Until the combatant that caused it begins its next turn.
    #[serde(rename = "start of my next turn")]
    NextStart,
    /// Until the combatant that caused it ends its next turn.
    #[serde(rename = "end of my next turn")]
    NextEnd,
    /// Until the turn under way of the combatant that caused it ends: that next turn has begun.
    End,
    /// Until its bearer begins its next turn.
    #[serde(rename = "start of target's next turn")]
    TargetNextStart,
    /// Until its bearer ends its next turn.
    #[serde(rename = "end of target's next turn")]
    TargetNextEnd,
    /// Until the turn under way of its bearer ends: that next turn has begun.
    TargetEnd,
    /// Until the Round ends.
    #[serde(rename = "end of round")]
    RoundEnd,
}

impl Until {
    /// The words of `until`.
    pub const WORDS: &[(&'static str, Self)] = &[
        ("start of my next turn", Self::NextStart),
        ("end of my next turn", Self::NextEnd),
        ("start of source's next turn", Self::NextStart),
        ("end of source's next turn", Self::NextEnd),
        ("start of target's next turn", Self::TargetNextStart),
        ("end of target's next turn", Self::TargetNextEnd),
        ("end of round", Self::RoundEnd),
    ];

    /// Whether Rounds count.
    pub const fn is_rounds(&self) -> bool {
        matches!(self, Self::Rounds)
    }

    /// Whether a turn ends it.
    pub const fn is_turn(&self) -> bool {
        !matches!(self, Self::Rounds | Self::RoundEnd)
    }

    /// Returns whether a condition lasts on as a turn of the combatant for which it waits begins or, without `begins`,
    /// ends.
    pub fn lasts_on(&mut self, begins: bool) -> bool {
        match (*self, begins) {
            (Self::NextStart | Self::TargetNextStart, true)
            | (Self::End | Self::TargetEnd, false) => return false,
            (Self::NextEnd, true) => *self = Self::End,
            (Self::TargetNextEnd, true) => *self = Self::TargetEnd,
            _ => {}
        }
        true
    }
}

/// The length of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Length {
    /// Rounds; 0 for one without end.
    pub rounds: u8,
    /// What counts them.
    pub until: Until,
}

impl Length {
    /// Without end.
    pub const ENDLESS: Self = Self::rounds(0);

    /// A number of Rounds.
    pub const fn rounds(rounds: u8) -> Self {
        Self {
            rounds,
            until: Until::Rounds,
        }
    }

    /// To a turn, or the end of the Round: about as long as 1 Round, or 2.
    pub const fn until(until: Until) -> Self {
        let ends_a_turn = matches!(until, Until::NextEnd | Until::TargetNextEnd);
        Self {
            rounds: 1 + ends_a_turn as u8,
            until,
        }
    }
}

/// A condition that a combatant has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lasting {
    /// Index into the conditions of the fight; [`Lasting::NONE`] for none.
    pub condition: u8,
    /// Rounds left; 0 for one without end.
    pub left: u8,
    /// What counts them.
    pub until: Until,
    /// The combatant that caused it.
    pub by: u8,
    /// Whether the turn that counts it was delayed, and has counted it already.
    #[serde(skip)]
    pub counted: bool,
}

impl Lasting {
    /// No condition.
    pub const NONE: u8 = u8::MAX;

    /// A condition that `by` has caused, and that lasts for a length.
    pub const fn new(condition: u8, length: Length, by: u8) -> Self {
        Self {
            condition,
            left: length.rounds,
            until: length.until,
            by,
            counted: false,
        }
    }

    /// The combatant whose turn ends it, if a turn does: the one that caused it, or its `bearer`.
    pub fn waits_for(&self, bearer: usize) -> Option<usize> {
        match self.until {
            Until::Rounds | Until::RoundEnd => None,
            Until::NextStart | Until::NextEnd | Until::End => Some(self.by.into()),
            Until::TargetNextStart | Until::TargetNextEnd | Until::TargetEnd => Some(bearer),
        }
    }
}

/// The conditions of a combatant, and their sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Affliction {
    all: [Lasting; MOST_CONDITIONS],
    /// What effects and prices have changed for good.
    settled: Changes,
    /// Attacks that it has made in its turn, or on Marks in the Round, if that counts.
    pub attacks: u8,
    /// The sums that all of these add to numbers.
    pub changes: Changes,
    /// Whether one of them stuns.
    pub stunned: bool,
}

impl Default for Affliction {
    fn default() -> Self {
        let none = Lasting::new(Lasting::NONE, Length::ENDLESS, 0);
        Self {
            all: [none; MOST_CONDITIONS],
            settled: Changes::default(),
            attacks: 0,
            changes: Changes::default(),
            stunned: false,
        }
    }
}

impl Affliction {
    /// The conditions, in the order in which they began.
    pub fn all(&self) -> impl Iterator<Item = Lasting> + Clone + use<> {
        let all = self.all.into_iter();
        all.filter(|lasting| lasting.condition != Lasting::NONE)
    }

    /// Whether it has a condition.
    pub fn has(&self, condition: u8) -> bool {
        self.all().any(|lasting| lasting.condition == condition)
    }

    /// Begins a condition, as it stacks. Returns whether anything has changed.
    pub fn begin(&mut self, new: Lasting, conditions: &[Condition]) -> bool {
        let before = self.all;
        let is_same = |old: &&mut Lasting| old.condition == new.condition;
        let same = self.all.iter_mut().find(is_same);
        match (conditions[usize::from(new.condition)].stacks, same) {
            (Stacks::Add, _) | (_, None) => {
                let mut free = self.all.iter_mut();
                if let Some(free) = free.find(|place| place.condition == Lasting::NONE) {
                    *free = new;
                }
            }
            (Stacks::No, Some(_)) => {}
            (Stacks::Refresh, Some(old)) => *old = new,
            (Stacks::Highest, Some(old)) => {
                // A turn that is still to come is at least as far away as it was.
                let later = new.left > old.left || new.left == old.left && new.until.is_turn();
                let longer = old.left != 0 && (new.left == 0 || later);
                if longer {
                    *old = new;
                }
            }
        }
        self.sum_up(conditions);
        self.all != before
    }

    /// Keeps the conditions for which `keep` is true, with its changes to them. Returns the conditions that have ended,
    /// one bit each.
    pub fn retain(
        &mut self,
        conditions: &[Condition],
        keep: &mut dyn FnMut(&mut Lasting) -> bool,
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
        if ended != 0 {
            self.all[kept..].fill(Self::default().all[0]);
            self.sum_up(conditions);
        }
        ended
    }

    /// Adds to a trait of the scenario's own for good.
    pub fn settle(&mut self, own: u8, more: i16) {
        self.settled.add_to_trait(own, more);
        self.changes.add_to_trait(own, more);
    }

    fn sum_up(&mut self, conditions: &[Condition]) {
        (self.changes, self.stunned) = (self.settled, false);
        for lasting in self.all() {
            let condition = &conditions[usize::from(lasting.condition)];
            self.changes.add_all(&condition.changes);
            self.stunned |= condition.stuns;
        }
    }
}

/// The most that conditions may add to a number.
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

    /// The Rounds left of each condition and the change of evade, after conditions of these lengths have begun.
    fn after(stacks: Stacks, rounds: &[u8]) -> (Vec<u8>, i32) {
        let conditions = [condition(stacks)];
        let mut one = Affliction::default();
        for &left in rounds {
            let new = Lasting::new(0, Length::rounds(left), 0);
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
            let new = Lasting::new(0, Length::rounds(left), 1);
            one.begin(new, &conditions);
        }
        let ended = one.retain(&conditions, &mut |one| one.left != 2);
        assert_eq!(ended, 1);
        assert_eq!(one.all().map(|one| one.left).collect::<Vec<u8>>(), [1, 3]);
        assert_eq!(one.retain(&conditions, &mut |_| false), 1);
        assert_eq!(one, Affliction::default());
    }
}
