//! Types of expressions: numbers and truth values. They are checked when the tree is complete, so that all mismatches
//! of a condition are reported together.

use super::ast::{Expr, ExprKind, comparison_sign};
use super::problem::Problem;
use crate::fight::program::Comparison;
use crate::fight::variables::Kind;

/// A number without a unit.
const NUMBER: Kind = Kind::Number("");

fn describe(kind: Kind) -> String {
    match kind {
        NUMBER => "a number".to_owned(),
        Kind::Number(unit) => format!("a number ({unit})"),
        Kind::Boolean => "true or false".to_owned(),
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
    fn of(&mut self, expr: &Expr) -> Kind {
        match &expr.kind {
            ExprKind::Number(_) => NUMBER,
            ExprKind::Truth(_) | ExprKind::InHand(_) | ExprKind::Has { .. } => Kind::Boolean,
            ExprKind::Uses(_) => Kind::Number("uses"),
            ExprKind::Within { .. } => Kind::Number("combatants"),
            ExprKind::Progress(_) => Kind::Number("stages"),
            ExprKind::Variable(known) => known.kind,
            ExprKind::Negate(inner) => {
                self.number(inner, "`-`");
                NUMBER
            }
            ExprKind::Arithmetic(operator, left, right) => {
                let sign = format!("`{}`", operator.sign());
                self.number(left, &sign);
                self.number(right, &sign);
                NUMBER
            }
            ExprKind::Compare(comparison, left, right) => {
                self.compare(*comparison, left, right);
                Kind::Boolean
            }
            ExprKind::Not(inner) => {
                self.boolean(inner, "`not`");
                Kind::Boolean
            }
            ExprKind::And(left, right) => {
                self.boolean(left, "`and`");
                self.boolean(right, "`and`");
                Kind::Boolean
            }
            ExprKind::Or(left, right) => {
                self.boolean(left, "`or`");
                self.boolean(right, "`or`");
                Kind::Boolean
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
        if let found @ Kind::Boolean = self.of(expr) {
            let source = self.source(expr).to_owned();
            self.problems.push(
                Problem::error(
                    expr.spot,
                    format!(
                        "{who} needs a number, but `{source}` is {}",
                        describe(found)
                    ),
                    format!("{}; expected a number", describe(found)),
                )
                .help(format!(
                    "truth values are joined by `and`, `or` and `not`: `{source} and ...`"
                )),
            );
        }
    }

    fn boolean(&mut self, expr: &Expr, who: &str) {
        if let found @ Kind::Number(_) = self.of(expr) {
            let source = self.source(expr).to_owned();
            self.problems.push(
                Problem::error(
                    expr.spot,
                    format!(
                        "{who} needs true or false, but `{source}` is {}",
                        describe(found)
                    ),
                    format!("{}; expected true or false", describe(found)),
                )
                .help(format!("compare it with something: `{source} > 0`")),
            );
        }
    }
}
