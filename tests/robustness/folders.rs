//! A results folder belongs to one run, and no mistake loses its files.

use super::until;
use crate::check::{DUEL, claimed};
use crate::support::{Outcome, TestDir};
use skirmish::cli::Exit;
use std::fs;
use std::process::Command;

/// Returns the results files of a run that do not vary from run to run.
fn results(dir: &TestDir, folder: &str) -> Vec<String> {
    let files = ["summary.csv", "distributions.csv", "examples.csv"];
    files
        .map(|file| dir.read(&format!("{folder}/{file}")))
        .to_vec()
}

/// A pipe without a writer is never read to its end. Only a file that the command line names may be one.
#[cfg(unix)]
#[test]
fn builds_come_from_regular_files() {
    let text = format!("{DUEL}\n[[builds]]\nname = \"guests\"\nfrom = \"other.toml\"\n");
    let dir = TestDir::with_duel(&text);
    let other = dir.path("other.toml");
    let refused = || {
        let mut child = dir.start("validate duel.toml");
        until("an answer", || child.try_wait().unwrap().is_some());
        Outcome::of(child.wait_with_output().unwrap())
            .assert_refused("is a pipe, a socket or a device");
    };
    let made = Command::new("mkfifo").arg(&other).status().unwrap();
    assert!(made.success());
    refused();
    fs::remove_file(&other).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(&other).unwrap();
    refused();
}

#[test]
fn two_runs_into_one_folder_never_mix() {
    let dir = TestDir::with_duel(DUEL);
    let words = |seed: u64, out: &str| format!("run duel.toml -n 2k --seed {seed} -q -o {out}");
    for seed in 1..=4 {
        dir.run(&words(seed, &format!("alone{seed}"))).assert_done();
    }
    for round in 0..8 {
        let all: Vec<_> = (1..=4).map(|seed| dir.start(&words(seed, "out"))).collect();
        let ran = all
            .into_iter()
            .map(|one| Outcome::of(one.wait_with_output().unwrap()));
        let ran: Vec<Outcome> = ran.collect();
        for one in ran.iter().filter(|one| one.exit != Exit::Done) {
            assert_eq!(one.exit, Exit::BadInput, "{one:#?}");
            assert!(one.err.contains("another run writes to"), "{one:#?}");
        }
        assert!(
            ran.iter().any(|one| one.exit == Exit::Done),
            "{round}: {ran:#?}"
        );
        let found = results(&dir, "out/duel");
        let manifest = dir.read("out/duel/manifest.json");
        let seed = (1..=4).find(|seed| manifest.contains(&format!("\"seed\": {seed},")));
        assert_eq!(
            found,
            results(&dir, &format!("alone{}/duel", seed.unwrap()))
        );
        dir.run("report out/duel -q -o page.html").assert_done();
    }
    let left = dir.files();
    assert!(
        left.iter().all(|name| !name.contains(".skirmish")),
        "{left:?}"
    );
}

#[test]
fn a_folder_whose_files_do_not_belong_together_is_refused() {
    let dir = TestDir::with_duel(&claimed());
    for (seed, out) in [(1, "one"), (2, "two")] {
        dir.run(&format!("run duel.toml -n 500 --seed {seed} -q -o {out}"))
            .assert_done();
        let sweep = "sweep duel.toml --vary combatants.monster.health=20..22";
        dir.run(&format!("{sweep} -n 500 --seed {seed} -q -o {out}"))
            .assert_done();
    }
    dir.run("report one/duel -q -o page.html").assert_done();
    for file in [
        "summary.csv",
        "distributions.csv",
        "examples.csv",
        "sweep.csv",
    ] {
        let mine = dir.read(&format!("one/duel/{file}"));
        fs::copy(
            dir.path(&format!("two/duel/{file}")),
            dir.path(&format!("one/duel/{file}")),
        )
        .unwrap();
        let wrong = format!("{file} does not belong to");
        dir.run("report one/duel -q -o page.html")
            .assert_refused(&wrong);
        if file.starts_with(['s', 'd']) && file != "sweep.csv" {
            let wrong = format!("{file}` does not belong to the manifest");
            dir.run("check duel.toml --baseline one -q")
                .assert_refused(&wrong);
        }
        // Version control may change line endings.
        dir.write(&format!("one/duel/{file}"), mine.replace('\n', "\r\n"));
        dir.run("report one/duel -q -o page.html").assert_done();
        dir.write(&format!("one/duel/{file}"), &mine);
    }
    dir.run("report one/duel -q -o page.html").assert_done();
}

