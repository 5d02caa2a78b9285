//! Types of expressions: numbers and truth values. They are checked when the tree is complete, so that all mismatches
//! of a condition are reported together.

use super::ast::{Expr, ExprKind, Operator};
use crate::document::diagnostics::Diagnostic;
use crate::fight::program::Comparison;

/// The unit of a number, or nothing for a truth value.
type Unit = Option<&'static str>;

/// A number without a unit.
const NUMBER: Unit = Some("");

fn describe(unit: Unit) -> String {
    match unit {
        NUMBER => "a number".to_owned(),
        Some(unit) => format!("a number ({unit})"),
        None => "true or false".to_owned(),
    }
}

/// Checks that a condition is a truth value, and that its parts have the right types.
pub(super) fn check(condition: &Expr, text: &str, problems: &mut Vec<Diagnostic>) {
    Checker { text, problems }.expect(condition, None, "a condition");
}

/// Checks that the amount of a move is a number.
pub(super) fn check_amount(amount: &Expr, what: &str, text: &str, problems: &mut Vec<Diagnostic>) {
    Checker { text, problems }.expect(amount, NUMBER, what);
}

struct Checker<'a> {
    text: &'a str,
    problems: &'a mut Vec<Diagnostic>,
}

impl Checker<'_> {
    fn source(&self, expr: &Expr) -> &str {
        self.text.get(expr.spot.range()).unwrap_or_default()
    }

    /// Returns the type; a part of the wrong type is reported and treated as the right one.
    fn unit(&mut self, expr: &Expr) -> Unit {
        match &expr.kind {
            ExprKind::Number(_) => NUMBER,
            ExprKind::Truth(_) => None,
            ExprKind::Variable(known) | ExprKind::Within(known, _) | ExprKind::Named(known, _) => {
                known.unit
            }
            ExprKind::Negate(inner) => self.expect(inner, NUMBER, "`-`"),
            ExprKind::Not(inner) => self.expect(inner, None, "`not`"),
            ExprKind::Binary(Operator::Compare(comparison), left, right) => {
                self.compare(*comparison, left, right);
                None
            }
            ExprKind::Binary(operator, left, right) => {
                let is_logical = matches!(operator, Operator::And | Operator::Or);
                let wanted = if is_logical { None } else { NUMBER };
                let sign = format!("`{}`", operator.sign());
                self.expect(left, wanted, &sign);
                self.expect(right, wanted, &sign)
            }
        }
    }

    fn compare(&mut self, comparison: Comparison, left: &Expr, right: &Expr) {
        let sign = format!("`{}`", comparison.name());
        for (side, other) in [(left, right), (right, left)] {
            let before = self.problems.len();
            self.expect(side, NUMBER, &sign);
            // `ready = true` is the usual mistake, and there is a simpler way to write it.
            if let (Some(problem), ExprKind::Truth(truth)) =
                (self.problems.get_mut(before), &other.kind)
                && !matches!(side.kind, ExprKind::Truth(_))
                && matches!(comparison, Comparison::Equal | Comparison::NotEqual)
            {
                let side = self.text.get(side.spot.range()).unwrap_or_default();
                let wanted = *truth == (comparison == Comparison::Equal);
                problem.help = vec![if wanted {
                    format!("write `{side}`")
                } else {
                    format!("write `not {side}`")
                }];
                // The literal on the other side is part of the same mistake.
                return;
            }
            if self.problems.len() > before {
                return;
            }
        }
    }

    /// Reports an expression that is not a number, or not a truth value, as `who` needs it. Returns what is needed.
    fn expect(&mut self, expr: &Expr, wanted: Unit, who: &str) -> Unit {
        let found = self.unit(expr);
        if found.is_some() == wanted.is_some() {
            return wanted;
        }
        let source = self.source(expr);
        let (needed, help) = match wanted {
            Some(_) => (
                "a number",
                format!("truth values are joined by `and`, `or` and `not`: `{source} and ...`"),
            ),
            None => (
                "true or false",
                format!("compare it with something: `{source} > 0`"),
            ),
        };
        let found = describe(found);
        let title = format!("{who} needs {needed}, but `{source}` is {found}");
        let label = format!("{found}; expected {needed}");
        let problem = Diagnostic::error(expr.spot, title, label).help(help);
        self.problems.push(problem);
        wanted
    }
}
