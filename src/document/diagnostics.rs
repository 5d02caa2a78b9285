//! All errors and warnings of a scenario: collected while reading, rendered with the text underlined.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::source::{Sources, Span};
use crate::clean::{acts, clean};
use crate::wrap::{width, wrap};

/// The most messages that are shown at once.
const MOST_SHOWN: usize = 100;

/// The columns of lines that are not to be broken.
const WHOLE: usize = 10_000;

/// The columns before a line of a scenario: its number and a bar.
const MARGIN: usize = 7;

/// The most messages that are kept, so that a hopeless file does not take all day.
const MOST_KEPT: usize = 1000;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The scenario is refused.
    Error,
    /// The scenario is played, but probably not as meant.
    Warning,
}

/// One thing to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The problem.
    pub title: Box<str>,
    /// The place and the expected value; no place for a file that could not be read.
    pub place: Option<(Span, String)>,
    /// Other places that explain it.
    pub context: Vec<(Span, String)>,
    /// The way out.
    pub help: Vec<String>,
    /// The key to blame if no table like this has it: a system may know it under another name.
    pub(crate) unknown: Option<Box<UnknownKey>>,
}

/// A key that its table does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnknownKey {
    /// As it is written.
    pub(crate) key: String,
    /// The keys that the table may have.
    pub(crate) known: Vec<&'static str>,
}

impl Diagnostic {
    /// Whether it is an error, not a warning.
    pub(crate) fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// An error at a place.
    #[must_use]
    pub fn error(span: Span, title: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            place: Some((span, label.into())),
            ..Self::general(title)
        }
    }

    /// An error that has no place in any text.
    #[must_use]
    pub fn general(title: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            title: title.into().into_boxed_str(),
            place: None,
            context: Vec::new(),
            help: Vec::new(),
            unknown: None,
        }
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(span: Span, title: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(span, title, label)
        }
    }

    /// The same with a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The same with a way out, if there is one.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<impl Into<String>>) -> Self {
        self.help.extend(help.map(Into::into));
        self
    }

    /// The same with another place that explains it.
    #[must_use]
    pub fn context(mut self, span: Span, label: impl Into<String>) -> Self {
        self.context.push((span, label.into()));
        self
    }

    /// The same without characters that steer a terminal: it may quote untrusted text.
    fn cleaned(mut self) -> Self {
        let labels = self
            .place
            .iter_mut()
            .chain(&mut self.context)
            .map(|place| &mut place.1);
        for text in labels.chain(&mut self.help) {
            if text.contains(acts) {
                *text = clean(text).into_owned();
            }
        }
        if self.title.contains(acts) {
            self.title = clean(&self.title).into();
        }
        self
    }

    /// Two messages of one place and title are one message.
    fn repeats(&self, other: &Self) -> bool {
        let span = |diagnostic: &Self| diagnostic.place.as_ref().map(|place| place.0);
        span(self) == span(other) && self.title == other.title
    }
}

/// Everything there is to tell about a scenario, with the texts it speaks of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics {
    /// The texts.
    pub sources: Sources,
    list: Vec<Diagnostic>,
    /// Errors beyond those kept.
    dropped: usize,
}

impl Diagnostics {
    /// Nothing yet, about these texts.
    #[must_use]
    pub fn new(sources: Sources) -> Self {
        Self {
            sources,
            ..Self::default()
        }
    }

    /// A single message.
    #[must_use]
    pub fn one(diagnostic: Diagnostic) -> Self {
        Self::of(Sources::default(), [diagnostic])
    }

    /// What was found in these sources.
    #[must_use]
    pub fn of(sources: Sources, found: impl IntoIterator<Item = Diagnostic>) -> Self {
        let mut diagnostics = Self::new(sources);
        diagnostics.extend(found);
        diagnostics
    }

