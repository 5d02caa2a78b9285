//! `skirmish merge`: the results of a plan, out of its shards.

use super::args::MergeArgs;
use super::folder::{Folder, Survey, ranges};
use super::work::{Contested, Several, Work as _};
use super::{Handing, Whole, changed};
use crate::cli::args::RunArgs;
use crate::cli::closing::Total;
use crate::cli::load::Planned;
use crate::cli::publish::Made;
use crate::cli::{Console, Exit, Failure, compare, run, sweep};
use crate::output::VariantReport;
use crate::output::html::Chapter;
use crate::output::manifest::{Partial, Run, timestamp};
use crate::run::Ended;
use crate::shard::{Fault, Part, shard_name};
use crate::tally::{Portable, Tally};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime};

/// Runs the subcommand.
///
/// # Errors
/// If the plan cannot be carried out, or results cannot be written.
pub fn run(args: &MergeArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let folder = Folder::open(&args.folder)?;
    let handing = Handing {
        output: args.output.clone(),
        no_clobber: args.no_clobber,
        format: args.format,
        quiet: args.quiet,
        paper: args.paper.clone(),
    };
    args.paper.prove()?;
    let merging = Merging {
        args,
        folder: &folder,
        time: SystemTime::now(),
        begun: Instant::now(),
    };
    match Whole::of(&folder.plan, handing)? {
        Whole::Run(args) => merging.run(&args, console),
        Whole::Compare(args) => merging.compare(&args, console),
        Whole::Sweep(args) => merging.sweep(&args, console),
    }
}

struct Merging<'a> {
    args: &'a MergeArgs,
    folder: &'a Folder,
    time: SystemTime,
    begun: Instant,
}

/// Nobody stops a merge: it takes no time, and is all or nothing.
static NEVER: AtomicBool = AtomicBool::new(false);

