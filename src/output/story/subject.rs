//! The subject of an event.

use crate::sim::Event;

/// The events whose subject is `who`, beside those of another or of all.
macro_rules! subject {
    ($event:ident: $($name:ident)+) => {
        match *$event {
            Event::Round
            | Event::Phase { .. }
            | Event::Hazard { .. }
            | Event::Sleepers
            | Event::End { .. } => None,
            Event::Damage { target, .. }
            | Event::DamageCounts { target, .. }
            | Event::InterruptOver { target, .. } => Some(target),
            $(Event::$name { who, .. })|+ => Some(who),
        }
    };
}

/// Returns the subject of an event's sentence: the actor, or the victim of harm. Returns `None` if the event concerns
/// all combatants.
pub const fn subject(event: &Event) -> Option<usize> {
    subject! { event:
        Score Delay RoundSkipped Rejected Decision Pass AttackAction Attack Forfeited CriticalHit
        Lost Unready ReadyRoll SpellCheck Diminished Fall GoesDown StandsAgain Save LostForGood
        TemporaryHealth Enters Leaves LastUse TraitChanges UsesChange Disarmed
        Step StepSpent Set Cast Effect Wasted Fizzle Concentrates CombatCast Channel ChannelBroken
        Car Charge Use UseOn UseCheck UseLost DrawLost Resists Healed ConditionBegins ConditionKept
        ConditionEnds MostHealth ConditionHurts Pushed KnockedDown Draw PutAway Stand Wait Initiative Pool
        Willpower Botch Endurance Climb Ready Ritual RitualWork RitualRoll Paradox Backlash
        TurnLost TurnOver Moxie Wound Overtaken ActionDelayed DelayTaken Held DelayLost Fray Works
        Heals RollOff Place Delays ComesIn DelayRunsOut Readied ReadiedLapses Triggered ReadiedLost
        Interrupt ActionKept Ongoing OngoingBegins Regenerates TaskWasted StageOver Dice
    }
}
