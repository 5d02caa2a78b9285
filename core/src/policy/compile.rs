//! Conditions, from trees to fused comparisons.
//!
//! Three steps: numbers become sums of products with everything constant on the right (`a <= b` is `a - b <= 0`,
//! `2 * hp > 7` is `hp > 3`); parts that do not depend on any variable are evaluated; `and`, `or` and `not` become
//! jumps.

use super::ast::{Expr, ExprKind, Name, Operator};
use crate::document::diagnostics::Diagnostic;
use crate::fight::Variable;
use crate::fight::program::{Comparison, Condition, Next, Polynomial, Quantity, Test};
use crate::fight::variables::VariableRow;

/// The most terms of a sum once its products are multiplied out.
const MOST_TERMS: usize = 32;

/// The most variables of a product: longer products mean nothing in a fight.
const MOST_FACTORS: usize = 4;

/// Returns the index of the thing that a variable names, as in `uses.potion`; it reports an unknown name itself and
/// returns `None`.
pub type Resolve<'a> = dyn FnMut(&VariableRow, &Name) -> Option<u8> + 'a;

/// Compiles a condition that the parser's type check has accepted.
///
/// # Errors
/// If a number could leave the range of 64 bits.
pub fn compile(condition: &Expr, resolve: &mut Resolve<'_>) -> Result<Condition, Diagnostic> {
    let mut compiler = Compiler {
        resolve,
        tests: Vec::new(),
    };
    let first = compiler.jump(condition, Next::Accept, Next::Reject)?;
    let mut tests = compiler.tests;
    if first == Next::Reject {
        tests.push(Test {
            // Its value does not matter, but every condition may read it.
            quantity: Quantity::Variable(Variable::Round),
            comparison: Comparison::Equal,
            constant: 0,
            then: Next::Reject,
            otherwise: Next::Reject,
        });
    }
    // They were made from the last to the first.
    let last = tests.len() as u16;
    let turned = |next| match next {
        Next::Test(index) => Next::Test(last - 1 - index),
        end => end,
    };
    let in_order = tests.into_iter().rev().map(|test| Test {
        then: turned(test.then),
        otherwise: turned(test.otherwise),
        ..test
    });
    Ok(Condition::new(in_order.collect()))
}

/// Compiles the number of Units or the distance of a move.
///
/// # Errors
/// If it could leave the range of 64 bits.
pub fn compile_amount(amount: &Expr, resolve: &mut Resolve<'_>) -> Result<Polynomial, Diagnostic> {
    let mut compiler = Compiler {
        resolve,
        tests: Vec::new(),
    };
    let mut sum = compiler.sum(amount)?;
    if sum.constant != 0 {
        sum.terms.push((Vec::new(), sum.constant));
    }
    Ok(polynomial(sum.terms))
}

/// A sum of products, with a constant. Terms are sorted and have no coefficient of 0.
#[derive(Clone, Default)]
struct Sum {
    constant: i128,
    terms: Vec<(Vec<Variable>, i128)>,
}

impl Sum {
    fn add(&mut self, factors: Vec<Variable>, coefficient: i128) {
        if factors.is_empty() {
            self.constant = self.constant.saturating_add(coefficient);
            return;
        }
        match self.terms.binary_search_by(|term| term.0.cmp(&factors)) {
            Ok(at) => {
                self.terms[at].1 = self.terms[at].1.saturating_add(coefficient);
                if self.terms[at].1 == 0 {
                    self.terms.remove(at);
                }
            }
            Err(at) if coefficient != 0 => self.terms.insert(at, (factors, coefficient)),
            Err(_) => {}
        }
    }

    fn add_all(&mut self, other: Self, sign: i128) {
        self.constant = self
            .constant
            .saturating_add(other.constant.saturating_mul(sign));
        for (factors, coefficient) in other.terms {
            self.add(factors, coefficient.saturating_mul(sign));
        }
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        let all = |sum: &Self| {
            let mut terms = sum.terms.clone();
            terms.push((Vec::new(), sum.constant));
            terms
        };
        let right = all(other);
        for (left_factors, left) in all(self) {
            for (right_factors, right) in &right {
                let mut factors = left_factors.clone();
                factors.extend(right_factors);
                factors.sort_unstable();
                product.add(factors, left.saturating_mul(*right));
            }
        }
        product
    }

    /// The greatest absolute value that it can have. Saturation only makes the bound larger.
    fn bound(&self) -> i128 {
        self.terms.iter().fold(
            self.constant.saturating_abs(),
            |sum, (factors, coefficient)| {
                let product = factors
                    .iter()
                    .fold(coefficient.saturating_abs(), |all, factor| {
                        all.saturating_mul(i128::from(factor.bound()))
                    });
                sum.saturating_add(product)
            },
        )
    }

