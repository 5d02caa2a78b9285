//! Conditions, from trees to fused comparisons.
//!
//! Three steps: numbers become sums of products with everything constant on the right (`a <= b` is `a - b <= 0`,
//! `2 * hp > 7` is `hp > 3`); parts that do not depend on any variable are evaluated; `and`, `or` and `not` become
//! jumps.

use super::ast::{Expr, ExprKind, Name, Operator};
use super::problem::Problem;
use crate::fight::Variable;
use crate::fight::program::{Comparison, Condition, Next, Polynomial, Quantity, Test};

/// The most terms of a sum once its products are multiplied out.
const MOST_TERMS: usize = 32;

/// The most variables of a product: longer products mean nothing in a fight.
const MOST_FACTORS: usize = 4;

/// A compiled condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The jumps.
    pub condition: Condition,
    /// Its value, if it is constant.
    pub always: Option<bool>,
}

/// Compiles a condition that the parser's type check has accepted. `resolve` returns the variable for a name after
/// `uses.`, `in_hand.`, `progress.` or `has`; it reports an unknown name itself and returns `None`.
///
/// # Errors
/// If a number could leave the range of 64 bits.
pub fn compile(
    condition: &Expr,
    resolve: &mut dyn FnMut(&ExprKind, &Name) -> Option<Variable>,
) -> Result<Compiled, Problem> {
    let mut lowering = Lowering { resolve };
    let truth = lowering.truth(condition)?;
    Ok(match truth {
        Truth::Constant(true) => Compiled {
            condition: Condition::default(),
            always: Some(true),
        },
        Truth::Constant(false) => Compiled {
            condition: Condition::new(vec![Test {
                // Its value does not matter, but every condition may read it.
                quantity: Quantity::Variable(Variable::Round),
                comparison: Comparison::Equal,
                constant: 0,
                then: Next::Reject,
                otherwise: Next::Reject,
            }]),
            always: Some(false),
        },
        truth => {
            let mut emitter = Emitter::default();
            emitter.emit(&truth, Label::Accept, Label::Reject);
            Compiled {
                condition: emitter.finish(),
                always: None,
            }
        }
    })
}

/// Compiles the number of Units or the distance of a move. `resolve` is as for [`compile`].
///
/// # Errors
/// If it could leave the range of 64 bits.
pub fn compile_amount(
    amount: &Expr,
    resolve: &mut dyn FnMut(&ExprKind, &Name) -> Option<Variable>,
) -> Result<Polynomial, Problem> {
    let sum = Lowering { resolve }.sum(amount)?;
    let mut terms: Vec<(i64, Vec<Variable>)> = sum
        .terms
        .into_iter()
        .map(|(factors, coefficient)| (clamp(coefficient), factors))
        .collect();
    if sum.constant != 0 {
        terms.push((clamp(sum.constant), Vec::new()));
    }
    Ok(Polynomial(terms))
}

/// A condition with its constant parts evaluated.
enum Truth {
    Constant(bool),
    Test(Quantity, Comparison, i64),
    Not(Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
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

    fn is_sane(&self) -> bool {
        self.terms.len() <= MOST_TERMS
            && self.terms.iter().all(|term| term.0.len() <= MOST_FACTORS)
            && self.bound() <= i128::from(i64::MAX)
    }
}

struct Lowering<'a> {
    resolve: &'a mut dyn FnMut(&ExprKind, &Name) -> Option<Variable>,
}

