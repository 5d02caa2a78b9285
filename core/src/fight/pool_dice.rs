//! Pools compiled at every size that a fight may ask for, with the tables from which runs draw them.

use crate::chance::{Chance, Purpose};
use crate::dice::pool::{Growth, PoolError};
use crate::dice::{Chronicles, Faces, Pool, PoolDraw, PoolTable, Storyteller};
use std::sync::{Arc, OnceLock};

/// The least possible difficulty (MD-1).
const LEAST_DIFFICULTY: u32 = 2;

/// Dice against each difficulty, compiled when they are first rolled: there are many tables, and few are used.
#[derive(Debug)]
struct Others {
    rules: Storyteller,
    /// The most dice that a pool may have.
    most: u32,
    dice: Box<[OnceLock<Dice>]>,
}

/// Compiled dice do not count in comparisons.
impl PartialEq for Others {
    fn eq(&self, other: &Self) -> bool {
        (self.rules, self.most) == (other.rules, other.most)
    }
}

/// A pool in two forms: dice that can be shown, and a table that draws from their exact distribution by one look-up.
#[derive(Debug, Clone, PartialEq)]
pub struct PoolDice {
    /// The dice.
    pub pool: Pool,
    /// Their distribution.
    pub table: PoolTable,
}

impl PoolDice {
    /// Rolls the dice.
    #[inline]
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> PoolDraw {
        thrown(&self.pool, faces)
    }
}

/// Rolls the dice of a pool. A separate function, because runs draw pools from their tables.
#[cold]
#[inline(never)]
fn thrown<F: Faces + ?Sized>(pool: &Pool, faces: &mut F) -> PoolDraw {
    let rolled = pool.roll(faces);
    PoolDraw {
        net: rolled.net,
        botch: rolled.botch,
    }
}

/// A pool at every size from no dice to `most`.
fn grown(pool: &Pool, most: u32) -> impl Iterator<Item = PoolDice> {
    let mut growth = Growth::for_tables(pool, most);
    (0..=most).map(move |dice| {
        if dice > 0 {
            growth.add_die();
        }
        PoolDice {
            pool: pool.with_dice(dice),
            table: PoolTable::of(&growth.odds()),
        }
    })
}

/// Pools that are larger than any that rules give, as of damage after a very lucky attack: compiled where every answer
/// is asked for, which would else be that of every face.
#[derive(Debug, Clone)]
struct Larger(Arc<[OnceLock<PoolDice>]>);

/// The number of sizes that [`Larger`] has. Hardly any chance leads to more.
const LARGER: usize = 48;

impl Larger {
    fn new() -> Self {
        Self((0..LARGER).map(|_| OnceLock::new()).collect())
    }
}

/// Compiled dice do not count in comparisons.
impl PartialEq for Larger {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A pool at every size from no dice to the most that it may have.
#[derive(Debug, Clone, PartialEq)]
pub struct Dice {
    /// The number of dice without bonus or penalty.
    pub count: u32,
    sizes: Arc<[PoolDice]>,
    larger: Larger,
    /// The same dice against other difficulties; `None` if nothing changes the difficulty.
    others: Option<Arc<Others>>,
}

impl Dice {
    /// Compiles a pool at every size up to `most` dice.
    ///
    /// # Errors
    /// If the rules have no such pool.
    pub fn new(rules: &Storyteller, most: u32) -> Result<Self, PoolError> {
        let most = most.max(rules.pool);
        let pool = Storyteller {
            pool: most,
            ..*rules
        }
        .compile()?;
        Ok(Self {
            count: rules.pool,
            sizes: grown(&pool, most).collect(),
            larger: Larger::new(),
            others: None,
        })
    }

    /// Returns the same dice, with a difficulty that conditions may change.
    pub fn at_any_difficulty(self, rules: &Storyteller) -> Self {
        let others = Others {
            rules: *rules,
            most: self.sizes.len() as u32 - 1,
            dice: (LEAST_DIFFICULTY..=rules.sides)
                .map(|_| OnceLock::new())
                .collect(),
        };
        Self {
            others: Some(Arc::new(others)),
            ..self
        }
    }