    /// Returns the sum of an expression, if it can be worked out exactly.
    fn sane(self, expr: &Expr) -> Result<Self, Diagnostic> {
        let is_sane = self.terms.len() <= MOST_TERMS
            && self.terms.iter().all(|term| term.0.len() <= MOST_FACTORS)
            && self.bound() <= i128::from(i64::MAX);
        is_sane.then_some(self).ok_or_else(|| {
            Diagnostic::error(
                expr.spot,
                "an expression is too large to be worked out exactly",
                format!(
                    "it could pass {}, or has more than {MOST_TERMS} terms or {MOST_FACTORS} factors",
                    i64::MAX
                ),
            )
            .help("use smaller numbers or fewer products of variables")
        })
    }
}

struct Compiler<'a, 'b> {
    resolve: &'a mut Resolve<'b>,
    /// The tests in reverse: each goes on to those before it.
    tests: Vec<Test>,
}

impl Compiler<'_, '_> {
    /// Makes the tests of a truth value, which goes on at one of two places. Returns the place at which they begin; for
    /// a constant it makes none, and returns one of the two.
    fn jump(&mut self, expr: &Expr, then: Next, otherwise: Next) -> Result<Next, Diagnostic> {
        let (comparison, sum) = match &expr.kind {
            ExprKind::Not(inner) => return self.jump(inner, otherwise, then),
            ExprKind::Binary(operator @ (Operator::And | Operator::Or), left, right) => {
                let made = self.tests.len();
                let second = self.jump(right, then, otherwise)?;
                let (then, otherwise, skips) = match operator {
                    Operator::And => (second, otherwise, otherwise),
                    _ => (then, second, then),
                };
                let first = self.jump(left, then, otherwise)?;
                if first == skips {
                    self.tests.truncate(made);
                }
                return Ok(first);
            }
            ExprKind::Binary(Operator::Compare(comparison), left, right) => {
                let mut sum = self.sum(left)?;
                sum.add_all(self.sum(right)?, -1);
                (*comparison, sum.sane(expr)?)
            }
            _ => (Comparison::NotEqual, self.sum(expr)?),
        };
        let (quantity, comparison, constant) = match compare(comparison, sum) {
            Ok(test) => test,
            Err(truth) => return Ok(if truth { then } else { otherwise }),
        };
        if then == otherwise {
            return Ok(then);
        }
        self.tests.push(Test {
            quantity,
            comparison,
            constant,
            then,
            otherwise,
        });
        Ok(Next::Test(self.tests.len() as u16 - 1))
    }

    fn sum(&mut self, expr: &Expr) -> Result<Sum, Diagnostic> {
        let mut sum = Sum::default();
        match &expr.kind {
            ExprKind::Number(number) => sum.constant = i128::from(*number),
            ExprKind::Truth(truth) => sum.constant = i128::from(*truth),
            ExprKind::Variable(known) => sum.add(vec![known.variable], 1),
            ExprKind::Within(known, units) => sum.add(vec![known.variable.with(*units)], 1),
            ExprKind::Named(known, name) => {
                if let Some(index) = (self.resolve)(known, name) {
                    sum.add(vec![known.variable.with(index.into())], 1);
                }
            }
            ExprKind::Negate(inner) => sum.add_all(self.sum(inner)?, -1),
            ExprKind::Binary(operator, left, right) => {
                let left = self.sum(left)?;
                let right = self.sum(right)?;
                sum = match operator {
                    Operator::Times => left.times(&right),
                    _ => left,
                };
                match operator {
                    Operator::Plus => sum.add_all(right, 1),
                    Operator::Minus => sum.add_all(right, -1),
                    // The type check has refused truth values here.
                    _ => {}
                }
            }
            ExprKind::Not(_) => {}
        }
        sum.sane(expr)
    }
}

/// Compares `sum` with 0, the constant moved to the right and single variables without coefficients. `Err` is the truth
/// of a comparison of constants.
fn compare(comparison: Comparison, sum: Sum) -> Result<(Quantity, Comparison, i64), bool> {
    let constant = -sum.constant;
    let [(factors, coefficient)] = &sum.terms[..] else {
        if sum.terms.is_empty() {
            return Err(comparison.holds(0, clamp(constant)));
        }
        let quantity = Quantity::Polynomial(polynomial(sum.terms));
        return Ok((quantity, comparison, clamp(constant)));
    };
    // k * q < c with k < 0 is |k| * q > -c.
    let (comparison, constant) = if *coefficient < 0 {
        (mirrored(comparison), -constant)
    } else {
        (comparison, constant)
    };
    let divisor = coefficient.abs();
    let quotient = constant.div_euclid(divisor);
    let exact = constant.rem_euclid(divisor) == 0;
    let up = if exact { quotient } else { quotient + 1 };
    let constant = match comparison {
        Comparison::AtMost | Comparison::Greater => quotient,
        Comparison::Less | Comparison::AtLeast => up,
        Comparison::Equal | Comparison::NotEqual if exact => quotient,
        Comparison::Equal => return Err(false),
        Comparison::NotEqual => return Err(true),
    };
    let quantity = match &factors[..] {
        [variable] => Quantity::Variable(*variable),
        _ => Quantity::Polynomial(Polynomial(vec![(1, factors.clone())])),
    };
    Ok((quantity, comparison, clamp(constant)))
}

