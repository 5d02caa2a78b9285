//! What combatants have for the clock of their system, and what their health is made of.

use super::checks::{self, pool};
use super::combatants::MOST_WEAPONS;
use super::diagnostics::Diagnostic;
use super::gear::{GREATEST, ongoing, roll};
use super::node::Value;
use super::reader::{self, Reader};
use super::rulings::{Rulings, Sleepers};
use super::sums::Sheet;
use crate::dice::magick::{Effect, MAX_RATING, Manner};
use crate::dice::{Storyteller, extended};
use crate::fight::check::{Check, Dice};
use crate::fight::health::{HealthModel, Level, Track};
use crate::fight::system::Clock;
use crate::fight::{
    Abilities, CombatCasting, MarkTraits, OrderTraits, PhaseTraits, Spell, Traits, TurnTraits,
    Units,
};
use crate::systems::Rules;
use crate::systems::eclipse_phase::rules::Rounding;
use std::ops::RangeInclusive;

/// More levels than any track has.
const MOST_LEVELS: usize = 100;

/// Dice of a level's penalty.
const MOST_PENALTY: i64 = 100;

/// The greatest Attribute.
const GREATEST_ATTRIBUTE: i64 = 10;

/// Attributes of a mage that nothing but sums of traits asks for (MD-4).
const OTHER_ATTRIBUTES: [&str; 6] = [
    "strength",
    "charisma",
    "manipulation",
    "appearance",
    "perception",
    "intelligence",
];

/// `initiative` outright, where ratings are not negative.
const INITIATIVE: RangeInclusive<i64> = 0..=100;

/// The values that the clock of the system needs.
pub(super) struct Own {
    pub(super) traits: Traits,
    pub(super) speed: Units,
    /// Absent where neither the file says it nor the system needs it.
    pub(super) evade: Option<i64>,
    pub(super) armor: i64,
    pub(super) soak: Option<Dice>,
    /// Of a mage; 0 for all others (MD-5).
    pub(super) arete: u32,
    /// What sums of traits are made of, where there are such sums (MD-4).
    pub(super) sheet: Option<Sheet>,
}

/// Reads the values of a combatant that its clock needs.
pub(super) fn own(
    table: &mut Reader<'_>,
    rulings: &Rulings,
    broken: &mut bool,
    problems: &mut Vec<Diagnostic>,
) -> Own {
    match rulings.system.clock {
        Clock::Marks => marks(table, rulings, broken),
        Clock::Turns => turns(table, rulings, broken, problems),
        Clock::Order => order(table, rulings),
        Clock::Phases => phases(table, rulings),
    }
}

