//! A made-up fight whose encounters are a mixing function of their number, without an engine or dice.

use skirmish::fight::Ending;
use skirmish::fight::health::{AtZero, DownRules, Track};
use skirmish::fight::program::Policy;
use skirmish::fight::{Combatant, Fight, MarkTraits, Traits};
use skirmish::run::Play;
use skirmish::sim::{Counts, Record};
use skirmish::systems::named;
use skirmish::tally::Tally;
use std::sync::Arc;

/// An archer and her dog against a brute.
pub(crate) fn fight() -> Fight {
    fight_of(
        &["hunters", "monsters"],
        &[("archer", 0), ("dog", 0), ("brute", 1)],
    )
}

/// Returns a fight of these sides and combatants.
pub(crate) fn fight_of(sides: &[&str], combatants: &[(&str, usize)]) -> Fight {
    Fight {
        system: named("tara-corax").expect("the first system"),
        sides: sides.iter().map(|&side| side.to_owned()).collect(),
        combatants: combatants
            .iter()
            .map(|&(name, side)| combatant(name, side))
            .collect(),
        arena: None,
        max_rounds: 12,
        waits_for_reserves: false,
        meeting_hits: true,
        first_mover: false,
        acted_first: false,
        ends: Vec::new(),
        conditions: Vec::new(),
        hazards: Vec::new(),
        grounds: Vec::new(),
        recharging: 0,
        counts_turns: false,
        counts_advantages: false,
        keeps_afflictions: false,
        resources: Arc::default(),
        traits: Arc::default(),
        down: DownRules::default(),
        temporary_adds: false,
        goals: Vec::new(),
        exits: Vec::new(),
    }
}

fn combatant(name: &str, side: usize) -> Combatant {
    Combatant {
        name: name.to_owned(),
        group: name.to_owned(),
        side,
        position: 0,
        enters: None,
        speed: 10,
        evade: 15,
        armor: 0,
        soak: None,
        health: 30,
        health_varies: false,
        at_zero: AtZero::Out,
        temporary_health: 0,
        thresholds: Vec::new(),
        track: Track::default(),
        weapons: [].into(),
        in_hand: 0,
        spells: Vec::new(),
        items: Vec::new(),
        tasks: Vec::new(),
        prone: false,
        resists: Vec::new(),
        morale: None,
        own: [].into(),
        traits: Traits::Marks(MarkTraits::default()),
        policy: Arc::new(Policy {
            name: "charge".to_owned(),
            ..Policy::default()
        }),
    }
}

/// `splitmix64`: mixes enough for numbers that only have to look different.
pub(crate) fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the tally of the records of these encounters.
pub(crate) fn tally_of(fight: &Fight, encounters: impl IntoIterator<Item = u64>) -> Tally {
    let mut tally = Tally::new(fight);
    for encounter in encounters {
        tally.add(encounter, &record(fight, encounter));
    }
    tally
}

/// Returns a consistent record that depends only on the number of the encounter: the winners stand.
pub(crate) fn record(fight: &Fight, encounter: u64) -> Record {
    let mut record = Record::default();
    write(fight, encounter, &mut record);
    record
}

fn write(fight: &Fight, encounter: u64, record: &mut Record) {
    let luck = mix(encounter);
    let pick = |shift: u32, below: u64| ((luck >> shift) % below) as u32;
    let sides = fight.sides.len() as u64;
    record.ending = match luck % 100 {
        0..=1 => Ending::Mutual,
        2 => Ending::Timeout,
        _ => Ending::Win(((luck >> 7) % sides) as u8),
    };
    record.rounds = match record.ending {
        Ending::Timeout => fight.max_rounds,
        _ => 1 + pick(13, 5),
    };
    record.marks = record.rounds * 30 - pick(17, 30);
    record.distance = None;
    record.combatants.clear();
    for (index, combatant) in fight.combatants.iter().enumerate() {
        let own = mix(luck ^ index as u64);
        let pick = |shift: u32, below: u64| ((own >> shift) % below) as u32;
        let stands = match record.ending {
            Ending::Win(side) => usize::from(side) == combatant.side,
            Ending::Mutual => false,
            Ending::Timeout | Ending::Escaped | Ending::Caught | Ending::Outcome(_) => true,
        };
        let attacks = pick(5, 8);
        record.combatants.push(Counts {
            health: if stands { 1 + pick(0, 30) as i32 } else { 0 },
            fell_round: if stands {
                0
            } else {
                1 + pick(9, u64::from(record.rounds))
            },
            attacks,
            hits: if attacks == 0 {
                0
            } else {
                pick(11, u64::from(attacks))
            },
            attacks_forfeited: pick(15, 2),
            attacks_lost: 0,
            damage: pick(19, 50),
            // An occasional value above the range of all tables.
            damage_taken: if own.is_multiple_of(64) {
                3_000_000_000 + pick(3, 5)
            } else {
                pick(21, 40)
            },
            units_moved: pick(23, 25),
            marks_forfeited: pick(27, 9),
            spells_cast: 0,
            spells_fizzled: 0,
            first_attack: (attacks > 0).then(|| pick(31, 31)),
            decisions: if index == 1 { 0 } else { 1 + pick(35, 6) },
            ..Counts::default()
        });
    }
}

/// Plays encounters by a function that writes the record of a number.
pub(crate) struct PlayBy<F>(pub(crate) F);

impl<F: Fn(u64, &mut Record) + Sync> Play for PlayBy<F> {
    type State = ();

    fn state(&self) {}

    fn play(&self, (): &mut (), encounter: u64, into: &mut Record) {
        (self.0)(encounter, into);
    }
}

/// Plays [`record`]s.
pub(crate) struct Synthetic<'a>(pub(crate) &'a Fight);

impl Play for Synthetic<'_> {
    type State = ();

    fn state(&self) {}

    fn play(&self, _state: &mut (), encounter: u64, into: &mut Record) {
        write(self.0, encounter, into);
    }
}
