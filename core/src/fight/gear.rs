//! What combatants carry: weapons, spells and items.

use super::budget::Price;
use super::check::{Attempt, Check, Dice};
use super::effect::{Effect, Power, Resist};
use super::health::{Damage, Diminished, Roll};
use super::{Marks, Ongoing, Units};
use crate::names::named;

named! {
    /// How a weapon reaches its target.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum WeaponKind {
        /// Within reach.
        Melee "melee";
        /// Within range; needs a Set.
        Ranged "ranged";
        /// Within range; never needs a Set.
        Thrown "thrown";
    }
}

/// A weapon.
#[derive(Debug, Clone, PartialEq)]
pub struct Weapon {
    /// As the file names it.
    pub name: String,
    /// How it reaches its target.
    pub kind: WeaponKind,
    /// Reach of a melee weapon, range of the others (W-2).
    pub range: Units,
    /// The greatest reach or range that conditions can give it; `None` if they do not change it (W-11).
    pub farthest: Option<Units>,
    /// Marks from the first attack of a full set to each of its attacks (TC-8).
    pub offsets: Vec<u8>,
    /// The same for sets of 1, 2 and more attacks; empty if conditions do not change their number (W-11).
    pub spacings: Vec<Vec<u8>>,
    /// The attack roll.
    pub check: Check,
    /// Bonus that does not count for a mover's shot or a Desperate Shot (TC-11).
    pub mastery: i64,
    /// Turns that drawing it takes; 0 if it is an action that can be combined with others (MA-3).
    pub ready_turns: u8,
    /// The roll to get it ready, if one is needed (MA-3).
    pub ready_check: Option<Dice>,
    /// The damage of a hit.
    pub damage: Damage,
    /// The ongoing damage after a hit that does damage (CD-5).
    pub ongoing: Option<Ongoing>,
    /// Whether the target's Defence does not count (CD-6).
    pub ignores_defence: bool,
    /// Further effects of a hit.
    pub effects: Vec<Effect>,
    /// How the target of a hit resists all of it.
    pub resist: Option<Resist>,
    /// Whether its check, its damage or what a hit leads to are in words, or conditions of the fight give advantages.
    pub in_words: bool,
    /// Whether an attack takes one of its uses, or has a price.
    pub spends: bool,
    /// The points of traits of the scenario's own that each attack takes.
    pub price: Vec<(u8, i16)>,
    /// What an attack takes of a turn, where `[clock]` says what that holds.
    pub turn_price: Price,
    /// The numbers added to the first attack of its bearer in a turn, to the second and so on; the last is added to all
    /// others.
    pub penalties: Vec<i16>,
    /// The number of attacks that it can make, for example arrows; `None` for no limit (W-11).
    pub uses: Option<u16>,
    /// How its uses come back.
    pub recharge: Option<Recharge>,
    /// Whether it cannot be taken away, such as a fist or a claw.
    pub natural: bool,
}

impl Weapon {
    /// Its reach or range with the Units that conditions add.
    #[inline]
    pub fn reaches(&self, reach_bonus: Units) -> Units {
        match self.farthest {
            None => self.range,
            Some(_) => (self.range + reach_bonus).max(0),
        }
    }

    /// The greatest distance at which it can ever strike.
    pub fn farthest(&self) -> Units {
        self.farthest.unwrap_or(self.range)
    }

    /// The spacing of a set of `attacks` attacks, whose number conditions may have changed (TC-8).
    #[inline]
    pub fn spacing(&self, attacks: u8) -> &[u8] {
        let changed = self.spacings.get(usize::from(attacks).wrapping_sub(1));
        changed.unwrap_or(&self.offsets)
    }
}

/// A spell.
#[derive(Debug, Clone, PartialEq)]
pub struct Spell {
    /// As the file names it.
    pub name: String,
    /// Marks from start to effect (TC-12); 0 for a Channel, whose effect comes at Mark 0 (TC-15).
    pub casting_time: Marks,
    /// Whether it is a Channel.
    pub channel: bool,
    /// Greatest distance to the target.
    pub range: Units,
    /// The attack roll, if it needs one.
    pub check: Option<Check>,
    /// The rolls of a ritual after one, two and more rolls that added nothing, if failing makes it harder (MD-7). The
    /// last one holds from then on.
    pub harder: Vec<Check>,
    /// The same rolls while Sleepers watch, the first one included, for vulgar magick in a fight in which Sleepers may
    /// come by (MD-5); empty otherwise.
    pub witnessed: Vec<Check>,
    /// Its values as an effect of magick, if it is one (MD-5).
    pub magick: Option<Magick>,
    /// The damage of a hit.
    pub damage: Damage,
    /// The ongoing damage after a hit that does damage (CD-5).
    pub ongoing: Option<Ongoing>,
    /// The points of traits of the scenario's own that casting takes.
    pub price: Vec<(u8, i16)>,
    /// What casting takes of a turn, where `[clock]` says what that holds.
    pub turn_price: Price,
    /// Its possible targets, its area and its further effects.
    pub power: Power,
}

