//! The check that is asked about: by itself, or of a scenario, with other values of its keys and numbers.

use super::args::OddsArgs;
use super::check::Roll;
use super::tasks;
use super::{OddsError, refuse};
use crate::dice::extended::{Extended, Gathering, OnBotch, Options};
use crate::fight::check::{Check, CheckKind, CheckTerms, OwnCheck};
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

/// Returns a number of a roll by its name.
fn term(terms: &mut CheckTerms, name: &str, value: i64) -> Result<bool, OddsError> {
    let number = match name {
        "evade" => &mut terms.evade,
        "mastery" => &mut terms.mastery,
        "conditions" => &mut terms.conditions,
        "wounds" => &mut terms.lost,
        "yards" => &mut terms.yards,
        "defence" => &mut terms.defence,
        "harder" => &mut terms.harder,
        "spoils" => {
            terms.spoils = u32::try_from(value)
                .map_err(|_| OddsError::input("spoils: a face is at least 0"))?;
            return Ok(true);
        }
        _ => return Ok(false),
    };
    *number = value;
    Ok(true)
}

/// Where the check is.
#[derive(Clone)]
enum Place {
    /// It stands by itself.
    Alone,
    /// It is at this key of a scenario, for one combatant against another, if they are named.
    Fight(String, Option<String>, Option<String>),
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
        let mut settings: Vec<(&str, String)> = [
            ("arete", &args.magick.arete),
            ("sphere", &args.magick.sphere),
            ("pool", &pool.pool),
            ("difficulty", &pool.difficulty),
            ("required", &pool.required),
        ]
        .into_iter()
        .filter_map(|(key, text)| Some((key, text.clone()?)))
        .collect();
        let is_magick = args.magick.arete.is_some();
        let is_short = !is_magick && !settings.is_empty() || args.words.is_empty();
        if is_short && !is_magick && !asked.rolled.is_empty() && pool.pool.is_none() {
            settings.insert(0, ("pool", args.check.rolled.len().to_string()));
        }
        let keys: Vec<String> = settings
            .iter()
            .map(|(key, text)| format!("{key} = {text}"))
            .collect();
        let (title, document, place) = match (&args.words[..], &asked.check) {
            (_, None) if is_magick && args.words.iter().all(|word| word == "magick") => {
                let manner = tasks::manner(&args.magick);
                let title = format!("{manner} magick, {}", keys.join(", "));
                let mut sets = asked.set.clone();
                sets.push(format!("encounter.sleepers={}", args.magick.witnessed));
                sets.push(format!("{EFFECT}.vulgar={}", args.magick.vulgar));
                sets.push(format!("{EFFECT}.ritual={}", args.task.ritual));
                let document = Document::parse("magick", MAGE, &sets)?;
                (title, document, Place::Fight(EFFECT.to_owned(), None, None))
            }
            ([file], Some(key)) if !is_short => {
                let loaded = Scenario::load(Path::new(file), &asked.set)?;
                let of = asked.of.clone();
                let title = format!("{key} of {}", loaded.scenario.title);
                (
                    title,
                    loaded.document,
                    Place::Fight(key.clone(), of, asked.against.clone()),
                )
            }
            ([text], None) if !is_short => (text.clone(), Self::alone(args, text)?, Place::Alone),
            ([], None) if !settings.is_empty() => {
                let title = format!("{{ {} }}", keys.join(", "));
                (title, Self::alone(args, "{}")?, Place::Alone)
            }
            (_, Some(_)) => {
                return Err(OddsError::input(
                    "--check is about one scenario: `skirmish odds FILE --check weapons.bite`",
                )
                .into());
            }
            _ if is_short && !args.words.is_empty() => {
                return Err(OddsError::input(
                    "name a check, or its keys by --pool, --difficulty and --required, not both",
                )
                .into());
            }
            _ => {
                return Err(OddsError::input(
                    "no question: name dice (`2d10+9`), a check (`'{ pool = 6, difficulty = 8 }'`), or a scenario \
                     and its check (`FILE --check weapons.bite`)",
                )
                .into());
            }
        };
        let evade = asked.evade.map(|evade| ("evade".to_owned(), evade));
        let mut question = Self {
            title,
            document,
            place,
            with: asked.with.iter().cloned().chain(evade).collect(),
            willpower: pool.willpower,
            ritual: args.task.ritual && !is_magick,
            max_rolls: args.task.max_rolls,
        };
        let sets = asked
            .set
            .iter()
            .map(|set| format!(", {}", set.replacen('=', " = ", 1)));
        let numbers = question
            .with
            .iter()
            .map(|(name, value)| format!(", {name} = {value}"));
        question
            .title
            .extend(sets.chain(numbers).collect::<Vec<_>>());
        let mut axes = Vec::new();
        for (key, text) in &settings {
            let axis = Axis::read(&format!("{key}={text}"))?;
            let values: Vec<Value> = axis.values().cloned().collect();
            match <[Value; 1]>::try_from(values) {
                Ok([value]) => question = question.with(&[(axis.key(), value)])?,
                Err(_) => axes.push(axis),
            }
        }
        let numbers = question.with.iter().map(|(name, _)| name.clone());
        let numbers = numbers.filter(|name| TERMS.contains(&name.as_str()));
        let keys = settings.iter().map(|(key, _)| (*key).to_owned());
        let fixed: Vec<String> = keys.chain(numbers).collect();
        for text in &asked.vary {
            question.title = format!("{}, {}", question.title, text.replacen('=', " = ", 1));
            let axis = Axis::read(text)?;
            let key = axis.key();
            if fixed.contains(&key) || axes.iter().any(|axis: &Axis| axis.key() == key) {
                return Err(OddsError::input(format!(
                    "`{key}` is given twice: leave out one of the two"
                ))
                .into());
            }
            axes.push(axis);
        }
        Ok((question, axes))
    }

    /// Returns the document of a check by itself.
    fn alone(args: &OddsArgs, text: &str) -> Result<Document, Failure> {
        let is_pool = text.starts_with('{') || text.parse::<i64>().is_ok();
        let kind = if is_pool {
            CheckKind::Pool
        } else {
            CheckKind::RollOver
        };
        let default = SYSTEMS.iter().find(|system| system.check == kind);
        let system = args.check.system.as_deref();
        let system = system
            .or(default.map(|system| system.name))
            .unwrap_or_default();
        let check = if text.starts_with('{') {
            text.to_owned()
        } else {
            Value::from(text).to_string()
        };
        let written = format!("check = {check}\nsystem = \"{system}\"\n");
        Ok(Document::parse("check", &written, &args.check.set)?)
    }

    /// Returns the question about another check by the same rules.
    pub(super) fn other(&self, args: &OddsArgs, text: &str) -> Result<Self, Failure> {
        let other = Self {
            willpower: None,
            with: Vec::new(),
            ..self.clone()
        };
        match text.trim().parse::<i64>() {
            Ok(pool) if args.pool.pool.is_some() => Ok(Self {
                title: text.to_owned(),
                ..other.with(&[("pool".to_owned(), pool.into())])?
            }),
            _ => Ok(Self {
                title: text.to_owned(),
                document: Self::alone(args, text)?,
                place: Place::Alone,
                ..other
            }),
        }
    }

    /// Returns the question with other values of keys or numbers.
    pub(super) fn with(&self, values: &[(String, Value)]) -> Result<Self, Failure> {
        let mut question = self.clone();
        let mut settings = Vec::new();
        for (key, value) in values {
            match (self.path(key), value) {
                (Some(path), _) => settings.push((path, value.clone())),
                (None, Value::Integer(Some(number))) => {
                    question.with.retain(|(name, _)| name != key);
                    question.with.push((key.clone(), *number));
                }
                (None, _) => {
                    return Err(OddsError::input(format!("{key}: write a whole number")).into());
                }
            }
        }
        let settings: Vec<(&str, Value)> = settings
            .iter()
            .map(|(path, value)| (path.as_str(), value.clone()))
            .collect();
        question.document = question.document.with(&settings)?;
        Ok(question)
    }

    /// Returns the path of a key of the check or of the scenario; `None` for a number of the roll.
    fn path(&self, key: &str) -> Option<String> {
        let is_number = TERMS.contains(&key) || self.with.iter().any(|(name, _)| name == key);
        match &self.place {
            _ if is_number => None,
            Place::Alone if key.starts_with("rules.") => Some(key.to_owned()),
            Place::Alone => Some(format!("check.{key}")),
            Place::Fight(..) if key.contains('.') => Some(key.to_owned()),
            Place::Fight(path, ..) if path == EFFECT && key == "arete" => {
                Some("combatants.mage.arete".to_owned())
            }
            Place::Fight(path, ..) if path == EFFECT => Some(format!("{path}.{key}")),
            Place::Fight(path, ..) => Some(format!("{path}.check.{key}")),
        }
    }

    /// Returns the roll.
    pub(super) fn roll(&self) -> Result<Roll, Failure> {
        let mut roll = match &self.place {
            Place::Alone => {
                let lone = self.document.check(&self.with)?;
                Roll {
                    about: (lone.check.kind() == CheckKind::Pool)
                        .then(|| format!("rolled as in {}", lone.system.title)),
                    check: lone.check,
                    rules: lone.rules,
                    terms: CheckTerms {
                        meeting_hits: lone.meeting_hits,
                        ..CheckTerms::default()
                    },
                    harm: None,
                    spell: None,
                    is_open: false,
                }
            }
            Place::Fight(key, of, against) => {
                let variant = self.document.variant("base")?;
                found(
                    &variant.fight,
                    variant.rules,
                    key,
                    [of.as_deref(), against.as_deref()],
                )?
            }
        };
        if matches!(&self.place, Place::Fight(key, ..) if key == EFFECT) {
            roll.about = Some("rolled as in Mage".to_owned());
        }
        let is_alone = matches!(self.place, Place::Alone);
        for (name, value) in &self.with {
            let is_term = term(&mut roll.terms, name, *value)?;
            if !(is_term || is_alone && self.names(name)) {
                let known = TERMS.join(", ");
                return Err(OddsError::input(format!(
                    "the check has no `{name}`: its numbers are {known}"
                ))
                .into());
            }
        }
        let has_evade = self.with.iter().any(|(name, _)| name == "evade");
        roll.is_open = is_alone && roll.check.kind() == CheckKind::RollOver && !has_evade;
        if self.willpower == Some(0) {
            return Err(OddsError::input(
                "--willpower 0: a sure success costs 1 point of Willpower",
            )
            .into());
        }
        roll.terms.sure = self.willpower.is_some();
        Ok(roll)
    }

    /// Whether the check names this trait.
    fn names(&self, name: &str) -> bool {
        let text = self.document.text().lines().next().unwrap_or_default();
        let is_part = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
        let mut words = text.split(|letter| !is_part(letter)).skip(1);
        words.any(|word| word == name)
    }

    /// Returns the task of which the roll is one, if it is rolled again and again (MD-7).
    pub(super) fn task(&self, roll: &Roll) -> Result<Option<(Extended, Options)>, OddsError> {
        let magick = roll.spell.as_ref().and_then(|spell| spell.magick);
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
        let levels = std::iter::once(&roll.check).chain(harder);
        let levels: Option<Vec<_>> = levels
            .map(|check| match check {
                Check::Pool { dice, .. } => Some(dice.of(dice.count).pool),
                _ => None,
            })
            .collect();
        let Some(levels) = levels else {
            return refuse(
                "only a pool is rolled again and again until its successes are gathered",
            );
        };
        let options = Options {
            on_botch,
            max_rolls: self.max_rolls,
            paradox: magick.map(|magick| Gathering {
                each: magick.paradox,
                once,
            }),
            willpower: self.willpower.unwrap_or(0),
        };
        let task = Extended::new(levels, options).map_err(OddsError::input)?;
        Ok(Some((task, options)))
    }

    /// Returns the figures of the answer.
    pub(super) fn figures(&self, roll: &Roll) -> Result<Vec<Fact>, OddsError> {
        match self.task(roll)? {
            Some((task, _)) => tasks::figures(&task, roll),
            None => Ok(roll.chances()?.figures(roll)),
        }
    }
}