impl Merging<'_> {
    fn source(&self) -> Planned<'_> {
        Planned {
            plan: &self.folder.plan,
            warns: false,
        }
    }

    fn run(&self, args: &RunArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
        let source = self.source();
        let settings = run::Settings::new(args)?;
        let jobs = run::jobs(args, &source, console)?.ok_or_else(changed)?;
        let [job] = jobs.as_slice() else {
            return Err(changed());
        };
        let several = Several {
            source: &source,
            variants: job.scenario.variants.iter().collect(),
            seed: settings.seed,
        };
        self.fits(several.fights())?;
        let mut tallies: Vec<Tally> = (0..several.fights())
            .map(|one| several.empty(one))
            .collect();
        let survey = self.gather(
            |fight| several.empty(fight),
            |part, counts: Tally| tallies[part.fight].merge(&counts),
        )?;
        if !self.accepted(&survey, console) {
            return Ok(Exit::Mismatch);
        }
        let mut target = run::target(args, job)?;
        let all = self.folder.plan.layout.encounters();
        let variants: Vec<VariantReport> = job
            .scenario
            .variants
            .iter()
            .zip(tallies)
            .map(|(variant, tally)| {
                let ended = if tally.encounters() == all {
                    Ended::Enough
                } else {
                    Ended::Partial
                };
                VariantReport::new(variant, tally, ended)
            })
            .collect();
        let played = variants.iter().map(|one| one.tally.encounters()).sum();
        let report = run::report(job, &settings, variants);
        run::publish(
            job,
            &report,
            &settings,
            self.made(&survey),
            &mut target,
            console,
            true,
        )?;
        args.paper.chapters(|| {
            let command = run::command(args);
            let chapter = run::chapter(job, &report, &settings)?;
            Ok(vec![Chapter { command, ..chapter }])
        })?;
        if !settings.quiet {
            let mut total = Total::default();
            total.add(played, self.begun.elapsed(), target.folder());
            console.say(total.line());
        }
        Ok(Exit::Done)
    }

    fn compare(
        &self,
        args: &compare::CompareArgs,
        console: &mut Console<'_>,
    ) -> Result<Exit, Failure> {
        let source = self.source();
        let given = &args.playing.given;
        let ready = compare::ready(&args.contest, given, &source, console)?.ok_or_else(changed)?;
        let prepared = ready.prepare(&args.contest)?;
        let contested = Contested {
            source: &source,
            variants: prepared.variants(),
            questions: prepared.questions(),
            seed: given.seed,
        };
        self.fits(contested.fights())?;
        let mut paired = contested.empty();
        let survey = self.gather(|_| contested.empty(), |_, counts| paired.merge(&counts))?;
        if !self.accepted(&survey, console) {
            return Ok(Exit::Mismatch);
        }
        let mut target = compare::target(args, &ready)?;
        let ended = if paired.encounters() == self.folder.plan.layout.encounters() {
            Ended::Enough
        } else {
            Ended::Partial
        };
        let (made, played) = (self.made(&survey), (paired, ended));
        compare::publish(args, &prepared, &played, made, &NEVER, &mut target, console)
    }

    fn sweep(&self, args: &sweep::SweepArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
        let source = self.source();
        let ready = sweep::ready(args, &source, console)?.ok_or_else(changed)?;
        let several = Several {
            source: &source,
            variants: ready.variants(),
            seed: args.change.playing.given.seed,
        };
        self.fits(several.fights())?;
        let job = sweep::Job::new(&args.change, &ready);
        let all = self.folder.plan.layout.encounters();
        let mut points = BTreeMap::new();
        // Shards come in the order of points: what is complete need not be kept.
        let mut at: Option<(usize, Tally)> = None;
        let survey = self.gather(
            |fight| several.empty(fight),
            |part, counts: Tally| {
                let tally = match at.take() {
                    Some((fight, mut tally)) if fight == part.fight => {
                        tally.merge(&counts);
                        tally
                    }
                    _ => counts,
                };
                if tally.encounters() == all {
                    points.insert(part.fight, job.point(part.fight, tally));
                } else {
                    at = Some((part.fight, tally));
                }
            },
        )?;
        if !self.accepted(&survey, console) {
            return Ok(Exit::Mismatch);
        }
        let mut target = sweep::target(args, &ready)?;
        let played = job.found_among(points)?;
        let made = self.made(&survey);
        sweep::publish(args, &ready, played, made, &NEVER, &mut target, console)
    }

    /// Proves that the plan cuts the fights that there are.
    fn fits(&self, fights: usize) -> Result<(), Failure> {
        if fights == self.folder.plan.layout.fights() {
            Ok(())
        } else {
            Err(changed())
        }
    }

    /// Hands over the counts of every part of every shard, in order, those of a shard only when all
    /// of it has proved to be right.
    fn gather<C: Portable>(
        &self,
        empty: impl Fn(usize) -> C,
        mut take: impl FnMut(Part, C),
    ) -> Result<Survey, Failure> {
        self.folder.survey(|number| {
            let read: Result<Vec<(Part, C)>, Fault> = self.folder.read(number, |body, parts| {
                let mut all = Vec::new();
                body.each(parts, |body, part| {
                    all.push((part.clone(), body.counts(&empty(part.fight), &part)?));
                    Ok(())
                })?;
                Ok(all)
            });
            for (part, counts) in read? {
                take(part, counts);
            }
            Ok(())
        })
    }

    /// Whether the shards that were found make a result; says what is wrong with the others.
    fn accepted(&self, survey: &Survey, console: &mut Console<'_>) -> bool {
        let folder = self.folder;
        let plan = folder.path.display();
        for (number, fault) in &survey.wrong {
            let file = folder.told(&shard_name(*number));
            console.say(format_args!(
                "`{file}`: {fault}; play it again: skirmish run --plan {plan} --shard {number}"
            ));
        }
        for stray in &survey.strays {
            let file = folder.told(stray);
            console.say(format_args!(
                "`{file}` is no shard of this plan: move it away"
            ));
        }
        if !survey.missing.is_empty() {
            console.say(format_args!(
                "missing: {}; play them: skirmish run --plan {plan} --shard NUMBER",
                ranges(&survey.missing)
            ));
        }
        let unplayed = survey.unplayed().len() as u64;
        let all = folder.plan.layout.shards();
        if unplayed == 0 && survey.strays.is_empty() {
            return true;
        }
        if self.args.partial && unplayed < all {
            return true;
        }
        let way_out = match unplayed {
            0 => "",
            _ if unplayed < all => "; --partial merges those that are there",
            _ => "",
        };
        console.say(format_args!(
            "error: nothing was merged: {} of {all} shards are there{way_out}",
            all - unplayed
        ));
        false
    }

    /// How results came to be that are merged of the shards that are there.
    fn made(&self, survey: &Survey) -> Made {
        let layout = &self.folder.plan.layout;
        let unplayed = survey.unplayed();
        let lacking = unplayed.iter().map(|&number| layout.range(number));
        let lacking: u64 = lacking.map(|range| range.end - range.start).sum();
        Made {
            run: Run {
                time: timestamp(self.time),
                threads: 1,
                seconds: self.begun.elapsed().as_secs_f64(),
            },
            partial: (lacking > 0).then(|| Partial {
                shards: layout.shards() - unplayed.len() as u64,
                of_shards: layout.shards(),
                encounters: layout.all() - lacking,
                of_encounters: layout.all(),
            }),
        }
    }
}
