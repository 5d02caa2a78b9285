//! TOML files as trees in which every value knows its place: reading, `--set`, sweeps. Apart from a few keys such as
//! `rules` and `combatants`, nothing here knows the format of scenarios.

pub mod diagnostics;
pub mod format;
pub mod node;
pub(crate) mod overrides;
pub(crate) mod path;
pub(crate) mod reader;
pub mod source;

use std::fmt::Write as _;
use std::io::Read as _;
use std::ops::Range;
use std::path::Path as FilePath;
use std::sync::{Arc, OnceLock};

use toml::de::DeTable;

use self::diagnostics::{Diagnostic, Diagnostics};
use self::node::{Node, Reading, Table, Value};
use self::overrides::{
    FROM_OUTSIDE, Override, apply, read_argument, replacing, resolve, respell, too_deep,
};
use self::source::{Sources, Span};
use crate::names;

/// The largest file that is read: thousands of times the size of a fight.
pub const LARGEST: usize = 16 << 20;

/// The byte order mark that some editors put in front of a text (U+FEFF).
pub const MARK: &str = "\u{feff}";

/// The name of such a file in messages.
const SCENARIO: &str = "scenario";

/// A scenario file as a tree, with all overrides applied, before it is checked and compiled.
#[derive(Debug, Clone)]
pub struct Document {
    pub(crate) sources: Sources,
    pub(crate) root: Arc<Node>,
    pub(crate) stem: String,
    pub(crate) hash: u64,
    /// The overrides, as paths and TOML.
    pub(crate) settings: Vec<(String, String)>,
    /// The tree without the overrides.
    pub(crate) unset: Arc<Node>,
    /// The places of the overrides.
    pub(crate) set_at: Vec<Span>,
}

impl Document {
    /// Returns the value of a ruling in `[rules]`, by its dotted key; `None` if the file does not set it.
    pub fn ruling(&self, key: &str) -> Option<String> {
        let mut node = &*self.root;
        for part in std::iter::once("rules").chain(key.split('.')) {
            node = &node.get(part)?.node;
        }
        let parameter = node.text().and_then(|text| text.strip_prefix('$'));
        let parameter = parameter.and_then(|name| overrides::parameter(&self.root, name));
        Some(
            parameter
                .map_or(node, |parameter| &**parameter)
                .value
                .plain(),
        )
    }

    /// Returns the text of the file, without the byte order mark.
    pub fn text(&self) -> &str {
        self.sources.get(0).map_or("", |source| &source.text)
    }

