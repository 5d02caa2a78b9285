//! Sweeps, thresholds and sensitivity, which change one number many times; and knockouts, which change everything once.

mod bad_input;
mod command;
mod knockout;
mod points;
mod sensitivity;
mod threshold;

use clap::Parser;
use skirmish::cli::{self, Cli, Command, Console, Exit, Failure, run, sweep};
use skirmish::task::{Files, Source};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tempfile::{TempDir, tempdir};

/// Two combatants that hit each other once a Round, as often and as hard as their numbers say.
pub(crate) const DUEL: &str = r#"
title = "A duel"
system = "tara-corax"

[weapons.sword]
kind = "melee"
check = { dice = "2d10", bonus = 6 }
damage = "1d6+2"

[weapons.spear]
kind = "melee"
check = { dice = "2d10", bonus = 6 }
damage = "1d6+2"

[[combatants]]
name = "knight"
side = "castle"
position = 0
attributes = { agility = 10, intellect = 10 }
move = 10
evade = 16
armor = 1
health = 20
weapons = ["sword"]
policy = "fight"

[[combatants]]
name = "raider"
side = "coast"
position = 0
attributes = { agility = 10, intellect = 10 }
move = 10
evade = 16
armor = 1
health = 20
weapons = ["spear"]
policy = "fight"

[policies]
fight = ["attack", "set if not ready"]

[[variants]]
name = "armoured"
set = { "combatants.knight.armor" = 3 }
"#;

/// A duel that one side always wins with its first blow.
pub(crate) const SURE: &str = r#"
    system = "tara-corax"
    weapons.club = { kind = "melee", check = { dice = "2d10", bonus = 30 }, damage = 100 }
    combatants = [
        { name = "ogre", side = "a", position = 0, initiative = 20, move = 10, evade = 10, health = 10, weapons = ["club"], policy = ["attack"] },
        { name = "rat", side = "b", position = 0, initiative = 1, move = 10, evade = 10, health = 10, weapons = ["club"], policy = ["pass"] },
    ]
"#;

/// A duel of one Round, which alice wins if she hits at once: with 10 - evade of 10 faces. If she does not, Bob attacks
/// at Mark 12.
pub(crate) const ONE_ROUND: &str = r#"
title = "One Round"
system = "tara-corax"
[rules]
round = "simple"
initiative.mode = "fixed"
[encounter]
max_rounds = 1
[weapons.a]
kind = "melee"
check = { dice = "1d10", bonus = 0 }
damage = 1
[[combatants]]
name = "alice"
side = "left"
position = 0
initiative = 20
move = 0
evade = 8
health = 2
weapons = ["a"]
policy = ["attack"]
[[combatants]]
name = "bob"
side = "right"
position = 0
initiative = 18
move = 0
evade = 9
health = 1
weapons = ["a"]
policy = ["attack"]
"#;

/// The result and the output of a command.
pub(crate) struct Outcome {
    pub(crate) result: Result<Exit, Failure>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Outcome {
    /// Returns the output of a command that succeeded.
    pub(crate) fn printed(&self) -> &str {
        let exit = self.result.as_ref().expect("a result");
        assert_eq!(*exit, Exit::Done, "{}", self.err);
        &self.out
    }

    /// Returns the error of a command that refused its input.
    pub(crate) fn refused(&self) -> String {
        assert_eq!(self.out, "");
        match &self.result {
            Ok(exit) => {
                assert_eq!(*exit, Exit::BadInput, "{}", self.err);
                self.err.clone()
            }
            Err(failure) => {
                assert_eq!(failure.exit, Exit::BadInput);
                format!("error: {:#}\n", failure.error)
            }
        }
    }
}

/// A folder with scenarios, in which commands are run.
pub(crate) struct Room {
    folder: TempDir,
    pub(crate) stop: AtomicBool,
}

impl Room {
    /// Creates a room with the duel in `duel.toml`.
    pub(crate) fn new() -> Self {
        Self::with(DUEL)
    }

    /// Creates a room with `text` in `duel.toml`.
    pub(crate) fn with(text: &str) -> Self {
        let folder = tempdir().expect("a folder");
        fs::write(folder.path().join("duel.toml"), text).expect("a file");
        Self {
            folder,
            stop: AtomicBool::new(false),
        }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("duel.toml")
    }

    pub(crate) fn results(&self) -> PathBuf {
        self.folder.path().join("results")
    }

    pub(crate) fn written(&self, file: &str) -> String {
        fs::read_to_string(self.results().join("duel").join(file)).expect("a file of results")
    }

    /// Runs `skirmish COMMAND duel.toml -q -o results ARGUMENTS`.
    pub(crate) fn skirmish(&self, command: &str, arguments: &[&str]) -> Outcome {
        self.skirmish_with(&Files, command, arguments)
    }

    pub(crate) fn skirmish_with(
        &self,
        source: &impl Source,
        command: &str,
        arguments: &[&str],
    ) -> Outcome {
        let (file, results) = (self.file(), self.results());
        let path = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
        let mut words = vec!["skirmish".to_owned(), command.to_owned(), path(&file)];
        words.extend(["-q", "-o"].map(str::to_owned));
        words.push(path(&results));
        words.extend(arguments.iter().map(|&word| word.to_owned()));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut console = Console::new(&mut out, &mut err);
        let command = Cli::try_parse_from(words).expect("arguments").command;
        let result = match command {
            Command::Sweep(args) => sweep::run(&args, source, &self.stop, &mut console),
            Command::Sensitivity(args) => {
                cli::sensitivity::run(&args, source, &self.stop, &mut console)
            }
            Command::Tune(args) => cli::tune::run(&args, source, &self.stop, &mut console),
            Command::Knockout(args) => cli::knockout::run(&args, source, &self.stop, &mut console),
            Command::Matchup(args) => cli::matchup::run(&args, source, &self.stop, &mut console),
            Command::Run(args) => run::run(&args, source, &self.stop, &mut console),
            _ => panic!("no command of this room"),
        };
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Outcome {
            result,
            out: text(out),
            // Test folders have a different name every time.
            err: text(err).replace(&path(&file), "duel.toml"),
        }
    }
}

/// Returns the rows of a CSV file, each as a list of column names and cells.
pub(crate) fn rows(text: &str) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().expect("column names").clone();
    reader
        .records()
        .map(|record| {
            let record = record.expect("a row");
            let cells = head.iter().zip(&record);
            cells
                .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
                .collect()
        })
        .collect()
}

/// Returns the cell in a column.
pub(crate) fn cell<'a>(row: &'a [(String, String)], column: &str) -> &'a str {
    let found = row.iter().find(|(name, _)| name == column);
    &found.expect("a column of that name").1
}
