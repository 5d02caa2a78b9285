//! Types of expressions: numbers and truth values. They are checked when the tree is complete, so that all mismatches
//! of a condition are reported together.

use super::ast::{Expr, ExprKind, comparison_sign};
use super::problem::Problem;
use crate::fight::program::Comparison;
use crate::fight::variables::Kind;

/// Whether an expression is a number or a truth value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Number(Option<&'static str>),
    Boolean,
}

impl Type {
    fn describe(self) -> String {
        match self {
            Self::Number(Some(unit)) => format!("a number ({unit})"),
            Self::Number(None) => "a number".to_owned(),
            Self::Boolean => "true or false".to_owned(),
        }
    }
}

/// Checks that a condition is a truth value, and that its parts have the right types.
pub(super) fn check(condition: &Expr, text: &str, problems: &mut Vec<Problem>) {
    let mut checker = Checker { text, problems };
    checker.boolean(condition, "a condition");
}

/// Checks that the amount of a move is a number.
pub(super) fn check_amount(amount: &Expr, what: &str, text: &str, problems: &mut Vec<Problem>) {
    let mut checker = Checker { text, problems };
    checker.number(amount, what);
}

struct Checker<'a> {
    text: &'a str,
    problems: &'a mut Vec<Problem>,
}

impl Checker<'_> {
    fn source(&self, expr: &Expr) -> &str {
        self.text.get(expr.spot.range()).unwrap_or_default()
    }

    /// Returns the type; a part of the wrong type is reported and treated as the right one.
    fn of(&mut self, expr: &Expr) -> Type {
        match &expr.kind {
            ExprKind::Number(_) => Type::Number(None),
            ExprKind::Truth(_) | ExprKind::InHand(_) | ExprKind::Has { .. } => Type::Boolean,
            ExprKind::Uses(_) => Type::Number(Some("uses")),
            ExprKind::Within { .. } => Type::Number(Some("combatants")),
            ExprKind::Progress(_) => Type::Number(Some("stages")),
            ExprKind::Variable(known) => match known.0.kind {
                Kind::Number(unit) => Type::Number(Some(unit)),
                Kind::Boolean => Type::Boolean,
            },
            ExprKind::Negate(inner) => {
                self.number(inner, "`-`");
                Type::Number(None)
            }
            ExprKind::Arithmetic(operator, left, right) => {
                let sign = format!("`{}`", operator.sign());
                self.number(left, &sign);
                self.number(right, &sign);
                Type::Number(None)
            }
            ExprKind::Compare(comparison, left, right) => {
                self.compare(*comparison, left, right);
                Type::Boolean
            }
            ExprKind::Not(inner) => {
                self.boolean(inner, "`not`");
                Type::Boolean
            }
            ExprKind::And(left, right) => {
                self.boolean(left, "`and`");
                self.boolean(right, "`and`");
                Type::Boolean
            }
            ExprKind::Or(left, right) => {
                self.boolean(left, "`or`");
                self.boolean(right, "`or`");
                Type::Boolean
            }
        }
    }

    fn compare(&mut self, comparison: Comparison, left: &Expr, right: &Expr) {
        let sign = format!("`{}`", comparison_sign(comparison));
        for (side, other) in [(left, right), (right, left)] {
            let before = self.problems.len();
            self.number(side, &sign);
            // `ready = true` is the usual mistake, and there is a simpler way to write it.
            if let (Some(problem), ExprKind::Truth(truth)) =
                (self.problems.get_mut(before), &other.kind)
                && !matches!(side.kind, ExprKind::Truth(_))
                && matches!(comparison, Comparison::Equal | Comparison::NotEqual)
            {
                let side = self.text.get(side.spot.range()).unwrap_or_default();
                let wanted = *truth == (comparison == Comparison::Equal);
                problem.help = Some(if wanted {
                    format!("write `{side}`")
                } else {
                    format!("write `not {side}`")
                });
                // The literal on the other side is part of the same mistake.
                return;
            }
            if self.problems.len() > before {
                return;
            }
        }
    }

    fn number(&mut self, expr: &Expr, who: &str) {
        if let found @ Type::Boolean = self.of(expr) {
            let source = self.source(expr).to_owned();
            self.problems.push(
                Problem::error(
                    expr.spot.range(),
                    format!(
                        "{who} needs a number, but `{source}` is {}",
                        found.describe()
                    ),
                    format!("{}; expected a number", found.describe()),
                )
                .help(format!(
                    "truth values are joined by `and`, `or` and `not`: `{source} and ...`"
                )),
            );
        }
    }

    fn boolean(&mut self, expr: &Expr, who: &str) {
        if let found @ Type::Number(_) = self.of(expr) {
            let source = self.source(expr).to_owned();
            self.problems.push(
                Problem::error(
                    expr.spot.range(),
                    format!(
                        "{who} needs true or false, but `{source}` is {}",
                        found.describe()
                    ),
                    format!("{}; expected true or false", found.describe()),
                )
                .help(format!("compare it with something: `{source} > 0`")),
            );
        }
    }
}