    /// Reads a file that another file names, and adds its text to the sources of that file.
    pub(crate) fn beside(path: &FilePath, sources: &mut Sources) -> Result<Self, Vec<Diagnostic>> {
        let name = names::of_file(path);
        if (path.metadata()).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            let title = format!("the {SCENARIO} `{name}` is a pipe, a socket or a device");
            return Err(vec![Diagnostic::general(title).help("name a regular file")]);
        }
        let text = read_text(SCENARIO, path, sources).map_err(|problem| vec![problem])?;
        Self::new(&name, &text, sources)
    }

    /// Parses the text of a file called `name`, and adds it to `sources`.
    fn new(name: &str, text: &str, sources: &mut Sources) -> Result<Self, Vec<Diagnostic>> {
        let mut root = Arc::new(read_tree(SCENARIO, name, text, sources)?);
        respell(&mut root);
        Ok(Self {
            sources: sources.clone(),
            unset: Arc::clone(&root),
            root,
            stem: stem(name),
            hash: fingerprint(text),
            settings: Vec::new(),
            set_at: Vec::new(),
        })
    }

    /// Returns the document and the errors of the arguments only, to which the caller may add others.
    pub(crate) fn open(
        path: &FilePath,
        sets: &[String],
    ) -> Result<(Self, Vec<Diagnostic>), Diagnostics> {
        let mut sources = Sources::default();
        match read_text(SCENARIO, path, &mut sources) {
            Ok(text) => Self::read(&names::of_file(path), &text, sets),
            Err(problem) => Err(Diagnostics::of(sources, [problem])),
        }
    }

    /// Reads the text of a file called `name` and applies `--set` arguments to it.
    ///
    /// # Errors
    /// If the text is not valid TOML, or if an argument does not fit it.
    pub fn parse(name: &str, text: &str, sets: &[String]) -> Result<Self, Diagnostics> {
        let (document, problems) = Self::read(name, text, sets)?;
        document.ok_unless(problems)
    }

    /// Returns the document and the errors of the arguments only, to which the caller may add others.
    pub(crate) fn read(
        name: &str,
        text: &str,
        sets: &[String],
    ) -> Result<(Self, Vec<Diagnostic>), Diagnostics> {
        let mut sources = Sources::default();
        let mut document = match Self::new(name, text, &mut sources) {
            Ok(document) => document,
            Err(problems) => return Err(Diagnostics::of(sources, problems)),
        };
        let mut problems = Vec::new();
        for argument in sets {
            let source = document.sources.add("--set", argument);
            match read_argument(argument, source) {
                Ok(change) => {
                    let change = replacing(change, &document.sources);
                    problems.extend(change.and_then(|change| document.change(change)).err());
                }
                Err(errors) => problems.extend(errors),
            }
        }
        Ok((document, problems))
    }

    /// Returns the same document with values set by dotted path, as `--set` does, for a sweep. It shares everything
    /// that does not change, so a sweep can do this thousands of times.
    ///
    /// # Errors
    /// If a path does not exist. Whether a value is allowed is checked when the document is compiled.
    ///
    /// # Example
    /// ```
    /// use skirmish_core::scenario::Document;
    ///
    /// let document = Document::parse("fight.toml", "system = 'tara-corax'", &[]).unwrap();
    /// let slow = document.with(&[("rules.round", "simple".into())]).unwrap();
    /// assert!(document.with(&[("system.round", 3.into())]).is_err());
    /// ```
    pub fn with(&self, settings: &[(&str, Value)]) -> Result<Self, Diagnostics> {
        let mut document = self.clone();
        let mut problems = Vec::new();
        for (key, value) in settings {
            let written = format!("{key} = {value}");
            let from = written.len();
            let source = document.sources.add("setting", written);
            let place = |bytes| Span::new(source, bytes);
            match path::read(key, place) {
                Ok((path, read)) if read == key.len() => {
                    let node = Node::new(place(key.len() + 3..from), value.clone());
                    let value = Arc::new(node);
                    problems.extend(document.change(Override { path, value }).err());
                }
                Ok((_, read)) => problems.push(Diagnostic::error(
                    place(read..key.len()),
                    "a path is broken off",
                    "expected the end of the path",
                )),
                Err(error) => problems.push(error),
            }
        }
        document.ok_unless(problems)
    }

    /// Returns the texts that places in messages refer to.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    fn change(&mut self, mut change: Override) -> Result<(), Diagnostic> {
        change.path = resolve(&self.root, change.path)?;
        apply(&mut self.root, &change, FROM_OUTSIDE)?;
        self.settings.push(change.written());
        self.set_at.push(change.path.span);
        Ok(())
    }

    fn ok_unless(self, problems: Vec<Diagnostic>) -> Result<Self, Diagnostics> {
        if problems.is_empty() {
            return Ok(self);
        }
        Err(Diagnostics::of(self.sources, problems))
    }
}

/// Parses the text of a file called `name` and adds it to the sources. Messages call the file a `kind`.
pub(crate) fn read_tree(
    kind: &str,
    name: &str,
    text: &str,
    sources: &mut Sources,
) -> Result<Node, Vec<Diagnostic>> {
    if text.len() > LARGEST {
        return Err(vec![too_large(kind, name)]);
    }
    // The byte order mark is not part of the first line.
    let text = text.strip_prefix(MARK).unwrap_or(text);
    if text.trim().is_empty() {
        return Err(vec![
            Diagnostic::general(format!("the {kind} `{name}` is empty"))
                .help("docs/FORMAT.md describes what belongs in it"),
        ]);
    }
    let source = sources.add(name, text);
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(syntax_errors(kind, text, source, &errors));
    }
    let reading = Reading {
        source,
        text,
        offset: 0,
    };
    let root = reading.table(table.get_ref(), 0);
    let root = root.map_err(|span| vec![too_deep(span)])?;
    Ok(Node::new(Span::new(source, 0..0), root))
}