/// A limit of 512 bytes a file stands for a full disk.
#[cfg(unix)]
#[test]
fn answers_are_printed_even_if_a_file_cannot_be_written() {
    let dir = TestDir::with_duel(&claimed());
    let check = "check duel.toml -n 100 --max-encounters 100 -q";
    for (words, answer) in [
        (format!("{check} --format junit -o j.xml"), "win_rate"),
        (format!("{check} --report page.html"), "win_rate"),
        ("odds 3d6 --report page.html".to_owned(), "10.5"),
        (
            "run duel.toml -n 5k -q -o out --each e.csv".to_owned(),
            "heroes win",
        ),
    ] {
        let program = dir.command(&words);
        let mut limited = Command::new("sh");
        limited.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]);
        limited.arg(program.get_program()).args(program.get_args());
        let ran = Outcome::of(limited.current_dir(dir.path(".")).output().unwrap());
        assert_eq!(ran.exit, Exit::Io, "{words}: {ran:#?}");
        assert!(ran.out.contains(answer), "{words}: {ran:#?}");
        assert!(ran.err.contains("cannot write"), "{words}: {ran:#?}");
    }
}

/// Version control may add carriage returns to results and scenarios.
#[test]
fn carriage_returns_do_not_count() {
    let dir = TestDir::with_duel(&claimed());
    dir.run("run duel.toml -n 500 -q -o out").assert_done();
    for file in [
        "duel.toml",
        "out/duel/summary.csv",
        "out/duel/manifest.json",
    ] {
        dir.write(file, dir.read(file).replace('\n', "\r\n"));
    }
    let same = dir.run("reproduce out/duel -q").assert_done();
    assert!(!same.out.contains("different"), "{}", same.out);
    let same = dir.run("check duel.toml --baseline out -q").assert_done();
    assert!(
        !same.out.contains("not the committed bytes"),
        "{}",
        same.out
    );
}

/// The next run in a folder removes temporary files that killed runs left behind; those of live runs stay.
#[cfg(unix)]
#[test]
fn stale_temporary_files_of_dead_runs_are_cleaned() {
    let dir = TestDir::with_duel(DUEL);
    let mut child = dir.start("run duel.toml -n 1G --threads 1 -o out");
    until("a lock", || dir.path("out/duel/.skirmish.lock").exists());
    dir.write("out/duel/.skirmish-dead.tmp", "half a file");
    dir.write("out/duel/kept.tmp", "not ours");
    let refused = dir.run("run duel.toml -n 100 -q -o out");
    refused.assert_refused("another run writes to `out/duel` at this moment (process ");
    child.kill().unwrap();
    child.wait().unwrap();
    dir.run("run duel.toml -n 100 -q -o out").assert_done();
    let hidden: Vec<String> = dir.files();
    assert!(
        hidden.iter().all(|name| !name.contains(".skirmish")),
        "{hidden:?}"
    );
    assert_eq!(dir.read("out/duel/kept.tmp"), "not ours");
}