    /// Adds a message unless it is there already: every variant repeats the errors of the base.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let diagnostic = diagnostic.cleaned();
        if self.list.len() >= MOST_KEPT {
            self.dropped += usize::from(diagnostic.is_error());
        } else if !self.list.iter().any(|other| other.repeats(&diagnostic)) {
            self.list.push(diagnostic);
        }
    }

    /// Adds messages.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }

    /// Whether there is nothing to tell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether the scenario is refused.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors() > 0
    }

    /// How many errors there are.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.list
            .iter()
            .filter(|diagnostic| diagnostic.is_error())
            .count()
            + self.dropped
    }

    /// The messages, in the order of the file.
    #[must_use]
    pub fn list(&self) -> Vec<&Diagnostic> {
        let mut list: Vec<&Diagnostic> = self.list.iter().collect();
        list.sort_by_key(|diagnostic| diagnostic.place.as_ref().map(|place| place.0));
        list
    }

    /// All of them, in the same order.
    #[must_use]
    pub(crate) fn into_list(self) -> Vec<Diagnostic> {
        self.list().into_iter().cloned().collect()
    }

    /// Renders the messages in lines of that many columns: file, line and column, the text underlined, the
    /// expected value.
    #[must_use]
    pub fn render(&self, color: bool, columns: usize) -> String {
        let renderer = if color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let columns = columns.min(WHOLE);
        let renderer = renderer.term_width(columns);
        let list = self.list();
        let mut shown: Vec<String> = list
            .iter()
            .take(MOST_SHOWN)
            .map(|diagnostic| self.rendered(diagnostic, &renderer, columns))
            .collect();
        let hidden = list.len().saturating_sub(MOST_SHOWN) + self.dropped;
        if hidden > 0 {
            shown.push(format!("{hidden} more messages are not shown"));
        }
        shown.join("\n\n")
    }

    fn rendered(&self, diagnostic: &Diagnostic, renderer: &Renderer, columns: usize) -> String {
        let mut set = diagnostic.clone();
        set.title = wrap(&set.title, columns - "warning: ".len(), 0)
            .join("\n")
            .into();
        // A label that has no room beside the text that it is about stands below it.
        let mut below = Vec::new();
        for (span, label) in set.place.iter_mut().chain(&mut set.context) {
            let source = self.sources.get(span.source());
            let reached = source.map_or(0, |source| end(&source.text, *span));
            if MARGIN + reached + 1 + width(label) > columns {
                below.push(std::mem::take(label));
            }
        }
        for message in below.iter_mut().chain(&mut set.help) {
            *message = wrap(message, columns - MARGIN - " = help: ".len(), 0).join("\n");
        }
        renderer.render(&[self.group(&set, &below)])
    }

    fn group<'a>(&'a self, diagnostic: &'a Diagnostic, notes: &'a [String]) -> Group<'a> {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = Group::with_title(level.primary_title(&*diagnostic.title));
        let main = diagnostic.place.iter();
        let context = diagnostic.context.iter();
        let context = context.map(|place| (AnnotationKind::Context, place));
        let places = main
            .map(|place| (AnnotationKind::Primary, place))
            .chain(context);
        // Places in one text share a picture of it; the main one comes first.
        let mut snippets: Vec<(usize, Snippet<'a, _>)> = Vec::new();
        for (kind, (span, label)) in places {
            let Some(source) = self.sources.get(span.source()) else {
                continue;
            };
            let annotation = kind.span(visible(&source.text, *span)).label(&label[..]);
            match snippets
                .iter_mut()
                .find(|snippet| snippet.0 == span.source())
            {
                Some((_, snippet)) => *snippet = snippet.clone().annotation(annotation),
                None => snippets.push((
                    span.source(),
                    Snippet::source(&source.text[..])
                        .path(&source.name[..])
                        .annotation(annotation),
                )),
            }
        }
        for (_, snippet) in snippets {
            group = group.element(snippet);
        }
        for note in notes {
            group = group.element(Level::NOTE.message(&note[..]));
        }
        for help in &diagnostic.help {
            group = group.element(Level::HELP.message(&help[..]));
        }
        group
    }
}

/// The column at which the underlined text ends.
fn end(text: &str, span: Span) -> usize {
    let range = visible(text, span);
    let line = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    width(&text[line..range.end])
}

/// The bytes to underline: only whole characters, and of a text over several lines the first.
fn visible(text: &str, span: Span) -> std::ops::Range<usize> {
    let mut start = span.bytes().start.min(text.len());
    let mut end = span.bytes().end.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    match text[start..end].find('\n') {
        // A list over many lines is known by its first.
        Some(length) if length > 0 => start..start + length,
        _ => start..end,
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false, WHOLE))
    }
}

impl std::error::Error for Diagnostics {}
