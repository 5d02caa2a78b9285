//! The compiled condition of a policy line: fused comparisons.
//!
//! A condition is a list of [`Test`]s, each one comparison of one quantity with one constant and two places to go on
//! at: `and`, `or` and `not` are only jumps. Most tests compare a single variable, which costs a load and a compare; a
//! longer one compares a [`Polynomial`].

use super::Variable;
use crate::fight::variables::Aspect;
use crate::names::named;

named! {
    /// A comparison operator, with its sign.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[expect(missing_docs, reason = "the names say it")]
    pub enum Comparison {
        Less "<";
        AtMost "<=";
        Equal "=";
        NotEqual "!=";
        AtLeast ">=";
        Greater ">";
    }
}

impl Comparison {
    /// Whether `left` stands in this relation to `right`.
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::AtLeast => left >= right,
            Self::Greater => left > right,
        }
    }
}

/// The left side of a test, which is compared with a constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quantity {
    /// One variable; booleans count 0 and 1.
    Variable(Variable),
    /// A sum of products of variables.
    Polynomial(Polynomial),
}

/// A sum of terms, each a coefficient times a product of variables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Polynomial(pub Vec<(i64, Vec<Variable>)>);

/// Where evaluation goes on after a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The condition holds.
    Accept,
    /// The condition does not hold.
    Reject,
    /// The test with this index, always a later one.
    Test(u16),
}

/// One comparison of a quantity with a constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// Left-hand side.
    pub quantity: Quantity,
    /// The relation.
    pub comparison: Comparison,
    /// Right-hand side.
    pub constant: i64,
    /// Where to go on if it holds.
    pub then: Next,
    /// Where to go on if it does not.
    pub otherwise: Next,
}

impl Test {
    /// Where to go on for a value of the quantity.
    #[inline]
    fn next(&self, left: i64) -> Next {
        if self.comparison.holds(left, self.constant) {
            self.then
        } else {
            self.otherwise
        }
    }
}

/// A compiled condition. Without tests it always holds; `if false` lines are a single test that
/// rejects either way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Condition {
    tests: Box<[Test]>,
}

impl Condition {
    /// A condition from its tests; empty means always.
    ///
    /// # Panics
    /// If a test goes on to itself, to an earlier test or past the end: then evaluation might not end.
    pub fn new(tests: Vec<Test>) -> Self {
        for (index, test) in tests.iter().enumerate() {
            for next in [test.then, test.otherwise] {
                if let Next::Test(target) = next {
                    let target = usize::from(target);
                    assert!(
                        target > index && target < tests.len(),
                        "conditions only go forward"
                    );
                }
            }
        }
        Self {
            tests: tests.into(),
        }
    }

    /// Returns the condition that also needs these points of traits of the scenario's own.
    #[must_use]
    pub fn needing(self, points: &[(u8, i16)]) -> Self {
        let before = points.len() as u16;
        let later = |next: Next| match next {
            Next::Test(index) => Next::Test(index + before),
            end => end,
        };
        let rest = if self.tests.is_empty() {
            Next::Accept
        } else {
            Next::Test(before)
        };
        let needed = (1..).zip(points).map(|(next, (own, points))| Test {
            quantity: Quantity::Variable(Variable::Trait(*own)),
            comparison: Comparison::AtLeast,
            constant: (*points).into(),
            then: if next == before {
                rest
            } else {
                Next::Test(next)
            },
            otherwise: Next::Reject,
        });
        let tests = self.tests.into_iter().map(|test| Test {
            then: later(test.then),
            otherwise: later(test.otherwise),
            ..test
        });
        Self::new(needed.chain(tests).collect())
    }

    /// Whether it holds. `value` gives each variable that it needs.
    #[inline]
    pub fn holds(&self, mut value: impl FnMut(Variable) -> i64) -> bool {
        let Some(mut test) = self.tests.first() else {
            return true;
        };
        loop {
            let left = match &test.quantity {
                Quantity::Variable(variable) => value(*variable),
                Quantity::Polynomial(polynomial) => polynomial.value(&mut value),
            };
            match test.next(left) {
                Next::Accept => return true,
                Next::Reject => return false,
                Next::Test(index) => test = &self.tests[usize::from(index)],
            }
        }
    }

    /// The tests, in order.
    pub fn tests(&self) -> &[Test] {
        &self.tests
    }

    /// Its value, if that is always the same.
    pub fn always(&self) -> Option<bool> {
        match &self.tests[..] {
            [] => Some(true),
            [test, ..] if test.then == test.otherwise => Some(test.then == Next::Accept),
            _ => None,
        }
    }

    /// Whether it may hold while each variable with a property is 0.
    pub fn may_hold_without(&self, aspect: Aspect) -> bool {
        let mut reached = vec![false; self.tests.len() + 1];
        reached[0] = true;
        // Tests go on to later ones, so that one pass reaches all; behind the last one stands acceptance.
        for (index, test) in self.tests.iter().enumerate() {
            let next = match test.quantity {
                _ if !reached[index] => continue,
                Quantity::Variable(variable) if variable.is(aspect) => [test.next(0); 2],
                _ => [test.then, test.otherwise],
            };
            for next in next {
                match next {
                    Next::Accept => reached[self.tests.len()] = true,
                    Next::Reject => {}
                    Next::Test(later) => reached[usize::from(later)] = true,
                }
            }
        }
        reached[self.tests.len()]
    }

    /// Whether it reads a variable with a property.
    pub fn asks_about(&self, aspect: Aspect) -> bool {
        self.variables().any(|variable| variable.is(aspect))
    }

    /// Every variable that it may read, in order of appearance, with repeats.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.tests.iter().flat_map(|test| match &test.quantity {
            Quantity::Variable(variable) => vec![*variable],
            Quantity::Polynomial(sum) => sum.variables().collect(),
        })
    }
}

impl Polynomial {
    /// The value, if it depends on no variable.
    pub fn constant(&self) -> Option<i64> {
        match &self.0[..] {
            [] => Some(0),
            [(constant, factors)] if factors.is_empty() => Some(*constant),
            _ => None,
        }
    }

    /// Every variable in it, with repeats.
    pub(super) fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.0.iter().flat_map(|term| term.1.iter().copied())
    }

    pub(super) fn value(&self, value: &mut dyn FnMut(Variable) -> i64) -> i64 {
        let mut sum = 0_i64;
        for (coefficient, factors) in &self.0 {
            let product = factors.iter().fold(*coefficient, |all, factor| {
                all.saturating_mul(value(*factor))
            });
            sum = sum.saturating_add(product);
        }
        sum
    }
}
