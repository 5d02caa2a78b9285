//! `skirmish systems`: lists the values of a scenario's `system`, and the parts of each.

use super::args::WideArgs;
use super::console::Console;
use crate::fight::check::CheckKind;
use crate::fight::health::HealthModel;
use crate::report::{Page, Style};
use crate::systems::SYSTEMS;
use crate::task::{Exit, Failure};
use clap::Args;

/// Arguments of `skirmish systems`.
#[derive(Debug, Args)]
pub struct SystemsArgs {
    /// How wide tables are
    #[command(flatten)]
    pub wide: WideArgs,
}

/// Runs the subcommand.
///
/// # Errors
/// If standard output cannot be written.
pub fn run(args: &SystemsArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    console.answer(&page(Style::Terminal(args.wide.width(console))))?;
    Ok(Exit::Done)
}

fn page(style: Style) -> String {
    let mut page = Page::new(style);
    page.prose(
        "A system is a clock, a kind of check, a model of health, and the defaults of all three. A \
         scenario names it: `system = \"mage\"`. `rules.check` and `rules.health` put another check or \
         other health in its place; `skirmish explain SYSTEM` says what else its rules leave open, and \
         `skirmish new --system SYSTEM NAME` writes a scenario to begin with.",
    );
    page.listing(
        ["system", "clock", "check", "health", "called"],
        SYSTEMS.iter().map(|system| {
            let (check, health) = (system.check, system.health);
            [
                system.name,
                system.clock_name,
                check.name(),
                health.name(),
                system.title,
            ]
        }),
    );
    page.listing(
        ["clock", "who acts when"],
        SYSTEMS
            .iter()
            .map(|system| [system.clock_name, system.clock_about]),
    );
    page.listing(
        ["check", "what is rolled"],
        CheckKind::ALL
            .iter()
            .map(|(name, check)| [name, check.about()]),
    );
    page.listing(
        ["health", "what harm takes away"],
        HealthModel::ALL
            .iter()
            .map(|(name, health)| [name, health.about()]),
    );
    page.into_text()
}
