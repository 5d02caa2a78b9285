//! `[[builds]]`: replacements of a side, and the fight of each build against each other.
//!
//! A build changes the combatants of a side, as a variant changes the file, or imports the combatants of a side of
//! another file. The tree of a pairing is the file with one build in place of its first side and another in place of
//! its second. So all errors in a build are found and located as in any scenario.

mod imports;
mod seat;

use std::collections::HashSet;
use std::sync::Arc;

use self::imports::Import;
use super::blame::{self, ScenarioPart, WrongPart};
use super::keys::BUILD;
use super::variants::{called_twice, change};
use super::{Variant, build};
use crate::document::Document;
use crate::document::diagnostics::{Diagnostic, Diagnostics};
use crate::document::node::{Entry, Node};
use crate::document::overrides::Override;
use crate::document::reader::{self, Reader, first_of};
use crate::document::source::{Sources, Span};
use crate::names;

/// The table of builds.
pub(super) const TABLE: &str = "builds";

/// The greatest number of builds in a list: ten thousand fights are hours of work, and no figure shows more.
const MOST: usize = 100;

/// A build, for results.
#[derive(Debug, Clone, PartialEq)]
pub struct Build {
    /// The name.
    pub name: String,
    /// The price for a player, if the file gives it.
    pub points: Option<f64>,
    /// The changes to the combatants of the side, as keys and TOML values; for an import, the `from` of the build too.
    pub changes: Vec<(String, String)>,
}

/// The builds of a scenario and all their fights.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairings {
    /// The sides that builds replace: the first two of the file.
    pub sides: [String; 2],
    /// The builds of the rows and of the columns.
    pub builds: [Vec<Build>; 2],
    /// Whether rows and columns have the same builds, each of which plays on both sides.
    pub is_one_list: bool,
    /// The fights of the build of the row on the first side against the build of the column on the second; `None` for a
    /// build against itself.
    pub fights: Vec<Vec<Option<Variant>>>,
    /// The changes of the variant to the file, as paths and TOML values.
    pub changes: Vec<(String, String)>,
}

/// A build as written in the file.
#[derive(Debug)]
struct ParsedBuild {
    name: String,
    span: Span,
    points: Option<f64>,
    /// The only side that it plays on, with its place in the file.
    side: Option<(String, Span)>,
    set: Vec<Override>,
    /// The places of the values that it sets.
    set_at: Vec<Span>,
    from: Option<Import>,
    changes: Vec<(String, String)>,
}

/// The builds of a tree, and the sides that they replace.
#[derive(Debug)]
pub(super) struct Builds {
    all: Vec<ParsedBuild>,
    sides: [String; 2],
    /// The builds of the rows and of the columns.
    lists: [Vec<usize>; 2],
    is_one_list: bool,
}

impl ParsedBuild {
    /// Returns a build that changes nothing.
    fn unchanged(name: &str, span: Span) -> Self {
        Self {
            name: name.to_owned(),
            span,
            points: None,
            side: None,
            set: Vec::new(),
            set_at: Vec::new(),
            from: None,
            changes: Vec::new(),
        }
    }
}

impl Builds {
    /// Reads the builds of a tree; `None` if the tree has none, or if they have errors. Files that builds are imported
    /// from are added to the sources.
    pub(super) fn read(
        root: &Arc<Node>,
        sources: &mut Sources,
        wrong: &mut Vec<WrongPart>,
    ) -> Option<Self> {
        let entry = root.get(TABLE)?;
        let mut problems = Vec::new();
        let builds = Self::read_list(root, entry, sources, (wrong, &mut problems));
        blame::add(wrong, (ScenarioPart::Builds, entry.span), problems);
        let is_variant = |one: &WrongPart| matches!(one.part, ScenarioPart::Variant(_));
        builds.filter(|_| wrong.iter().all(is_variant))
    }

