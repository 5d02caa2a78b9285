//! The keys of combatants' gear, conditions, effects and surroundings. Those of `[rules]` are
//! rows of `rulings!`; those of the other tables belong to `scenario`.

use super::checks::{COUNTS, CRITICALS};
use super::own::GREATEST_TRAIT;
use crate::dice::extended::MAX_REQUIRED;
use crate::dice::magick::MAX_RATING;
use crate::dice::pool::{Again, Botch, Ones, Tens};
use crate::document::format::{KeyRow, Values, keys, rows, whole};
use crate::fight::check::CriticalDamage;
use crate::fight::effect::{Recipient, Share, Spared, Strain, Taken};
use crate::fight::health::{AtZero, Diminished};
use crate::fight::lasting::{Number, Stacks, Until};
use crate::fight::system::Clocks;
use crate::fight::traits::MOST_ONGOING;
use crate::fight::turns::{Next, Phase, Unit};
use crate::fight::{Cost, MarkTraits, WeaponKind};

/// The names of the systems.
pub(crate) const NAMES: &[&str] = &[TARA[0], MAGE[0], CHRONICLES[0], ECLIPSE[0], OWN[0]];
pub(crate) const TARA: &[&str] = &["tara-corax"];
pub(crate) const MAGE: &[&str] = &["mage"];
/// Chronicles, and a clock of one's own, which begins with its turns.
pub(crate) const CHRONICLES: &[&str] = &["chronicles", OWN[0]];
pub(crate) const OWN: &[&str] = &["own"];
pub(crate) const ECLIPSE: &[&str] = &["eclipse-phase"];
/// Systems in which casting takes so long that it can be interrupted.
const SLOW_SPELLS: &[&str] = &[TARA[0], MAGE[0]];
/// Systems with pools of dice.
const POOLS: &[&str] = &[MAGE[0], CHRONICLES[0], OWN[0]];
/// Systems with spells.
pub(crate) const SPELLS: &[&str] = &[TARA[0], MAGE[0], CHRONICLES[0], OWN[0]];
/// All systems.
pub(crate) const ALL: &[&str] = &[];

/// The published games that a clock of one's own may begin with.
pub(crate) const LIKE: &[&str] = &[MAGE[0], CHRONICLES[0], ECLIPSE[0]];

/// The greatest absolute value of a bonus, a target number or a mastery.
pub(crate) const GREATEST: i64 = 1000;

/// The most weapons of a combatant: weapons in hand are the bits of one word.
pub(crate) const MOST_WEAPONS: usize = 32;

/// The greatest absolute value of a place on the line.
pub(crate) const FARTHEST: i64 = 100_000;

/// The greatest Attribute of the World of Darkness.
pub(crate) const GREATEST_ATTRIBUTE: i64 = 10;

/// The most dice of a pool in a fight.
pub(crate) const MOST_DICE: i64 = 100;

/// The most sides of the dice of a pool.
pub(crate) const MOST_SIDES: i64 = 100;
/// The most thresholds of damage that a combatant can have.
pub(crate) const MOST_THRESHOLDS: usize = 8;

/// The most health of a combatant.
pub(crate) const MOST_HEALTH: i64 = 1_000_000;

/// The most Rounds that a condition can be set to last.
pub(crate) const MOST_ROUNDS: i64 = 200;

pub(crate) const SIGNED: Values = whole(-GREATEST, GREATEST);
/// A number that is added, or a second roll of which the better or the worse counts.
const ADVANTAGE: Values = Values::Range(-GREATEST, GREATEST, &["advantage", "disadvantage"]);
pub(crate) const ROUNDS: Values = whole(1, 10_000);
pub(crate) const PLACE: Values = whole(-FARTHEST, FARTHEST);
pub(crate) const MARK: Values = whole(0, 60);
pub(crate) const TEXTS: Values = Values::List(&Values::Text);
/// The most of a resource of a turn.
pub(crate) const MOST_AMOUNT: i64 = 20;

/// The most time that an action takes.
pub(crate) const MOST_TIME: i64 = 1000;

const AMOUNT: Values = whole(0, MOST_AMOUNT);
const SPENT_TIME: Values = whole(0, MOST_TIME);
/// Of resources and of time, or time alone.
const PRICE: Values = Values::Any(&[SPENT_TIME, Values::Named(&SPENT_TIME)]);
/// Points of traits, and the price of a turn.
const COST: Values = Values::Any(&[SPENT_TIME, TRAITS]);
const TRAITS: Values = Values::Named(&whole(-GREATEST_TRAIT, GREATEST_TRAIT));
const RANGE: Values = whole(0, 100_000);
const UNITS: Values = whole(0, 1000);
const USES: Values = whole(1, 1000);
const COUNT: Values = whole(1, 100);
const HEALTH: Values = whole(1, MOST_HEALTH);
const ATTRIBUTE: Values = whole(1, GREATEST_ATTRIBUTE);
const RATING: Values = whole(1, MAX_RATING as i64);
const CHECKED: Values = Values::Any(&[Values::Dice, Values::Table(&CHECK)]);
const HARM: Values = Values::Any(&[
    Values::Dice,
    Values::Table(&POOL),
    Values::Named(&Values::Dice),
]);
/// The words for what all declare, apart from kinds of turn.
pub(super) const DECLARES: &[&str] = &["none", "action", "slow to fast"];
const KEEPS: Values = Values::OneOf(&["moves place", "keeps place"]);
const PHASES: Values = Values::OneOf(Phase::NAMES);
const EFFECTS: Values = Values::List(&Values::Table(&EFFECT));
const RECHARGE: Values = Values::Any(&[ROUNDS, Values::Text]);
const LASTS: Values = Values::Any(&[whole(1, MOST_ROUNDS), Values::Text]);
const UNTIL_WORDS: Values = Values::OneOf(&names::<_, { Until::WORDS.len() }>(Until::WORDS));
const UNTIL: Values = Values::Any(&[UNTIL_WORDS, Values::Text]);
/// The Unit numbers of the two ends of a stretch.
pub(crate) const STRETCH: Values = Values::Pair(&PLACE);