/// What initiative is made of: the system's own `attributes`, or `initiative` outright, which every
/// system understands.
fn standing<T>(
    table: &mut Reader<'_>,
    range: RangeInclusive<i64>,
    example: &str,
    of_attributes: impl FnOnce(&mut Reader<'_>) -> T,
    outright: impl FnOnce(i32) -> T,
) -> T {
    if let (Some(_), Some(entry)) = (table.entry("initiative"), table.entry("attributes")) {
        table.complain(Diagnostic::error(
            entry.node.span,
            "both `initiative` and `attributes` say what initiative is",
            "leave one of them out",
        ));
    }
    if table.has("initiative") {
        return outright(table.integer("initiative", range).unwrap_or(0) as i32);
    }
    if table.has("attributes") {
        if let Some(mut inner) = table.table("attributes", "`attributes`") {
            let read = of_attributes(&mut inner);
            table.close(inner);
            return read;
        }
        return outright(0);
    }
    // Marks both as known, so that a misspelt one gets a suggestion.
    table.entry("attributes");
    table.entry("initiative");
    let (span, who) = (table.span(), table.what().to_owned());
    table.complain(
        Diagnostic::error(
            span,
            format!("{who} lacks `attributes`"),
            "nothing says what is added to its initiative die",
        )
        .help(format!(
            "expected `attributes = {example}`, or `initiative = 9`"
        )),
    );
    outright(0)
}

/// The greatest Speed that the rule books know.
pub(crate) const MOST_SPEED: u8 = 4;

/// The two traits that make this rating where a file writes it outright, in the order in which
/// [`Vocabulary`](crate::sim::initiative::Vocabulary) names them. Ties may compare them.
pub(crate) const fn of_rating(clock: Clock, rating: i64) -> [i64; 2] {
    match clock {
        Clock::Marks => [rating, rating],
        Clock::Turns => [rating / 2, rating - rating / 2],
        Clock::Order => [rating, 0],
        Clock::Phases => [5 * rating - 5 * rating / 2, 5 * rating / 2],
    }
}

/// The same for the reader of a combatant.
fn outright(clock: Clock, rating: i32) -> (i32, i32) {
    let [first, second] = of_rating(clock, rating.into());
    (first as i32, second as i32)
}

/// `speed`: actions a turn, 1 to 4, in the systems that know of more than one. `rules.speed.max` of
/// Eclipse Phase caps it, or allows more (EP-2).
fn speed(table: &mut Reader<'_>, rulings: &Rulings) -> u8 {
    let system = rulings.system;
    let most = match &rulings.rules {
        Rules::Phases(rules) => rules.most_speed,
        _ => MOST_SPEED,
    };
    let range = 1..=most.max(MOST_SPEED).into();
    let speed = (table.integer("speed", range).unwrap_or(1) as u8).min(most);
    if speed > 1
        && !matches!(system.clock, Clock::Turns | Clock::Phases)
        && let Some(entry) = table.entry("speed")
    {
        table.complain(
            Diagnostic::error(
                entry.node.span,
                format!("{} knows no Speed", system.title),
                "expected 1 here",
            )
            .help("a variant that changes the system may set it: `combatants.NAME.speed`"),
        );
    }
    speed
}

fn order(table: &mut Reader<'_>, rulings: &Rulings) -> Own {
    let (dexterity, composure) = standing(
        table,
        INITIATIVE,
        "{ dexterity = 3, composure = 2 }",
        |inner| (attribute(inner, "dexterity"), attribute(inner, "composure")),
        |rating| outright(Clock::Order, rating),
    );
    speed(table, rulings);
    let mut traits = OrderTraits {
        dexterity,
        composure,
        ..OrderTraits::default()
    };
    traits.defence = table.integer("defence", 0..=100).unwrap_or(0) as i32;
    traits.regeneration = table.integer("regeneration", 0..=1000).unwrap_or(0) as i32;
    traits.ongoing = ongoing(table);
    Own {
        traits: Traits::Order(traits),
        speed: table.needed_integer("move", 0..=1000).unwrap_or(0) as i32,
        evade: table.integer("evade", -1000..=1000),
        armor: table.integer("armor", 0..=100_000).unwrap_or(0),
        soak: None,
        arete: 0,
        sheet: None,
    }
}

/// An Attribute of the World of Darkness.
fn attribute(inner: &mut Reader<'_>, key: &'static str) -> i32 {
    let value = inner.needed_integer(key, 1..=GREATEST_ATTRIBUTE);
    value.unwrap_or(1) as i32
}

fn marks(table: &mut Reader<'_>, rulings: &Rulings, broken: &mut bool) -> Own {
    let attribute = |inner: &mut Reader<'_>, key| {
        let value = inner.needed_integer(key, 0..=100);
        value.unwrap_or(0) as i32
    };
    // TC-2: the characteristic is the mean of the two.
    let (agility, intellect) = standing(
        table,
        INITIATIVE,
        "{ agility = 12, intellect = 10 }",
        |inner| (attribute(inner, "agility"), attribute(inner, "intellect")),
        |characteristic| outright(Clock::Marks, characteristic),
    );
    speed(table, rulings);
    let mut traits = MarkTraits {
        agility,
        intellect,
        ..MarkTraits::default()
    };
    traits.evade_modifier = table.integer("evade_modifier", 0..=100).unwrap_or(0) as i32;
    let speed = table.needed_integer("move", 0..=1000).unwrap_or(0);
    let evade = table.needed_integer("evade", -1000..=1000);
    let armor = table.integer("armor", 0..=100_000).unwrap_or(0);
    traits.abilities = abilities(table, broken);
    let asked_car = table.has("car");
    traits.car = table.integer("car", 0..=1000).map(|car| car as i32);
    *broken |= asked_car && traits.car.is_none();
    let hands = table.integer("hands", 1..=MOST_WEAPONS as i64);
    traits.hands = hands.map(|hands| hands as u8);
    if table.has("combat_casting") {
        traits.combat_casting = combat_casting(table);
        *broken |= traits.combat_casting.is_none();
    } else {
        table.entry("combat_casting");
    }
    Own {
        traits: Traits::Marks(traits),
        speed: speed as i32,
        evade: Some(evade.unwrap_or(0)),
        armor,
        soak: None,
        arete: 0,
        sheet: None,
    }
}