impl Lowering<'_> {
    fn truth(&mut self, expr: &Expr) -> Result<Truth, Problem> {
        Ok(match &expr.kind {
            ExprKind::Truth(truth) => Truth::Constant(*truth),
            ExprKind::Variable(known) => flag(known.variable),
            ExprKind::Within { side, units } => flag(side.within(*units)),
            ExprKind::InHand(name)
            | ExprKind::Uses(name)
            | ExprKind::Progress(name)
            | ExprKind::Has { name, .. } => {
                match (self.resolve)(&expr.kind, name) {
                    Some(variable) => flag(variable),
                    // Already reported; the condition will not be used.
                    None => Truth::Constant(true),
                }
            }
            ExprKind::Not(inner) => match self.truth(inner)? {
                Truth::Constant(truth) => Truth::Constant(!truth),
                Truth::Not(inner) => *inner,
                inner => Truth::Not(Box::new(inner)),
            },
            ExprKind::And(left, right) => match (self.truth(left)?, self.truth(right)?) {
                (Truth::Constant(false), _) | (_, Truth::Constant(false)) => Truth::Constant(false),
                (Truth::Constant(true), other) | (other, Truth::Constant(true)) => other,
                (left, right) => Truth::And(Box::new(left), Box::new(right)),
            },
            ExprKind::Or(left, right) => match (self.truth(left)?, self.truth(right)?) {
                (Truth::Constant(true), _) | (_, Truth::Constant(true)) => Truth::Constant(true),
                (Truth::Constant(false), other) | (other, Truth::Constant(false)) => other,
                (left, right) => Truth::Or(Box::new(left), Box::new(right)),
            },
            ExprKind::Compare(comparison, left, right) => {
                let mut sum = self.sum(left)?;
                sum.add_all(self.sum(right)?, -1);
                if !sum.is_sane() {
                    return Err(too_large(expr));
                }
                compare(*comparison, sum)
            }
            // The type check has refused numbers here.
            ExprKind::Number(_) | ExprKind::Negate(_) | ExprKind::Arithmetic(..) => {
                let sum = self.sum(expr)?;
                compare(Comparison::NotEqual, sum)
            }
        })
    }

    fn sum(&mut self, expr: &Expr) -> Result<Sum, Problem> {
        let mut sum = Sum::default();
        match &expr.kind {
            ExprKind::Number(number) => sum.constant = i128::from(*number),
            ExprKind::Truth(truth) => sum.constant = i128::from(*truth),
            ExprKind::Variable(known) => sum.add(vec![known.variable], 1),
            ExprKind::Within { side, units } => sum.add(vec![side.within(*units)], 1),
            ExprKind::Uses(name)
            | ExprKind::InHand(name)
            | ExprKind::Progress(name)
            | ExprKind::Has { name, .. } => {
                if let Some(variable) = (self.resolve)(&expr.kind, name) {
                    sum.add(vec![variable], 1);
                }
            }
            ExprKind::Negate(inner) => sum.add_all(self.sum(inner)?, -1),
            ExprKind::Arithmetic(operator, left, right) => {
                let left = self.sum(left)?;
                let right = self.sum(right)?;
                match operator {
                    Operator::Plus | Operator::Minus => {
                        let sign = if *operator == Operator::Plus { 1 } else { -1 };
                        sum = left;
                        sum.add_all(right, sign);
                    }
                    Operator::Times => sum = left.times(&right),
                }
            }
            // The type check has refused truth values here.
            ExprKind::Compare(..) | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => {}
        }
        if sum.is_sane() {
            Ok(sum)
        } else {
            Err(too_large(expr))
        }
    }
}

fn too_large(expr: &Expr) -> Problem {
    Problem::error(
        expr.spot,
        "an expression is too large to be worked out exactly",
        format!(
            "it could pass {}, or has more than {MOST_TERMS} terms or {MOST_FACTORS} factors",
            i64::MAX
        ),
    )
    .help("use smaller numbers or fewer products of variables")
}

fn flag(variable: Variable) -> Truth {
    Truth::Test(Quantity::Variable(variable), Comparison::NotEqual, 0)
}

/// Compares `sum` with 0, the constant moved to the right and single variables without coefficients.
fn compare(comparison: Comparison, sum: Sum) -> Truth {
    let constant = -sum.constant;
    let mut terms = sum.terms;
    let [(factors, coefficient)] = &terms[..] else {
        if terms.is_empty() {
            return Truth::Constant(comparison.holds(0, clamp(constant)));
        }
        let terms = terms
            .drain(..)
            .map(|(factors, coefficient)| (clamp(coefficient), factors))
            .collect();
        return Truth::Test(
            Quantity::Polynomial(Polynomial(terms)),
            comparison,
            clamp(constant),
        );
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
        Comparison::Equal => return Truth::Constant(false),
        Comparison::NotEqual => return Truth::Constant(true),
    };
    let quantity = match &factors[..] {
        [variable] => Quantity::Variable(*variable),
        _ => Quantity::Polynomial(Polynomial(vec![(1, factors.clone())])),
    };
    Truth::Test(quantity, comparison, clamp(constant))
}

/// Converts to 64 bits; `Sum::is_sane` has ensured that nothing is lost.
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

/// Where to go on: a place whose index may not be known yet.
#[derive(Clone, Copy)]
enum Label {
    Accept,
    Reject,
    Place(usize),
}

#[derive(Default)]
struct Emitter {
    tests: Vec<(Quantity, Comparison, i64, Label, Label)>,
    /// The index of the test at each place.
    places: Vec<usize>,
}

