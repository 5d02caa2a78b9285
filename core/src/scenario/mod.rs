//! Scenarios: from a TOML file to a fight, or to a list of all its errors.
//!
//! [`Document`] is the file as a tree in which every value knows its place ([`node`](crate::document::node)); overrides
//! put values into it by dotted path. The tree is then read key by key, and all errors are collected, so that a
//! designer sees them at once ([`diagnostics`](crate::document::diagnostics)). The result is a [`Scenario`]: for each
//! variant a compiled [`Fight`] and its [`Rules`].

mod advice;
mod blame;
mod build;
pub mod builds;
pub mod changes;
mod checks;
mod clock;
mod combatants;
pub mod dice;
pub mod expect;
pub mod fix;
mod frame;
pub mod keys;
mod knockouts;
pub mod lines;
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

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

pub use crate::document::Document;
pub use crate::document::diagnostics::{Diagnostic, Diagnostics, Severity};
pub use crate::document::node::Value;
pub use blame::{ScenarioPart, WrongPart};
pub use builds::{Build, Pairings};
pub use changes::{Change, ChangeKind, Changes};
pub use checks::LoneCheck;
pub use dice::DiceScript;
pub use expect::Expectation;
pub use lines::{Edit, PolicyList};
pub use offers::Offers;
pub use remarks::Remark;
pub use space::Space;
pub use sweep::Sweep;

use crate::fields::synonyms::explain;
use crate::fight::Fight;
use crate::names;
use crate::systems::Rules;
use build::{Built, build, system_of};
use builds::Builds;
pub use variants::BASE;
use variants::{base_name, nothing};

/// A scenario that is ready to be simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// The heading of tables: `title`, or the file's name.
    pub title: String,
    /// The question that the scenario asks.
    pub question: Option<String>,
    /// The remarks that are silenced.
    pub silence: Vec<Remark>,
    /// The file's name without folder and extension, from which names of results are made.
    pub stem: String,
    /// The fingerprint of the file's bytes, without overrides, combined with those of the files that its builds are
    /// imported from: 64-bit FNV-1a.
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
    /// The name. The file as it stands is called `base`, or what its key `base` says.
    pub name: String,
    /// The combatants and their gear.
    pub fight: Fight,
    /// The rulings.
    pub rules: Rules,
    /// The changes to the base, as paths and TOML values.
    pub changes: Vec<(String, String)>,
}

impl Variant {
    /// Returns whether both variants are the same fight by the same rules, whatever their names.
    pub fn plays_like(&self, other: &Self) -> bool {
        self.fight == other.fight && self.rules == other.rules
    }
}

/// A scenario with its warnings and its tree.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The scenario, without the variants that are wrong.
    pub scenario: Scenario,
    /// The warnings; one for each wrong part.
    pub warnings: Diagnostics,
    /// The variants and builds with errors.
    pub wrong: Vec<WrongPart>,
    /// The tree of the scenario, for sweeps.
    pub document: Document,
}

/// Everything that is read from a tree.
struct ReadParts {
    scenario: Scenario,
    /// The errors that concern the whole file, and all warnings but `unused`.
    problems: Diagnostics,
    wrong: Vec<WrongPart>,
    /// The warnings about unused definitions.
    unused: Vec<Diagnostic>,
}

impl Scenario {
    /// Loads a scenario file. Each of `sets` is a `KEY=VALUE` that changes its base.
    ///
    /// # Errors
    /// All errors in the scenario, at once.
    pub fn load(path: &Path, sets: &[String]) -> Result<Loaded, Diagnostics> {
        let (document, problems) = Document::open(path, sets)?;
        document.understand(problems)
    }

    /// Reads the text of a scenario file called `name`, as [`load`](Self::load) does.
    ///
    /// # Errors
    /// All errors in the scenario, at once.
    pub fn parse(name: &str, text: &str, sets: &[String]) -> Result<Loaded, Diagnostics> {
        let (document, problems) = Document::read(name, text, sets)?;
        document.understand(problems)
    }

    /// Returns the fingerprint as 16 hexadecimal digits.
    pub fn hash_hex(&self) -> String {
        format!("{:016x}", self.hash)
    }

