//! The check that is asked about: by itself, or of a scenario, with other values of its keys and numbers.

use super::args::OddsArgs;
use super::check::Roll;
use super::{refuse, tasks, wrong};
use crate::dice::extended::{Extended, Gathering, OnBotch, Options};
use crate::fight::check::{Check, CheckKind, CheckTerms};
use crate::fight::world::World;
use crate::fight::{Combatant, Fight, Traits};
use crate::report::Fact;
use crate::scenario::sweep::Axis;
use crate::scenario::{Document, Scenario, Value};
use crate::systems::{Rules, SYSTEMS};
use crate::task::Failure;
use std::path::Path;

/// A mage who works an effect, and someone to work it on.
const MAGE: &str = r#"
system = "mage"
[encounter]
sleepers = false
[spells.effect]
sphere = 1
required = 1
range = 1
damage = 0
[[combatants]]
name = "mage"
side = "mages"
position = 0
initiative = 1
arete = 1
spells = ["effect"]
policy = ["cast effect"]
[[combatants]]
name = "other"
side = "others"
position = 1
initiative = 1
policy = ["pass"]
"#;

/// The key of that effect.
const EFFECT: &str = "spells.effect";

/// The numbers of a roll that the fight gives it.
const TERMS: [&str; 8] = [
    "evade",
    "mastery",
    "conditions",
    "wounds",
    "yards",
    "defence",
    "harder",
    "spoils",
];

/// Changes a number of a roll by its name. Returns whether there is one of that name.
fn set_term(terms: &mut CheckTerms, name: &str, value: i64) -> Result<bool, Failure> {
    let number = match name {
        "evade" => &mut terms.evade,
        "mastery" => &mut terms.mastery,
        "conditions" => &mut terms.conditions,
        "wounds" => &mut terms.lost,
        "yards" => &mut terms.yards,
        "defence" => &mut terms.defence,
        "harder" => &mut terms.harder,
        "spoils" => {
            let face = u32::try_from(value);
            terms.spoils = face.map_err(|_| wrong("spoils: a face is at least 0"))?;
            return Ok(true);
        }
        _ => return Ok(false),
    };
    *number = value;
    Ok(true)
}

/// The place of the check.
#[derive(Clone)]
enum Place {
    /// It stands by itself.
    Alone,
    /// It is at a key of a scenario, for one combatant against another, if they are named.
    Fight {
        key: String,
        of: Option<String>,
        against: Option<String>,
    },
}

/// A question about a check.
#[derive(Clone)]
pub(super) struct Question {
    /// The check in words.
    pub(super) title: String,
    document: Document,
    place: Place,
    /// Numbers and traits.
    with: Vec<(String, i64)>,
    /// The points of Willpower, if it is spent.
    pub(super) willpower: Option<u32>,
    /// Whether a plain pool is rolled again and again.
    ritual: bool,
    max_rolls: Option<u32>,
}