fn turns(
    table: &mut Reader<'_>,
    rulings: &Rulings,
    broken: &mut bool,
    problems: &mut Vec<Diagnostic>,
) -> Own {
    let mut sheet = Sheet {
        owner: table.what().to_owned(),
        traits: Vec::new(),
    };
    // Who has no Stamina does not tire.
    let (dexterity, wits, stamina) = standing(
        table,
        INITIATIVE,
        "{ dexterity = 3, wits = 3, stamina = 2 }",
        |inner| {
            let mut needed = |inner: &mut Reader<'_>, key: &'static str| {
                let value = attribute(inner, key);
                sheet.traits.push((key.to_owned(), value.into()));
                value
            };
            let (dexterity, wits) = (needed(inner, "dexterity"), needed(inner, "wits"));
            let stamina = needed(inner, "stamina");
            for key in OTHER_ATTRIBUTES {
                let value = inner.integer(key, 1..=GREATEST_ATTRIBUTE);
                let named = value.map(|value| (key.to_owned(), value));
                sheet.traits.extend(named);
            }
            (dexterity, wits, Some(stamina))
        },
        |rating| {
            let (wits, dexterity) = outright(Clock::Turns, rating);
            (dexterity, wits, None)
        },
    );
    let run = table.integer("move", 0..=1000);
    let willpower = table
        .integer("willpower", 0..=GREATEST_ATTRIBUTE)
        .unwrap_or(0) as i32;
    let arete = table
        .integer("arete", 0..=i64::from(MAX_RATING))
        .unwrap_or(0) as u32;
    for (key, value) in [("willpower", i64::from(willpower)), ("arete", arete.into())] {
        sheet.traits.push((key.to_owned(), value));
    }
    if let Some(entry) = table.entry("skills") {
        sheet.add_skills(&entry.node, GREATEST_ATTRIBUTE, problems);
    }
    let rulings = Rulings {
        sheet: Some(sheet),
        ..rulings.clone()
    };
    let swims = table.boolean("swims").unwrap_or(false);
    let asked = table.has("fly");
    let fly = table.integer("fly", 10..=20).map(|yards| yards as i32);
    *broken |= asked && fly.is_none();
    let climb = table.entry("climb").and_then(|entry| {
        let climb = pool(&entry.node, "climb", 0, &rulings, problems);
        *broken |= climb.is_none();
        climb
    });
    let extra_actions = if table.has("speed") {
        table.refuse("extra_actions", "`speed` says how many actions it has");
        speed(table, &rulings) - 1
    } else {
        table.entry("speed");
        table.integer("extra_actions", 0..=10).unwrap_or(0) as u8
    };
    let evade = table.integer("evade", -1000..=1000);
    let mut armor = table.integer("armor", 0..=100_000).unwrap_or(0);
    let mut soak = None;
    if let Some(entry) = table.entry("soak") {
        table.refuse("armor", "`soak` takes its place");
        if entry.node.table().is_some() {
            soak = pool(&entry.node, "soak", 0, &rulings, problems);
        } else {
            armor = table.integer("soak", 0..=100_000).unwrap_or(0);
        }
    }
    let pushed = Storyteller {
        pool: stamina.unwrap_or(0).max(willpower) as u32,
        ..rulings.pool
    };
    let endurance = checks::compile(&pushed, 0).expect("ten dice are a pool");
    let traits = TurnTraits {
        dexterity,
        wits,
        stamina,
        run: run.map_or(20 + 3 * dexterity, |yards| yards as i32),
        willpower,
        endurance,
        swims,
        fly,
        climb,
        extra_actions,
    };
    Own {
        traits: Traits::Turns(traits),
        speed: 0,
        evade,
        armor,
        soak,
        arete,
        sheet: rulings.sheet,
    }
}

/// Points of initiative, either sign.
const MOST_INITIATIVE: i64 = 1000;