/// The words of a list of values with names.
const fn names<T, const N: usize>(all: &[(&'static str, T)]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut index = 0;
    while index < N {
        names[index] = all[index].0;
        index += 1;
    }
    names
}

const DAMAGE_TYPE: &[KeyRow] = rows! {
    "damage_type" ALL "none" Values::Text, "the kind of damage, such as fire (W-16)";
};

const NEEDS: &[KeyRow] = rows! {
    "needs" ALL "the target's `evade`" SIGNED, "the number that a roll which adds must reach; required where there is no enemy to evade it";
};

const POOL_KEYS: &[KeyRow] = rows! {
    "difficulty" MAGE "6" whole(2, 10), "a die at or above it is a success (MD-1)";
    "required" ALL "1" whole(1, MOST_DICE), "net successes that it takes (MD-1 to MD-3, CD-6)";
    "tens" MAGE "`rules.tens`" Values::OneOf(Tens::NAMES), "what a 10 does besides being a success (MD-1)";
    "die" ALL "the system's d10" whole(2, MOST_SIDES), "sides of the dice, on every system; with it, a success is what `success` says";
    "success" ALL "required with `die`" whole(2, MOST_SIDES), "with `die`: the least face that is a success";
    "explode" ALL "none" whole(2, MOST_SIDES), "with `die`: the least face that is rolled again, each time: a success that leaves at least a tenth of the faces below it";
    "ones" ALL "`rules.ones`; with `die` ignore" Values::OneOf(Ones::NAMES), "Mage, or with `die`: whether a 1 takes a success away (MD-1)";
    "ones_on_explosion" MAGE "`rules.ones_on_explosion`" Values::OneOf(Ones::NAMES), "the same of extra dice (MD-1)";
    "botch" ALL "`rules.botch`; with `die` none" Values::OneOf(Botch::NAMES), "Mage, or with `die`: when a roll is a botch (MD-2)";
    "specialty" MAGE "false" Values::Boolean, "10s count twice (MD-4); in the place of `tens`";
    "again" CHRONICLES "`rules.again`" Values::Any(&[whole(8, 10), Values::OneOf(Again::NAMES)]), "from which face on a die is rolled again (CD-6)";
    "rote" CHRONICLES "false" Values::Boolean, "dice of the pool that fail are rolled a second time, never a chance die (CD-6)";
};

keys! {
    /// A pool of dice as a value of its own.
    POOL "pool" "a pool of dice" with POOL_KEYS {
        "pool" ALL "required" Values::Any(&[whole(0, MOST_DICE), Values::Text]), "dice; in Mage also a sum of traits, \"dexterity + brawl\"; 0 is a chance die in Chronicles (MD-1, MD-4, CD-6)";
    }

    /// A check of any kind; the first key says which.
    CHECK "check" "whether an attempt works: { dice, bonus }, { pool, difficulty } or { skill }" with POOL_KEYS {
        "roll" ALL "none" Values::Text, "a check in words, as it is also written alone: dice and traits, and what they are held against, such as `\"1d20 + attack >= target.ac\"`, `\"1d100 <= skill\"`, `\"2d6 + might vs 2d6 + target.might, ties win\"`";
        "degrees" ALL "none" Values::Free, "names of results, at most 8, each with what it takes, such as `\"margin >= 10 or natural 20\"`, or `{ when = ..., works = true }`; the first that holds is its degree. `critical` always works and `fumble` never, unless `works` says otherwise";
        "dice" ALL "none" Values::Dice, "roll over: dice that with `bonus` are to meet `evade` (TC-22)";
        "bonus" ALL "0" SIGNED, "roll over: added to the dice";
        "critical" ALL "none" Values::Any(&[SIGNED, Values::Table(&CRITICAL), Values::OneOf(&names::<_, { CRITICALS.len() }>(CRITICALS))]), "roll over: a natural total (the dice without anything added) of this or more hits, whatever the `evade` (W-9); percentile: what a success with doubles does (EP-9)";
        "fumble" ALL "none" SIGNED, "roll over: a natural total of this or less, below `critical`, misses, whatever the `evade` (W-9)";
        "pool" ALL "none" Values::Any(&[whole(0, MOST_DICE), Values::Text]), "pool: dice; in Mage also a sum of traits, \"dexterity + brawl\"; 0 is a chance die in Chronicles (MD-1, MD-4, CD-6)";
        "extra_damage" ALL "1 in Mage and Chronicles, else 0" whole(0, GREATEST), "pool: damage for each success that `counts` (MD-3, MA-9, CD-6)";
        "counts" ALL "extra, in Chronicles all" Values::OneOf(&names::<_, { COUNTS.len() }>(COUNTS)), "pool: the successes that do `extra_damage`, which is at least 1 then unless it is written: all of them, or those beyond `required` (MD-3, CD-6)";
        "skill" ALL "none" Values::Any(&[SIGNED, Values::Text]), "percentile: d100 at or under it succeeds (EP-9); also a sum of traits of your own";
    }

    /// `critical` of a check.
    CRITICAL "critical" "critical hits of a check that rolls over (W-9)" {
        "on" ALL "required" SIGNED, "what the dice alone come to at least";
        "damage" ALL "double dice" Values::OneOf(CriticalDamage::NAMES), "\"double dice\" rolls the damage twice and adds its number, or the additional dice of a pool, once; \"double\" doubles all of it, \"usual\" changes nothing";
    }

    /// `ongoing` of Chronicles.
    ONGOING "ongoing" "damage that goes on (CD-5)" {
        "damage" ALL "required" whole(1, GREATEST), "points each time";
        "rounds" ALL "required" whole(1, MOST_ONGOING as i64), "how often";
    }

    /// `[weapons.NAME]`.
    WEAPON "weapon" "a weapon" with DAMAGE_TYPE {
        "kind" ALL "required" Values::OneOf(WeaponKind::NAMES), "how it reaches its target";
        "reach" ALL "0" UNITS, "Units; melee only (W-2)";
        "range" ALL "required but for melee" whole(1, 100_000), "Units; ranged and thrown only";
        "attacks" TARA "1" whole(1, 30), "attacks a Round; more than 5 need offsets (TC-8)";
        "attack_offsets" TARA "`rules.attack_offsets`, else the rule's" Values::List(&MARK), "Marks after the first attack, one for each attack, from 0, strictly rising, at most those of a Full Action (TC-8)";
        "check" ALL "required" CHECKED, "whether an attack hits";
        "cost" ALL "none" COST, "points of traits that each attack takes, `{ stamina = 1 }`; without them the weapon is not in hand. With `[clock]` also what it takes of a turn in place of `clock.costs.attack`: `{ bonus = 1 }`, or time";
        "resist" ALL "none" Values::Table(&RESIST), "a check of the target of a hit, against its damage and its effects";
        "penalties" ALL "none" Values::List(&SIGNED), "added to the first attack of its bearer in a turn (on Marks, in a Round), to the second and so on; the last to all further ones: `[0, -5, -10]`";
        "uses" ALL "no limit" USES, "attacks that each bearer can make with it, for example arrows (W-11)";
        "recharge" ALL "none" RECHARGE, "how uses come back, as for items";
        "natural" ALL "false" Values::Boolean, "a fist or a claw, of which its bearer cannot be disarmed";
        "mastery" ALL "0" SIGNED, "bonus from Mastery Styles and Preferred Weapons; a mover's shot and a Desperate Shot do not get it (TC-11)";
        "damage" ALL "required" HARM, "less armour, never below 0; a pool does its net successes as damage, and extra successes are additional dice";
        "ready_turns" MAGE "0" whole(0, 100), "turns that drawing takes of its own (MA-3)";
        "ready_check" MAGE "none" Values::Table(&POOL), "a roll to get it ready (MA-3)";
        "ignores_defence" CHRONICLES "false" Values::Boolean, "whether Defence takes no dice off its attacks (CD-6)";
        "effects" ALL "none" EFFECTS, "what a hit does besides (W-11)";
        "ongoing" CHRONICLES "none" Values::Table(&ONGOING), "what a hit that does damage leaves behind (CD-5)";
    }
}

/// Keys that items and spells share (W-11).
const POWER: &[KeyRow] = rows! {
    "target" ALL "an item `\"self\"`, a spell `\"enemy\"`" Values::OneOf(Recipient::NAMES), "on whom it may be used; `\"point\"` is the place where an enemy stands, and the enemy's `evade` does not count; the user is not its own ally (W-11)";
    "range" ALL "required, except for `\"self\"`" RANGE, "how far the target may be: Units, or yards of Mage";
    "area" ALL "none" UNITS, "it reaches all who stand at most this many Units from the target, friends and the user included";
    "spares" ALL "nobody" Values::OneOf(Spared::NAMES), "who is left out of the area: the user's own side with the user itself, all others, or nobody";
    "check" ALL "none: it always works" CHECKED, "made once; if it fails, nothing happens (TC-12)";
    "resist" ALL "none" Values::Table(&RESIST), "a check of each combatant that it reaches";
    "effects" ALL "none" EFFECTS, "in the order in which they happen";
};

keys! {
    /// `[spells.NAME]`.
    SPELL "spell" "a spell" with DAMAGE_TYPE, POWER, NEEDS {
        "casting_time" TARA "required unless `channel`" whole(1, 3000), "Marks (TC-12)";
        "channel" TARA "false" Values::Boolean, "takes all Marks of a Round; no `casting_time` then (TC-15)";
        "damage" ALL "required without `effects`" HARM, "damage of its effect";
        "cost" ALL "none" COST, "points of traits that casting takes, `{ mana = 3 }`; with `[clock]` also what it takes of a turn, as for a weapon";
        "ongoing" CHRONICLES "none" Values::Table(&ONGOING), "what it leaves behind (CD-5)";
        "sphere" MAGE "required in Mage" RATING, "rank of the highest Sphere; at most the caster's Arete (MD-5)";
        "vulgar" MAGE "false" Values::Boolean, "whether it is vulgar magick (MD-5, MD-6)";
        "required" MAGE "2" whole(1, MAX_REQUIRED as i64), "successes for the full effect";
        "dice" MAGE "Arete" RATING, "dice it is rolled with, at most Arete";
        "extra_damage" MAGE "1" whole(0, GREATEST), "for each extra success (MD-3)";
        "diminished" MAGE "`rules.magick.diminished`" Values::OneOf(Diminished::NAMES), "its damage with fewer successes than required (MD-3)";
        "extra_range" MAGE "0" RANGE, "yards beyond `range` for each extra success that is spent on them; the extra successes that the distance does not take raise damage (MD-3)";
        "ritual" MAGE "false" Values::Boolean, "rolled turn after turn (MD-7)";
        "turns_per_roll" MAGE "1" whole(1, 100), "turns of work for each roll of a ritual, including the turn of the roll (MD-7)";
    }

    /// `[items.NAME]`.
    ITEM "item" "something to use" with DAMAGE_TYPE, POWER, NEEDS {
        "cost" ALL "half, complex" Values::Any(&[Values::OneOf(COST_WORDS), SPENT_TIME, TRAITS]), "Tara-Corax free to full (TC-5); Eclipse Phase quick, complex (EP-3); or the points of traits that each use takes, `{ mana = 3 }`, with the former as `action`; with `[clock]` also what it takes of a turn, as for a weapon";
        "heal" ALL "0" Values::Dice, "health regained, never above the health at the start; dice whose total could be below 0 are refused";
        "damage" ALL "none" HARM, "done to all whom it reaches";
        "uses" ALL "1" USES, "the number of uses that each bearer has";
        "recharge" ALL "none" RECHARGE, "a use comes back as a Round begins: after every so many Rounds, or in each Round in which a roll such as `\"1d6 >= 5\"` succeeds";
        "ready_check" MAGE "none" Values::Table(&POOL), "a roll to get it ready (MA-3)";
    }
}

/// The words of `cost`.
const COST_WORDS: &[&str] = &[
    Cost::NAMES[0],
    Cost::NAMES[1],
    Cost::NAMES[2],
    Cost::NAMES[3],
    QUICK[0].0,
    QUICK[1].0,
];

/// The words of `cost` in Eclipse Phase, and whether each is a Quick Action (EP-3).
pub(crate) const QUICK: &[(&str, bool)] = &[("quick", true), ("complex", false)];

keys! {
    /// `resist`.
    RESIST "resist" "a check of those whom an action reaches, with wounds but without `attack` of a condition; a combatant that resists suffers no other effects" with NEEDS {
        "check" ALL "required" CHECKED, "the check; `\"evade\"` is no roll: the total of the item's own check, which must be a roll, is compared with the `evade` of each (in Eclipse Phase, unless that check is a roll: a test of Fray)";
        "success" ALL "none" Values::OneOf(Share::NAMES), "the share of damage and healing that a success leaves";
    }

    /// A member of `effects`.
    EFFECT "effect" "one effect" with DAMAGE_TYPE {
        "resist" ALL "none" Values::Table(&RESIST), "a check of each combatant that this effect reaches, against it alone";
        "on" ALL "all" Values::Any(&[Values::Text, TEXTS]), "the results of the check at which it comes, whether it works or not: degrees, `success` or `failure`";
        "after" ALL "required with `instead`, `add`, `reroll` and `misses`" Values::Any(&[Values::Text, TEXTS]), "of an item that is used after a roll: the results of the roll after which it comes: `won` or `lost` of an attack of one's own, `struck` of another's, or a degree of the attack's check";
        "target" ALL "whom the action reaches" Values::OneOf(&["self"]), "`\"self\"`: it is about the one who acts";
        "damage" ALL "none" HARM, "damage, rolled once for all, before armour";
        "falloff" ALL "0" whole(0, GREATEST), "points less for each Unit from where the target stood as the first effect came";
        "pierces" ALL "0" whole(0, GREATEST), "points of armour that it goes through";
        "heal" ALL "none" Values::Dice, "health regained, rolled once for all; never above the health at the start (as changed by conditions); those who are down stand again, those who are out get none (W-18)";
        "temporary_health" ALL "none" Values::Dice, "health that damage takes first, rolled once for all; of two amounts the greater counts, unless `rules.temporary_health` says otherwise (W-18)";
        "condition" ALL "none" Values::Text, "a condition that begins";
        "lasts" ALL "required where `ends` counts" LASTS, "Rounds: `2`, or `\"2 rounds\"`";
        "until" ALL "none" UNTIL, "in place of `lasts`: a turn of the one who uses it (`my`, `source`) or of the one who has the condition (`target`), the end of the Round, or Rounds such as `\"3 rounds\"`";
        "removes" ALL "none" Values::Text, "a condition that ends";
        "push" ALL "none" whole(1, 1000), "Units away from the user, as far as walls allow; no move of the target";
        "pull" ALL "none" whole(1, 1000), "Units nearer to the user";
        "prone" ALL "false" Values::Boolean, "throws the target to the ground";
        "disarm" ALL "false" Values::Any(&[Values::Boolean, Values::OneOf(&["for_good"])]), "the first weapon in hand, in the order of `weapons`, is out of hand until it is drawn again; `\"for_good\"`: it cannot be drawn again";
        "uses" ALL "none" Values::Text, "an item, or a weapon with `uses`, of which uses are gained or lost";
        "change" ALL "required with `uses`" SIGNED, "how many; below 0 they are lost";
        "traits" ALL "none" TRAITS, "points that are added to traits of the target; below 0 they are taken off";
        "instead" ALL "none" HARM, "damage in the place of the first that the roll leads to, or how much of it is done, as for a degree: `4`, `\"half\"`";
        "reroll" ALL "false" Values::Boolean, "the check is made again, and what comes then counts";
        "add" ALL "none" Values::Any(&[SIGNED, Values::Dice]), "added to the roll, or to the number that it must not exceed";
        "misses" ALL "false" Values::Boolean, "the attack misses";
        "interrupts" SLOW_SPELLS "false" Values::Boolean, "ends the spell, Channel or ritual that the target is casting";
    }

    /// `[conditions.NAME]`.
    CONDITION "condition" "what lasts on a combatant" with NEEDS {
        "modifies" ALL "none" Values::Table(&MODIFIES), "numbers that it changes";
        "stacks" ALL "no" Values::OneOf(Stacks::NAMES), "what happens if it begins on a combatant that already has it: nothing; the longer of the two lasts (`until` counts as 1 Round, or as 2 to the end of a turn); both count; it begins anew";
        "ends" ALL "own_turn" Values::OneOf(ENDS), "what ends it. The first four need `lasts`, and count its Rounds, or `until`: at the ends of the bearer's turns (the first two words mean the same), of the turns of the combatant that caused it, or of Rounds. The others end earlier if they have a `lasts`, counted at the ends of the bearer's turns";
        "check" ALL "required with `ends = \"check\"`" CHECKED, "made at the end of each of the bearer's turns, once for each condition where several of a kind count";
        "ongoing" ALL "none" Values::Table(&PAIN), "damage when the bearer's turn begins, whatever its armour and soak; `resists` applies; it counts as damage of the combatant that caused the condition";
    }
}

/// The words of `ends`.
pub(crate) const ENDS: &[&str] = &[
    "own_turn",
    "target_turn",
    "source_turn",
    "round_end",
    "damage",
    "check",
    "never",
];

/// The numbers that conditions change.
const NUMBERS: &[KeyRow] = &{
    let mut keys = [KeyRow {
        name: "",
        systems: ALL,
        values: SIGNED,
        default: "0",
        meaning: "",
    }; Number::ALL.len()];
    let mut index = 0;
    while index < keys.len() {
        let (name, number, clocks, meaning) = Number::ALL[index];
        if matches!(number, Number::Attack | Number::AttacksAgainst) {
            keys[index].values = ADVANTAGE;
        }
        keys[index].name = name;
        keys[index].systems = systems(clocks);
        keys[index].meaning = meaning;
        index += 1;
    }
    keys
};

/// The systems with one of these clocks; all of them, if there are several.
const fn systems(clocks: Clocks) -> &'static [&'static str] {
    match clocks {
        Clocks::MARKS => TARA,
        Clocks::TURNS => MAGE,
        Clocks::ORDER => CHRONICLES,
        Clocks::OWN => OWN,
        Clocks::PHASES => ECLIPSE,
        _ => ALL,
    }
}

keys! {
    /// `modifies` of a condition or of ground.
    MODIFIES "modifies" "numbers that a condition changes" with NUMBERS {
        "actions" ALL "none" whole(0, 0), "`actions = 0`: its bearer begins no action";
        "TRAIT" ALL "0" ADVANTAGE, "added to this one of its `traits`; or its checks with it are rolled twice";
    }

    /// `[clock]`.
    CLOCK "clock" "the turns of a game of one's own" {
        "like" OWN "own" Values::OneOf(LIKE), "the published game to begin with, as its `system`: all its rulings hold until a key changes them";
        "unit" OWN "combatant" Values::OneOf(Unit::NAMES), "who holds a place: each combatant; those of a `count`, or a side, who share a key and act one after another; or a side's slots, one for each of its members, which any of them takes";
        "key" OWN "the dice of `rules.initiative`" Values::Any(&[Values::Dice, Values::Text, Values::Table(&CARDS)]), "what orders the places: dice, and `traits`, whose changes move it at once, added to `initiative`: `\"1d20 + dexterity\"`. Or a card, each of them drawn once: `\"card\"` of 54, or `{ cards = 10 }`";
        "when" OWN "scene; round where keys fall" Values::OneOf(&["scene", "round"]), "when keys are rolled: once, or each Round";
        "next" OWN "high" Values::OneOf(Next::NAMES), "which place is next: the greatest key; the least; one of each side in turn, the best key first; the one whom the last actor names, without `pick` lines an enemy, and in a new Round one of its own side; or one of the side whose token is drawn";
        "end_tokens" OWN "0" whole(0, 100), "tokens in the bag besides those of places, where `next = \"bag\"`: as one is drawn, the Round is over, and who has not acted does not act in it";
        "ties" OWN "rating, roll-off" TEXTS, "what decides between equal keys, in order: `traits`, `\"rating\"` (`initiative`), `\"side NAME\"`; then they roll off";
        "places" OWN "1" Values::Any(&[whole(1, 100), Values::Text, Values::Free]), "turns of a combatant in a Round: a number, or that of a trait; each acts once before any acts again. Or a chart of the parts of a Round in which a trait acts: `{ of = \"spd\", 2 = [6, 12], 3 = [4, 8, 12] }`";
        "after" OWN "spent" Values::Any(&[Values::OneOf(&["spent", "cost", "failure"]), Values::Free]), "what becomes of a used place: nothing until the next Round; with `unit = \"side\"`, `\"failure\"`: a side has turn after turn until one of them hurts no enemy, or `{ failure = \"heroes\" }`: that side, and the others have one; `{ less = 10 }`: when all have acted, all keys fall by 10, and those above 0 act again; or the key moves by the time of the turn, up where the least is next and else down";
        "phases" OWN "none" Values::List(&Values::Any(&[PHASES, Values::List(&PHASES)])), "parts of a Round by kind of action, each for all in order: `[\"move\", \"shoot\", \"melee\"]`; a list in it is a phase for several kinds. A turn, with what it holds, goes on through all of them";
        "declare" OWN "none" Values::Any(&[Values::OneOf(DECLARES), Values::Named(&Values::Named(&AMOUNT))]), "what all declare as a Round begins, by `declare` lines, or else by the first line that is possible: an action, whose time (`costs`) moves the key of this Round; the same from the last in the order to the first, who know by then who attacks; or a kind of turn, each with what it holds, all turns of a kind before those of the next: `{ fast = { action = 1 }, slow = { action = 2 } }`";
        "delay" OWN "moves place" KEEPS, "whether one that comes in after a `delay` has its new place in later Rounds, too";
        "ready" OWN "moves place" KEEPS, "whether one whose readied action is triggered has a new place, before the one that triggered it";
        "ticks" OWN "10" whole(1, 10_000), "time in a Round, where keys move by cost and the least is next";
        "budget" OWN "`{ action = 1 }`" Values::Named(&Values::Any(&[AMOUNT, Values::Table(&RESOURCE)])), "what a turn holds: at most 4 resources with names of your own, `{ action = 1, bonus = 1 }`; the turn goes on until no line can be paid, or to `pass`";
        "costs" OWN "`{ action = 1 }` each" Values::Table(&COSTS), "what actions take of it; weapons, spells and items may have a `cost` of their own";
        "penalties" OWN "none" Values::List(&SIGNED), "added to the first attack of a turn, to the second and so on, with weapons that have no `penalties` of their own: `[0, -5, -10]`";
    }

    /// `key` of a clock, where it is drawn.
    CARDS "cards" "cards that order the places, each of them drawn once" {
        "cards" ALL "54" whole(1, 64), "cards of the deck, the numbers from 1";
        "jokers" ALL "0" whole(0, 64), "the highest of them that are jokers";
        "gives" ALL "required with `jokers`" Values::Text, "the condition that a joker gives until the next draw, defined in `[conditions.NAME]`";
        "each" ALL "1" Values::Any(&[whole(1, 64), Values::Dice, Values::Text]), "cards that each draws in a Round, with one turn on each, the best first over all: a number, or dice and `traits`, `\"1d4 + quick\"`";
        "keep" ALL "all" whole(1, 64), "how many of them it keeps, the best";
    }

    /// A resource of `[clock.budget]`.
    RESOURCE "resource" "what a turn holds of a kind" {
        "amount" ALL "required" AMOUNT, "how much";
        "back" ALL "my turn" Values::OneOf(&["my turn", "round"]), "when all of it comes back: as one's turn begins, or as a Round does";
    }

    /// `[clock.costs]`.
    COSTS "costs" "what actions take of a turn: `{ action = 1 }`, one `action` or else of the first resource unless it is written. Where `after = \"cost\"` or actions are declared, also time: a number, or `{ action = 1, time = 6 }`; 1 unless it is written" {
        "attack" ALL "1" PRICE, "an attack";
        "cast" ALL "1" PRICE, "a spell";
        "use" ALL "1" PRICE, "an item";
        "draw" ALL "1" PRICE, "drawing a weapon";
        "stand" ALL "1" PRICE, "getting up";
        "ready" ALL "1" PRICE, "readying an action, whatever action that is; its trigger takes nothing more";
        "move" ALL "free" Values::Any(&[Values::OneOf(&["free"]), SPENT_TIME, Values::Named(&SPENT_TIME)]), "each `move` Units begun; free, a turn has up to `move` Units";
        "pass" ALL "1" whole(1, MOST_TIME), "time of a turn whose actions take none, where `after = \"cost\"` or actions are declared";
    }

    /// `ongoing` of a condition.
    PAIN "pain" "damage that goes on" with DAMAGE_TYPE {
        "damage" ALL "required" HARM, "points or dice";
        "when" ALL "own_turn" Values::OneOf(&["own_turn"]), "when its bearer's turn begins";
    }

    /// `[tasks.NAME]`.
    TASK "task" "a Task Action of Eclipse Phase" with DAMAGE_TYPE {
        "phases" ALL "required" whole(1, 1000), "stages of work (EP-3)";
        "heal" ALL "0" Values::Dice, "health that its worker gets back when it is done";
        "damage" ALL "none" HARM, "done to a target when it is done, less armour";
        "range" ALL "required with `damage`, refused without" RANGE, "how far the target may be";
    }
}

/// Keys of what waits for an occasion.
const OCCASION: &[KeyRow] = rows! {
    "mark" TARA "as the Round begins" MARK, "it comes at that Mark, before everything that is due there";
    "falls" ALL "none" Values::Text, "only when all combatants of that name, a combatant or group, have fallen or left";
    "when" ALL "none" Values::Text, "a condition of policies that must hold: of each combatant that a hazard strikes, or of a reserve at its `position`";
};

keys! {
    /// `enters` of a combatant.
    ENTERS "enters" "what a combatant in reserve waits for (W-12)" with OCCASION {
        "round" ALL "1" ROUNDS, "the first Round in which it may come in; `enters = 4` is `enters = { round = 4 }`";
    }

    /// `[encounter.hazards.NAME]`.
    HAZARD "hazard" "what strikes all, or all on a stretch of the line, as Rounds begin (W-14)" with OCCASION {
        "effects" ALL "required" EFFECTS, "without `push`, `pull` and `falloff`; all of them to one combatant after the other";
        "resist" ALL "none" Values::Table(&RESIST), "made by each combatant that it strikes";
        "stretch" ALL "the whole line" STRETCH, "`[min, max]`: it strikes all who stand there, both ends included";
        "first" ALL "1" ROUNDS, "the Round of its first strike";
        "last" ALL "no last" ROUNDS, "the last Round in which it strikes";
        "every" ALL "1" ROUNDS, "Rounds from one strike to the next";
        "initiative" OWN "as the Round begins" SIGNED, "its place in the order of turns: it strikes before the first combatant with a lower total, or with `next = \"low\"` a higher one, and after those with the same";
    }

    /// `[encounter.ground.NAME]`.
    GROUND "ground" "a stretch of the line on which numbers are others; those who stand there have a condition of its name (W-15)" {
        "stretch" ALL "required" STRETCH, "`[min, max]` of the line";
        "modifies" ALL "required without `difficult`" Values::Table(&MODIFIES), "what it adds to numbers of those who stand there";
        "difficult" ALL "false" Values::Any(&[whole(1, 10), Values::Boolean]), "each Unit to there takes two of movement, or as many as it says";
    }

    /// A level of a health track (MA-8).
    LEVEL "level" "a level of a health track" {
        "name" ALL "required" Values::Text, "such as \"Hurt\"";
        "penalty" ALL "0" whole(0, 100), "dice off attack pools";
        "slows" ALL "true of Injured" Values::Boolean, "Mage: halves movement (MA-7)";
    }

    /// `attributes` of a combatant.
    ATTRIBUTES "attributes" "what initiative is made of, and pools that are sums" {
        "agility" TARA "required in Tara-Corax" CHARACTERISTIC, "half of the Initiative characteristic (TC-2)";
        "intellect" TARA "required in Tara-Corax" CHARACTERISTIC, "the other half (TC-2)";
        "intuition" ECLIPSE "required in Eclipse Phase" CHARACTERISTIC, "INIT is a fifth of the sum with Reflexes (EP-1)";
        "reflexes" ECLIPSE "required in Eclipse Phase" CHARACTERISTIC, "the other part (EP-1)";
        "dexterity" POOLS "required in Mage and Chronicles" ATTRIBUTE, "a part of initiative (MA-1, CD-1)";
        "wits" MAGE "required in Mage" ATTRIBUTE, "the other part (MA-1)";
        "stamina" MAGE "required in Mage" ATTRIBUTE, "endurance (MA-6)";
        "composure" CHRONICLES "required in Chronicles" ATTRIBUTE, "the other part of initiative (CD-1)";
        "strength" MAGE "none" ATTRIBUTE, "for pools that are sums (MD-4)";
        "charisma" MAGE "none" ATTRIBUTE, "for pools that are sums (MD-4)";
        "manipulation" MAGE "none" ATTRIBUTE, "for pools that are sums (MD-4)";
        "appearance" MAGE "none" ATTRIBUTE, "for pools that are sums (MD-4)";
        "perception" MAGE "none" ATTRIBUTE, "for pools that are sums (MD-4)";
        "intelligence" MAGE "none" ATTRIBUTE, "for pools that are sums (MD-4)";
    }
}

const CHARACTERISTIC: Values = whole(0, 100);

keys! {
    /// `combat_casting` of a combatant (TC-14).
    COMBAT_CASTING "combat_casting" "Combat Casting (TC-14)" {
        "check" ALL "required" Values::Dice, "the roll";
        "target" ALL "required" SIGNED, "what it must meet";
        "units_per" ALL "required" whole(1, 1000), "Units for each point beyond";
    }

    /// `[rules.down]` (W-18).
    DOWN "down" "what becomes of those who are down (W-18)" with NEEDS {
        "lost_after" ALL "never" whole(1, MOST_ROUNDS), "Rounds after which one is lost, the one in which it went down included";
        "check" ALL "none" CHECKED, "a check against being lost, made as each further Round begins";
        "failures" ALL "3" COUNT, "failed checks after which one is lost";
        "successes" ALL "3" COUNT, "passed checks after which one is stable: it is not lost any more";
        "prone" ALL "false" Values::Boolean, "whether one lies on the ground when it stands again";
    }

    /// `morale` of a combatant (W-13).
    MORALE "morale" "what may shake a combatant (W-13)" with NEEDS {
        "when" ALL "required" Values::OneOf(Strain::NAMES), "when it is tested";
        "check" ALL "required" CHECKED, "the check by which it holds";
        "condition" ALL "required" Values::Text, "what comes over it if the check fails";
        "lasts" ALL "required where `ends` counts" LASTS, "Rounds: `2`, or `\"2 rounds\"`";
        "until" ALL "none" UNTIL, "in place of `lasts`, as for an effect: all turns are those of its bearer";
    }
}

/// The keys that combatants have for their system, its traits and its gear; `scenario` adds those of their place in the
/// fight.
pub(crate) const FIGHTER: &[KeyRow] = rows! {
    "attributes" ALL "required, unless `initiative` is given" Values::Table(&ATTRIBUTES), "what initiative is made of";
    "initiative" ALL "from `attributes`" SIGNED, "the rating outright, in place of `attributes`; 0 to 100 but in Eclipse Phase";
    "initiative_modifier" ECLIPSE "0" SIGNED, "of morph, implants, drugs (EP-1)";
    "speed" ALL "1" whole(1, 8), "actions a turn: 1 in Tara-Corax and Chronicles, to 4 in Mage (MA-3), and to 4 or `rules.speed.max` in Eclipse Phase (EP-2)";
    "evade_modifier" TARA "0" whole(0, 100), "armour's penalty, as a positive number (TC-2)";
    "move" ALL "required in Tara-Corax and Chronicles; in Mage 20 + 3 x Dexterity, in Eclipse Phase 20" UNITS, "Units a Round or turn; in Mage yards at a run (TC-6, MA-4, CD-7, EP-8)";
    "evade" ALL "required if a check is rolled against it" SIGNED, "what an attack's roll must meet (TC-22)";
    "armor" ALL "0" RANGE, "taken off each damage roll";
    "health" ALL "required; of a track the seven levels of Mage" Values::Any(&[HEALTH, Values::List(&Values::Table(&LEVEL))]), "points; or a list of levels, the lightest first, with `rules.health = \"track\"` (MA-8)";
    "at_zero" ALL "`rules.at_zero`" Values::OneOf(AtZero::NAMES), "whether it is out at 0 health, or down: then healing makes it stand again (W-18)";
    "temporary_health" ALL "0" whole(0, MOST_HEALTH), "health that damage takes first, and that nothing heals (W-18)";
    "thresholds" ALL "none" Values::List(&HEALTH), "up to 8 numbers, strictly rising: damage below the first takes 1 point of health, from the first on 2, from the second on 3, and so on (W-18)";
    "hands" TARA "no limit" whole(1, MOST_WEAPONS as i64), "the number of weapons that it can hold at once; at the start it holds the first that are not `undrawn` (TC-5)";
    "abilities" TARA "none" Values::List(&Values::OneOf(&names::<_, { MarkTraits::ABILITIES.len() }>(MarkTraits::ABILITIES))), "a Counter (TC-18), the charges (TC-17), Firing Assault and Stand and Fire (TC-19)";
    "car" TARA "none" UNITS, "Combat Action Radius (TC-16)";
    "combat_casting" TARA "none" Values::Table(&COMBAT_CASTING), "Combat Casting (TC-14)";
    "skills" MAGE "none" Values::Named(&whole(0, GREATEST_ATTRIBUTE)), "traits for pools that are sums, with any names (MD-4)";
    "willpower" MAGE "0" whole(0, GREATEST_ATTRIBUTE), "points to spend (MD-4); it is rolled for moves beyond endurance if it is greater than Stamina (MA-6)";
    "swims" MAGE "false" Values::Boolean, "a skilled swimmer (MA-4)";
    "fly" MAGE "none" whole(10, 20), "yards a turn (MA-4)";
    "climb" MAGE "none" Values::Table(&POOL), "the pool for climbing (MA-4)";
    "extra_actions" MAGE "0" whole(0, 10), "undivided actions a turn besides the first (MA-3)";
    "arete" MAGE "0" whole(0, MAX_RATING as i64), "the greatest Sphere and number of dice of its effects (MD-5)";
    "soak" MAGE "0" Values::Any(&[RANGE, Values::Table(&POOL)]), "points off damage in place of `armor`, or a pool that is rolled (MA-9)";
    "defence" CHRONICLES "0" whole(0, 100), "dice taken off attacks (CD-6)";
    "regeneration" CHRONICLES "0" whole(0, 1000), "health a Round (CD-5)";
    "ongoing" CHRONICLES "none" Values::Table(&ONGOING), "ongoing damage at the start of the fight (CD-5)";
    "moxie" ECLIPSE "0" whole(0, 100), "points of Moxie (EP-5)";
    "fray" ECLIPSE "none" SIGNED, "skill in defence (EP-9)";
    "wound_threshold" ECLIPSE "a fifth of `health`, rounded up; on a track none" HEALTH, "damage of one hit for each wound (EP-9)";
    "wounds" ECLIPSE "0" whole(0, 100), "taken before the fight begins";
    "traits" ALL "none" TRAITS, "numbers with names of your own, at most 16 in a scenario, for checks, damage, costs and conditions: `{ ac = 15, con_save = 3, mana = 10 }`";
    "prone" ALL "false" Values::Boolean, "starts on the ground";
    "resists" ALL "none" Values::Named(&Values::Any(&[Values::OneOf(&names::<_, { Taken::ALL.len() }>(Taken::ALL)), whole(0, GREATEST)])), "how much damage of each `damage_type` it takes, after armour and soak: a share, or points less (W-16)";
    "morale" ALL "none" Values::Any(&[Values::Table(&MORALE), Values::Boolean]), "when its courage may fail; `false` for never (W-13)";
};