    /// Reads the list of builds. Of the problems, those of single builds come first.
    fn read_list(
        root: &Node,
        entry: &Entry,
        sources: &mut Sources,
        (wrong, problems): (&mut Vec<WrongPart>, &mut Vec<Diagnostic>),
    ) -> Option<Self> {
        let list = reader::list(&entry.node, TABLE);
        let list =
            list.map_err(|problem| problem.help("builds are written as tables `[[builds]]`"));
        let list = reader::ok_or_report(list, problems)?;
        if list.len() > MOST {
            let label = format!("{}; at most {MOST} can meet", list.len());
            problems.push(Diagnostic::error(entry.span, "too many builds", label));
            return None;
        }
        let sides = seat::sides(root);
        let mut all: Vec<ParsedBuild> = Vec::new();
        for node in list {
            let mut found = Vec::new();
            let read = written(node, sources, &mut found);
            let name = node.get("name").map(|entry| &entry.node);
            match name.and_then(|name| Some((name.text()?.to_owned(), name.span))) {
                Some((name, span)) => blame::add(wrong, (ScenarioPart::Build(name), span), found),
                None => problems.extend(found),
            }
            if let Some(one) = read {
                if let Some(earlier) = all.iter().find(|other| other.name == one.name) {
                    problems.push(called_twice("builds", &one.name, one.span, earlier.span));
                }
                all.push(one);
            }
        }
        let [first, second] = &sides[..] else {
            let label = format!("the file has {} of them", sides.len());
            let title = "builds need two sides whose places they take";
            problems
                .extend((!sides.is_empty()).then(|| Diagnostic::error(entry.span, title, label)));
            return None;
        };
        let sides = [first.clone(), second.clone()];
        // If one of two builds could not be read, that is reported separately.
        if list.len() < 2 && all.iter().all(|build| build.side.is_none()) {
            let title = "a single build has no opponent";
            let label = "expected at least two builds";
            problems.push(Diagnostic::error(entry.span, title, label));
        }
        let (mut lists, is_one_list) = lists(&all, &sides, problems);
        // Builds of one side alone meet the other side as it is.
        for (list, side) in lists.iter_mut().zip(&sides) {
            if list.is_empty() && !all.is_empty() {
                list.push(all.len());
                all.push(ParsedBuild::unchanged(side, entry.span));
            }
        }
        Some(Self {
            all,
            sides,
            lists,
            is_one_list,
        })
    }

    /// Names the part that causes each problem of a pairing: the build that has it against the other side as the file
    /// has it, or else both. `known` are the problems of the file without builds, which are left out.
    pub(super) fn blame(
        &self,
        root: &Arc<Node>,
        at: (usize, usize),
        mut problems: Vec<Diagnostic>,
        known: &[Diagnostic],
    ) -> Vec<((ScenarioPart, Span), Diagnostic)> {
        let known: HashSet<_> = known.iter().map(Diagnostic::identity).collect();
        problems.retain(|problem| !known.contains(&problem.identity()));
        if problems.is_empty() {
            return Vec::new();
        }
        let seats = [(0, at.0), (1, at.1)].map(|(list, at)| (list, self.at(list, at)));
        let alone = seats.map(|(list, one)| self.problems_alone(root, list, one));
        let alone = alone.each_ref().map(|found| {
            found
                .iter()
                .map(Diagnostic::identity)
                .collect::<HashSet<_>>()
        });
        let [row, column] = seats.map(|(_, build)| build);
        let mut all = Vec::with_capacity(problems.len());
        for problem in problems {
            let guilty = seats.iter().zip(&alone);
            let guilty = guilty.filter(|(_, found)| found.contains(&problem.identity()));
            let parts = guilty.map(|((_, one), _)| (ScenarioPart::Build(one.name.clone()), *one));
            let mut parts: Vec<(ScenarioPart, &ParsedBuild)> = parts.collect();
            if parts.is_empty() {
                parts.push((
                    ScenarioPart::Pairing(row.name.clone(), column.name.clone()),
                    row,
                ));
            }
            all.extend(parts.into_iter().map(|(part, one)| {
                // The text of one build does not name the other.
                let text = match part {
                    ScenarioPart::Pairing(..) => &[][..],
                    _ => &one.set_at,
                };
                let problem = blame::blame(problem.clone(), &part, one.span, text);
                ((part, one.span), problem)
            }));
        }
        all
    }