/// Units a turn of one who runs, if the file does not say.
const RUNNING: i64 = 20;

fn phases(table: &mut Reader<'_>, rulings: &Rulings) -> Own {
    let signed = || -MOST_INITIATIVE..=MOST_INITIATIVE;
    let rounding = match &rulings.rules {
        Rules::Phases(rules) => rules.rounding,
        _ => Rounding::Down,
    };
    let (init, intuition, reflexes) = standing(
        table,
        signed(),
        "{ intuition = 20, reflexes = 25 }",
        |inner| {
            let of = |inner: &mut Reader<'_>, key| inner.needed_integer(key, 0..=100).unwrap_or(0);
            let (intuition, reflexes) = (of(inner, "intuition"), of(inner, "reflexes"));
            // EP-1: a fifth of the two.
            let init = rounding.fifth(intuition + reflexes);
            (init as i32, intuition as i32, reflexes as i32)
        },
        |init| {
            let (intuition, reflexes) = outright(Clock::Phases, init);
            (init, intuition, reflexes)
        },
    );
    let modifier = table.integer("initiative_modifier", signed()).unwrap_or(0);
    let speed = speed(table, rulings);
    let moxie = table.integer("moxie", 0..=100).unwrap_or(0);
    let units = table.integer("move", 0..=1000).unwrap_or(RUNNING);
    let fray = table.integer("fray", -GREATEST..=GREATEST);
    let armor = table.integer("armor", 0..=100_000).unwrap_or(0);
    let evade = table.integer("evade", -1000..=1000);
    let wound_threshold = table.integer("wound_threshold", 1..=1_000_000);
    let wounds = table.integer("wounds", 0..=100).unwrap_or(0);
    let traits = PhaseTraits {
        initiative: init + modifier as i32,
        intuition,
        reflexes,
        speed,
        moxie: moxie as u8,
        fray,
        wound_threshold: wound_threshold.map(|points| points as i32),
        wounds: wounds as i32,
        tasks: Vec::new(),
    };
    Own {
        traits: Traits::Phases(traits),
        speed: units as i32,
        evade,
        armor,
        soak: None,
        arete: 0,
        sheet: None,
    }
}

/// Gives a mage's effects their pools (MD-5).
pub(super) fn empower(
    table: &mut Reader<'_>,
    spells: &mut [Spell],
    arete: u32,
    sleepers: Sleepers,
    rulings: &Rulings,
) {
    let step = match &rulings.rules {
        Rules::Turns(rules) => rules.magick.difficulty_step,
        _ => 0,
    };
    for spell in spells {
        let Some(magick) = &mut spell.magick else {
            continue;
        };
        let manner = match (magick.vulgar, sleepers) {
            (false, _) => Manner::Coincidental,
            (true, Sleepers::Never | Sleepers::Chance(_)) => Manner::Vulgar,
            (true, Sleepers::Always) => Manner::Witnessed,
        };
        let most = if magick.ritual { usize::MAX } else { 1 };
        match Effect::new(arete, magick.sphere, manner, magick.dice) {
            Ok(effect) => {
                let rules = Storyteller {
                    pool: effect.pool().pool,
                    difficulty: effect.difficulty(),
                    required: magick.required,
                    ..rulings.pool
                };
                magick.paradox = effect.paradox();
                let check = |difficulty| {
                    let rules = Storyteller {
                        difficulty,
                        ..rules
                    };
                    let dice = checks::compile(&rules, 0).ok()?;
                    Some(Check::Pool {
                        dice,
                        extra_damage: magick.extra_damage,
                        every_success: false,
                    })
                };
                let difficulties = extended::difficulties(rules.difficulty, step);
                let mut checks = difficulties.filter_map(check).take(most);
                spell.check = checks.next();
                spell.harder = checks.collect();
                if matches!(sleepers, Sleepers::Chance(_))
                    && let Some(effect) = effect.witnessed()
                {
                    let difficulties = extended::difficulties(effect.difficulty(), step);
                    spell.witnessed = difficulties.filter_map(check).take(most).collect();
                }
            }
            Err(wrong) => {
                let place = table.texts("spells").and_then(|list| {
                    let named = list.into_iter().find(|(name, _)| *name == spell.name);
                    named.map(|(_, node)| node.span)
                });
                let span = place.unwrap_or(table.span());
                table.complain(
                    Diagnostic::error(
                        span,
                        wrong.to_string(),
                        format!("\"{}\" is beyond this mage", spell.name),
                    )
                    .help("give the combatant `arete`, at least as much as the spell's `sphere` (MD-5)"),
                );
            }
        }
    }
}