impl Question {
    /// Reads the question, and the keys that vary in it.
    pub(super) fn read(args: &OddsArgs) -> Result<(Self, Vec<Axis>), Failure> {
        let (pool, asked) = (&args.pool, &args.check);
        let written = [
            ("arete", &args.magick.arete),
            ("sphere", &args.magick.sphere),
            ("pool", &pool.pool),
            ("difficulty", &pool.difficulty),
            ("required", &pool.required),
        ];
        let written = written.into_iter();
        let mut settings: Vec<(&str, String)> = written
            .filter_map(|(key, text)| Some((key, text.clone()?)))
            .collect();
        let is_magick = args.magick.arete.is_some();
        if !is_magick && args.words.is_empty() && pool.pool.is_none() && !asked.rolled.is_empty() {
            settings.insert(0, ("pool", asked.rolled.len().to_string()));
        }
        let is_short = !settings.is_empty();
        let keys = settings.iter().map(|(key, text)| format!("{key} = {text}"));
        let keys = keys.collect::<Vec<_>>().join(", ");
        let (mut title, document, place) = match (&args.words[..], &asked.check) {
            (words, None) if is_magick && words.iter().all(|word| word == "magick") => {
                let sets = [
                    format!("encounter.sleepers={}", args.magick.witnessed),
                    format!("{EFFECT}.vulgar={}", args.magick.vulgar),
                    format!("{EFFECT}.ritual={}", args.task.ritual),
                ];
                let title = format!("{} magick, {keys}", tasks::manner(&args.magick));
                let document = Document::parse("magick", MAGE, &[&asked.set[..], &sets].concat())?;
                let key = EFFECT.to_owned();
                let (of, against) = (None, None);
                (title, document, Place::Fight { key, of, against })
            }
            (_, _) if is_short && !args.words.is_empty() => {
                return refuse(
                    "name a check, or its keys by --pool, --difficulty and --required, not both",
                );
            }
            ([file], Some(key)) => {
                let loaded = Scenario::load(Path::new(file), &asked.set)?;
                let title = format!("{key} of {}", loaded.scenario.title);
                let (key, of) = (key.clone(), asked.of.clone());
                let against = asked.against.clone();
                (title, loaded.document, Place::Fight { key, of, against })
            }
            ([text], None) => (text.clone(), alone(args, text)?, Place::Alone),
            ([], None) if is_short => (format!("{{ {keys} }}"), alone(args, "{}")?, Place::Alone),
            (_, Some(_)) => {
                return refuse(
                    "--check is about one scenario: `skirmish odds FILE --check weapons.bite`",
                );
            }
            _ => {
                return refuse(
                    "no question: name dice (`2d10+9`), a check (`'{ pool = 6, difficulty = 8 }'`), or a scenario \
                     and its check (`FILE --check weapons.bite`)",
                );
            }
        };
        let evade = asked.evade.map(|evade| ("evade".to_owned(), evade));
        let with: Vec<(String, i64)> = asked.with.iter().cloned().chain(evade).collect();
        let sets = asked
            .set
            .iter()
            .chain(&asked.vary)
            .map(|set| set.replacen('=', " = ", 1));
        let numbers = with.iter().map(|(name, value)| format!("{name} = {value}"));
        for part in numbers.chain(sets) {
            title = format!("{title}, {part}");
        }
        let mut fixed: Vec<String> = settings.iter().map(|(key, _)| (*key).to_owned()).collect();
        fixed.extend(
            with.iter()
                .map(|(name, _)| name.clone())
                .filter(|name| TERMS.contains(&&**name)),
        );
        let mut question = Self {
            title,
            document,
            place,
            with,
            willpower: pool.willpower,
            ritual: args.task.ritual && !is_magick,
            max_rolls: args.task.max_rolls,
        };
        let mut axes = Vec::new();
        for (key, text) in settings {
            let axis = Axis::read(&format!("{key}={text}"))?;
            let values: Vec<Value> = axis.values().cloned().collect();
            match <[Value; 1]>::try_from(values) {
                Ok([value]) => question = question.with(&[(axis.key(), value)])?,
                Err(_) => axes.push(axis),
            }
        }
        for text in &asked.vary {
            let axis = Axis::read(text)?;
            let key = axis.key();
            if fixed.contains(&key) {
                return refuse(format!("`{key}` is given twice: leave out one of the two"));
            }
            fixed.push(key);
            axes.push(axis);
        }
        Ok((question, axes))
    }

    /// Returns the question about another check by the same rules.
    pub(super) fn other(&self, args: &OddsArgs, text: &str) -> Result<Self, Failure> {
        let other = Self {
            title: text.to_owned(),
            willpower: None,
            with: Vec::new(),
            ..self.clone()
        };
        match text.trim().parse::<i64>() {
            Ok(pool) if args.pool.pool.is_some() => other.with(&[("pool".to_owned(), pool.into())]),
            _ => Ok(Self {
                document: alone(args, text)?,
                place: Place::Alone,
                ..other
            }),
        }
    }

    /// Returns the question with other values of keys or numbers.
    pub(super) fn with(&self, values: &[(String, Value)]) -> Result<Self, Failure> {
        let mut question = self.clone();
        for (key, value) in values {
            match (self.path(key), value) {
                (Some(path), _) => {
                    question.document = question.document.with(&[(&*path, value.clone())])?;
                }
                (None, Value::Integer(Some(number))) => {
                    question.with.retain(|(name, _)| name != key);
                    question.with.push((key.clone(), *number));
                }
                (None, _) => return refuse(format!("{key}: write a whole number")),
            }
        }
        Ok(question)
    }

    /// Returns the path of a key of the check or of the scenario; `None` for a number of the roll.
    fn path(&self, key: &str) -> Option<String> {
        let is_number = TERMS.contains(&key) || self.with.iter().any(|(name, _)| name == key);
        match &self.place {
            _ if is_number => None,
            _ if key.contains('.') => Some(key.to_owned()),
            Place::Alone => Some(format!("check.{key}")),
            Place::Fight { key: place, .. } if place == EFFECT => match key {
                "arete" => Some("combatants.mage.arete".to_owned()),
                _ => Some(format!("{EFFECT}.{key}")),
            },
            Place::Fight { key: place, .. } => Some(format!("{place}.check.{key}")),
        }
    }

