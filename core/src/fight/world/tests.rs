//! Sides always know the combatants at their ends.

use super::*;
use proptest::prelude::*;

/// An event in the life of a combatant.
#[derive(Debug, Clone, Copy)]
enum Happens {
    Moves(Units),
    Has(i32),
    Falls,
    StandsUp,
}

fn world(side_of: &[u8]) -> World<()> {
    let mut world = World::empty(side_of.len(), 3);
    for (who, side) in side_of.iter().enumerate() {
        world.side_of[who] = *side;
        world.healths[who] = 5;
        world.sides[usize::from(*side)].members |= bit(who);
    }
    world.stand((1 << side_of.len()) - 1);
    world
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        6 => (-4..=4).prop_map(Happens::Moves),
        4 => (1..=6).prop_map(Happens::Has),
        1 => Just(Happens::Falls),
        1 => Just(Happens::StandsUp),
    ]
}

proptest! {
    /// The kept ends agree with a search over all combatants.
    #[test]
    fn whoever_is_looked_for_is_found(
        side_of in prop::collection::vec(0_u8..3, 1..9),
        events in prop::collection::vec((any::<prop::sample::Index>(), happens()), 0..60),
        some in any::<u64>(),
    ) {
        let mut world = world(&side_of);
        for (who, event) in events {
            let who = who.index(side_of.len());
            match event {
                Happens::Moves(to) => world.set_position(who, to),
                Happens::Has(health) => world.set_health(who, health),
                Happens::Falls => world.fall(who),
                Happens::StandsUp => world.stand(world.standing() | bit(who)),
            }
            for one in 0..side_of.len() {
                let foes = (0..side_of.len()).filter(|foe| side_of[*foe] != side_of[one]);
                let foes = foes.fold(0, |set, foe| set | bit(foe)) & world.standing();
                for of in [foes, foes & some] {
                    let all = || members(of);
                    let far = |foe: &usize| world.distance(one, *foe);
                    let nearest = all().min_by_key(far).map(|foe| (foe, far(&foe)));
                    prop_assert_eq!(world.nearest(one, of), nearest);
                    let weakest = all().min_by_key(|foe| world.health(*foe));
                    prop_assert_eq!(world.weakest(of), weakest);
                    let near = all().filter(|foe| far(foe) <= 2);
                    let near = near.fold(0, |set, foe| set | bit(foe));
                    prop_assert_eq!(world.within(one, of, 2), near);
                }
            }
        }
    }
}
