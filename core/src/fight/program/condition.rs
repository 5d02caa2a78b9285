//! The compiled condition of a policy line: fused comparisons.
//!
//! A condition is a list of [`Test`]s, each one comparison of one quantity with one constant and two places to go on
//! at: `and`, `or` and `not` are only jumps. Most tests compare a single variable, which costs a load and a compare; a
//! longer one compares a [`Polynomial`].

use super::Variable;

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Comparison {
    Less,
    AtMost,
    Equal,
    NotEqual,
    AtLeast,
    Greater,
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
            let next = if test.comparison.holds(left, test.constant) {
                test.then
            } else {
                test.otherwise
            };
            match next {
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