    /// Returns the roll.
    pub(super) fn roll(&self) -> Result<Roll, Failure> {
        let mut roll = match &self.place {
            Place::Alone => {
                let lone = self.document.check(&self.with)?;
                let is_pool = lone.check.kind() == CheckKind::Pool;
                let has_evade = self.with.iter().any(|(name, _)| name == "evade");
                Roll {
                    about: is_pool.then(|| format!("rolled as in {}", lone.system.title)),
                    is_open: lone.check.is_against_evade() && !has_evade,
                    check: lone.check,
                    rules: lone.rules,
                    terms: CheckTerms {
                        meeting_hits: lone.meeting_hits,
                        ..CheckTerms::default()
                    },
                    harm: None,
                    spell: None,
                }
            }
            Place::Fight { key, of, against } => {
                let variant = self.document.variant("base")?;
                let names = [of.as_deref(), against.as_deref()];
                let mut roll = found(&variant.fight, variant.rules, key, names)?;
                if key == EFFECT {
                    roll.about = Some("rolled as in Mage".to_owned());
                }
                roll
            }
        };
        for (name, value) in &self.with {
            if !set_term(&mut roll.terms, name, *value)? && !self.names(name) {
                let known = TERMS.join(", ");
                return refuse(format!(
                    "the check has no `{name}`: its numbers are {known}"
                ));
            }
        }
        if self.willpower == Some(0) {
            return refuse("--willpower 0: a sure success costs 1 point of Willpower");
        }
        roll.terms.sure = self.willpower.is_some();
        Ok(roll)
    }

    /// Whether the check stands by itself and names this trait.
    fn names(&self, name: &str) -> bool {
        let text = self.document.text().lines().next().unwrap_or_default();
        let is_part = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
        let mut words = text.split(|letter| !is_part(letter)).skip(1);
        matches!(self.place, Place::Alone) && words.any(|word| word == name)
    }

    /// Returns the task of which the roll is one, if it is rolled again and again (MD-7).
    pub(super) fn task(&self, roll: &Roll) -> Result<Option<(Extended, Options)>, Failure> {
        let magick = roll.magick();
        if !self.ritual && !magick.is_some_and(|magick| magick.ritual) {
            return match self.max_rolls {
                Some(_) => refuse("--max-rolls is for an extended roll: --ritual"),
                None => Ok(None),
            };
        }
        let (on_botch, once, step) = match &roll.rules {
            Rules::Turns(rules) => (
                rules.ritual_botch,
                rules.paradox_once,
                rules.difficulty_step,
            ),
            _ => (OnBotch::default(), false, 0),
        };
        if magick.is_none() && step > 0 {
            return refuse("rules.magick.difficulty_step is for magick: --arete and --sphere");
        }
        let harder = roll.spell.iter().flat_map(|spell| &spell.harder);
        let levels = std::iter::once(&roll.check)
            .chain(harder)
            .map(|check| match check {
                Check::Pool { dice, .. } => Ok(dice.of(dice.count).pool),
                _ => {
                    refuse("only a pool is rolled again and again until its successes are gathered")
                }
            });
        let options = Options {
            on_botch,
            max_rolls: self.max_rolls,
            paradox: magick.map(|magick| Gathering {
                each: magick.paradox,
                once,
            }),
            willpower: self.willpower.unwrap_or(0),
        };
        let task = Extended::new(levels.collect::<Result<_, _>>()?, options);
        Ok(Some((task.map_err(Failure::input)?, options)))
    }

    /// Returns the figures of the answer, for one of some cells.
    pub(super) fn figures(&self, roll: &Roll, cells: usize) -> Result<Vec<Fact>, Failure> {
        match self.task(roll)? {
            Some((task, options)) => {
                let summary = task.summary().map_err(Failure::input)?;
                Ok(tasks::figures(&summary, options, roll))
            }
            None => Ok(roll.chances(cells)?.figures(roll)),
        }
    }
}

/// Returns the document of a check by itself.
fn alone(args: &OddsArgs, text: &str) -> Result<Document, Failure> {
    let is_table = text.starts_with('{');
    let kind = match text.parse::<i64>() {
        Err(_) if !is_table => CheckKind::RollOver,
        _ => CheckKind::Pool,
    };
    let default = SYSTEMS.iter().find(|system| system.check == kind);
    let system = args.check.system.as_deref();
    let system = system
        .or(default.map(|system| system.name))
        .unwrap_or_default();
    let check = if is_table {
        text.to_owned()
    } else {
        Value::from(text).to_string()
    };
    let written = format!("check = {check}\nsystem = \"{system}\"\n");
    Ok(Document::parse("check", &written, &args.check.set)?)
}

