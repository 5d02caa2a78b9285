//! The errors and warnings of a scenario: collected while reading, rendered with the text underlined.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::source::{Sources, Span};
use crate::clean::{acts, clean};
use crate::wrap::{width, wrap};

/// The greatest number of messages that are shown at once.
const MOST_SHOWN: usize = 100;

/// The greatest number of bytes of lines that are gone through to show messages: lines may be as long as a file.
const MOST_READ: usize = 1 << 20;

/// The width at which lines are not broken.
const WHOLE: usize = 10_000;

/// The width of the margin before a line of a scenario: the line number and a bar.
const MARGIN: usize = 7;

/// The greatest number of variants that a message names as its cause.
const MOST_CAUSES: usize = 20;

/// The greatest number of messages that are kept, so that a file full of errors does not take too long.
pub(crate) const MOST_KEPT: usize = 1000;

/// The severity of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The scenario is refused.
    Error,
    /// The scenario is simulated, but probably not as intended.
    Warning,
}

/// An error or a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The problem.
    pub title: Box<str>,
    /// The place and the expected value; `None` for a file that could not be read.
    pub place: Option<(Span, String)>,
    /// Other places that explain the problem.
    pub context: Vec<(Span, String)>,
    /// Ways to fix the problem.
    pub help: Vec<String>,
    /// What few messages have, in one place, because a message is often a part of a result.
    details: Option<Box<Details>>,
    /// Whether the message says which keys a table lacks.
    pub(crate) is_lack: bool,
}

/// What the program knows about a problem besides the words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Details {
    /// The unknown key that the message is about: a table of another system may have it under another name.
    unknown: Option<UnknownKey>,
    /// The text that certainly is meant.
    fix: Option<Fix>,
}

/// Another text for a place, which is meant there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The place.
    pub span: Span,
    /// Its text.
    pub text: Box<str>,
}

/// An unknown key of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnknownKey {
    /// The key as written.
    pub(crate) key: String,
    /// The keys that the table may have.
    pub(crate) known: Vec<&'static str>,
}

impl Diagnostic {
    /// Returns whether the message is an error, not a warning.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Creates an error at a place.
    pub fn error(
        span: impl Into<Span>,
        title: impl Into<String>,
        label: impl Into<String>,
    ) -> Self {
        Self {
            place: Some((span.into(), label.into())),
            ..Self::general(title)
        }
    }

