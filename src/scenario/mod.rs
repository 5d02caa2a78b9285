//! Scenarios: from a TOML file to a fight, or to a list of everything that is wrong with it.
//!
//! [`Document`] is the file as a tree in which every value knows its place ([`node`](crate::document::node)); overrides
//! put values into it by dotted path. The tree is then read key by key, and everything wrong is
//! collected, so that a designer sees all mistakes at once ([`diagnostics`](crate::document::diagnostics)). The result is a
//! [`Scenario`]: for each variant a compiled [`Fight`] and the [`Rules`] it is played by.

mod build;
pub mod builds;
pub mod changes;
mod combatants;
pub mod dice;
pub mod expect;
mod frame;
mod knockouts;
pub mod lines;
pub mod mirror;
mod muster;
mod numbers;
mod occasions;
pub mod offers;
mod parameters;
mod policies;
mod remarks;
pub mod space;
pub mod sweep;
mod variants;

use std::path::Path;

pub use crate::document::Document;
pub use crate::document::diagnostics::{Diagnostic, Diagnostics, Severity};
pub use crate::document::node::Value;
pub use builds::{Build, Pairings};
pub use changes::{Change, ChangeKind, Changes};
pub use dice::DiceScript;
pub use expect::Expectation;
pub use lines::{Edit, PolicyList};
pub use offers::Offers;
pub use remarks::Remark;
pub use space::Space;
pub use sweep::Sweep;

use crate::fight::Fight;
use crate::names;
use crate::systems::Rules;
use build::{Built, build};
use builds::Builds;
pub(crate) use variants::BASE;
use variants::nothing;

/// A scenario, ready to be played.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// What tables are headed with: `title`, or the file's name.
    pub title: String,
    /// The question it asks.
    pub question: Option<String>,
    /// Remarks that are not made on its results.
    pub silence: Vec<Remark>,
    /// The file's name without folder and extension: what results are called after.
    pub stem: String,
    /// Fingerprint of the file's bytes, without overrides, and of those of the files that its builds come from:
    /// 64-bit FNV-1a.
    pub hash: u64,
    /// The overrides, as paths and TOML values.
    pub settings: Vec<(String, String)>,
    /// The variants, `base` first.
    pub variants: Vec<Variant>,
    /// The expectations, in file order.
    pub expectations: Vec<Expectation>,
}

/// One fight of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// Its name; `base` for the file as it stands.
    pub name: String,
    /// Who fights, with what.
    pub fight: Fight,
    /// By which rulings.
    pub rules: Rules,
    /// Its changes to the base, as paths and TOML values.
    pub changes: Vec<(String, String)>,
}

impl Variant {
    /// Whether both are the same fight by the same rules, whatever they are called.
    pub(crate) fn plays_like(&self, other: &Self) -> bool {
        self.fight == other.fight && self.rules == other.rules
    }
}

/// A scenario and what should be said about it.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The scenario.
    pub scenario: Scenario,
    /// Warnings; empty if there is nothing to say.
    pub warnings: Diagnostics,
    /// The tree that it was made of, for sweeps.
    pub document: Document,
}

impl Scenario {
    /// Loads a scenario file; each of `sets` is a `KEY=VALUE` that changes its base.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn load(path: &Path, sets: &[String]) -> Result<Loaded, Diagnostics> {
        let (document, problems) = Document::open(path, sets)?;
        document.understand_with(problems)
    }

    /// Reads the text of a scenario file called `name`, as [`load`](Self::load) does.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn parse(name: &str, text: &str, sets: &[String]) -> Result<Loaded, Diagnostics> {
        let (document, problems) = Document::read(name, text, sets)?;
        document.understand_with(problems)
    }

    /// The fingerprint as 16 hexadecimal digits.
    #[must_use]
    pub fn hash_hex(&self) -> String {
        format!("{:016x}", self.hash)
    }

    /// The variant of that name.
    #[must_use]
    pub fn variant(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.name == name)
    }
}