/// Reads the text of a file that messages call a `kind`. If the file is not valid UTF-8, its text is added to the
/// sources.
pub(crate) fn read_text(
    kind: &str,
    path: &FilePath,
    sources: &mut Sources,
) -> Result<String, Diagnostic> {
    let name = names::of_file(path);
    let bytes = if names::is_stdin(path) {
        standard_input()
            .clone()
            .map_err(|error| unreadable(kind, &name, &error))?
    } else {
        read(kind, path, &name)?
    };
    if bytes.len() > LARGEST {
        return Err(too_large(kind, &name));
    }
    String::from_utf8(bytes).map_err(|error| {
        let start = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let source = sources.add(name, text);
        let end = start + char::REPLACEMENT_CHARACTER.len_utf8();
        Diagnostic::error(
            Span::new(source, start..end),
            format!("the {kind} is not UTF-8 text"),
            "this byte belongs to no character",
        )
        .help("save the file as UTF-8, without other encodings such as UTF-16 or Latin-1")
    })
}

/// Returns the bytes of standard input. It can be read only once, so the bytes are kept for later calls.
fn standard_input() -> &'static Result<Vec<u8>, String> {
    static BYTES: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();
    BYTES.get_or_init(|| limited(std::io::stdin().lock()).map_err(|error| error.to_string()))
}

