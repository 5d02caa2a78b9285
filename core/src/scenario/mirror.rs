//! The mirror image of a fight, which shows whether file order or direction matter.
//!
//! The tree is mirrored, not the compiled fight. So everything that depends on the order of the file or on the
//! direction along the line is derived again, as for a file that was written that way.

use std::sync::Arc;

use super::parameters::BoundParameters;
use super::variants::{self, BASE};
use super::{Document, Variant, unknown_variant};
use crate::document::diagnostics::{Diagnostic, Diagnostics};
use crate::document::node::{Node, Value};
use crate::fight::Fight;

/// The respects in which a fight is mirrored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mirror {
    /// Whether positions are reflected, about the middle of the arena or, without one, of all positions.
    pub places: bool,
    /// Whether sides are listed in reverse; the combatants of one side keep their order.
    pub order: bool,
}

impl Mirror {
    /// Mirrors both.
    pub const WHOLE: Self = Self {
        places: true,
        order: true,
    };
}

/// Returns the sum of a position and its mirror image: the sum of the ends of the arena or, without one, of the
/// outermost starting positions.
pub fn axis(fight: &Fight) -> i32 {
    if let Some(arena) = fight.arena {
        return arena.min + arena.max;
    }
    let places = || fight.combatants.iter().map(|one| one.position);
    places().min().unwrap_or_default() + places().max().unwrap_or_default()
}

impl Document {
    /// Builds the mirror image of a variant, `base` or one of the file's.
    ///
    /// # Errors
    /// If there is no such variant, or if it has errors.
    pub fn mirrored(&self, name: &str, mirror: Mirror) -> Result<Variant, Diagnostics> {
        let written = self.variant(name)?;
        let mut problems = Vec::new();
        let trees = variants::variants(&self.root, &self.sources, &mut problems);
        let tree = trees.into_iter().find(|tree| tree.name == name);
        let mut root = match tree {
            Some(tree) => tree.root,
            None if name == BASE => Arc::clone(&self.root),
            None => return Err(Diagnostics::one(unknown_variant(name, &[]))),
        };
        // Positions may be parameters.
        let filled = BoundParameters::read(&root, &mut Vec::new()).put_into(&root, &mut Vec::new());
        if let Some(filled) = filled {
            root = Arc::new(filled);
        }
        if let Some(list) = root.combatants_mut() {
            if mirror.places {
                let axis = axis(&written.fight);
                for one in &mut *list {
                    reflect(one, axis);
                }
            }
            if mirror.order {
                let sides = &written.fight.sides;
                list.sort_by_key(|one| {
                    let side = one.text_at("side");
                    let place = sides.iter().position(|name| Some(name.as_str()) == side);
                    std::cmp::Reverse(place)
                });
            }
        }
        let (_, built) = super::build(&root);
        if let Some((fight, rules)) = built.fight {
            return Ok(Variant {
                fight,
                rules,
                ..written
            });
        }
        let mut diagnostics = Diagnostics::of(self.sources.clone(), built.problems);
        diagnostics.push(Diagnostic::general("the mirror image is not in order"));
        Err(diagnostics)
    }
}

fn reflect(combatant: &mut Arc<Node>, axis: i32) {
    if let Value::Table(table) = &mut Arc::make_mut(combatant).value
        && let Some(entry) = table.get_mut("position")
        && let Value::Integer(Some(position)) = &mut Arc::make_mut(&mut entry.node).value
    {
        *position = i64::from(axis) - *position;
    }
}