impl Spell {
    /// Whether something comes of this result of its check.
    pub fn comes(&self, attempt: &Attempt) -> bool {
        attempt.works || self.damage.grazes() || self.power.comes(attempt)
    }

    /// Whether successes are gathered over several turns (MD-7).
    pub fn is_ritual(&self) -> bool {
        self.magick.is_some_and(|magick| magick.ritual)
    }

    /// The greatest distance at which it may be cast: its range, with the extra successes if each of its dice succeeds
    /// (MD-3). A ritual gathers any number of successes.
    pub fn farthest(&self) -> Units {
        match &self.magick {
            Some(magick) if magick.extra_range > 0 => {
                if magick.ritual {
                    return Units::MAX;
                }
                let dice = self.check.as_ref().and_then(|check| check.pool(0));
                let extra = dice.unwrap_or(0) - i64::from(magick.required);
                self.carried(extra.max(0))
            }
            _ => self.range,
        }
    }

    /// Returns its range with `extra` successes (MD-3).
    pub fn carried(&self, extra: i64) -> Units {
        let yards = self.magick.map_or(0, |magick| magick.extra_range);
        let reach = i64::from(self.range).saturating_add(extra.saturating_mul(yards.into()));
        Units::try_from(reach).unwrap_or(Units::MAX)
    }

    /// Extra successes needed to reach `distance` (MD-3).
    pub fn successes_to_reach(&self, distance: Units) -> i64 {
        let beyond = distance - self.range;
        match self.magick {
            Some(Magick { extra_range, .. }) if extra_range > 0 && beyond > 0 => {
                i64::from((beyond - 1) / extra_range + 1)
            }
            _ => 0,
        }
    }
}

/// An effect of magick (MD-5 to MD-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Magick {
    /// Rank of the highest Sphere.
    pub sphere: u32,
    /// Whether it could not have happened without magick.
    pub vulgar: bool,
    /// Dice of its roll, at most Arete; `None` is Arete.
    pub dice: Option<u32>,
    /// Successes for the full effect.
    pub required: u32,
    /// Damage for each success beyond those required and those spent on range (MD-3).
    pub extra_damage: i64,
    /// Units beyond the range for each success that is spent on it (MD-3).
    pub extra_range: Units,
    /// The share of its damage if it has fewer successes than required; `None` follows the rules (MD-3).
    pub diminished: Option<Diminished>,
    /// Whether it is rolled turn after turn until the required successes are gathered (MD-7).
    pub ritual: bool,
    /// Turns of work for each roll of a ritual, including the turn of the roll (MD-7).
    pub turns_per_roll: u8,
    /// Paradox of each roll, whatever its result (MD-6).
    pub paradox: u32,
}

/// An item to use.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// As the file names it.
    pub name: String,
    /// The cost of using it.
    pub cost: Cost,
    /// Whether using it is a Quick Action (EP-3).
    pub quick: bool,
    /// The roll to get it ready for use, if one is needed (MA-3).
    pub ready_check: Option<Dice>,
    /// Its effects and possible targets.
    pub power: Power,
    /// The points of traits of the scenario's own that each use takes.
    pub price: Vec<(u8, i16)>,
    /// What a use takes of a turn, where `[clock]` says what that holds.
    pub turn_price: Price,
    /// Uses at the start.
    pub uses: u16,
    /// How its uses come back.
    pub recharge: Option<Recharge>,
}

impl Item {
    /// The pools of the rolls for using it; `None` for a check of another kind. Conditions have `added` dice to its
    /// check, but not to the roll that gets it ready.
    pub fn pools(&self, added: i64) -> impl Iterator<Item = Option<i64>> {
        let ready = self.ready_check.iter().map(|dice| Some(dice.count.into()));
        let checks = self.power.check.iter();
        ready.chain(checks.map(move |check| Some(check.pool(0)? + added)))
    }
}

/// When a use of an item or weapon comes back, as a Round begins (W-11).
#[derive(Debug, Clone, PartialEq)]
pub enum Recharge {
    /// Once in this many Rounds.
    Rounds(u32),
    /// In each Round in which the roll reaches this number.
    Roll(Roll, i64),
}

named! {
    /// The four categories of actions (TC-5).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[expect(missing_docs, reason = "the names are the rule book's")]
    pub enum Cost {
        Free "free";
        Quarter "quarter";
        Half "half";
        Full "full";
    }
}