    /// Returns the problems of a build on one side against the other side as the file has it.
    fn problems_alone(&self, root: &Arc<Node>, list: usize, one: &ParsedBuild) -> Vec<Diagnostic> {
        let mut root = Arc::clone(root);
        match seat::take(&mut root, &self.sides[list], one, self.is_one_list) {
            Ok(()) => build(&root).1.problems,
            Err(problems) => problems,
        }
    }

    /// Returns pairings, as row and column, that reveal every error in a build: each build against its first opponent.
    pub(super) fn samples(&self) -> Vec<(usize, usize)> {
        let [rows, columns] = [0, 1].map(|list| self.lists[list].len());
        let opponent = |build: usize| usize::from(self.is_one_list && build == 0);
        let in_rows = (0..rows).map(|row| (row, opponent(row)));
        let in_columns = (0..columns).map(|column| (opponent(column), column));
        let mut all: Vec<(usize, usize)> = in_rows.chain(in_columns).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the fingerprint of a file combined with those of the files that builds are imported from.
    pub(super) fn hash(&self, file: u64) -> u64 {
        let imports = self.all.iter().filter_map(|build| build.from.as_ref());
        imports.fold(file, |hash, import| hash.rotate_left(1) ^ import.hash())
    }

    /// Returns the name of a pairing.
    pub(super) fn name(&self, (row, column): (usize, usize)) -> String {
        let [row, column] = [(0, row), (1, column)].map(|(list, at)| self.at(list, at));
        format!("{} against {}", row.name, column.name)
    }

    fn at(&self, list: usize, at: usize) -> &ParsedBuild {
        &self.all[self.lists[list][at]]
    }

    /// Returns the tree of a pairing.
    pub(super) fn tree(
        &self,
        root: &Arc<Node>,
        (row, column): (usize, usize),
    ) -> Result<Arc<Node>, Vec<Diagnostic>> {
        let mut root = Arc::clone(root);
        for (list, at) in [(0, row), (1, column)] {
            let one = self.at(list, at);
            seat::take(&mut root, &self.sides[list], one, self.is_one_list)?;
        }
        Ok(root)
    }
}

impl Document {
    /// Builds the fight of every build against every other, based on a variant: `base` for the file as it stands.
    ///
    /// # Errors
    /// All errors in the builds; also if there are none, or if there is no such variant.
    pub fn pairings(&self, variant: &str) -> Result<Pairings, Diagnostics> {
        let (document, changes) = self.only(variant)?;
        let mut sources = document.sources.clone();
        let mut parts = Vec::new();
        let builds = Builds::read(&document.root, &mut sources, &mut parts);
        let problems = parts.into_iter().flat_map(|part| part.problems);
        let mut diagnostics = Diagnostics::of(sources, problems);
        let Some(builds) = builds else {
            if !diagnostics.has_errors() {
                diagnostics.push(
                    Diagnostic::general("the scenario has no builds that could meet").help(
                        "write at least two tables `[[builds]]`, each with a `name` and with changes of a \
                         combatant: `set = { weapons = [\"sword\"] }`; docs/FORMAT.md explains them",
                    ),
                );
            }
            return Err(diagnostics);
        };
        let [rows, columns] = [0, 1].map(|list| builds.lists[list].len());
        let mut wrong: Vec<(Diagnostic, (usize, usize))> = Vec::new();
        let mut fights = Vec::with_capacity(rows);
        for row in 0..rows {
            let mut all = Vec::with_capacity(columns);
            for column in 0..columns {
                if builds.is_one_list && row == column {
                    all.push(None);
                    continue;
                }
                let at = (row, column);
                let built = builds.tree(&document.root, at).and_then(|root| {
                    let (_, built) = build(&root);
                    built.fight.ok_or(built.problems)
                });
                match built {
                    Ok((fight, rules)) => all.push(Some(Variant {
                        name: builds.name(at),
                        fight,
                        rules,
                        changes: changes.clone(),
                    })),
                    Err(problems) => {
                        for problem in problems {
                            if !wrong.iter().any(|(known, _)| *known == problem) {
                                wrong.push((problem, at));
                            }
                        }
                    }
                }
            }
            fights.push(all);
        }
        for (problem, at) in wrong {
            let problem = problem.help(format!("it is wrong for {}", builds.name(at)));
            let blamed = builds.blame(&document.root, at, vec![problem], &[]);
            diagnostics.extend(blamed.into_iter().map(|(_, problem)| problem));
        }
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        let of = |list: usize| {
            let all = builds.lists[list].iter().map(|&at| &builds.all[at]);
            all.map(|one| Build {
                name: one.name.clone(),
                points: one.points,
                changes: one.changes.clone(),
            })
            .collect()
        };
        Ok(Pairings {
            builds: [of(0), of(1)],
            is_one_list: builds.is_one_list,
            fights,
            changes,
            sides: builds.sides,
        })
    }
}

/// Returns the builds of the rows and of the columns, and whether they are the same.
fn lists(
    all: &[ParsedBuild],
    sides: &[String; 2],
    problems: &mut Vec<Diagnostic>,
) -> ([Vec<usize>; 2], bool) {
    let sided = all.iter().filter(|build| build.side.is_some()).count();
    if sided == 0 {
        let every: Vec<usize> = (0..all.len()).collect();
        return ([every.clone(), every], true);
    }
    let mut lists = [Vec::new(), Vec::new()];
    for (index, one) in all.iter().enumerate() {
        let Some((side, span)) = &one.side else {
            let title = format!("build \"{}\" has no `side`", one.name);
            let label = "other builds have one";
            problems.push(Diagnostic::error(one.span, title, label).help(
                "builds with a `side` take the place of that side alone; without one all of them play on both sides",
            ));
            continue;
        };
        if let Some(list) = sides.iter().position(|known| known == side) {
            lists[list].push(index);
            continue;
        }
        let title = format!("builds take no place on a side \"{}\"", reader::shown(side));
        let known = sides.iter().map(String::as_str);
        let label = names::expected(side, || known.clone(), '"');
        problems.push(Diagnostic::error(*span, title, label));
    }
    (lists, false)
}

/// Reads one build.
fn written(
    node: &Node,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<ParsedBuild> {
    let mut table = Reader::open(node, &BUILD, "a build", problems)?;
    let span = table
        .entry("name")
        .map_or(table.span(), |entry| entry.node.span);
    let name = table.name("name");
    let points = table.entry("points").and_then(|entry| {
        let points = entry.node.value.number();
        let points = points.filter(|points| points.is_finite() && *points > 0.0);
        if points.is_none() {
            let problem = reader::wrong_kind(&entry.node, "points", "a number above 0");
            table.report(problem);
        }
        points
    });
    let side = table.entry("side");
    let side = side.and_then(|entry| Some((entry.node.text()?.to_owned(), entry.node.span)));
    let (set, from) = (table.entry("set"), table.entry("from"));
    if side.is_none() && table.has("side") {
        table.name("side");
    }
    table.finish(problems);
    let name = name?;
    let mut one = ParsedBuild {
        points,
        side,
        ..ParsedBuild::unchanged(name, span)
    };
    if let Some(entry) = from {
        let import = Import::read(entry, sources, problems);
        one.from = Some(import.map_err(|wrong| problems.extend(wrong)).ok()?);
        one.changes
            .push(("from".to_owned(), entry.node.value.to_string()));
    }
    let changes: &[Entry] = match set {
        Some(entry) => {
            let Some(table) = entry.node.table() else {
                problems.push(
                    reader::wrong_kind(&entry.node, "set", "a table")
                        .help("written like `set = { weapons = [\"sword\"] }`"),
                );
                return None;
            };
            first_of(&table.entries, entry.span, "changes", problems)
        }
        None => &[],
    };
    if changes.is_empty() && one.from.is_none() {
        let title = format!("build \"{}\" changes nothing", one.name);
        let label = "expected `set` with at least one value, or `from`";
        problems.push(Diagnostic::error(span, title, label).help(
            "written like `set = { weapons = [\"sword\"], policy = \"melee\" }`: keys of a combatant",
        ));
        return None;
    }
    for entry in changes {
        one.set_at.extend([entry.span, entry.node.span]);
        match change(entry, sources) {
            Ok(change) => {
                one.changes.push(change.written());
                one.set.push(change);
            }
            Err(problem) => problems.push(problem),
        }
    }
    Some(one)
}
