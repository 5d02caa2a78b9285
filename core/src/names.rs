//! Names: enums whose values have names, the nearest known name to a misspelt one, and names that are safe as file
//! names.

use std::path::Path;

/// A type whose values have names, which are the same on the command line, in files and in columns.
pub trait Named: Copy + PartialEq + 'static {
    /// All values with their names, in the order of their declaration.
    const ALL: &'static [(&'static str, Self)];

    /// Returns the name of this value.
    fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(_, value)| *value == self);
        named.map_or("", |(name, _)| name)
    }

    /// Returns the value with this name.
    fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value)
    }
}

/// Declares an enum whose values are [`Named`], one row each: the variant and its name. Words that describe a variant
/// take the place of its name if the head of the enum ends in `, fn describe`.
#[macro_export]
macro_rules! named {
    ($(#[$about:meta])* $vis:vis enum $Type:ident { $($rows:tt)+ }) => {
        $crate::names::named! { $(#[$about])* $vis enum $Type, fn name { $($rows)+ } }
    };
    (
        $(#[$about:meta])*
        $vis:vis enum $Type:ident, fn $method:ident {
            $($(#[$meaning:meta])* $Variant:ident $name:expr;)+
        }
    ) => {
        $(#[$about])*
        $vis enum $Type {
            $($(#[$meaning])* $Variant,)+
        }

        impl $Type {
            /// All values with their names, in the order of their declaration.
            pub const ALL: &[(&'static str, Self)] = &[$(($name, Self::$Variant),)+];

            /// The names of all values.
            pub const NAMES: &[&'static str] = &[$($name),+];

            /// Returns the name of this value, or the words that describe it.
            pub const fn $method(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)+
                }
            }
        }

        impl $crate::names::Named for $Type {
            const ALL: &'static [(&'static str, Self)] = Self::ALL;
        }
    };
}

pub use named;

/// Returns the candidate most like `wrong`, if one is similar enough to be meant.
///
/// The distance counts letters inserted, omitted, changed or swapped with a neighbour. A third of the word may be
/// wrong, but a word of one or two letters is never taken for another.
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Names are at most 64 characters long; much longer words are no misspelt names.
    let folded = wrong.to_lowercase();
    let length = folded.chars().count();
    if length > 80 {
        return None;
    }
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let other = candidate.to_lowercase();
            let distance = strsim::osa_distance(&folded, &other);
            let longer = length.max(other.chars().count());
            (distance <= longer / 3).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the name in a folder that is most like `wrong`.
pub fn nearest_file(folder: &Path, wrong: &str) -> Option<String> {
    let entries = std::fs::read_dir(folder).ok()?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    nearest(wrong, names.iter().map(String::as_str)).map(str::to_owned)
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    above.unwrap_or(Path::new("."))
}

/// Whether two words are equal except for `-` and `_`.
pub fn alike(one: &str, other: &str) -> bool {
    let folded = |byte: u8| if byte == b'-' { b'_' } else { byte };
    one.bytes().map(folded).eq(other.bytes().map(folded))
}

/// Words of the program, each with words of other games for the same, between blanks.
pub type Synonyms = [(&'static str, &'static str)];

/// Returns the first `known` word for a `word` of other games, or the path that ends in the word itself. Case and the
/// choice of `_`, `-` or a space do not matter.
pub fn synonym(
    word: &str,
    tables: &[&Synonyms],
    known: impl Fn(&'static str) -> bool,
) -> Option<&'static str> {
    let word = word.to_lowercase().replace(['-', ' '], "_");
    let all = tables.iter().flat_map(|table| table.iter());
    let mut meant = all.filter(|(own, others)| {
        let last = own.rsplit_once('.').map(|(_, last)| last);
        others.split(' ').any(|other| other == word) || last == Some(word.as_str())
    });
    meant.find(|(own, _)| known(own)).map(|(own, _)| *own)
}

/// Returns "did you mean ...?" with the candidate most like `wrong`, between quotes.
pub fn suggest<'a>(
    wrong: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    quote: char,
) -> Option<String> {
    let nearest = nearest(wrong, candidates)?;
    Some(format!("did you mean {quote}{nearest}{quote}?"))
}

/// Returns what is expected in the place of `wrong`: the candidate most like it, or any of them.
pub fn expected<'a, I: IntoIterator<Item = &'a str>>(
    wrong: &str,
    candidates: impl Fn() -> I,
    quote: char,
) -> String {
    suggest(wrong, candidates(), quote)
        .unwrap_or_else(|| format!("expected {}", list(candidates(), "or")))
}

/// Returns a list for a message, `a`, `b` or `c`, of names of which a file may have many. A long list is cut, and says
/// so.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>, joint: &str) -> String {
    const MOST: usize = 16;
    let names: Vec<&str> = names.into_iter().collect();
    if names.len() <= MOST {
        return all(names, joint);
    }
    let shown = names[..MOST].iter().map(|name| format!("`{name}`"));
    let shown: Vec<String> = shown.collect();
    format!("{} and {} more", shown.join(", "), names.len() - MOST)
}

/// Returns a list like [`list`], of names that the program itself knows: all of them, however many there are.
pub fn all<'a>(names: impl IntoIterator<Item = &'a str>, joint: &str) -> String {
    let shown = names.into_iter().map(|name| format!("`{name}`"));
    let shown: Vec<String> = shown.collect();
    match shown.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {joint} {last}", others.join(", ")),
    }
}

/// Returns the message about an unknown name: the name that was probably meant, or all known names.
pub fn unknown<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    if name.contains(',') && name.split(',').all(|one| known.contains(&one.trim())) {
        return format!("no {what} is called `{name}`: these are several, give each by itself");
    }
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("no {what} is called `{name}`: did you mean `{near}`?"),
        None => format!(
            "no {what} is called `{name}`; there is {}",
            list(known, "and")
        ),
    }
}

/// Returns a safe name for files and folders: it stays within its folder, is visible, and is allowed on every system.
///
/// Letters, digits and most signs stay as they are. Blanks, control characters and `/ \ : * ? " < > |` become `-`. Dots
/// and blanks at either end are removed first: a name of dots alone means a folder, a name that begins with a dot is hidden, and
/// a name that ends with a dot or a blank is not allowed everywhere. Names of devices (`con`, `nul`, `com1` and the
/// like) get a `_`. If nothing is left, the name is `scenario`.
pub fn safe(name: &str) -> String {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let plain = |letter: char| {
        if letter.is_control() || letter.is_whitespace() || "/\\:*?\"<>|".contains(letter) {
            '-'
        } else {
            letter
        }
    };
    let outer = |letter: char| letter == '.' || letter.is_whitespace();
    let name: String = name.trim_matches(outer).chars().map(plain).collect();
    if name.is_empty() {
        return "scenario".to_owned();
    }
    let device = name.split('.').next().unwrap_or(&name).to_lowercase();
    let port = |kind| {
        let number = device.strip_prefix(kind).map(str::as_bytes);
        matches!(number, Some([b'0'..=b'9']))
    };
    if DEVICES.contains(&device.as_str()) || port("com") || port("lpt") {
        return format!("{name}_");
    }
    name
}

/// The name of standard input in messages.
pub const STDIN: &str = "<stdin>";

/// Whether a path of a command line stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns the name of a file in messages.
pub fn of_file(path: &Path) -> String {
    if is_stdin(path) {
        STDIN.to_owned()
    } else {
        path.display().to_string()
    }
}

/// Returns the name of the results of a scenario file: the name of the file without folder and extension, made
/// [`safe`]. `None` if the file has no name, or one that is not Unicode. The results of standard input are called
/// `stdin`.
pub fn stem(file: &Path) -> Option<String> {
    if is_stdin(file) || file == Path::new(STDIN) {
        return Some("stdin".to_owned());
    }
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    stem.filter(|stem| !stem.is_empty()).map(safe)
}

#[cfg(test)]
mod tests {
    use super::{list, nearest, safe, unknown};

    #[test]
    fn who_is_unknown_is_told_of_the_nearest_or_of_all() {
        assert_eq!(
            unknown("side", "hunter", ["hunters", "monsters"]),
            "no side is called `hunter`: did you mean `hunters`?"
        );
        assert_eq!(
            unknown("side", "elves", ["hunters", "monsters"]),
            "no side is called `elves`; there is `hunters` and `monsters`"
        );
    }

    #[test]
    fn slips_of_the_pen_are_found_and_strangers_are_not() {
        let names = ["distance", "marks", "mark", "hp", "max_hp"];
        assert_eq!(nearest("distnace", names), Some("distance"));
        assert_eq!(nearest("Marks", names), Some("marks"));
        assert_eq!(nearest("makr", names), Some("mark"));
        assert_eq!(nearest("hitpoints", names), None);
        assert_eq!(nearest("x", names), None);
        assert_eq!(nearest("", names), None);
    }

    #[test]
    fn lists_read_like_a_sentence() {
        assert_eq!(list([], "and"), "nothing");
        assert_eq!(list(["a"], "and"), "`a`");
        assert_eq!(list(["a", "b", "c"], "or"), "`a`, `b` or `c`");
        let many = ["n"; 18];
        assert!(list(many, "or").ends_with("and 2 more"));
    }

    #[test]
    fn a_safe_name_is_a_name_everywhere() {
        for (name, safe_name) in [
            ("kiting", "kiting"),
            ("it's 100% $HOME, à la carte", "it's-100%-$HOME,-à-la-carte"),
            ("v1.2", "v1.2"),
            ("..", "scenario"),
            (".", "scenario"),
            (" . ", "scenario"),
            (".hidden", "hidden"),
            ("ends. ", "ends"),
            ("../up", "-up"),
            ("a/b\\c:d", "a-b-c-d"),
            ("bell\u{7}\u{1b}[2J", "bell--[2J"),
            ("CON", "CON_"),
            ("com1.old", "com1.old_"),
            ("console", "console"),
        ] {
            assert_eq!(safe(name), safe_name, "{name:?}");
        }
    }
}
