//! Chronicles: one order for the scene, delaying and readying, pools of successes.

use crate::fight::check::CheckKind;
use crate::fight::health::HealthModel;
use crate::fight::initiative::{LastResort, Vocabulary};
use crate::fight::system::{Clock, Pools, Ruling, System, Words, actions, rulings};
use crate::fight::variables::facts;
use crate::names::Synonyms;

/// Chronicles.
pub static CHRONICLES: System = System {
    name: "chronicles",
    title: "Chronicles",
    clock: Clock::Order,
    clock_name: "order",
    clock_about: "each acts once a Round, in an order that is rolled once and that delaying and readying change; a readied action interrupts",
    check: CheckKind::Pool,
    health: HealthModel::Points,
    pools: Pools::Chronicles,
    tasks: false,
    ties: Vocabulary {
        traits: ["dexterity", "composure"],
        last: &[LastResort::RollOff],
        why_not: "the order is strict, without simultaneous turns (CD-1): expected \"roll-off\"",
    },
    of_rating: |rating| [rating, 0],
    words: Words {
        round: "Round",
        moment: "turn",
        step: "Unit",
        ward: "armour",
        botches: "fails dramatically",
    },
    length: "rounds",
    about: "In Chronicles a combatant acts once a Round, in an order that is rolled once for the scene: \
            Dexterity + Composure + 1d10. A turn is one action and up to `move` Units of movement, in pieces before and after. A delayer comes in after a later turn; a readied action interrupts when its trigger happens; both then keep the new place.",
    costs: &[],
    rulings: RULINGS,
    actions: ACTIONS,
    facts: FACTS,
    synonyms: SYNONYMS,
    topic: "what a turn is, triggers",
    starter: include_str!("template.toml"),
};

/// Words of other games for words of this one.
const SYNONYMS: &Synonyms = &[
    ("defence", "ac armor_class armour_class defense dodge"),
    ("attributes.dexterity", "dex agi agility reflexes"),
    ("attributes.composure", "com wits wis wisdom"),
    ("ready", "overwatch prepare"),
    ("delay", "wait hold hold_action"),
    ("ongoing", "bleeding burning poison"),
    ("again", "explode"),
];

rulings! {
    RULINGS:
    "initiative.dice" "dice or points" "1d10"
        "what is added to the rating: any dice notation, such as 2d6 or 1d12-1 (CD-1)";
    "initiative.ties" "list of words" "rule book's"
        "what decides between equal totals: by default rating, roll-off; also dexterity, composure (CD-1)";
    "initiative.share" "list of sides and groups" "none"
        "who acts on one initiative, that of the first of them who stands (MA-1)";
    "initiative.roll" ["per-scene", "per-round"] "per-scene" "when initiative is rolled (CD-1)";
    "delays" ["true", "false"] "true" "whether a `delay` is ever legal (CD-2)";
    "readies" ["true", "false"] "true" "whether a `ready` is ever legal (CD-3)";
    "yield" ["committed", "ask-again"] "committed"
        "whether those who come in together all come in at once, or only the first while the others are asked again after its turn (CD-2)";
    "early_trigger" ["replaces", "adds"] "replaces"
        "whether an action readied in the Round before, triggered before its place comes up, takes the place of this Round's turn (CD-3)";
    "lost_actions" ["lost", "retarget", "kept"] "lost"
        "what becomes of a declared action that an interrupt has made impossible (CD-4)";
    "effects_first" ["ongoing", "regeneration"] "ongoing"
        "which effect comes first when a place comes up (CD-5)";
    "ongoing" ["adds", "worst"] "adds" "whether ongoing damage from several sources adds up (CD-5)";
    "defence" ["erodes", "constant"] "erodes"
        "whether each attack takes one off Defence until it is whole again (CD-6)";
    "again" ["10", "9", "8", "none"] "10" "from which face on a die is rolled again (CD-6)";
    "dramatic_failure" ["none", "lose-turn", "damage"] "none"
        "what a dramatic failure does besides failing: nothing, the next turn is lost, or dramatic_damage (CD-6)";
    "dramatic_damage" "dice or points" "none"
        "damage to oneself for a dramatic failure, without armour";
    "hit" ["meet", "beat"] "meet" "whether a roll equal to Evade hits, for checks of that kind";
}

actions! {
    ACTIONS:
    "attack [TARGET] [with WEAPON]" "the action"
        "an enemy in reach or range (CD-6); without `with`, the first weapon that can";
    "cast SPELL [TARGET]" "the action" "a target in range";
    "draw [WEAPON]" "the action" "it is not in hand; without WEAPON, the first that is not";
    "use ITEM [TARGET]" "the action" "uses left, and a target in range";
    "set" "nothing" "never: there is no un-setting";
    "stand" "the action" "prone";
    "ready ACTION when TRIGGER" "the action"
        "uses left for `use`, prone for `stand`, not in hand for `draw`, able to move for a move; all else, as a weapon in hand, is judged at the trigger (CD-3); its target is `trigger` unless it says otherwise";
    "delay [yield [N]] [until CONDITION]" "nothing yet"
        "nothing done this turn, not delayed this Round, another turn still to come (CD-2); the condition is asked after each";
    "advance [N] [to D] [TARGET]" "nothing"
        "Units of the turn left, farther from the target than its reach (or than D) (CD-7)";
    "retreat [N] [to D] [TARGET]" "nothing"
        "as for `advance`; not against the wall (and nearer to the target than D)";
    "cancel" "the readied action" "asked only when its trigger happens (CD-3)";
    "flee" "as `retreat`"
        "an `arena` or `exits`: it runs from the nearest enemy, and there is out of the fight (W-10)";
    "surrender" "nothing" "always: out of the fight (W-10)";
    "pass" "the rest of the turn" "always";
}

facts! {
    FACTS:
    "moved" Moved bool "moved this turn";
    "acted" Acted bool "took an action this turn";
    "attacked" Attacked bool "attacked this turn";
    "wounds" Wounds "dice" "that its health level takes off attack pools (MA-8)";
    "target.wounds" TargetWounds "dice" "that the target's health level takes off its attack pools";
    "initiative" Initiative "points" "as it was rolled: rating and die";
    "place" Place "count" "in the order, among those who stand, from 1 (CD-1)";
    "turns_left" TurnsLeft "combatants" "others whose turn is still to come this Round; delayers do not count";
    "enemies_left" EnemiesLeft "combatants" "enemies whose turn is still to come this Round; delayers do not count";
    "enemy_acted" EnemyActed bool "an enemy's turn is over since it began to delay, or the action that took its place (CD-2)";
    "delayed" Delayed bool "it has come in after a delay this Round (CD-2)";
    "move_left" MoveLeft "Units" "of this turn (CD-7)";
    "interrupted" Interrupted bool "this turn has been interrupted (CD-4)";
    "target.acted" TargetActed bool "the target's turn has come up this Round, and it is not delaying";
    "target.readied" TargetReadied bool "the target has a readied action (CD-3)";
    "defence" Defence "dice" "that it takes off attacks now (CD-6)";
    "target.defence" TargetDefence "dice" "that the target takes off attacks now";
    "ongoing" Ongoing "points" "of ongoing damage when its place comes up next (CD-5)";
    "target.ongoing" TargetOngoing "points" "of ongoing damage when the target's place comes up next";
}