#[test]
fn no_report_overwrites_what_no_report_is() {
    let dir = TestDir::with_duel(&claimed());
    dir.run("run duel.toml -n 500 -q -o out").assert_done();
    dir.run("plan duel.toml -n 500 --shards 1 -q -o plan")
        .assert_done();
    dir.run("run --plan plan --shard 0 -q").assert_done();
    dir.write("fight", DUEL);
    dir.write("notes.html", "<!DOCTYPE html><p>My own page");
    fs::copy(dir.path("out/duel/summary.csv"), dir.path("saved.csv")).unwrap();
    let kept = [
        "duel.toml",
        "fight",
        "notes.html",
        "saved.csv",
        "out/duel/summary.csv",
        "out/duel/manifest.json",
        "plan/plan.json",
        "plan/shards/000000.shard",
    ];
    let before: Vec<Vec<u8>> = kept.map(|name| fs::read(dir.path(name)).unwrap()).to_vec();
    for name in kept {
        for words in [
            "run duel.toml -n 100 -q -o other --report",
            "run duel.toml -n 100 -q -o other --checkpoint",
            "report duel.toml -n 100 -q -o",
            "check duel.toml -n 100 --max-encounters 100 -q --report",
            "check duel.toml -n 100 --max-encounters 100 -q -o",
            "check duel.toml -n 100 --max-encounters 100 -q --format json -o",
            "check duel.toml -n 100 --max-encounters 100 -q --format junit -o",
            "trace duel.toml --format html -o",
            "trace duel.toml --format svg -o",
            "odds 2d6 -o",
            "odds 2d6 --format csv -o",
            "odds 2d6 --format json -o",
            "odds 2d6 --report",
        ] {
            if name == "notes.html" && words.starts_with("check") && !words.contains("-q -") {
                continue;
            }
            let ran = dir.run(&format!("{words} {name}"));
            // A file that is not a checkpoint is a mismatch; all others are invalid input.
            assert!(
                matches!(ran.exit, Exit::BadInput | Exit::Mismatch),
                "{words} {name}: {ran:#?}"
            );
        }
    }
    let after: Vec<Vec<u8>> = kept.map(|name| fs::read(dir.path(name)).unwrap()).to_vec();
    assert!(before == after);
    // The name of a results file that does not exist yet is reserved, too.
    let checkpoint = dir.run("run duel.toml -n 100 -q -o new --checkpoint new/duel/summary.csv");
    checkpoint.assert_refused("`summary.csv` is the name of a results file");
}

#[test]
fn foreign_files_stay_whatever_they_look_like() {
    let dir = TestDir::with_duel(&claimed());
    let check = "check duel.toml -n 100 --max-encounters 100 -q --allow-undecided";
    dir.run(&format!("{check} -o check.txt")).assert_done();
    let check_text = dir.read("check.txt");
    for (name, text) in [
        ("package.json", "{\"name\":\"x\"}"),
        ("skirmish.json", "{\n  \"program\": \"skirmishes\"\n}"),
        ("facts.json", "{\n  \"facts\": {}\n}"),
        ("diary.md", "# Dear diary"),
        (
            "output.md",
            &format!("# What check said\n\n{check_text}Well!\n"),
        ),
        ("script.py", "print(1)"),
        ("data.csv", "x,y\n1,2"),
        ("letter.txt", "Dear Sir"),
        (
            "tests.xml",
            "<?xml version=\"1.0\"?><testsuites name=\"mine\"/>",
        ),
        (
            "my.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><g/></svg>",
        ),
        ("binary", "\0\u{1}\u{2}"),
    ] {
        dir.write(name, text);
        for words in [
            &format!("{check} -o"),
            &format!("{check} --format json -o"),
            &format!("{check} --format junit -o"),
            &format!("{check} --format github -o"),
            "odds 2d6 -o",
            "odds 2d6 --format markdown -o",
            "odds 2d6 --format csv -o",
            "odds 2d6 --format json -o",
            "trace duel.toml --format svg -o",
            "trace duel.toml --format html -o",
        ] {
            let ran = dir.run(&format!("{words} {name}"));
            ran.assert_refused(&format!("`{name}` does not say that skirmish wrote it"));
            assert_eq!(dir.read(name), text, "{words}");
        }
    }
}