/// Returns the check of a scenario at `key`, for the combatant and the target with these names.
fn found(
    fight: &Fight,
    rules: Rules,
    key: &str,
    [of, against]: [Option<&str>; 2],
) -> Result<Roll, Failure> {
    let (table, name) = key.split_once('.').unwrap_or((key, ""));
    let (name, resists) = match name.strip_suffix(".resist") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let named = |wanted: Option<&str>, one: &Combatant| {
        wanted.is_none_or(|wanted| one.name == wanted || one.group == wanted)
    };
    let position = |wanted: Option<&str>, fits: &dyn Fn(&Combatant) -> bool| {
        fight
            .combatants
            .iter()
            .position(|one| named(wanted, one) && fits(one))
    };
    let has = |one: &Combatant| match table {
        "weapons" => one.weapons.iter().any(|weapon| weapon.name == name),
        "spells" => one.spells.iter().any(|spell| spell.name == name),
        _ => one.items.iter().any(|item| item.name == name),
    };
    let Some(who) = position(of, &has) else {
        return Err(OddsError::input(format!(
            "no combatant{} has `{key}`: --check takes weapons.NAME, spells.NAME, items.NAME or one of these with .resist",
            of.map_or(String::new(), |of| format!(" called {of}"))
        )).into());
    };
    let user = &fight.combatants[who];
    let Some(target) = position(against, &|one| against.is_some() || one.side != user.side) else {
        return Err(OddsError::input(format!(
            "there is no combatant `{}` to be the target",
            against.unwrap_or("enemy")
        ))
        .into());
    };
    let victim = &fight.combatants[target];
    let mut terms = CheckTerms {
        who,
        evade: victim.evade,
        meeting_hits: fight.meeting_hits,
        ..CheckTerms::default()
    };
    let weapon = user
        .weapons
        .iter()
        .find(|weapon| table == "weapons" && weapon.name == name);
    let spell = user
        .spells
        .iter()
        .find(|spell| table == "spells" && spell.name == name);
    let item = user
        .items
        .iter()
        .find(|item| table == "items" && item.name == name);
    let power = spell
        .map(|spell| &spell.power)
        .or(item.map(|item| &item.power));
    let by = power.and_then(|power| power.resist.as_ref()?.by.as_ref());
    let (check, harm) = match (weapon, by) {
        (Some(weapon), _) => {
            terms.mastery = weapon.mastery;
            if let (Traits::Order(traits), false) = (&victim.traits, weapon.ignores_defence) {
                terms.defence = traits.defence.into();
            }
            (Some(&weapon.check), Some(&weapon.damage))
        }
        (
            None,
            Some(OwnCheck {
                check,
                needs,
                fewer,
            }),
        ) if resists => {
            terms = CheckTerms {
                who: target,
                mastery: fewer.get(target).map_or(0, |fewer| -fewer),
                ..terms.needs(*needs)
            };
            (Some(check), None)
        }
        _ if resists => (None, None),
        _ => {
            let needs = power.and_then(|power| power.needs);
            terms.evade = needs.unwrap_or(terms.evade);
            let check = spell.and_then(|spell| spell.check.as_ref());
            (
                check.or(power.and_then(|power| power.check.as_ref())),
                spell.map(|spell| &spell.damage),
            )
        }
    };
    let Some(check) = check else {
        return Err(OddsError::input(format!("`{key}` has no check")).into());
    };
    // Of magick, a diminished effect does damage, too.
    let is_magick = spell.is_some_and(|spell| spell.magick.is_some());
    let harm = harm.filter(|_| !is_magick);
    Ok(Roll {
        about: Some(format!("{} against {}", user.name, victim.name)),
        check: check.clone(),
        terms,
        rules,
        harm: harm.map(|damage| (damage.clone(), target, victim.clone())),
        spell: spell.cloned(),
        is_open: false,
    })
}