    /// Creates an error without a place.
    pub fn general(title: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            title: title.into().into_boxed_str(),
            place: None,
            context: Vec::new(),
            help: Vec::new(),
            details: None,
            is_lack: false,
        }
    }

    /// Returns the place and the title, by which messages are told apart.
    pub(crate) fn identity(&self) -> (Option<Span>, &str) {
        (self.place.as_ref().map(|place| place.0), &self.title)
    }

    /// Makes it a message about an unknown key.
    pub(crate) fn about(mut self, unknown: UnknownKey) -> Self {
        self.details.get_or_insert_default().unknown = Some(unknown);
        self
    }

    /// Returns the unknown key that the message is about.
    pub(crate) fn unknown(&self) -> Option<&UnknownKey> {
        self.details.as_ref()?.unknown.as_ref()
    }

    /// Returns the text that certainly is meant, if the program knows it.
    pub fn fix(&self) -> Option<&Fix> {
        self.details.as_ref()?.fix.as_ref()
    }

    /// Says for which key an unknown one stands, and which certainly replaces it. The list of all keys would only hide
    /// it.
    pub(crate) fn explain(&mut self, label: &str, key: Option<&str>) {
        if let Some((span, own)) = &mut self.place {
            label.clone_into(own);
            let (span, text) = (*span, key.map(Into::into));
            self.details.get_or_insert_default().fix = text.map(|text| Fix { span, text });
        }
        self.help.clear();
    }

    /// Creates a warning at a place.
    pub fn warning(
        span: impl Into<Span>,
        title: impl Into<String>,
        label: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(span, title, label)
        }
    }

    /// Adds a way to fix the problem.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds the text that is meant in a place.
    pub(crate) fn meaning(mut self, span: impl Into<Span>, text: impl Into<Box<str>>) -> Self {
        let (span, text) = (span.into(), text.into());
        self.details.get_or_insert_default().fix = Some(Fix { span, text });
        self
    }

    /// Moves the problem of a text to where that text stands.
    pub(crate) fn moved(mut self, to: impl Fn(Range<usize>) -> Span) -> Self {
        if let Some((span, _)) = &mut self.place {
            *span = to(span.bytes());
        }
        if let Some(details) = &mut self.details {
            details.fix = details.fix.take().and_then(|fix| {
                let span = to(fix.span.bytes());
                // A text with escapes has no places for its parts.
                let is_exact = span.bytes().len() == fix.span.bytes().len();
                is_exact.then_some(Fix { span, ..fix })
            });
        }
        self
    }

    /// Replaces the ways to fix the problem by one.
    pub(crate) fn help_instead(mut self, help: impl Into<String>) -> Self {
        self.help = vec![help.into()];
        self
    }

    /// Adds a way to fix the problem, if there is one.
    pub fn maybe_help(mut self, help: Option<impl Into<String>>) -> Self {
        self.help.extend(help.map(Into::into));
        self
    }

    /// Adds another place that explains the problem.
    pub fn context(mut self, span: Span, label: impl Into<String>) -> Self {
        self.context.push((span, label.into()));
        self
    }

    /// Removes characters that control a terminal, because the message may quote untrusted text.
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

    /// Returns the lines of a source that are shown with the message. The renderer goes through all text that it gets.
    fn lines(&self, source: usize, text: &str) -> Range<usize> {
        let all = self.place.iter().chain(&self.context);
        let here = all.filter(|place| place.0.source() == source);
        around(text, here.map(|place| visible(text, place.0)))
    }

    /// Returns whether two messages have the same place and title, and so are the same message.
    pub(crate) fn repeats(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

/// The errors and warnings of a scenario, with the texts that they refer to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics {
    /// The texts.
    pub sources: Sources,
    list: Vec<Diagnostic>,
    /// The number of errors beyond those kept.
    dropped: usize,
}

impl Diagnostics {
    /// Creates an empty list of messages about these texts.
    pub fn new(sources: Sources) -> Self {
        Self {
            sources,
            ..Self::default()
        }
    }

    /// Creates a list of a single message.
    pub fn one(diagnostic: Diagnostic) -> Self {
        Self::of(Sources::default(), [diagnostic])
    }

    /// Creates a list of the messages found in these sources.
    pub fn of(sources: Sources, found: impl IntoIterator<Item = Diagnostic>) -> Self {
        let mut diagnostics = Self::new(sources);
        diagnostics.extend(found);
        diagnostics
    }

