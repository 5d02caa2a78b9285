//! The keys of a scenario's tables, besides those of gear and effects ([`fields::keys`](crate::fields::keys)) and of
//! `[rules]`. [`SCENARIO`] is the table at the top.

use super::expect::claims::MOST_ENCOUNTERS;
use super::remarks::Remark;
use crate::document::format::{KeyRow, Values, keys, rows, whole};
use crate::fields::keys::{
    ALL, CLOCK, CONDITION, ECLIPSE, ENTERS, FIGHTER, GROUND, HAZARD, ITEM, MAGE, NAMES, OWN, PLACE,
    ROUNDS, SPELL, SPELLS, STRETCH, TASK, TEXTS, WEAPON,
};
use crate::fight::MAX_COMBATANTS;

const ANY_VALUE: Values = Values::Any(&[Values::Number, Values::Text, Values::Boolean]);
const PERCENT: Values = Values::Any(&[Values::Number, Values::Text]);

keys! {
    /// The whole file.
    SCENARIO "scenario" "a scenario of skirmish" {
        "format" ALL "1" whole(1, 1), "version of this format; only 1 exists";
        "title" ALL "the file's name" Values::Text, "the heading of the tables";
        "question" ALL "none" Values::Text, "the question the scenario asks; printed under the title";
        "base" ALL "base" Values::Text, "the name of the file as it stands, beside those of its variants";
        "silence" ALL "none" Values::List(&Values::OneOf(Remark::NAMES)), "remarks that are left out for this scenario";
        "system" ALL "required" Values::OneOf(NAMES), "a clock, a check, a health model and the defaults of all three";
        "rules" ALL "the rule book's" Values::Free, "rulings: what the text leaves open, and its options";
        "clock" OWN "the turns of Chronicles" Values::Table(&CLOCK), "who acts when, with `system = \"own\"`";
        "encounter" ALL "none" Values::Table(&ENCOUNTER), "arena and length";
        "weapons" ALL "none" Values::Named(&Values::Table(&WEAPON)), "`[weapons.NAME]`: weapons that combatants name";
        "spells" SPELLS "none" Values::Named(&Values::Table(&SPELL)), "`[spells.NAME]`: spells that combatants name";
        "items" ALL "none" Values::Named(&Values::Table(&ITEM)), "`[items.NAME]`: things to use: potions, grenades, drugs";
        "conditions" ALL "none" Values::Named(&Values::Table(&CONDITION)), "`[conditions.NAME]`: states that effects leave on combatants for a time (W-11)";
        "tasks" ECLIPSE "none" Values::Named(&Values::Table(&TASK)), "`[tasks.NAME]`: Task Actions (EP-3)";
        "combatants" ALL "required" Values::Tables(&COMBATANT), "`[[combatants]]`: at least two, on at least two sides, at most 64 with their counts";
        "policies" ALL "none" Values::Named(&TEXTS), "`NAME = [...]`: lists of lines that combatants follow";
        "parameters" ALL "none" Values::Named(&Values::Any(&[ANY_VALUE, Values::Table(&PARAMETER)])), "`NAME = value`, which policy lines and other values use as `$NAME`";
        "variants" ALL "none" Values::Tables(&VARIANT), "`[[variants]]`: the same fight with changed keys";
        "builds" ALL "none" Values::Tables(&BUILD), "`[[builds]]`: combatants that may take the place of a side, for `matchup`";
        "expect" ALL "none" Values::Tables(&EXPECT), "`[[expect]]`: claims about the results that `skirmish check` tests";
    }

    /// `[encounter]`.
    ENCOUNTER "encounter" "the frame of the fight" {
        "max_rounds" ALL "50" ROUNDS, "Rounds, turns or Action Turns after which it ends undecided";
        "arena" ALL "unbounded" STRETCH, "`[min, max]`, min < max: the walls";
        "ends_when" ALL "none" Values::Any(&[Values::Text, TEXTS]), "`\"distance >= 100\"`, or a list of such conditions with `<=`, `<`, `>=`, `>` and 0 to 200000: a chase ends";
        "exits" ALL "none" Values::List(&PLACE), "Units from which combatants can flee, besides the ends of the arena (W-10)";
        "goals" ALL "none" Values::Named(&Values::Table(&GOAL)), "`[encounter.goals.NAME]`: what decides the encounter, even while several sides stand (W-17)";
        "ground" ALL "none" Values::Named(&Values::Table(&GROUND)), "`[encounter.ground.NAME]`: stretches of the line on which one stands better or worse (W-15)";
        "hazards" ALL "none" Values::Named(&Values::Table(&HAZARD)), "`[encounter.hazards.NAME]`: what strikes as Rounds begin (W-14)";
        "first_mover" ALL "false" Values::Boolean, "measures `first_mover_wins`";
        "acted_first" ALL "false" Values::Boolean, "measures `acted_first` and `acted_first_of_all`";
        "waits_for_reserves" ALL "false" Values::Boolean, "a side with reserves still to come has not lost (W-12)";
        "strenuous" MAGE "false" Values::Boolean, "all movement costs twice the endurance (MA-6)";
        "sleepers" MAGE "false" Values::Any(&[Values::Boolean, Values::Chance, Values::Text]), "whether Sleepers witness vulgar magick, `\"always\"` or `\"never\"`, or the chance in each turn that they come by: 0 to 1, or as `\"25%\"` (MD-5)";
    }

    /// `[encounter.goals.NAME]`.
    GOAL "goal" "it is reached as a Round begins, or when all of a name are down (W-17)" {
        "wins" ALL "required" Values::Text, "the side that wins by it; `\"nobody\"`: the encounter ends with an outcome of the goal's name";
        "round" ALL "none" whole(2, 10_000), "as this Round begins";
        "falls" ALL "none" Values::Text, "when this combatant, or all of this name, have fallen or left";
    }

    /// `[[combatants]]`.
    COMBATANT "combatant" "a fighter" with FIGHTER {
        "name" ALL "required" Values::Text, "unique";
        "side" ALL "required" Values::Text, "those who win together";
        "count" ALL "1" whole(0, MAX_COMBATANTS as i64), "this many alike, called `name 1`, `name 2`, ...; a single one is called `name`; with 0 it is left out";
        "enters" ALL "1" Values::Any(&[ROUNDS, Values::Table(&ENTERS)]), "the Round at whose beginning it comes in, or what it waits for (W-12); after `max_rounds` it never does";
        "position" ALL "required" PLACE, "the Unit where it starts, inside the arena";
        "weapons" ALL "none" TEXTS, "at most 32; the order is the order of preference of `attack`";
        "undrawn" ALL "none" TEXTS, "weapons (of `weapons`) not in hand at the start: `draw` first";
        "spells" SPELLS "none" TEXTS, "at most 64";
        "items" ALL "none" TEXTS, "at most 8";
        "tasks" ECLIPSE "none" TEXTS, "at most 8 (EP-3)";
        "policy" ALL "required" Values::Any(&[Values::Text, TEXTS]), "the name of a policy, or a list of lines `[?] ACTION [ARGUMENTS] [if CONDITION]`, `any order {` or `}`; `skirmish explain policy` lists them";
    }

    /// A parameter with a range.
    PARAMETER "parameter" "a value, and those that a search may try" {
        "value" ALL "required" ANY_VALUE, "the value";
        "range" ALL "none" Values::Any(&[Values::Text, Values::List(&ANY_VALUE)]), "the values that `skirmish tune` tries: `\"1..20\"`, `\"1..20:2\"`, `\"a,b\"` or a list";
    }

    /// `[[variants]]`.
    VARIANT "variant" "the same fight, something changed" {
        "name" ALL "required" Values::Text, "unique; not `base`, which is the file as it stands";
        "set" ALL "required" Values::Free, "dotted keys in quotes, with their new values: `\"rules.round\" = \"simple\"`";
    }

    /// `[[builds]]`.
    BUILD "build" "changes of the combatants of a side, or those of another file" {
        "name" ALL "required" Values::Text, "the build's name in results";
        "points" ALL "none" Values::Number, "what the build costs a player; above 0";
        "side" ALL "both" Values::Text, "the only side whose place the build takes; if no build has `side`, each plays on both sides";
        "set" ALL "none" Values::Free, "keys of a combatant, set for each combatant of the side; `\"NAME.key\"` sets it for one of them. `\"parameters.near\"` sets a parameter for this build alone: in the policies and values of its combatants, but not in gear that others also use";
        "from" ALL "none" Values::Any(&[Values::Text, Values::Table(&FROM)]), "the combatants of another file in place of those of this file, with their gear. The rulings and the arena are those of this file. The file is beside this file or in a folder below it: absolute paths, `..` and links that lead out are refused, and so is what is not a regular file. Gear of the same name must be the same in both files. The combatants stand where those stood whose place they take";
    }

    /// `from` of a build.
    FROM "from" "a side of another file" {
        "file" ALL "required" Values::Text, "the file";
        "side" ALL "the first" Values::Text, "the side";
        "variant" ALL "base" Values::Text, "the variant";
    }

    /// `[[expect]]`.
    EXPECT "expect" "what `skirmish check` tests" with BOUNDS {
        "metric" ALL "required" Values::Text, "a rate or a count of `skirmish explain metrics`";
        "side" ALL "required for metrics of a side, refused for others" Values::Text, "name of a side";
        "combatant" ALL "required for metrics of a combatant, refused for others" Values::Text, "name of a combatant; one of a `count` by its own name: `\"goblin 2\"`";
        "outcome" ALL "required for `outcome_rate`, refused for others" Values::Text, "name of a goal that no side wins";
        "variant" ALL "base" Values::Text, "name of a variant";
        "statistic" ALL "mean" Values::OneOf(&["mean", "p05", "p25", "median", "p50", "p75", "p95", "min", "max"]), "a rate has only a mean; `\"min\"` and `\"max\"` go with `equal`";
        "difference" ALL "none" Values::Table(&DIFFERENCE), "the mean less the mean of another variant, encounter by encounter on the same dice";
        "equal" ALL "none" PERCENT, "exactly this, in a run of `encounters` with `seed`";
        "encounters" ALL "required with `equal`, refused without" whole(1, MOST_ENCOUNTERS), "how many are played";
        "seed" ALL "1" whole(0, i64::MAX), "with `equal` alone";
    }
}

/// The bounds of a claim.
const BOUNDS: &[KeyRow] = rows! {
    "between" ALL "none" Values::Pair(&PERCENT), "`[low, high]`: the value lies between them, ends included";
    "min" ALL "none" PERCENT, "the value is at least this; of a rate from 0 to 1, or in per cent: `\"45%\"`";
    "max" ALL "none" PERCENT, "the value is at most this";
};

keys! {
    /// `difference` of an expectation.
    DIFFERENCE "difference" "a claim about the difference from another variant" with BOUNDS {
        "from" ALL "base" Values::Text, "the variant that it is held against";
    }
}