    /// Returns the variant with that name.
    pub fn variant(&self, name: &str) -> Option<&Variant> {
        // The fight as written may be left out.
        let is_base = |first: &&Variant| name == BASE && first.changes.is_empty();
        let named = self.variants.iter().find(|variant| variant.name == name);
        named.or_else(|| self.variants.first().filter(is_base))
    }
}

impl Document {
    /// Builds the scenario of the tree: the base and every variant. `problems` are those that the overrides have caused.
    ///
    /// # Errors
    /// All errors in the scenario, at once.
    fn understand(self, problems: Vec<Diagnostic>) -> Result<Loaded, Diagnostics> {
        let mut read = self.read_parts(problems);
        if !self.set_at.is_empty() && (read.problems.has_errors() || !read.wrong.is_empty()) {
            let without = Self {
                root: Arc::clone(&self.unset),
                ..self.clone()
            };
            let without = without.read_parts(Vec::new());
            let mut known = without.problems.into_list();
            blame::blame_overrides(read.problems.iter_mut(), &known, &self.set_at);
            known.extend(without.wrong.into_iter().flat_map(|part| part.problems));
            let parts = read.wrong.iter_mut().flat_map(|part| &mut part.problems);
            blame::blame_overrides(parts, &known, &self.set_at);
        }
        let ReadParts {
            scenario,
            problems: mut diagnostics,
            wrong,
            unused,
        } = read;
        if diagnostics.has_errors() {
            diagnostics.extend(wrong.into_iter().flat_map(|part| part.problems));
            return Err(diagnostics);
        }
        diagnostics.extend(unused);
        diagnostics.extend(wrong.iter().map(WrongPart::left_out));
        Ok(Loaded {
            scenario,
            warnings: diagnostics,
            wrong,
            document: self,
        })
    }

    /// Builds everything in the tree.
    fn read_parts(&self, mut problems: Vec<Diagnostic>) -> ReadParts {
        let mut diagnostics = Diagnostics::new(self.sources.clone());
        let (heading, base) = build(&self.root);
        let trees = variants::variants(&self.root, &self.sources, &mut problems);
        diagnostics.extend(problems);
        let Built {
            fight: base_fight,
            problems: of_base,
            mut unused,
        } = base;
        diagnostics.extend(of_base.iter().cloned());
        let of_base: HashSet<_> = of_base.iter().map(Diagnostic::identity).collect();
        let mut all = Vec::with_capacity(1 + trees.len());
        let mut wrong = Vec::new();
        let names: Vec<String> = trees.iter().map(|tree| tree.name.clone()).collect();
        if let Some((fight, rules)) = &base_fight {
            all.push(Variant {
                name: base_name(&self.root).to_owned(),
                fight: fight.clone(),
                rules: rules.clone(),
                changes: Vec::new(),
            });
        }
        for mut tree in trees {
            let (_, built) = build(&tree.root);
            let mut problems = std::mem::take(&mut tree.problems);
            let is_whole = problems.is_empty();
            let found = built.problems.into_iter();
            let found = found.filter(|problem| !of_base.contains(&problem.identity()));
            problems.extend(found.map(|problem| tree.explain(problem)));
            if built.fight.is_some() {
                retain(&mut unused, &built.unused);
            }
            if is_whole && built.fight.is_some() && built.fight == base_fight {
                let label = "every value it sets is what the base has already";
                let mut problem = nothing(tree.span, label);
                // If only an override has made them equal, the file has no error.
                if !self.settings.is_empty() {
                    problem.severity = Severity::Warning;
                }
                problems.push(problem);
            }
            if problems.iter().any(Diagnostic::is_error) {
                let part = (ScenarioPart::Variant(tree.name), tree.span);
                blame::add(&mut wrong, part, problems);
                continue;
            }
            diagnostics.extend(problems);
            if let Some((fight, rules)) = built.fight {
                all.push(Variant {
                    name: tree.name,
                    fight,
                    rules,
                    changes: tree.changes,
                });
            }
        }
        let hash = self.read_builds(&mut diagnostics, &mut wrong, &mut unused);
        let fight_of = |name: &str| {
            let built: Option<&Variant> = all.iter().find(|variant| variant.name == name);
            built.map(|variant| &variant.fight)
        };
        let known: Vec<expect::Known<'_>> = std::iter::once(base_name(&self.root))
            .chain(names.iter().map(String::as_str))
            .map(|name| (name, fight_of(name)))
            .collect();
        let mut problems = Vec::new();
        let expectations = expect::expectations(&self.root, &known, &mut problems);
        for problem in &mut problems {
            explain(problem, system_of(&self.root));
        }
        diagnostics.extend(problems);
        ReadParts {
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
            problems: diagnostics,
            wrong,
            unused,
        }
    }