    /// Adds a message. If it is already present, only places that explain it are added: several variants may cause it.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let diagnostic = diagnostic.cleaned();
        if self.list.len() >= MOST_KEPT {
            self.dropped += usize::from(diagnostic.is_error());
            return;
        }
        let mut known = self.list.iter_mut();
        let Some(other) = known.find(|other| other.repeats(&diagnostic)) else {
            self.list.push(diagnostic);
            return;
        };
        for place in diagnostic.context {
            if other.context.len() < MOST_CAUSES && !other.context.contains(&place) {
                other.context.push(place);
            }
        }
    }

    /// Adds messages.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }

    /// Returns whether there are no messages.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns whether there are errors, so that the scenario is refused.
    pub fn has_errors(&self) -> bool {
        self.errors() > 0
    }

    /// Returns the number of errors.
    pub fn errors(&self) -> usize {
        self.list
            .iter()
            .filter(|diagnostic| diagnostic.is_error())
            .count()
            + self.dropped
    }

    /// Returns the messages, in the order of the file.
    pub fn list(&self) -> Vec<&Diagnostic> {
        let mut list: Vec<&Diagnostic> = self.list.iter().collect();
        list.sort_by_key(|diagnostic| diagnostic.place.as_ref().map(|place| place.0));
        list
    }

    /// Returns the messages, to be explained.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.list.iter_mut()
    }

    /// Returns the messages themselves, in the same order.
    pub(crate) fn into_list(self) -> Vec<Diagnostic> {
        self.list().into_iter().cloned().collect()
    }

    /// Renders the messages in lines of `columns` columns: file, line and column, the text underlined, the expected
    /// value.
    pub fn render(&self, color: bool, columns: usize) -> String {
        let renderer = if color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let columns = columns.min(WHOLE);
        let renderer = renderer.term_width(columns);
        let list = self.list();
        let mut read = 0;
        // The list of all keys of a table is said once.
        let mut said = HashSet::new();
        let mut shown = Vec::new();
        for diagnostic in list.iter().take(MOST_SHOWN) {
            if read > MOST_READ {
                break;
            }
            let source = diagnostic
                .place
                .as_ref()
                .map_or(0, |place| place.0.source());
            let text = self.sources.get(source).map_or("", |source| &source.text);
            read += diagnostic.lines(source, text).len();
            let mut diagnostic = (*diagnostic).clone();
            if diagnostic.unknown().is_some() {
                diagnostic.help.retain(|help| said.insert(help.clone()));
            }
            shown.push(self.rendered(diagnostic, &renderer, columns));
        }
        let hidden = list.len() - shown.len() + self.dropped;
        if hidden > 0 {
            shown.push(format!("{hidden} more messages are not shown"));
        }
        shown.join("\n\n")
    }

    fn rendered(&self, mut set: Diagnostic, renderer: &Renderer, columns: usize) -> String {
        set.title = wrap(&set.title, columns - "warning: ".len(), 0)
            .join("\n")
            .into();
        // A label without room beside its text goes below it.
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
        let main = diagnostic
            .place
            .iter()
            .map(|place| (AnnotationKind::Primary, place));
        let others = diagnostic
            .context
            .iter()
            .map(|place| (AnnotationKind::Context, place));
        // Places in one text share a snippet; that of the main place comes first.
        let mut snippets: Vec<(usize, Snippet<'a, _>)> = Vec::new();
        for (kind, (span, label)) in main.chain(others) {
            let Some(source) = self.sources.get(span.source()) else {
                continue;
            };
            let lines = diagnostic.lines(span.source(), &source.text);
            let bytes = visible(&source.text, *span);
            let bytes = bytes.start - lines.start..bytes.end - lines.start;
            let annotation = kind.span(bytes).label(&label[..]);
            match snippets
                .iter_mut()
                .find(|snippet| snippet.0 == span.source())
            {
                Some((_, snippet)) => *snippet = snippet.clone().annotation(annotation),
                None => snippets.push((
                    span.source(),
                    Snippet::source(&source.text[lines.clone()])
                        .line_start(source.text[..lines.start].matches('\n').count() + 1)
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

/// Returns the column at which the underlined text ends.
fn end(text: &str, span: Span) -> usize {
    let range = visible(text, span);
    let line = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    width(&text[line..range.end])
}

/// Returns the lines that hold some places of a text, with one line before and one after them.
fn around(text: &str, places: impl Iterator<Item = Range<usize>>) -> Range<usize> {
    let (mut first, mut last) = (text.len(), 0);
    for place in places {
        (first, last) = (first.min(place.start), last.max(place.end));
    }
    let mut before = text[..first].rmatch_indices('\n').map(|(at, _)| at + 1);
    let mut after = text[last..]
        .match_indices('\n')
        .map(|(at, _)| last + at + 1);
    before.nth(1).unwrap_or(0)..after.nth(1).unwrap_or(text.len())
}

/// Returns the bytes to underline: whole characters only, and the first line of a text over several lines.
fn visible(text: &str, span: Span) -> Range<usize> {
    let mut start = span.bytes().start.min(text.len());
    let mut end = span.bytes().end.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    match text[start..end].find('\n') {
        // The first line is enough to recognize a list over many lines.
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