#[test]
fn earlier_reports_and_empty_files_are_replaced() {
    let dir = TestDir::with_duel(&claimed());
    let check = "check duel.toml -n 100 --max-encounters 100 -q --allow-undecided";
    for (words, name) in [
        ("run duel.toml -n 100 -q -o other --report", "page.html"),
        ("trace duel.toml --format svg -o", "encounter.svg"),
        ("trace duel.toml --format html -o", "encounter.html"),
        (&format!("{check} -o"), "check.txt"),
        (&format!("{check} --format github -o"), "annotations.txt"),
        (&format!("{check} --format json -o"), "check.json"),
        (&format!("{check} --format junit -o"), "check.xml"),
    ] {
        dir.write(name, "");
        for _ in 0..2 {
            dir.run(&format!("{words} {name}")).assert_done();
            let text = dir.read(name).replace('\n', "\r\n");
            dir.write(name, &text);
        }
    }
    // CSV has no mark, and a file of another program is replaced on demand.
    dir.run("odds 2d6 --format csv -o dice.csv").assert_done();
    dir.write("notes.txt", "Dear diary");
    for (words, name) in [
        ("odds 2d6 --format csv -o", "dice.csv"),
        (&format!("{check} -o"), "notes.txt"),
        ("trace duel.toml --format html -o", "notes.txt"),
        ("report duel.toml -n 100 -q -o", "notes.txt"),
    ] {
        dir.write("dice.csv", "value\n2\n");
        dir.write("notes.txt", "Dear diary");
        dir.run(&format!("{words} {name}"))
            .assert_refused("--force");
        dir.run(&format!("{words} {name} --force")).assert_done();
    }
}

#[test]
fn commands_to_copy_quote_what_a_shell_would_split() {
    let dir = TestDir::with_duel(DUEL);
    let plan = dir.run("plan duel.toml -n 500 --shards 2 -q -o plan");
    plan.assert_done();
    fs::rename(dir.path("plan"), dir.path("with space")).unwrap();
    let mut merge = dir.command("merge -q");
    let merged = Outcome::of(merge.arg("with space").output().unwrap());
    let command = "play them: skirmish run --plan 'with space' --shard NUMBER";
    assert!(merged.err.contains(command), "{merged:#?}");
}

#[test]
fn what_is_in_the_way_of_a_folder_is_named() {
    let dir = TestDir::with_duel(DUEL);
    dir.write("file", "");
    for (folder, words) in [
        ("file", "plan duel.toml -n 100 --shards 1 -q -o file"),
        ("file/duel", "run duel.toml -n 100 -q -o file"),
        ("file/deep/duel", "run duel.toml -n 100 -q -o file/deep"),
        ("file", "trace duel.toml --format svg -o file/a.svg"),
    ] {
        dir.run(words).assert_refused(&format!(
            "cannot make the folder `{folder}`: `file` is a file; name"
        ));
    }
    let folder = dir.run("validate .");
    folder.assert_refused("`.` is a folder: name scenario files, such as ");
}

#[test]
fn numbers_are_refused_in_plain_words() {
    let dir = TestDir::with_duel(DUEL);
    for (words, told) in [
        (
            "trace duel.toml --encounter 1.5",
            "'--encounter <K>': write a whole number",
        ),
        (
            "odds 2d6 --at-least 2.5",
            "'--at-least <VALUE>': write a whole number",
        ),
        ("odds --pool 3 --willpower x", "write a whole number"),
        (
            "trace duel.toml --encounter 99999999999999999999",
            "the number is too large",
        ),
        (
            "trace duel.toml --find winner=heroes --within 0",
            "at least one is needed",
        ),
        (
            "run duel.toml --exact --max-states 0",
            "at least one is needed",
        ),
        (
            "explain policy foo",
            "[possible values: tara-corax, mage, chronicles, eclipse-phase, own]",
        ),
        (
            "run duel.toml --set sword.check.dice=1000d1000",
            "`dice` is too much to compute",
        ),
    ] {
        dir.run(words).assert_refused(told);
    }
}