fn polynomial(terms: Vec<(Vec<Variable>, i128)>) -> Polynomial {
    let clamped = |(factors, coefficient)| (clamp(coefficient), factors);
    Polynomial(terms.into_iter().map(clamped).collect())
}

/// Converts to 64 bits; `Sum::sane` has ensured that nothing is lost.
fn clamp(value: i128) -> i64 {
    i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
}

/// The relation after both sides have changed sign.
const fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::AtLeast => Comparison::AtMost,
        Comparison::Greater => Comparison::Less,
        same => same,
    }
}

#[cfg(test)]
mod tests {
    use super::super::ast::Name;
    use super::super::parser;
    use super::{Condition, VariableRow, compile};

    fn compiled(condition: &str) -> Condition {
        let line = parser::parse(&format!("pass if {condition}")).expect("a line");
        let condition = line.condition.expect("a condition");
        let mut resolve = |_: &VariableRow, _: &Name| Some(0);
        compile(&condition, &mut resolve).expect("in range")
    }

    /// Its tests as `variable comparison constant then otherwise`, in short.
    fn listing(condition: &str) -> Vec<String> {
        compiled(condition)
            .tests()
            .iter()
            .map(|test| {
                let quantity = match &test.quantity {
                    super::Quantity::Variable(variable) => format!("{variable:?}"),
                    super::Quantity::Polynomial(sum) => {
                        let terms: Vec<String> = sum
                            .0
                            .iter()
                            .map(|(coefficient, factors)| format!("{coefficient}{factors:?}"))
                            .collect();
                        terms.join("+")
                    }
                };
                format!(
                    "{quantity} {:?} {} {:?} {:?}",
                    test.comparison, test.constant, test.then, test.otherwise
                )
            })
            .collect()
    }

    /// Each row is a condition and its tests.
    fn assert_listings(rows: &[&str]) {
        for row in rows {
            let (condition, tests) = row.split_once(": ").unwrap();
            assert_eq!(listing(condition).join("; "), tests, "{condition}");
        }
    }

    #[test]
    fn a_comparison_with_a_constant_is_a_single_test() {
        assert_listings(&[
            "distance <= 5: Distance AtMost 5 Accept Reject",
            "5 >= distance: Distance AtMost 5 Accept Reject",
            "ready: Ready NotEqual 0 Accept Reject",
            "not ready: Ready NotEqual 0 Reject Accept",
            "2 * hp > 7: Hp Greater 3 Accept Reject",
            "2 * hp >= 7: Hp AtLeast 4 Accept Reject",
            "-3 * hp < -7: Hp Greater 2 Accept Reject",
            "hp + 1 < hp - distance + 9: Distance Less 8 Accept Reject",
        ]);
    }

    #[test]
    fn longer_sums_keep_their_constant_on_the_right() {
        assert_listings(&[
            "hp * 2 + 1 < target.hp - 3: 2[Hp]+-1[TargetHp] Less -4 Accept Reject",
            "(hp + 1) * (hp - 1) = 0: 1[Hp, Hp] Equal 1 Accept Reject",
        ]);
    }

    #[test]
    fn and_or_not_are_jumps_forward() {
        assert_listings(&[
            "ready and (moved or not acted): Ready NotEqual 0 Test(1) Reject; Moved NotEqual 0 Accept Test(2); Acted NotEqual 0 Reject Accept",
            "not (ready and moved) or acted: Ready NotEqual 0 Test(1) Accept; Moved NotEqual 0 Test(2) Accept; Acted NotEqual 0 Accept Reject",
        ]);
    }

    #[test]
    fn what_depends_on_nothing_is_worked_out() {
        for always in [
            "true",
            "1 < 2",
            "not false",
            "ready or true",
            "hp - hp = 0",
            "2 * hp != 7",
            "1 + 2 * 3 = 7",
            "-(2 - 5) = 3",
        ] {
            let compiled = compiled(always);
            assert_eq!(compiled.always(), Some(true), "{always}");
            assert!(compiled.tests().is_empty(), "{always}");
        }
        for never in ["false", "ready and false", "2 * hp = 7", "hp * 0 > 0"] {
            let compiled = compiled(never);
            assert_eq!(compiled.always(), Some(false), "{never}");
            assert!(!compiled.holds(|_| 1), "{never}");
            assert!(!compiled.holds(|_| 0), "{never}");
        }
    }
}
