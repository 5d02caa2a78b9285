//! The words of policies, as in `skirmish explain policy`, and the rulings.

use crate::fight::system::Clocks;
use crate::policy::actions::{self, TARGETS};
use crate::systems::{SHARED_RULINGS, SYSTEMS};
use serde_json::{Value, json};

/// Returns the actions, variables, targets and rulings of each system, with their meanings.
pub(crate) fn words() -> Value {
    let systems = SYSTEMS.iter().map(|system| {
        let clocks = Clocks::only(system.clock);
        let actions = actions::of(clocks).map(|action| {
            let meaning = format!("{}. Cost: {}. {}", action.syntax, action.cost, action.legal);
            json!({"word": action.name(), "kind": "action", "meaning": meaning})
        });
        let facts = actions::facts(clocks)
            .map(|fact| json!({"word": fact.name, "kind": "variable", "meaning": fact.meaning}));
        let targets = TARGETS
            .iter()
            .map(|target| json!({"word": target.0, "kind": "target", "meaning": target.1}));
        let rulings = system.rulings.iter().chain(SHARED_RULINGS).map(|ruling| {
            let meaning = format!(
                "{} Values: {}; {} by default.",
                ruling.meaning, ruling.values, ruling.default
            );
            json!({"word": ruling.name, "kind": "ruling", "meaning": meaning})
        });
        let all: Vec<Value> = actions.chain(facts).chain(targets).chain(rulings).collect();
        (system.name.to_owned(), Value::from(all))
    });
    Value::Object(systems.collect())
}