impl Document {
    /// Reads the tree: the base and every variant.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn understand(self) -> Result<Loaded, Diagnostics> {
        self.understand_with(Vec::new())
    }

    /// The same, with problems that the overrides have had already.
    fn understand_with(self, mut problems: Vec<Diagnostic>) -> Result<Loaded, Diagnostics> {
        let mut diagnostics = Diagnostics::new(self.sources.clone());
        let (heading, base) = build(&self.root);
        let trees = variants::variants(&self.root, &self.sources, &mut problems);
        diagnostics.extend(problems);
        let Built {
            fight: base_fight,
            problems,
            mut unused,
        } = base;
        diagnostics.extend(problems);
        let mut all = Vec::with_capacity(1 + trees.len());
        let names: Vec<String> = trees.iter().map(|tree| tree.name.clone()).collect();
        if let Some((fight, rules)) = &base_fight {
            all.push(Variant {
                name: BASE.to_owned(),
                fight: fight.clone(),
                rules: rules.clone(),
                changes: Vec::new(),
            });
        }
        for tree in trees {
            let (_, built) = build(&tree.root);
            let problems = built.problems.into_iter();
            diagnostics.extend(problems.map(|problem| tree.explain(problem)));
            if built.fight.is_some() {
                retain(&mut unused, &built.unused);
            }
            if !tree.broken && built.fight.is_some() && built.fight == base_fight {
                let label = "every value it sets is what the base has already";
                let mut problem = nothing(tree.span, label);
                // The file has no error if only an override has made them equal.
                if !self.settings.is_empty() {
                    problem.severity = Severity::Warning;
                }
                diagnostics.push(problem);
            }
            if let Some((fight, rules)) = built.fight {
                all.push(Variant {
                    name: tree.name,
                    fight,
                    rules,
                    changes: tree.changes,
                });
            }
        }
        let hash = self.understand_builds(&mut diagnostics, &mut unused);
        let fight_of = |name: &str| {
            let built: Option<&Variant> = all.iter().find(|variant| variant.name == name);
            built.map(|variant| &variant.fight)
        };
        let known: Vec<expect::Known<'_>> = std::iter::once(BASE)
            .chain(names.iter().map(String::as_str))
            .map(|name| (name, fight_of(name)))
            .collect();
        let mut problems = Vec::new();
        let expectations = expect::expectations(&self.root, &known, &mut problems);
        diagnostics.extend(problems);
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        diagnostics.extend(unused);
        Ok(Loaded {
            scenario: Scenario {
                title: heading.title.unwrap_or_else(|| self.stem.clone()),
                question: heading.question,
                silence: heading.silence,
                stem: self.stem.clone(),
                hash,
                settings: self.settings.clone(),
                variants: all,
                expectations,
            },
            warnings: diagnostics,
            document: self,
        })
    }

    /// Reads each build against one other, for everything that is wrong with it; what it uses is not unused.
    /// Returns the fingerprint of the file together with those of the files that builds come from.
    fn understand_builds(
        &self,
        diagnostics: &mut Diagnostics,
        unused: &mut Vec<Diagnostic>,
    ) -> u64 {
        let mut problems = Vec::new();
        let builds = Builds::read(&self.root, &mut diagnostics.sources, &mut problems);
        let Some(builds) = builds.filter(|_| !diagnostics.has_errors()) else {
            diagnostics.extend(problems);
            return self.hash;
        };
        for at in builds.samples() {
            match builds.tree(&self.root, at) {
                Ok(root) => {
                    let (_, built) = build(&root);
                    if built.fight.is_some() {
                        retain(unused, &built.unused);
                    }
                    problems.extend(built.problems);
                }
                Err(wrong) => problems.extend(wrong),
            }
        }
        // A mistake of a build shows in all of its fights.
        let mut known: Vec<Diagnostic> = Vec::new();
        for problem in problems {
            if !known.contains(&problem) {
                known.push(problem);
            }
        }
        diagnostics.extend(known);
        builds.hash(self.hash)
    }

    /// Reads the tree for a single variant, for sweeps: `base`, or one of the file's.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once; also if there is no such variant.
    pub fn variant(&self, name: &str) -> Result<Variant, Diagnostics> {
        let (document, changes) = self.only(name)?;
        document.base(name, changes)
    }

    /// Returns a document whose base is one of this one's variants, without other variants, so that overrides
    /// apply to that variant; and the variant's changes to the base.
    fn only(&self, name: &str) -> Result<(Self, Vec<(String, String)>), Diagnostics> {
        if name == BASE {
            return Ok((self.clone(), Vec::new()));
        }
        let mut problems = Vec::new();
        let trees = variants::variants(&self.root, &self.sources, &mut problems);
        let mut diagnostics = Diagnostics::of(self.sources.clone(), problems);
        let known: Vec<String> = trees.iter().map(|tree| tree.name.clone()).collect();
        let tree = trees.into_iter().find(|tree| tree.name == name);
        if tree.is_none() && !diagnostics.has_errors() {
            diagnostics.push(unknown_variant(name, &known));
        }
        match tree {
            Some(tree) if !diagnostics.has_errors() => {
                let document = Self {
                    root: tree.root,
                    ..self.clone()
                };
                Ok((document, tree.changes))
            }
            _ => Err(diagnostics),
        }
    }

    /// Reads the tree without its variants, as the variant of that name.
    fn base(&self, name: &str, changes: Vec<(String, String)>) -> Result<Variant, Diagnostics> {
        let (_, built) = build(&self.root);
        let diagnostics = Diagnostics::of(self.sources.clone(), built.problems);
        match built.fight {
            Some((fight, rules)) if !diagnostics.has_errors() => Ok(Variant {
                name: name.to_owned(),
                fight,
                rules,
                changes,
            }),
            _ => Err(diagnostics),
        }
    }
}

/// Keeps the warnings that are among those of another fight as well.
fn retain(unused: &mut Vec<Diagnostic>, of_other: &[Diagnostic]) {
    unused.retain(|warning| of_other.iter().any(|other| other.title == warning.title));
}

/// What to say about a variant that a scenario does not have; `known` are those it has.
#[must_use]
pub fn unknown_variant(name: &str, known: &[String]) -> Diagnostic {
    let all = || known.iter().map(String::as_str).chain([BASE]);
    let help = names::suggest(name, all(), '"')
        .unwrap_or_else(|| format!("it has {}", names::list(all(), "and")));
    Diagnostic::general(format!(
        "the scenario has no variant \"{}\"",
        crate::document::reader::shown(name)
    ))
    .help(help)
}
