//! Parses a term of dice: the number, the sides and the modifiers.

use std::ops::Range;

use super::parser::{Parsed, Parser, error};
use super::work;
use super::{Condition, Dice, Explode, Keep, MAX_DICE, MAX_SIDES, Relation, Reroll, Which};

/// The sides of a Fudge die.
pub(super) const FUDGE: &[i64] = &[-1, 0, 1];

/// The greatest number of sides that may be written one by one.
const MOST_FACES: usize = 1000;

/// The greatest number of rerolls of one die.
const MOST_REROLLS: usize = 10;

/// Help on a sign after an explosion, which says what explodes.
const COUNTED: &str = "dice are counted after `cs`, as in `6d6!!cs>=8`";

/// The signs of conditions. A longer sign precedes a shorter one with the same start.
pub(super) const SIGNS: [(&str, Relation); 7] = [
    (">=", Relation::AtLeast),
    ("≥", Relation::AtLeast),
    ("<=", Relation::AtMost),
    ("≤", Relation::AtMost),
    (">", Relation::Above),
    ("<", Relation::Below),
    ("=", Relation::Equal),
];

/// All modifiers, the longer words first: `xo` is not `x` followed by an `o`.
const WORDS: &str = "rr ro r xo xp x !! !p !o ! kh kl k disadvantage disadv dis advantage \
                     adv dh dl cs df d f";

impl Condition {
    /// Returns the condition of exactly this value.
    const fn is(value: i64) -> Self {
        Self {
            relation: Relation::Equal,
            value,
        }
    }
}