#[test]
fn every_answer_of_odds_replaces_an_earlier_one() {
    let dir = TestDir::empty();
    for question in [
        "--pool 8 --difficulty 6",
        "--pool 1..3 --difficulty 5..6 --show botch",
        "--pool 6 --vary botch=ones-exceed,no-success",
        "--pool 3 --against 2",
        "--system chronicles --pool 0..2",
        "--pool 5 --difficulty 7 --required 12 --ritual --max-rolls 8",
        "--pool 5 --required 4 --ritual --set rules.magick.ritual_botch=continues --max-rolls 4",
        "--pool 2..4 --required 5..7 --ritual",
        "--pool 5 --rolled 6,2,5,10,9,3",
        "{pool=4} {pool=3}",
        "magick --arete 4 --sphere 3 --vulgar --required 2",
        "magick --arete 2..3 --sphere 2 --required 5..6 --ritual",
        "magick --arete 2..3 --sphere 2 --required 1..2",
        "2d10+9 --at-least 15",
        "2d6+3 3d4 --at-least 12",
        "2d10+7 vs 2d10+5",
        "min(15+1d10xo,30)",
        "{dice='1d20',bonus=5,critical=20,fumble=1} --evade 15",
        "2d10+9 --evade 15 --with spoils=5",
        "{skill=55}",
        "2d4",
        "{skill=30} --against {skill=30}",
        "--pool 3 --required 4 --ritual",
    ] {
        for format in ["table", "markdown", "json"] {
            let words = format!("odds {question} --format {format} -o answer-{format}");
            dir.run(&words).assert_done();
            dir.run(&words).assert_done();
        }
    }
    let first = |name| dir.read(name).lines().next().map(str::to_owned);
    let command = "`skirmish odds --pool 3 --required 4 --ritual --format";
    let table = format!("Made by {command} table -o answer-table`");
    assert_eq!(first("answer-table"), Some(table));
    let markdown = format!("<!-- Made by {command} markdown -o answer-markdown` -->");
    assert_eq!(first("answer-markdown"), Some(markdown));
}

#[test]
fn a_manifest_of_another_program_is_left_as_it_is() {
    let dir = TestDir::with_duel(DUEL);
    let words = "run duel.toml -n 500 -q -o out";
    for foreign in ["{\"name\": \"mine\"}", "mine"] {
        dir.write("out/duel/manifest.json", foreign);
        let ran = dir.run(words);
        assert_eq!(ran.exit, Exit::BadInput, "{ran:#?}");
        assert!(ran.err.contains("left as it is"), "{ran:#?}");
        assert_eq!(dir.read("out/duel/manifest.json"), foreign);
    }
    dir.write("out/duel/manifest.json", "");
    dir.run(words).assert_done();
}

#[cfg(target_os = "linux")]
#[test]
fn a_starter_is_written_whole_or_not_at_all() {
    let dir = TestDir::empty();
    // A limit of 512 bytes per file makes writing fail midway, as on a full disk.
    let mut limited = std::process::Command::new("sh");
    let program = dir.command("").get_program().to_owned();
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" new duel"])
        .arg(program)
        .current_dir(dir.path(""));
    let ran = Outcome::of(limited.output().unwrap());
    assert_ne!(ran.exit, Exit::Done, "{ran:#?}");
    assert_eq!(dir.files(), [""; 0]);
    dir.run("new duel").assert_done();
}