    /// Returns these dice against a difficulty that is greater by `by`, within the possible ones.
    #[cold]
    #[inline(never)]
    pub(super) fn harder(&self, by: i64) -> &Self {
        let Some(others) = &self.others else {
            return self;
        };
        let difficulty = i64::from(others.rules.difficulty) + by;
        let most = others.rules.sides.into();
        let difficulty = difficulty.clamp(LEAST_DIFFICULTY.into(), most) as u32;
        others.dice[(difficulty - LEAST_DIFFICULTY) as usize].get_or_init(|| {
            let rules = Storyteller {
                difficulty,
                ..others.rules
            };
            Self::new(&rules, others.most).unwrap_or_else(|_| self.clone())
        })
    }

    /// Compiles a Chronicles pool at every size up to `most` dice; a pool without dice is a chance die (CD-6).
    ///
    /// # Errors
    /// If the rules have no such pool.
    pub fn chronicles(rules: &Chronicles, most: u32) -> Result<Self, PoolError> {
        let count = rules.pool.max(0).unsigned_abs();
        let sized = |pool: i32| Chronicles { pool, ..*rules }.compile();
        let most = most.max(count).max(1);
        let chance = sized(0)?;
        let chance = PoolDice {
            pool: chance,
            table: PoolTable::of(&chance.odds()),
        };
        let pool = sized(most as i32)?;
        Ok(Self {
            count,
            sizes: std::iter::once(chance)
                .chain(grown(&pool, most).skip(1))
                .collect(),
            larger: Larger::new(),
            others: None,
        })
    }

    /// Net successes needed for the full effect.
    #[inline]
    pub fn required(&self) -> i64 {
        self.sizes[0].pool.required().into()
    }

    /// The pool with `dice` dice, or the greatest one if none is that large.
    #[inline]
    pub fn of(&self, dice: u32) -> &PoolDice {
        &self.sizes[(dice as usize).min(self.sizes.len() - 1)]
    }

    /// Returns the table of a pool of `dice` dice, if there is one.
    pub fn table(&self, dice: u32) -> Option<&PoolTable> {
        self.sizes.get(dice as usize).map(|sized| &sized.table)
    }

    /// Rolls `dice` dice: by their table if there is one and `chance` draws from tables.
    #[inline]
    pub fn throw<'a, C: Chance, F: Faces>(
        &self,
        dice: u32,
        who: usize,
        purpose: Purpose,
        chance: &'a mut C,
        faces: impl FnOnce(&'a mut C) -> F,
    ) -> PoolDraw {
        let mut sized = self.sizes.get(dice as usize);
        if sized.is_none() && chance.wants_table() {
            sized = self.larger(dice);
        }
        let Some(sized) = sized else {
            return self.thrown_beyond(dice, &mut faces(chance));
        };
        match chance.pool_of(who, purpose, (&sized.pool, &sized.table)) {
            Some(drawn) => {
                faces(chance).stand_in(&sized.pool, drawn);
                drawn
            }
            None => sized.roll(&mut faces(chance)),
        }
    }

    /// Returns a pool that is larger than the rules give.
    fn larger(&self, dice: u32) -> Option<&PoolDice> {
        let largest = &self.sizes[self.sizes.len() - 1].pool;
        let beyond = (dice as usize).checked_sub(self.sizes.len())?;
        let larger = self.larger.0.get(beyond)?;
        Some(larger.get_or_init(|| {
            let pool = largest.with_dice(dice);
            let table = PoolTable::of(&pool.odds());
            PoolDice { pool, table }
        }))
    }

    /// Rolls more dice than there is a table for.
    #[cold]
    #[inline(never)]
    fn thrown_beyond<F: Faces>(&self, dice: u32, faces: &mut F) -> PoolDraw {
        let largest = &self.sizes[self.sizes.len() - 1].pool;
        thrown(&largest.with_dice(dice), faces)
    }

    /// Rolls all of its dice and `more`. Returns the net successes, never below 0.
    #[inline]
    pub fn successes<'a, C: Chance, F: Faces>(
        &self,
        more: i64,
        who: usize,
        purpose: Purpose,
        chance: &'a mut C,
        faces: impl FnOnce(&'a mut C) -> F,
    ) -> i64 {
        let dice = (i64::from(self.count) + more).max(0) as u32;
        self.throw(dice, who, purpose, chance, faces).net.max(0)
    }
}
