//! The rulings of a scenario for its page. Results do not store them.

use crate::output::html::{Background, RulingInForce};
use crate::scenario::Loaded;
use crate::systems::SHARED_RULINGS;

/// Returns the system and the rulings in force in a scenario.
pub(super) fn background(loaded: &Loaded) -> Background {
    let Some(base) = loaded.scenario.variants.first() else {
        return Background::default();
    };
    let system = base.fight.system;
    let rulings = system.rulings.iter().chain(SHARED_RULINGS);
    Background {
        system: system.title.to_owned(),
        rulings: rulings
            .map(|ruling| RulingInForce {
                key: ruling.name.to_owned(),
                value: loaded
                    .document
                    .ruling(ruling.name)
                    .unwrap_or_else(|| ruling.default.to_owned()),
                default: ruling.default.to_owned(),
                meaning: ruling.meaning.to_owned(),
            })
            .collect(),
    }
}
