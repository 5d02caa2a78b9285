//! A check by itself, for questions about its odds.

use super::Document;
use super::build::system_of;
use super::keys::SCENARIO;
use crate::document::diagnostics::Diagnostics;
use crate::document::reader::Reader;
use crate::fields::Rulings;
use crate::fields::checks::check;
use crate::fields::own::OwnTraits;
use crate::fields::sums::TraitSheet;
use crate::fields::synonyms::explain;
use crate::fight::Variable;
use crate::fight::check::Check;
use crate::fight::system::System;
use crate::systems::Rules;
use std::sync::Arc;

/// A check outside a fight, and the rulings by which it was read.
#[derive(Debug)]
pub struct LoneCheck {
    /// The check.
    pub check: Check,
    /// Its system.
    pub system: &'static System,
    /// The rulings of the system.
    pub rules: Rules,
    /// Whether a roll that only meets Evade works (TC-22).
    pub meeting_hits: bool,
}

impl Document {
    /// Reads the key `check` of a document that has nothing else but `system` and `[rules]`, as the check of a weapon is
    /// read. A pool that is a sum of traits has these.
    ///
    /// # Errors
    /// All errors in the check and the rulings.
    pub fn check(&self, traits: &[(String, i64)]) -> Result<LoneCheck, Diagnostics> {
        let system = system_of(&self.root);
        let (mut rulings, mut rules) = (Rulings::of(system), Rules::of(system.clock));
        rulings.sheet = Some(TraitSheet {
            owner: "this check".to_owned(),
            traits: traits.to_vec(),
        });
        rulings.own = OwnTraits::named(traits.iter().map(|(name, _)| name.as_str()));
        let names = Arc::clone(&rulings.own.names);
        let mut problems = Vec::new();
        let table = Reader::open(&self.root, &SCENARIO, "the question", &mut problems)
            .and_then(|mut top| top.table("rules", "`[rules]`"));
        if let Some(table) = table {
            rulings.read(table, rules.fields_mut(), &mut problems);
        }
        let read = self.root.get("check");
        let read = read.map(|entry| check(&entry.node, 0, &rulings, &mut problems));
        for problem in &mut problems {
            explain(problem, system);
        }
        match read {
            Some(check) if problems.is_empty() => Ok(LoneCheck {
                check: check.settled(|fact| {
                    let (prefix, own) = match fact {
                        Variable::Trait(own) => ("", own),
                        Variable::TargetTrait(own) => ("target.", own),
                        _ => return 0,
                    };
                    let name = format!("{prefix}{}", names[usize::from(own)]);
                    let mut known = traits.iter();
                    known
                        .find(|(known, _)| *known == name)
                        .map_or(0, |(_, value)| *value)
                }),
                system,
                rules,
                meeting_hits: rulings.meeting_hits,
            }),
            _ => Err(Diagnostics::of(self.sources.clone(), problems)),
        }
    }
}