/// Makes a folder read-only. Root can write to it all the same, so the test applies only if a write fails.
#[cfg(unix)]
#[test]
fn tune_tests_where_it_is_to_write_before_the_search() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = TestDir::empty();
    dir.write("locked/duel.toml", include_str!("../tune/fair.toml"));
    let folder = dir.path("locked");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.join("try"), "").is_err() {
        let ran = dir.run("tune locked/duel.toml -n 1M --write -o out");
        assert_eq!(ran.exit, Exit::BadInput, "{ran:#?}");
        assert!(ran.err.contains("cannot write in the folder"), "{ran:#?}");
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn replacing_results_of_another_task_says_so_and_no_clobber_refuses() {
    let dir = TestDir::with_duel(DUEL);
    let first = dir.run("run duel.toml -n 20k -q -o out").assert_done();
    assert!(!first.err.contains("replaces"), "{first:#?}");
    let same = dir.run("run duel.toml -n 20k -q -o out").assert_done();
    assert!(!same.err.contains("replaces"), "{same:#?}");
    let kept = results(&dir, "out/duel");
    dir.run("run duel.toml -n 5k -q -o out --no-clobber")
        .assert_refused("--no-clobber keeps them");
    assert_eq!(results(&dir, "out/duel"), kept);
    let other = dir.run("run duel.toml -n 5k -q -o out").assert_done();
    assert!(
        other.err.contains("replaces a run of 20,000 encounters"),
        "{other:#?}"
    );
    assert_eq!(
        other.out,
        dir.run("run duel.toml -n 5k -q -o fresh --no-clobber")
            .assert_done()
            .out
    );
    for words in [
        "compare duel.toml -n 200 -q",
        "sweep duel.toml --vary combatants.monster.health=20..21 -n 200 -q",
        "sensitivity duel.toml -n 200 -q",
        "knockout duel.toml -n 200 -q",
    ] {
        dir.run(&format!("{words} -o out --no-clobber"))
            .assert_done();
        let again = dir.run(&format!("{words} -o out --no-clobber"));
        again.assert_refused("--no-clobber keeps them");
    }
}

#[test]
fn no_clobber_keeps_files_that_other_options_name() {
    let dir = TestDir::with_duel(DUEL);
    let words = |more: &str| format!("run duel.toml -n 50 -q --no-clobber {more}");
    let all = "--each rows.csv --report page.html";
    dir.run(&words(&format!("-o first {all}"))).assert_done();
    let kept = [dir.read("rows.csv"), dir.read("page.html")];
    for option in ["--each rows.csv", "--report page.html"] {
        let again = dir.run(&words(&format!("--seed 2 -o second {option}")));
        again.assert_refused("exists already, and --no-clobber keeps it");
        assert!(!dir.path("second").exists(), "{option}");
    }
    assert_eq!(kept, [dir.read("rows.csv"), dir.read("page.html")]);
}

#[test]
fn a_file_that_no_run_wrote_is_no_result_to_replace() {
    let dir = TestDir::with_duel(DUEL);
    dir.write("out/duel/summary.csv", "my notes\n");
    dir.run("run duel.toml -n 50 -q -o out")
        .assert_refused("is no results file of skirmish");
    assert_eq!(dir.read("out/duel/summary.csv"), "my notes\n");
    // A process that was killed while it renamed its files leaves results without a manifest.
    dir.run("run duel.toml -n 50 -q -o cut").assert_done();
    fs::remove_file(dir.path("cut/duel/manifest.json")).unwrap();
    dir.run("run duel.toml -n 50 -q -o cut").assert_done();
}

#[test]
fn an_interrupted_run_replaces_no_greater_one_of_the_same_fights() {
    let dir = TestDir::with_duel(DUEL);
    let interrupted = |more: &str| {
        let words =
            "run duel.toml -n 1G --threads 1 --checkpoint saved --checkpoint-every 0 -o out";
        let child = dir.start(&format!("{words} {more}"));
        until("a checkpoint", || dir.path("saved").exists());
        super::signals::send("-INT", &child);
        let ran = Outcome::of(child.wait_with_output().unwrap());
        fs::remove_file(dir.path("saved")).unwrap();
        assert_eq!(ran.exit, Exit::Interrupted, "{ran:#?}");
        ran
    };
    dir.run("run duel.toml -n 300k -q -o out").assert_done();
    let manifest = dir.read("out/duel/manifest.json");
    // A finished run of this size would take too long.
    let more = manifest.replace("300000", "300000000000");
    dir.write("out/duel/manifest.json", &more);
    let kept = results(&dir, "out/duel");
    let ran = interrupted("");
    assert!(
        ran.err
            .contains("`out/duel` keeps a run of 300,000,000,000 encounters"),
        "{ran:#?}"
    );
    assert_eq!(dir.read("out/duel/manifest.json"), more);
    assert_eq!(results(&dir, "out/duel"), kept);
    // Results of other fights replace what is there, even with fewer encounters.
    let other = interrupted("--seed 2");
    assert!(other.err.contains("note: replaces"), "{other:#?}");
}

#[test]
fn sweeps_of_other_keys_get_files_of_their_own() {
    let dir = TestDir::with_duel(DUEL);
    let sweep = |vary: &str| format!("sweep duel.toml --vary {vary} -n 200 -q -o out");
    dir.run(&sweep("combatants.monster.health=20..22"))
        .assert_done();
    let first = dir.read("out/duel/sweep.csv");
    dir.run(&sweep("combatants.monster.armor=0..2"))
        .assert_done();
    assert_eq!(dir.read("out/duel/sweep.csv"), first);
    let other = dir.read("out/duel/sweep-combatants.monster.armor.csv");
    assert!(other.contains(",combatants.monster.armor,"), "{other}");
    // The same keys with other values are the same sweep and replace its results.
    dir.run(&sweep("combatants.monster.health=24..26"))
        .assert_done();
    assert_ne!(dir.read("out/duel/sweep.csv"), first);
    dir.run("report out/duel -q -o page.html").assert_done();
    let page = dir.read("page.html");
    assert!(page.contains("combatants.monster.health"));
    assert!(page.contains("combatants.monster.armor"));
}

/// A merge is short, so the signal may arrive at any point: before it begins, during it, or at its end.
#[cfg(unix)]
#[test]
fn an_interrupted_merge_leaves_the_old_results_or_the_new() {
    let dir = TestDir::with_duel(DUEL);
    dir.run("run duel.toml -n 300 --seed 5 -q -o old")
        .assert_done();
    dir.run("plan duel.toml -n 2k --shards 20 -q -o plan")
        .assert_done();
    for shard in 0..20 {
        dir.run(&format!("run --plan plan --shard {shard} -q"))
            .assert_done();
    }
    dir.run("merge plan -q -o new").assert_done();
    let [old, new] = ["old", "new"].map(|folder| results(&dir, &format!("{folder}/duel")));
    assert_ne!(old, new);
    for (number, signal) in (0..24).zip(["-INT", "-TERM", "-HUP"].iter().cycle()) {
        let out = format!("out{number}");
        for name in [
            "summary.csv",
            "distributions.csv",
            "examples.csv",
            "manifest.json",
        ] {
            dir.write(
                &format!("{out}/duel/{name}"),
                dir.read(&format!("old/duel/{name}")),
            );
        }
        let mut child = dir.start(&format!("merge plan -q -o {out}"));
        std::thread::sleep(std::time::Duration::from_millis(number));
        super::signals::send(signal, &child);
        child.wait().unwrap();
        let found = results(&dir, &format!("{out}/duel"));
        assert!(
            found == old || found == new,
            "{number} {signal}: {found:#?}"
        );
        dir.run(&format!("report {out}/duel -q -o page.html"))
            .assert_done();
        let left = dir.files();
        assert!(
            left.iter().all(|name| !name.contains(".skirmish")),
            "{number} {signal}: {left:?}"
        );
    }
}
