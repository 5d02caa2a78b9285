//! The parts of a scenario that are wrong by themselves: variants and builds. Everything else works without them.

use super::Loaded;
use crate::document::diagnostics::{Diagnostic, Diagnostics, MOST_KEPT};
use crate::document::source::Span;
use std::fmt;

/// A part of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScenarioPart {
    /// The variant of that name.
    Variant(String),
    /// The build of that name.
    Build(String),
    /// A build against another one.
    Pairing(String, String),
    /// The whole list of builds.
    Builds,
}

/// Writes the part as messages call it.
impl fmt::Display for ScenarioPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variant(name) => write!(f, "variant \"{name}\""),
            Self::Build(name) => write!(f, "build \"{name}\""),
            Self::Pairing(row, column) => write!(f, "\"{row}\" against \"{column}\""),
            Self::Builds => f.write_str("the list of builds"),
        }
    }
}

/// A part with errors, which is left out.
#[derive(Debug, Clone, PartialEq)]
pub struct WrongPart {
    /// The part.
    pub part: ScenarioPart,
    span: Span,
    pub(super) problems: Vec<Diagnostic>,
}

impl WrongPart {
    /// Returns the warning that the part is left out.
    pub(super) fn left_out(&self) -> Diagnostic {
        let mut errors = self.problems.iter().filter(|problem| problem.is_error());
        let first = errors.next().map_or("", |error| &error.title);
        let label = match errors.count() {
            0 => first.to_owned(),
            1 => format!("{first}; and another error"),
            more => format!("{first}; and {more} more errors"),
        };
        let title = format!("{} is left out: it has an error", self.part);
        let help = "`skirmish validate` shows the errors of the whole file";
        Diagnostic::warning(self.span, title, label).help(help)
    }
}

impl Loaded {
    /// Returns the scenario if nothing of it is left out.
    ///
    /// # Errors
    /// All errors of the file, at once.
    pub fn whole(self) -> Result<Self, Diagnostics> {
        self.refuse(|_| true)?;
        Ok(self)
    }

    /// Checks that a variant is not left out.
    ///
    /// # Errors
    /// The errors of the variant.
    pub fn has_sound(&self, name: &str) -> Result<(), Diagnostics> {
        self.refuse(|part| matches!(&part.part, ScenarioPart::Variant(wrong) if wrong == name))
    }

    /// Checks that no variant is left out.
    ///
    /// # Errors
    /// The errors of the variants that are left out.
    pub fn has_sound_variants(&self) -> Result<(), Diagnostics> {
        self.refuse(|part| matches!(part.part, ScenarioPart::Variant(_)))
    }

    fn refuse(&self, is_needed: impl Fn(&&WrongPart) -> bool) -> Result<(), Diagnostics> {
        let parts = self.wrong.iter().filter(is_needed);
        let problems = parts.flat_map(|part| part.problems.iter().cloned());
        let wrong = Diagnostics::of(self.warnings.sources.clone(), problems);
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

/// Adds problems of a part, each of them once.
pub(super) fn add(
    wrong: &mut Vec<WrongPart>,
    (part, span): (ScenarioPart, Span),
    problems: impl IntoIterator<Item = Diagnostic>,
) {
    for problem in problems {
        match wrong.iter_mut().find(|known| known.part == part) {
            Some(known)
                if known.problems.len() >= MOST_KEPT
                    || known.problems.iter().any(|other| other.repeats(&problem)) => {}
            Some(known) => known.problems.push(problem),
            None => wrong.push(WrongPart {
                part: part.clone(),
                span,
                problems: vec![problem],
            }),
        }
    }
}

/// Names the part of the file that causes a problem, unless the problem is in its text.
pub(super) fn blame(
    problem: Diagnostic,
    cause: &ScenarioPart,
    span: Span,
    text: &[Span],
) -> Diagnostic {
    let is_own = |(place, _): &(Span, String)| text.iter().any(|own| own.contains(*place));
    if problem.place.as_ref().is_some_and(is_own) {
        return problem;
    }
    problem.context(span, format!("{cause} causes this"))
}

/// Names the overrides at `set_at` in problems that the file does not have without them.
pub(super) fn blame_overrides<'a>(
    problems: impl Iterator<Item = &'a mut Diagnostic>,
    without: &[Diagnostic],
    set_at: &[Span],
) {
    for problem in problems.filter(|one| !without.iter().any(|other| other.repeats(one))) {
        let mut place = problem.place.iter().map(|(place, _)| place.source());
        if !place.any(|source| set_at.iter().any(|at| at.source() == source)) {
            let all = set_at.iter().map(|at| (*at, "set here".to_owned()));
            problem.context.extend(all);
        }
    }
}
