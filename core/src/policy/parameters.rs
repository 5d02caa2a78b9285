//! Parameters: values with names, which policy lines use as `$NAME`.

use super::ast::Spot;
use super::lexer::MOST;
use crate::document::diagnostics::Diagnostic;
use crate::document::source::Span;
use crate::names;
use std::cell::Cell;
use std::sync::Arc;

/// The kind of a value in a policy line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A whole number.
    Whole,
    /// A number with a point.
    Decimal,
    /// True or false.
    Truth,
    /// Text.
    Word,
}

/// A value with a name.
#[derive(Debug, Clone)]
pub struct Parameter {
    name: String,
    /// Its value, as a line would spell it.
    pub(super) text: String,
    pub(super) kind: ParameterKind,
    used: Cell<bool>,
}

/// The names that policy lines of a scenario may use besides those of the language.
#[derive(Debug, Clone, Default)]
pub struct Parameters {
    values: Vec<Parameter>,
    /// The names of the traits of the scenario's own.
    pub traits: Arc<[String]>,
}

impl Parameters {
    /// Adds a parameter.
    pub fn add(&mut self, name: &str, text: String, kind: ParameterKind) {
        self.values.push(Parameter {
            name: name.to_owned(),
            text,
            kind,
            used: Cell::new(false),
        });
    }

    /// Returns a parameter, and marks it as used.
    pub fn get(&self, name: &str) -> Option<&Parameter> {
        let found = self.values.iter().find(|value| value.name == name)?;
        found.used.set(true);
        Some(found)
    }

    /// Marks a parameter as used.
    pub fn mark(&self, name: &str) {
        let _ = self.get(name);
    }

    /// Whether a parameter has been used.
    pub fn is_used(&self, name: &str) -> bool {
        let mut all = self.values.iter();
        all.any(|value| value.name == name && value.used.get())
    }

    /// The error about a name that no parameter has.
    pub fn unknown(&self, name: &str, span: impl Into<Span>) -> Diagnostic {
        let known = || self.values.iter().map(|value| value.name.as_str());
        let label = match names::nearest(name, known()) {
            Some(nearest) => format!("did you mean `${nearest}`?"),
            None if self.values.is_empty() => "the scenario has no `[parameters]`".to_owned(),
            None => format!("expected {}", names::list(known(), "or")),
        };
        let title = format!("no parameter is called `{name}`");
        let help = "a parameter is a key of `[parameters]`, as in `near = 5`";
        Diagnostic::error(span, title, label).help(help)
    }

    /// Returns the parameter with this name, at a place of a line.
    pub(super) fn find(&self, name: &str, spot: Spot) -> Result<&Parameter, Diagnostic> {
        if name.is_empty() {
            let title = "`$` lacks the name of a parameter";
            return Err(Diagnostic::error(
                spot,
                title,
                "expected a name, as in `$near`",
            ));
        }
        let Some(found) = self.get(name) else {
            return Err(self.unknown(name, spot));
        };
        let wrong = match found.kind {
            ParameterKind::Decimal => "a policy takes whole numbers",
            ParameterKind::Whole if found.text.parse().is_ok_and(|n: i64| n.abs() <= MOST) => {
                return Ok(found);
            }
            ParameterKind::Whole => "the number is too large for a policy",
            ParameterKind::Truth | ParameterKind::Word => return Ok(found),
        };
        let label = format!("`{name}` is {}", found.text);
        Err(Diagnostic::error(spot, wrong, label))
    }
}

/// Replaces each `$NAME` in a text for which `value_of` returns a value. `None` if it replaces nothing.
pub fn replaced(text: &str, mut value_of: impl FnMut(&str) -> Option<String>) -> Option<String> {
    let mut new = String::new();
    let (mut rest, mut any) = (text, false);
    while let Some(at) = rest.find('$') {
        let name = name_of(&rest[at + 1..]);
        let end = at + 1 + name.len();
        match value_of(name) {
            Some(value) => {
                new.push_str(&rest[..at]);
                new.push_str(&value);
                any = true;
            }
            None => new.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    new.push_str(rest);
    any.then_some(new)
}

/// The name of a parameter at the beginning of the text after `$`; it may be empty.
pub fn name_of(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    &text[..end.unwrap_or(text.len())]
}
