//! Runs a scenario from Rust: `cargo run --example library`.

use skirmish::output::{Style, Width};
use skirmish::task::{Context, Files, Question, Source as _, Task};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let variant = Vec::new();
    let task = Task::new(Question::Run { variant }, 10_000.try_into()?);
    let scenario = Files.input("scenarios/walled-duel.toml".as_ref(), &[])?;
    let run = task.prepare(vec![scenario])?;
    let results = run.results(run.play(&Context::new(&Files))?);
    print!("{}", results.answer.table(Style::Terminal(Width::USUAL)));
    Ok(())
}
