//! Pools that a line divides, or whose success it buys with Willpower (MA-3, MD-4).

use super::Resolver;
use crate::document::diagnostics::Diagnostic;
use crate::fight::check::Check;
use crate::fight::lasting::{Number, most_added};
use crate::fight::program::{Action, Feat};
use crate::policy::ast;

impl<'a> Resolver<'a> {
    /// The index of the feat with a sure success (MD-4). Willpower takes points to spend, and a pool to succeed with.
    pub(super) fn willpower(
        &mut self,
        tree: &ast::Line,
        first: &Action,
        more: &[Feat],
    ) -> Option<u8> {
        let mut feats = tree.feats().enumerate();
        let (index, spot) = feats.find_map(|(index, feat)| Some((index, feat.willpower?)))?;
        let traits = self.owner.traits.turns();
        if traits.is_none_or(|traits| traits.willpower <= 0) {
            let label = format!("\"{}\" has no `willpower`", self.owner.name);
            self.problems.push(
                Diagnostic::warning(spot, "`with willpower` needs a point to spend", label)
                    .help("the line is never taken; give it points: `willpower = 5`"),
            );
        }
        let action = match index {
            0 => first,
            _ => &more[index - 1].action,
        };
        let pools = self.pools(action);
        if let Some((_, name)) = pools.first()
            && pools.iter().all(|(pool, _)| pool.is_none())
        {
            self.error(
                spot,
                "Willpower buys a success of a pool",
                format!("\"{name}\" has another kind of check"),
                "a sure success needs `check = { pool = ... }`",
            );
        }
        Some(index as u8)
    }

    /// The most dice that conditions may add to a pool.
    fn added(&self) -> i64 {
        most_added(self.owner.conditions, Number::Attack)
    }

    /// The greatest pools of all weapons, or of the spell, that may serve a rolled feat.
    fn pools(&self, action: &Action) -> Vec<(Option<i64>, &'a str)> {
        let owner = self.owner;
        let added = self.added();
        let pool = |check: &Check, mastery| Some(check.pool(mastery)? + added);
        match *action {
            Action::Attack(choice) => owner
                .weapons
                .iter()
                .enumerate()
                .filter(|(index, _)| choice.is_none_or(|only| usize::from(only) == *index))
                .map(|(_, weapon)| (pool(&weapon.check, weapon.mastery), weapon.name.as_str()))
                .collect(),
            Action::Cast(spell) => {
                owner
                    .spells
                    .get(usize::from(spell))
                    .map_or_else(Vec::new, |spell| {
                        let pool = spell.check.as_ref().and_then(|check| pool(check, 0));
                        vec![(pool, spell.name.as_str())]
                    })
            }
            _ => Vec::new(),
        }
    }

    /// Checks an action of several feats (MA-3): its pool is divided, and the smallest pool that the line could ever
    /// have, with what conditions add to it, must suffice for all parts.
    pub(super) fn divides(&mut self, tree: &ast::Line, first: &Action, more: &[Feat]) {
        let owner = self.owner;
        let feats = 1 + more.len();
        let spots = tree.feats().map(|feat| feat.spot);
        let mut smallest: Option<(i64, &str)> = None;
        for (action, spot) in std::iter::once(first)
            .chain(more.iter().map(|feat| &feat.action))
            .zip(spots)
        {
            // The pools of the gear that may serve the feat: the line needs one that fits.
            let pools: Vec<(Option<i64>, &str)> = match *action {
                Action::Cast(index) => {
                    let spell = &owner.spells[usize::from(index)];
                    if spell.is_ritual() {
                        self.error(
                            spot,
                            "a ritual cannot share an action",
                            format!("\"{}\" takes several turns", spell.name),
                            "write `cast` as a line of its own",
                        );
                    }
                    self.pools(action)
                }
                Action::Attack(_) => self.pools(action),
                Action::Draw(Some(weapon)) => {
                    let weapon = &owner.weapons[usize::from(weapon)];
                    if weapon.ready_turns > 0 {
                        self.error(
                            spot,
                            format!("\"{}\" is too clumsy to share an action", weapon.name),
                            format!(
                                "drawing it takes turns of its own (`ready_turns` is {})",
                                weapon.ready_turns
                            ),
                            "write `draw` as a line of its own",
                        );
                    }
                    match &weapon.ready_check {
                        None => continue,
                        Some(dice) => vec![(Some(dice.count.into()), weapon.name.as_str())],
                    }
                }
                Action::Use(item) => {
                    let item = &owner.items[usize::from(item)];
                    match item.pools(self.added()).min() {
                        None => continue,
                        Some(pool) => vec![(pool, item.name.as_str())],
                    }
                }
                _ => continue,
            };
            if let Some((_, name)) = pools.first()
                && pools.iter().all(|(pool, _)| pool.is_none())
            {
                self.error(
                    spot,
                    "only a pool can be divided",
                    format!("\"{name}\" has another kind of check"),
                    "several things at once need `check = { pool = ... }`",
                );
                return;
            }
            let best = pools
                .iter()
                .filter_map(|(pool, name)| Some(((*pool)?, *name)))
                .max();
            if let Some((pool, name)) = best
                && smallest.is_none_or(|(least, _)| pool < least)
            {
                smallest = Some((pool, name));
            }
        }
        let Some((pool, name)) = smallest else {
            if tree.split.is_some() || feats > 1 {
                self.error(
                    tree.action.spot,
                    "there is no pool to divide",
                    "none of these feats is rolled",
                    "each takes an action: write them as lines of their own",
                );
            }
            return;
        };
        let (wanted, spot) = match &tree.split {
            Some((dice, spot)) => (dice.iter().map(|dice| i64::from(*dice)).sum(), *spot),
            None => (feats as i64, tree.action.spot),
        };
        if wanted > pool {
            let at_most = if self.added() > 0 { "at most " } else { "" };
            let title = format!("the parts need {wanted} dice, and there are {pool}");
            let label = format!("\"{name}\" has the smallest pool, {at_most}{pool} dice");
            self.problems
                .push(Diagnostic::warning(spot, title, label).help(
                    "the smallest pool is divided, and each part needs at least one die (MA-3): \
                 the line is never taken",
                ));
        }
    }
}
