//! The subject of an event.

use crate::sim::Event;

/// Returns the subject of an event's sentence: the actor, or the victim of harm. Returns `None` if the event concerns
/// all combatants.
#[must_use]
pub const fn subject(event: &Event) -> Option<usize> {
    match *event {
        Event::Round
        | Event::Phase { .. }
        | Event::Hazard { .. }
        | Event::Sleepers
        | Event::End { .. } => None,
        Event::Damage { target, .. }
        | Event::DamageCounts { target, .. }
        | Event::InterruptOver { target, .. } => Some(target),
        Event::Score { who, .. }
        | Event::Delay { who, .. }
        | Event::RoundSkipped { who, .. }
        | Event::Rejected { who, .. }
        | Event::Decision { who, .. }
        | Event::Pass { who, .. }
        | Event::AttackAction { who, .. }
        | Event::Attack { who, .. }
        | Event::Forfeited { who, .. }
        | Event::CriticalHit { who, .. }
        | Event::Lost { who, .. }
        | Event::Unready { who, .. }
        | Event::ReadyRoll { who, .. }
        | Event::SpellCheck { who, .. }
        | Event::Diminished { who, .. }
        | Event::Fall { who, .. }
        | Event::Enters { who }
        | Event::Leaves { who, .. }
        | Event::LastUse { who, .. }
        | Event::UsesChange { who, .. }
        | Event::Disarmed { who, .. }
        | Event::Step { who, .. }
        | Event::StepSpent { who, .. }
        | Event::Set { who, .. }
        | Event::Cast { who, .. }
        | Event::Effect { who, .. }
        | Event::Wasted { who, .. }
        | Event::Fizzle { who, .. }
        | Event::Concentrates { who, .. }
        | Event::CombatCast { who, .. }
        | Event::Channel { who, .. }
        | Event::ChannelBroken { who, .. }
        | Event::Car { who, .. }
        | Event::Charge { who, .. }
        | Event::Use { who, .. }
        | Event::UseOn { who, .. }
        | Event::UseCheck { who, .. }
        | Event::UseLost { who, .. }
        | Event::DrawLost { who, .. }
        | Event::Resists { who, .. }
        | Event::Healed { who, .. }
        | Event::ConditionBegins { who, .. }
        | Event::ConditionEnds { who, .. }
        | Event::MostHealth { who, .. }
        | Event::ConditionHurts { who, .. }
        | Event::Pushed { who, .. }
        | Event::KnockedDown { who, .. }
        | Event::Draw { who, .. }
        | Event::PutAway { who, .. }
        | Event::Stand { who, .. }
        | Event::Wait { who, .. }
        | Event::Initiative { who, .. }
        | Event::Pool { who, .. }
        | Event::Willpower { who, .. }
        | Event::Botch { who, .. }
        | Event::Endurance { who, .. }
        | Event::Climb { who, .. }
        | Event::Ready { who, .. }
        | Event::Ritual { who, .. }
        | Event::RitualWork { who, .. }
        | Event::RitualRoll { who, .. }
        | Event::Paradox { who, .. }
        | Event::Backlash { who, .. }
        | Event::TurnLost { who, .. }
        | Event::TurnOver { who, .. }
        | Event::Moxie { who, .. }
        | Event::Wound { who, .. }
        | Event::Overtaken { who, .. }
        | Event::ActionDelayed { who, .. }
        | Event::DelayTaken { who, .. }
        | Event::Held { who, .. }
        | Event::DelayLost { who, .. }
        | Event::Fray { who, .. }
        | Event::Works { who, .. }
        | Event::Heals { who, .. }
        | Event::RollOff { who, .. }
        | Event::Place { who, .. }
        | Event::Delays { who, .. }
        | Event::ComesIn { who, .. }
        | Event::DelayRunsOut { who, .. }
        | Event::Readied { who, .. }
        | Event::ReadiedLapses { who, .. }
        | Event::Triggered { who, .. }
        | Event::ReadiedLost { who, .. }
        | Event::Interrupt { who, .. }
        | Event::ActionKept { who, .. }
        | Event::Ongoing { who, .. }
        | Event::OngoingBegins { who, .. }
        | Event::Regenerates { who, .. }
        | Event::TaskWasted { who, .. }
        | Event::StageOver { who, .. }
        | Event::Dice { who, .. } => Some(who),
    }
}