impl Parser<'_> {
    /// Parses the rest of a term of dice, from its `d`.
    pub(super) fn dice(&mut self, number: Option<(u64, Range<usize>)>) -> Parsed<Dice> {
        let (count, count_span) = number.unwrap_or((1, self.at..self.at));
        if count > u64::from(MAX_DICE) {
            let message = format!("{count} dice in one term, the limit is {MAX_DICE}");
            return Err(error(count_span, message)
                .or_help("an exact answer takes work for every die; split the roll or use fewer"));
        }
        self.skip_space();
        let d_at = self.at;
        self.at += 1;
        let mut faces = None;
        let sides = if self.take("%") {
            100
        } else if self.take("f") {
            faces = Some(FUDGE.into());
            FUDGE.len() as u32
        } else if self.take("{") {
            let own = self.faces(d_at)?;
            let sides = own.len() as u32;
            faces = Some(own);
            sides
        } else if let Some((sides, span)) = self.number()? {
            if sides == 0 {
                return Err(error(span, "a die needs at least one side"));
            }
            if sides > u64::from(MAX_SIDES) {
                let message = format!("a die of {sides} sides, the limit is {MAX_SIDES}");
                return Err(error(span, message));
            }
            sides as u32
        } else {
            return Err(match self.peek() {
                None => error(d_at..d_at + 1, "the number of sides is missing"),
                Some(_) => self.unexpected(),
            }
            .or_help("write the number of sides after `d`, as in `2d10`"));
        };
        let mut dice = Dice::new(count as u32, sides);
        dice.faces = faces;
        self.unfit = None;
        while self.modifier(&mut dice)? {}
        if let Some(explode) = &mut dice.explode {
            // In a sum, a die that grows equals extra dice.
            explode.joins &= dice.keep.is_some() || dice.successes.is_some();
        }
        match self.unfit.take() {
            Some(span) if !dice.joins() => Err(error(span, "no face of the die fits this")),
            _ => Ok(dice),
        }
    }

    /// Parses the numbers on the sides of a die, after `{`.
    fn faces(&mut self, d_at: usize) -> Parsed<Box<[i64]>> {
        let mut faces = Vec::new();
        loop {
            let minus = self.take("-") || self.take("−");
            let Some((face, span)) = self.number()? else {
                return Err(self
                    .unexpected()
                    .or_help("the sides are numbers: `d{0,1,1,2}`"));
            };
            if faces.len() >= MOST_FACES {
                let message = format!("a die of more than {MOST_FACES} written sides");
                return Err(error(span, message));
            }
            faces.push(if minus { -(face as i64) } else { face as i64 });
            if self.take("}") {
                faces.sort_unstable();
                return Ok(faces.into());
            }
            if !self.take(",") {
                return Err(match self.peek() {
                    None => error(d_at..d_at + 1, "the sides of this die have no `}`"),
                    Some(_) => self.unexpected().or_help("sides are separated by commas"),
                });
            }
        }
    }

    /// Parses one modifier. Returns whether there was one.
    fn modifier(&mut self, dice: &mut Dice) -> Parsed<bool> {
        self.skip_space();
        let start = self.at;
        let word = match self.peek() {
            // The faces that a pool counts.
            Some('<' | '>' | '=' | '≤' | '≥') => "cs",
            // `drop` is not `d` followed by `rop`.
            _ if self.foreign().is_some_and(|(word, _)| word.len() > 1) => {
                return Err(self.unexpected());
            }
            _ => {
                let counts = dice.successes.is_some();
                let mut words = WORDS.split(' ').filter(|word| counts || *word != "f");
                match words.find(|word| self.take(word)) {
                    Some(word) => word,
                    None => return Ok(false),
                }
            }
        };
        let twice = match word {
            "rr" | "ro" | "r" => {
                let lowest = dice.value(1);
                let when = self.condition(dice)?.unwrap_or(Condition::is(lowest));
                let always = word == "rr";
                match &mut dice.reroll {
                    Some(reroll) if reroll.always == always => {
                        if reroll.when.len() >= MOST_REROLLS {
                            let message = format!("more than {MOST_REROLLS} rerolls of one die");
                            return Err(error(start..self.at, message)
                                .or_help("`1d20r<4` rolls the faces 1 to 3 again"));
                        }
                        let known = reroll.when.contains(&when);
                        reroll.when.push(when);
                        known
                    }
                    reroll => reroll
                        .replace(Reroll {
                            when: vec![when],
                            always,
                        })
                        .is_some(),
                }
            }
            "xo" | "!o" | "xp" | "!p" | "!!" | "x" | "!" => {
                let highest = dice.value(dice.sides);
                let when = self
                    .condition(dice)
                    .map_err(|wrong| wrong.or_help(COUNTED))?
                    .unwrap_or(Condition::is(highest));
                let explode = Explode {
                    when,
                    once: matches!(word, "xo" | "!o"),
                    penetrates: matches!(word, "xp" | "!p"),
                    joins: matches!(word, "xp" | "!p" | "!!"),
                };
                dice.explode.replace(explode).is_some()
            }
            "cs" | "df" | "f" => {
                self.skip_space();
                let from = self.at;
                let Some(when) = self.any_condition()? else {
                    let message = format!("`{word}` needs the faces it counts");
                    let example = match word {
                        "cs" => "8d10cs>=6",
                        "df" => "8d10cs>=6df=1",
                        _ => "8d10>=6f1",
                    };
                    return Err(error(start..self.at, message)
                        .or_help(format!("write them after it, as in `{example}`")));
                };
                if !dice.shows(when) {
                    // A chain of extra dice may: whether they are one die is known at the end.
                    self.unfit = Some(from..self.at);
                }
                let field = if word == "cs" {
                    &mut dice.successes
                } else {
                    &mut dice.deduct
                };
                field.replace(when).is_some()
            }
            "advantage" | "adv" | "disadvantage" | "disadv" | "dis" => {
                if dice.count > 2 {
                    let (which, keep) = if word.starts_with('a') {
                        ("highest", "kh1")
                    } else {
                        ("lowest", "kl1")
                    };
                    return Err(
                        error(start..self.at, format!("`{word}` is about one die or two"))
                            .or_help(format!("the {which} of {} is `{dice}{keep}`", dice.count)),
                    );
                }
                dice.count = 2;
                let which = if word.starts_with('a') {
                    Which::KeepHighest
                } else {
                    Which::KeepLowest
                };
                dice.keep.replace(Keep { which, number: 1 }).is_some()
            }
            _ => {
                let which = match word {
                    "kl" => Which::KeepLowest,
                    "dh" => Which::DropHighest,
                    "dl" | "d" => Which::DropLowest,
                    _ => Which::KeepHighest,
                };
                let number = self.number()?.map_or(1, |(value, _)| value);
                let number = self.checked_keep(dice.count, number, word, start)?;
                dice.keep.replace(Keep { which, number }).is_some()
            }
        };
        let span = start..self.at;
        if twice {
            return Err(
                error(span, format!("a second modifier of the kind `{word}`"))
                    .or_help("each kind may stand once in a term"),
            );
        }
        self.combination(dice, &span)?;
        Ok(true)
    }

    fn checked_keep(&self, count: u32, number: u64, word: &str, start: usize) -> Parsed<u32> {
        let drops = word.starts_with('d');
        let most = u64::from(count);
        if number == 0 || number > most {
            let verb = if drops { "drop" } else { "keep" };
            let message = format!("`{word}` {verb}s {number} of {count} dice");
            let help = match count {
                1 => format!("{verb} 1 die"),
                2 => format!("{verb} 1 or 2 dice"),
                _ => format!("{verb} from 1 to {count} dice"),
            };
            return Err(error(start..self.at, message).or_help(help));
        }
        Ok(number as u32)
    }

    /// Refuses combinations that cannot be solved, at the modifier that completes them.
    fn combination(&mut self, dice: &Dice, span: &Range<usize>) -> Parsed<()> {
        if dice.explode.is_some() || dice.reroll.is_some() {
            // `df` may follow, so only errors that no later modifier can fix are reported here.
            if let Some(message) = work::endless(dice) {
                return Err(error(span.clone(), message)
                    .or_help("leave at least one face that ends the roll"));
            }
        }
        if let (Some(explode), Some(_)) = (dice.explode, dice.keep) {
            let top_only = (1..=dice.sides).all(|f| dice.explodes(f) == (f == dice.sides));
            if !explode.joins && (explode.once || !top_only) {
                return Err(error(
                    span.clone(),
                    "keeping or dropping dice is solved only where nothing or the highest face \
                     alone explodes, each time it is rolled",
                ));
            }
        }
        if dice.deduct.is_some() && dice.successes.is_none() && self.peek_word("cs").is_none() {
            let mut ahead = self.ahead();
            let mut later = Dice::new(dice.count, dice.sides);
            later.faces.clone_from(&dice.faces);
            while later.successes.is_none() && matches!(ahead.modifier(&mut later), Ok(true)) {}
            if later.successes.is_none() {
                return Err(error(
                    span.clone(),
                    "`df` deducts from successes, but none are counted",
                )
                .or_help("count successes with `cs`, as in `8d10cs>=6df=1`"));
            }
        }
        Ok(())
    }

    /// Parses a condition that a face of the die fits.
    fn condition(&mut self, dice: &Dice) -> Parsed<Option<Condition>> {
        self.skip_space();
        let start = self.at;
        let condition = self.any_condition()?;
        if condition.is_some_and(|condition| !dice.shows(condition)) {
            return Err(error(start..self.at, "no face of the die fits this"));
        }
        Ok(condition)
    }

    /// Parses `=n`, `>=n`, `>n`, `<=n`, `<n` or `n`.
    fn any_condition(&mut self) -> Parsed<Option<Condition>> {
        self.skip_space();
        let start = self.at;
        let sign = SIGNS.iter().find(|(sign, _)| self.take(sign));
        let relation = sign.map(|(_, relation)| *relation);
        // Without a sign, a minus is a difference.
        let minus = relation.is_some() && (self.take("-") || self.take("−"));
        let Some((value, _)) = self.number()? else {
            return match relation {
                None => Ok(None),
                Some(_) => Err(match self.peek() {
                    None => error(start..self.at, "a number is missing after this"),
                    Some(_) => self.unexpected(),
                }),
            };
        };
        Ok(Some(Condition {
            relation: relation.unwrap_or(Relation::Equal),
            value: if minus { -(value as i64) } else { value as i64 },
        }))
    }
}