    /// Builds each build against one opponent, to find all its errors. Definitions that a build uses do not count as
    /// unused. Returns the fingerprint of the file combined with those of the files that builds are imported from.
    fn read_builds(
        &self,
        diagnostics: &mut Diagnostics,
        wrong: &mut Vec<WrongPart>,
        unused: &mut Vec<Diagnostic>,
    ) -> u64 {
        let Some(builds) = Builds::read(&self.root, &mut diagnostics.sources, wrong) else {
            return self.hash;
        };
        if diagnostics.has_errors() {
            return self.hash;
        }
        let known = build(&self.root).1.problems;
        for at in builds.samples() {
            let problems = match builds.tree(&self.root, at) {
                Ok(root) => {
                    let (_, built) = build(&root);
                    if built.fight.is_some() {
                        retain(unused, &built.unused);
                    }
                    built.problems
                }
                Err(problems) => problems,
            };
            for (part, problem) in builds.blame(&self.root, at, problems, &known) {
                if problem.is_error() {
                    blame::add(wrong, part, [problem]);
                } else {
                    diagnostics.push(problem);
                }
            }
        }
        builds.hash(self.hash)
    }

    /// Returns the name of a variant in results: `base` is called what the scenario calls it.
    pub fn variant_name<'a>(&'a self, name: &'a str) -> &'a str {
        match name {
            BASE => base_name(&self.root),
            name => name,
        }
    }

    /// Builds a single variant, for sweeps: `base`, or one of the file's.
    ///
    /// # Errors
    /// All errors in the variant, at once; also if there is no such variant.
    pub fn variant(&self, name: &str) -> Result<Variant, Diagnostics> {
        let (document, changes) = self.only(name)?;
        document.base(name, changes)
    }

    /// Returns a document whose base is one of this document's variants, without other variants, so that overrides
    /// apply to that variant. Also returns the variant's changes to the base.
    fn only(&self, name: &str) -> Result<(Self, Vec<(String, String)>), Diagnostics> {
        let base = base_name(&self.root);
        if [BASE, base].contains(&name) {
            return Ok((self.clone(), Vec::new()));
        }
        let mut problems = Vec::new();
        let trees = variants::variants(&self.root, &self.sources, &mut problems);
        let mut diagnostics = Diagnostics::of(self.sources.clone(), problems);
        let known: Vec<&str> = trees.iter().map(|tree| &*tree.name).chain([base]).collect();
        let unknown = unknown_variant(name, &known);
        let mut tree = trees.into_iter().find(|tree| tree.name == name);
        match &mut tree {
            Some(tree) => diagnostics.extend(std::mem::take(&mut tree.problems)),
            None if !diagnostics.has_errors() => diagnostics.push(unknown),
            None => {}
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

    /// Builds the tree without its variants, as the variant with that name.
    fn base(&self, name: &str, changes: Vec<(String, String)>) -> Result<Variant, Diagnostics> {
        let (_, built) = build(&self.root);
        let diagnostics = Diagnostics::of(self.sources.clone(), built.problems);
        match built.fight {
            Some((fight, rules)) => Ok(Variant {
                name: self.variant_name(name).to_owned(),
                fight,
                rules,
                changes,
            }),
            _ => Err(diagnostics),
        }
    }
}

/// Keeps the warnings that another fight has as well.
fn retain(unused: &mut Vec<Diagnostic>, of_other: &[Diagnostic]) {
    unused.retain(|warning| of_other.iter().any(|other| other.title == warning.title));
}

/// Returns the error for a variant that a scenario does not have. `known` are the names of its variants.
pub fn unknown_variant(name: &str, known: &[&str]) -> Diagnostic {
    let all = || known.iter().copied();
    let help = names::suggest(name, all(), '"')
        .unwrap_or_else(|| format!("it has {}", names::list(all(), "and")));
    Diagnostic::general(format!(
        "the scenario has no variant \"{}\"",
        crate::document::reader::shown(name)
    ))
    .help(help)
}