/// Reads `health`: points, or the levels of a track.
pub(super) fn health(
    table: &mut Reader<'_>,
    rulings: &Rulings,
    problems: &mut Vec<Diagnostic>,
) -> (i32, Track) {
    if rulings.health == HealthModel::Points {
        if let Some(entry) = table.entry("health")
            && matches!(entry.node.value, Value::List(_))
        {
            table.complain(
                reader::wrong_kind(&entry.node, "health", "a whole number from 1 to 1000000")
                    .help("levels are for `rules.health = \"track\"`"),
            );
            return (1, Track::default());
        }
        let health = table.needed_integer("health", 1..=1_000_000).unwrap_or(1);
        return (health as i32, Track::default());
    }
    let track = match table.entry("health") {
        None => Track::seven(),
        Some(entry) => match reader::list(&entry.node, "health") {
            Err(_) => {
                table.complain(
                    reader::wrong_kind(&entry.node, "health", "a list of levels").help(
                        "leave it out for the seven levels of the genre, or set `rules.health = \"points\"`",
                    ),
                );
                Track::seven()
            }
            Ok(list) if list.is_empty() || list.len() > MOST_LEVELS => {
                table.complain(Diagnostic::error(
                    entry.node.span,
                    format!("a track of {} levels", list.len()),
                    format!("expected 1 to {MOST_LEVELS}"),
                ));
                Track::seven()
            }
            Ok(list) => {
                let mut levels: Vec<Level> = Vec::with_capacity(list.len());
                for node in list {
                    let Some(mut inner) = Reader::open(node, "a level", problems) else {
                        continue;
                    };
                    let name = inner.needed_name("name").unwrap_or_default();
                    let penalty = inner.integer("penalty", 0..=MOST_PENALTY).unwrap_or(0);
                    let slows = inner.boolean("slows").unwrap_or(name == "Injured");
                    inner.finish(problems);
                    levels.push(Level {
                        name: name.to_owned(),
                        penalty: penalty as u32,
                        slows,
                    });
                }
                Track::new(levels)
            }
        },
    };
    (track.levels().len().max(1) as i32, track)
}

fn abilities(table: &mut Reader<'_>, broken: &mut bool) -> Abilities {
    #[derive(Clone, Copy)]
    enum Ability {
        Counter,
        Charge,
        FiresUnset,
    }
    const ALL: &[(&str, Ability)] = &[
        ("counter", Ability::Counter),
        ("frenzied_charge", Ability::Charge),
        ("mounted_charge", Ability::Charge),
        ("lansing_charge", Ability::Charge),
        ("firing_assault", Ability::FiresUnset),
        ("stand_and_fire", Ability::FiresUnset),
    ];
    let mut abilities = Abilities::default();
    let Some(list) = table.texts("abilities") else {
        *broken |= table.has("abilities");
        return abilities;
    };
    for (_, node) in list {
        match reader::choice(node, "abilities", ALL) {
            Ok(Ability::Counter) => abilities.counter = true,
            Ok(Ability::Charge) => abilities.charge = true,
            Ok(Ability::FiresUnset) => abilities.fires_unset = true,
            Err(problem) => {
                *broken = true;
                table.complain(problem);
            }
        }
    }
    abilities
}

fn combat_casting(table: &mut Reader<'_>) -> Option<CombatCasting> {
    let mut inner = table.table("combat_casting", "`combat_casting`")?;
    let check = inner
        .needed("check")
        .and_then(|entry| match roll(&entry.node, "check") {
            Ok(roll) => Some(roll),
            Err(problem) => {
                inner.complain(problem);
                None
            }
        });
    let target = inner.needed_integer("target", -1000..=1000);
    let units_per = inner.needed_integer("units_per", 1..=1000);
    table.close(inner);
    Some(CombatCasting {
        check: check?,
        target: target?,
        units_per: units_per?,
    })
}
