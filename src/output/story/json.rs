//! The story for programs: one object for each event, with names instead of indices.

use super::writer::SentenceWriter;
use super::{Die, StoryEvent};
use serde_json::{Map, Value, json};

/// Returns an event as an object, with names instead of indices. A total without a roll is `null`.
pub(super) fn object(entry: &StoryEvent, writer: &SentenceWriter<'_>) -> Value {
    let fight = writer.fight;
    let mut object = Map::new();
    let words = &fight.system.words;
    object.insert(words.round.to_lowercase(), entry.moment.round.into());
    object.insert(words.moment.into(), entry.moment.mark.into());
    if let Ok(Value::Object(fields)) = serde_json::to_value(entry.event) {
        let who = entry.event.index("who").unwrap_or(0);
        for (key, value) in fields {
            let named = name_of(&key, &value, who, writer).map_or(value, Value::String);
            object.insert(key, named);
        }
    }
    if !writer.knows_total(&entry.event) {
        object.insert("total".into(), Value::Null);
    }
    if !entry.dice.is_empty() {
        let die = |die: &Die| {
            json!({
                "who": fight.combatants[die.who].name,
                "purpose": die.purpose.name(),
                "sides": die.sides,
                "face": die.face,
            })
        };
        object.insert("dice".into(), entry.dice.iter().map(die).collect());
    }
    Value::Object(object)
}

fn name_of(key: &str, value: &Value, who: usize, writer: &SentenceWriter<'_>) -> Option<String> {
    let fight = writer.fight;
    if key == "ending" {
        let index = |key: &str| value.get(key)?.as_u64().map(|index| index as usize);
        return Some(match (index("win"), index("outcome")) {
            (Some(side), _) => fight.sides[side].clone(),
            (_, Some(outcome)) => fight.outcomes().nth(outcome)?.to_owned(),
            _ => value.as_str()?.to_owned(),
        });
    }
    let index = value.as_u64()? as usize;
    writer.thing(key, index, who).map(str::to_owned)
}