/// Reads all bytes, or one too many. A device may never end.
fn limited(input: impl std::io::Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(LARGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unreadable(kind: &str, name: &str, error: &impl std::fmt::Display) -> Diagnostic {
    Diagnostic::general(format!("the {kind} `{name}` cannot be read: {error}"))
}

fn too_large(kind: &str, name: &str) -> Diagnostic {
    Diagnostic::general(format!("the {kind} `{name}` is too large"))
        .help(format!("at most {} MiB are read", LARGEST >> 20))
}

/// Returns the file's bytes, or an error that says what to do.
fn read(kind: &str, path: &FilePath, name: &str) -> Result<Vec<u8>, Diagnostic> {
    if path.is_dir() {
        return Err(
            Diagnostic::general(format!("the {kind} `{name}` is a folder"))
                .help(format!("name a {kind} file in it")),
        );
    }
    std::fs::File::open(path)
        .and_then(limited)
        .map_err(|error| {
            let help = if error.kind() == std::io::ErrorKind::NotFound {
                match (path.read_link(), neighbour(path)) {
                    (Ok(target), _) => {
                        let target = target.display();
                        format!("it is a link to `{target}`, which does not exist")
                    }
                    (Err(_), Some(nearest)) => format!("did you mean `{nearest}`?"),
                    (Err(_), None) => format!("check the path; {kind}s are files ending in .toml"),
                }
            } else {
                "check that it is a file that you may read".to_owned()
            };
            unreadable(kind, name, &error).help(help)
        })
}

/// Returns the file beside a missing file whose name is most similar.
fn neighbour(path: &FilePath) -> Option<String> {
    let nearest = names::nearest_file(names::folder_of(path), path.file_name()?.to_str()?)?;
    Some(path.with_file_name(nearest).display().to_string())
}

/// Returns the name from which the names of results are made: see [`names::stem`].
fn stem(name: &str) -> String {
    names::stem(FilePath::new(name)).unwrap_or_else(|| "scenario".to_owned())
}

/// Returns the FNV-1a hash over 64 bits. It is the same everywhere and for ever, as a fingerprint in a manifest must
/// be; it does not protect against forgery. Carriage returns are ignored, because version control may add and remove
/// them.
fn fingerprint(text: &str) -> u64 {
    let bytes = text.bytes().filter(|byte| *byte != b'\r');
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Returns the TOML parser's errors, the first of each line: after an error, the parser guesses.
fn syntax_errors(
    kind: &str,
    text: &str,
    source: usize,
    errors: &[toml::de::Error],
) -> Vec<Diagnostic> {
    const MOST: usize = 10;
    let mut found: Vec<(Range<usize>, &str)> = errors
        .iter()
        .map(|error| (error.span().unwrap_or(0..0), error.message()))
        .collect();
    found.sort_by_key(|(bytes, _)| bytes.start);
    found.truncate(20 * MOST);
    // A key inside a list probably means that the list should end before it.
    let position = |part: &str| found.iter().position(|(_, message)| message.contains(part));
    let in_list = position("in array").is_some();
    // An open bracket swallows everything after it, so that only the first error is meaningful.
    if let Some(unclosed) = position("unclosed") {
        found = vec![found[0].clone(), found[unclosed].clone()];
    }
    // The keys of a second table of the same name are all duplicates.
    let is_table = |at: usize| {
        let line = text.get(..at).unwrap_or(text).rsplit('\n').next();
        line.is_some_and(|line| line.trim_start().starts_with('['))
    };
    let is_duplicate = |message: &str| message.contains("duplicate key");
    let is_twice =
        |(bytes, message): &&(Range<usize>, &str)| is_duplicate(message) && is_table(bytes.start);
    let twice = found.iter().find(is_twice).map(|(bytes, _)| bytes.start);
    if let Some(twice) = twice {
        found.retain(|(bytes, message)| bytes.start <= twice || !is_duplicate(message));
    }
    for (_, message) in &mut found {
        if message.contains("recursion") {
            *message = "nested too deeply";
        }
    }
    let line = |at: usize| text.get(..at).unwrap_or(text).matches('\n').count();
    found.dedup_by_key(|(bytes, _)| line(bytes.start));
    found
        .into_iter()
        .take(MOST)
        .map(|(bytes, message)| {
            let error = Diagnostic::error(
                Span::new(source, bytes.clone()),
                format!("the {kind} is not valid TOML"),
                message,
            );
            let error = if message.contains("must be quoted") {
                error.help("text is written in quotes: \"like this\"")
            } else if message.contains("invalid boolean") {
                error.help("numbers are written in digits, text in quotes: \"like this\"")
            } else {
                error.maybe_help(with_a_blank(text, bytes.start))
            };
            let error = error.maybe_help(in_list.then_some("is a `]` missing before this?"));
            error.maybe_help((twice == Some(bytes.start)).then_some(
                "each of several tables is written in double brackets, as in `[[combatants]]`",
            ))
        })
        .collect()
}

/// Returns the way out if a name without quotes has a blank, in the header or the key of the line at `at`.
fn with_a_blank(text: &str, at: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(at)?;
    let begin = before.rsplit('\n').next()?;
    let line = format!("{begin}{}", after.split('\n').next()?);
    let name = match line.trim_start().strip_prefix('[') {
        Some(header) => {
            let path = header.trim_start_matches('[').split(']').next()?;
            path.rsplit('.').next()?
        }
        None => line.split('=').next()?,
    };
    let name = name.trim();
    let plain = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_name = words.len() > 1 && words.iter().all(|word| word.chars().all(plain));
    is_name.then(|| format!("a name with a blank is written in quotes: \"{name}\""))
}

impl From<Table> for Value {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(Some(number))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Boolean(truth)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned(), None)
    }
}

/// Writes the value as TOML.
impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text, _) => write_text(f, text),
            Self::Integer(Some(number)) => write!(f, "{number}"),
            Self::Integer(None) => f.write_str("a number beyond 64 bits"),
            Self::Float(number) if number.is_nan() => f.write_str("nan"),
            // The debug form keeps the point that makes the number a float.
            Self::Float(number) => write!(f, "{number:?}"),
            Self::Boolean(truth) => write!(f, "{truth}"),
            Self::Datetime => f.write_str("a date"),
            Self::List(list) => {
                f.write_str("[")?;
                for (index, node) in list.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(f, "{comma}{}", node.value)?;
                }
                f.write_str("]")
            }
            Self::Table(table) => {
                f.write_str("{")?;
                for (index, entry) in table.entries.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { " " })?;
                    let bare = !entry.key.is_empty()
                        && entry
                            .key
                            .bytes()
                            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
                    if bare {
                        f.write_str(&entry.key)?;
                    } else {
                        write_text(f, &entry.key)?;
                    }
                    write!(f, " = {}", entry.node.value)?;
                }
                f.write_str(" }")
            }
        }
    }
}

fn write_text(f: &mut std::fmt::Formatter<'_>, text: &str) -> std::fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            c if c.is_control() => write!(f, "\\u{:04X}", c as u32)?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}