impl Emitter {
    fn emit(&mut self, truth: &Truth, then: Label, otherwise: Label) {
        match truth {
            Truth::Test(quantity, comparison, constant) => {
                self.tests
                    .push((quantity.clone(), *comparison, *constant, then, otherwise));
            }
            Truth::Not(inner) => self.emit(inner, otherwise, then),
            Truth::And(left, right) => {
                let middle = self.place();
                self.emit(left, Label::Place(middle), otherwise);
                self.places[middle] = self.tests.len();
                self.emit(right, then, otherwise);
            }
            Truth::Or(left, right) => {
                let middle = self.place();
                self.emit(left, then, Label::Place(middle));
                self.places[middle] = self.tests.len();
                self.emit(right, then, otherwise);
            }
            // Evaluated before anything is emitted.
            Truth::Constant(_) => {}
        }
    }

    fn place(&mut self) -> usize {
        self.places.push(0);
        self.places.len() - 1
    }

    fn finish(self) -> Condition {
        let next = |label| match label {
            Label::Accept => Next::Accept,
            Label::Reject => Next::Reject,
            Label::Place(place) => Next::Test(self.places[place] as u16),
        };
        let tests = self
            .tests
            .iter()
            .map(|(quantity, comparison, constant, then, otherwise)| Test {
                quantity: quantity.clone(),
                comparison: *comparison,
                constant: *constant,
                then: next(*then),
                otherwise: next(*otherwise),
            })
            .collect();
        Condition::new(tests)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ast::Name;
    use super::super::parser;
    use super::{Compiled, ExprKind, Variable, compile};

    fn compiled(condition: &str) -> Compiled {
        let line = parser::parse(&format!("pass if {condition}")).expect("a line");
        let condition = line.condition.expect("a condition");
        let mut resolve = |_: &ExprKind, _: &Name| Some(Variable::Uses(0));
        compile(&condition, &mut resolve).expect("in range")
    }

    /// Its tests as `variable comparison constant then otherwise`, in short.
    fn listing(condition: &str) -> Vec<String> {
        compiled(condition)
            .condition
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

    #[test]
    fn a_comparison_with_a_constant_is_a_single_test() {
        assert_eq!(
            listing("distance <= 5"),
            ["Distance AtMost 5 Accept Reject"]
        );
        assert_eq!(
            listing("5 >= distance"),
            ["Distance AtMost 5 Accept Reject"]
        );
        assert_eq!(listing("ready"), ["Ready NotEqual 0 Accept Reject"]);
        assert_eq!(listing("not ready"), ["Ready NotEqual 0 Reject Accept"]);
        assert_eq!(listing("2 * hp > 7"), ["Hp Greater 3 Accept Reject"]);
        assert_eq!(listing("2 * hp >= 7"), ["Hp AtLeast 4 Accept Reject"]);
        assert_eq!(listing("-3 * hp < -7"), ["Hp Greater 2 Accept Reject"]);
        assert_eq!(
            listing("hp + 1 < hp - distance + 9"),
            ["Distance Less 8 Accept Reject"]
        );
    }

    #[test]
    fn longer_sums_keep_their_constant_on_the_right() {
        assert_eq!(
            listing("hp * 2 + 1 < target.hp - 3"),
            ["2[Hp]+-1[TargetHp] Less -4 Accept Reject"]
        );
        assert_eq!(
            listing("(hp + 1) * (hp - 1) = 0"),
            ["1[Hp, Hp] Equal 1 Accept Reject"]
        );
    }

    #[test]
    fn and_or_not_are_jumps_forward() {
        assert_eq!(
            listing("ready and (moved or not acted)"),
            [
                "Ready NotEqual 0 Test(1) Reject",
                "Moved NotEqual 0 Accept Test(2)",
                "Acted NotEqual 0 Reject Accept"
            ]
        );
        assert_eq!(
            listing("not (ready and moved) or acted"),
            [
                "Ready NotEqual 0 Test(1) Accept",
                "Moved NotEqual 0 Test(2) Accept",
                "Acted NotEqual 0 Accept Reject"
            ]
        );
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
            assert_eq!(compiled.always, Some(true), "{always}");
            assert!(compiled.condition.tests().is_empty(), "{always}");
        }
        for never in ["false", "ready and false", "2 * hp = 7", "hp * 0 > 0"] {
            let compiled = compiled(never);
            assert_eq!(compiled.always, Some(false), "{never}");
            assert!(!compiled.condition.holds(|_| 1), "{never}");
            assert!(!compiled.condition.holds(|_| 0), "{never}");
        }
    }
}