/// Returns the check of a scenario at `key`, for the combatant and the target with these names.
fn found(
    fight: &Fight,
    rules: Rules,
    key: &str,
    [of, against]: [Option<&str>; 2],
) -> Result<Roll, Failure> {
    let (table, name) = key.split_once('.').unwrap_or((key, ""));
    let plain = name.strip_suffix(".resist");
    let (name, resists) = (plain.unwrap_or(name), plain.is_some());
    let weapon = |one: &Combatant| {
        one.weapons
            .iter()
            .position(|weapon| table == "weapons" && weapon.name == name)
    };
    let spell = |one: &Combatant| {
        one.spells
            .iter()
            .position(|spell| table == "spells" && spell.name == name)
    };
    let item = |one: &Combatant| {
        one.items
            .iter()
            .position(|item| table == "items" && item.name == name)
    };
    let has = |one: &Combatant| weapon(one).or(spell(one)).or(item(one)).is_some();
    let position = |wanted: Option<&str>, fits: &dyn Fn(&Combatant) -> bool| {
        let named = |one: &Combatant| {
            wanted.is_none_or(|wanted| [&one.name, &one.group].contains(&&wanted.to_owned()))
        };
        fight
            .combatants
            .iter()
            .position(|one| named(one) && fits(one))
    };
    let Some(who) = position(of, &has) else {
        let of = of.map_or(String::new(), |of| format!(" called {of}"));
        return refuse(format!(
            "no combatant{of} has `{key}`: --check takes weapons.NAME, spells.NAME, items.NAME or one of these with .resist"
        ));
    };
    let user = &fight.combatants[who];
    let Some(target) = position(against, &|one| against.is_some() || one.side != user.side) else {
        let against = against.unwrap_or("of another side");
        return refuse(format!("there is no combatant {against} to be the target"));
    };
    let victim = &fight.combatants[target];
    let mut terms = CheckTerms {
        who,
        evade: victim.evade,
        meeting_hits: fight.meeting_hits,
        ..CheckTerms::default()
    };
    let weapon = weapon(user).map(|at| &user.weapons[at]);
    let spell = spell(user).map(|at| &user.spells[at]);
    let item = item(user).map(|at| &user.items[at]);
    let power = spell
        .map(|spell| &spell.power)
        .or(item.map(|item| &item.power));
    let resist = power.and_then(|power| power.resist.as_ref()?.by.as_ref());
    let mut harm = None;
    let check = if resists {
        resist.map(|own| {
            terms.who = target;
            terms.mastery = own.fewer.get(target).map_or(0, |fewer| -fewer);
            terms = terms.needs(own.needs);
            &own.check
        })
    } else if let Some(weapon) = weapon {
        terms.mastery = weapon.mastery;
        if let (Traits::Order(traits), false) = (&victim.traits, weapon.ignores_defence) {
            terms.defence = traits.defence.into();
        }
        // Damage in words depends on the attack that does it.
        harm = Some(&weapon.damage).filter(|damage| damage.extra.is_none());
        Some(&weapon.check)
    } else {
        terms.evade = power.and_then(|power| power.needs).unwrap_or(terms.evade);
        // Of magick, a diminished effect does damage, too.
        harm = spell
            .filter(|spell| spell.magick.is_none())
            .map(|spell| &spell.damage);
        let check = spell.and_then(|spell| spell.check.as_ref());
        check.or(power.and_then(|power| power.check.as_ref()))
    };
    let check = check.ok_or_else(|| wrong(format!("`{key}` has no check")))?;
    let pair = if resists {
        [target, who]
    } else {
        [who, target]
    };
    let start = World::<()>::new(fight);
    let at_start = |fact| start.fact(fight, fact, pair);
    if check.facts().any(|fact| at_start(fact).is_none()) {
        return refuse(format!("`{key}` asks for a fact of a fight under way"));
    }
    Ok(Roll {
        about: Some(format!("{} against {}", user.name, victim.name)),
        check: check.clone().settled(|fact| at_start(fact).unwrap_or(0)),
        terms,
        rules,
        harm: harm.map(|damage| (damage.clone(), target, victim.clone())),
        spell: spell.cloned(),
        is_open: false,
    })
}
