//! A results folder belongs to one run, and no mistake loses its files.

use super::{Place, Ran, until};
use std::fs;

/// Returns the results files of a run that do not vary from run to run.
fn results(place: &Place, folder: &str) -> Vec<String> {
    let files = ["summary.csv", "distributions.csv", "examples.csv"];
    files
        .map(|file| place.read(&format!("{folder}/{file}")))
        .to_vec()
}

#[test]
fn two_runs_into_one_folder_never_mix() {
    let place = Place::with_duel();
    let words = |seed: u64, out: &str| format!("run duel.toml -n 2k --seed {seed} -q -o {out}");
    for seed in 1..=4 {
        place.run(&words(seed, &format!("alone{seed}"))).done();
    }
    for round in 0..8 {
        let all: Vec<_> = (1..=4)
            .map(|seed| place.start(&words(seed, "out")))
            .collect();
        let ran = all
            .into_iter()
            .map(|one| Ran::of(one.wait_with_output().unwrap()));
        let ran: Vec<Ran> = ran.collect();
        for one in ran.iter().filter(|one| one.code != Some(0)) {
            assert_eq!(one.code, Some(2), "{one:#?}");
            assert!(one.err.contains("another run writes to"), "{one:#?}");
        }
        assert!(
            ran.iter().any(|one| one.code == Some(0)),
            "{round}: {ran:#?}"
        );
        let found = results(&place, "out/duel");
        let manifest = place.read("out/duel/manifest.json");
        let seed = (1..=4).find(|seed| manifest.contains(&format!("\"seed\": {seed},")));
        assert_eq!(
            found,
            results(&place, &format!("alone{}/duel", seed.unwrap()))
        );
        place.run("report out/duel -q -o page.html").done();
    }
    let left = place.files();
    assert!(
        left.iter().all(|name| !name.contains(".skirmish")),
        "{left:?}"
    );
}

#[test]
fn a_folder_whose_files_do_not_belong_together_is_refused() {
    let place = Place::with_duel();
    for (seed, out) in [(1, "one"), (2, "two")] {
        place
            .run(&format!("run duel.toml -n 500 --seed {seed} -q -o {out}"))
            .done();
        let sweep = "sweep duel.toml --vary combatants.monster.health=20..22";
        place
            .run(&format!("{sweep} -n 500 --seed {seed} -q -o {out}"))
            .done();
    }
    place.run("report one/duel -q -o page.html").done();
    for file in [
        "summary.csv",
        "distributions.csv",
        "examples.csv",
        "sweep.csv",
    ] {
        let mine = place.read(&format!("one/duel/{file}"));
        fs::copy(
            place.path(&format!("two/duel/{file}")),
            place.path(&format!("one/duel/{file}")),
        )
        .unwrap();
        let wrong = format!("{file} does not belong to");
        place.run("report one/duel -q -o page.html").refused(&wrong);
        if file.starts_with(['s', 'd']) && file != "sweep.csv" {
            let wrong = format!("{file}` does not belong to the manifest");
            place
                .run("check duel.toml --baseline one -q")
                .refused(&wrong);
        }
        // Version control may change line endings.
        place.write(&format!("one/duel/{file}"), &mine.replace('\n', "\r\n"));
        place.run("report one/duel -q -o page.html").done();
        place.write(&format!("one/duel/{file}"), &mine);
    }
    place.run("report one/duel -q -o page.html").done();
}

/// The next run in a folder removes temporary files that killed runs left behind; those of live runs stay.
#[cfg(unix)]
#[test]
fn stale_temporary_files_of_dead_runs_are_cleaned() {
    let place = Place::with_duel();
    let mut child = place.start("run duel.toml -n 1G --threads 1 -o out");
    until("a lock", || place.path("out/duel/.skirmish.lock").exists());
    place.write("out/duel/.skirmish-dead.tmp", "half a file");
    place.write("out/duel/kept.tmp", "not ours");
    let refused = place.run("run duel.toml -n 100 -q -o out");
    refused.refused("another run writes to `out/duel` at this moment (process ");
    child.kill().unwrap();
    child.wait().unwrap();
    place.run("run duel.toml -n 100 -q -o out").done();
    let hidden: Vec<String> = place.files();
    assert!(
        hidden.iter().all(|name| !name.contains(".skirmish")),
        "{hidden:?}"
    );
    assert_eq!(place.read("out/duel/kept.tmp"), "not ours");
}

#[test]
fn no_report_overwrites_what_is_not_of_its_kind() {
    let place = Place::with_duel();
    place.run("run duel.toml -n 500 -q -o out").done();
    place
        .run("plan duel.toml -n 500 --shards 1 -q -o plan")
        .done();
    place.run("run --plan plan --shard 0 -q").done();
    place.write("fight", super::DUEL);
    place.write("notes.html", "<!DOCTYPE html><p>My own page");
    fs::copy(place.path("out/duel/summary.csv"), place.path("saved.csv")).unwrap();
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
    let before: Vec<Vec<u8>> = kept
        .map(|name| fs::read(place.path(name)).unwrap())
        .to_vec();
    for name in kept {
        for words in [
            "run duel.toml -n 100 -q -o other --report",
            "run duel.toml -n 100 -q -o other --checkpoint",
            "report duel.toml -n 100 -q -o",
            "check duel.toml --mirror -n 100 --max-encounters 100 -q --report",
            "check duel.toml --mirror -n 100 --max-encounters 100 -q -o",
            "check duel.toml --mirror -n 100 --max-encounters 100 -q --format json -o",
            "check duel.toml --mirror -n 100 --max-encounters 100 -q --format junit -o",
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
            let ran = place.run(&format!("{words} {name}"));
            // A file that is not a checkpoint is a mismatch; all others are invalid input.
            assert!(matches!(ran.code, Some(2 | 3)), "{words} {name}: {ran:#?}");
        }
    }
    let after: Vec<Vec<u8>> = kept
        .map(|name| fs::read(place.path(name)).unwrap())
        .to_vec();
    assert!(before == after);
    // The name of a results file that does not exist yet is reserved, too.
    let checkpoint = place.run("run duel.toml -n 100 -q -o new --checkpoint new/duel/summary.csv");
    checkpoint.refused("`summary.csv` is the name of a results file");
}

#[test]
fn foreign_files_stay_whatever_they_look_like() {
    let place = Place::with_duel();
    let check = "check duel.toml --mirror -n 100 --max-encounters 100 -q --allow-undecided";
    place.run(&format!("{check} -o check.txt")).done();
    let check_text = place.read("check.txt");
    for (name, text) in [
        ("package.json", "{\"name\":\"x\"}"),
        ("skirmish.json", "{\n  \"program\": \"skirmish\"\n}"),
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
        place.write(name, text);
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
            "run duel.toml --variant base -q -o other --exact --export",
        ] {
            let ran = place.run(&format!("{words} {name}"));
            ran.refused(&format!("`{name}` is no "));
            assert_eq!(place.read(name), text, "{words}");
        }
    }
}

#[test]
fn earlier_reports_of_the_kind_and_empty_files_are_replaced() {
    let place = Place::with_duel();
    let check = "check duel.toml --mirror -n 100 --max-encounters 100 -q --allow-undecided";
    place.write(
        "sure.toml",
        r#"
            system = "tara-corax"
            weapons.club = { kind = "melee", check = { dice = "2d10", bonus = 30 }, damage = 9 }
            combatants = [
                { name = "ogre", side = "a", position = 0, initiative = 20, move = 1, evade = 9, health = 1, weapons = ["club"], policy = ["attack"] },
                { name = "rat", side = "b", position = 0, initiative = 1, move = 1, evade = 9, health = 1, weapons = ["club"], policy = ["pass"] },
            ]
        "#,
    );
    for (words, name) in [
        ("run duel.toml -n 100 -q -o other --report", "page.html"),
        ("run sure.toml -q -o other --exact --export", "chain.drn"),
        ("trace duel.toml --format svg -o", "encounter.svg"),
        ("trace duel.toml --format html -o", "encounter.html"),
        (&format!("{check} -o"), "check.txt"),
        (&format!("{check} --format github -o"), "annotations.txt"),
        (&format!("{check} --format json -o"), "check.json"),
        (&format!("{check} --format junit -o"), "check.xml"),
    ] {
        place.write(name, "");
        for _ in 0..2 {
            place.run(&format!("{words} {name}")).done();
            let text = place.read(name).replace('\n', "\r\n");
            place.write(name, &text);
        }
    }
    // Annotations of a failed check may be replaced, too.
    place.write(
        "annotations.txt",
        "::error file=a.toml,line=1,col=1,title=skirmish%3A failed::no\n2 passed, 1 failed\n",
    );
    place
        .run(&format!("{check} --format github -o annotations.txt"))
        .done();
}

#[test]
fn commands_to_copy_quote_what_a_shell_would_split() {
    let place = Place::with_duel();
    let plan = place.run("plan duel.toml -n 500 --shards 2 -q -o plan");
    plan.done();
    fs::rename(place.path("plan"), place.path("with space")).unwrap();
    let mut merge = place.command("merge -q");
    let merged = Ran::of(merge.arg("with space").output().unwrap());
    let command = "play them: skirmish run --plan 'with space' --shard NUMBER";
    assert!(merged.err.contains(command), "{merged:#?}");
}

#[test]
fn what_is_in_the_way_of_a_folder_is_named() {
    let place = Place::with_duel();
    place.write("file", "");
    for (folder, words) in [
        ("file", "plan duel.toml -n 100 --shards 1 -q -o file"),
        ("file/duel", "run duel.toml -n 100 -q -o file"),
        ("file/deep/duel", "run duel.toml -n 100 -q -o file/deep"),
        ("file", "trace duel.toml --format svg -o file/a.svg"),
    ] {
        place.run(words).refused(&format!(
            "cannot make the folder `{folder}`: `file` is a file; name"
        ));
    }
    let folder = place.run("validate .");
    folder.refused("`.` is a folder: name scenario files, such as ");
}

#[test]
fn numbers_are_refused_in_plain_words() {
    let place = Place::with_duel();
    for (words, told) in [
        (
            "trace duel.toml --encounter 1.5",
            "'--encounter <K>': write a whole number",
        ),
        (
            "odds 2d6 --at-least 2.5",
            "'--at-least <VALUE>': write a whole number",
        ),
        (
            "odds --pool 3 --willpower --willpower-points x",
            "write a whole number",
        ),
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
            "[possible values: tara-corax, mage, chronicles, eclipse-phase]",
        ),
        (
            "run duel.toml --set sword.check.dice=1000d1000",
            "`dice` is too much to compute",
        ),
    ] {
        place.run(words).refused(told);
    }
    for (values, told) in [("4", "1 point of "), ("4..2003", "2,000 points of ")] {
        let sweep = format!("sweep duel.toml --vary monster.health={values} -n 10 --dry-run");
        let ran = place.run(&sweep).done();
        assert!(ran.out.contains(told), "{ran:#?}");
    }
}

#[test]
fn every_answer_of_odds_replaces_an_earlier_one() {
    let place = Place::new();
    for question in [
        "--pool 8 --difficulty 6",
        "--pool 1..3 --difficulty 5..6 --show botch",
        "--pool 3 --show net",
        "--pool 6 --compare botch=no-success,tens=plain",
        "--pool 3 --against 2 --against-difficulty 7",
        "--chronicles --pool 0..2",
        "--pool 5 --difficulty 7 --required 12 --ritual --max-rolls 8",
        "--pool 5 --required 4 --ritual --turns-per-roll 5 --on-botch continues --max-rolls 4",
        "--pool 5 --required 8 --ritual --against 4",
        "--pool 5 --required 8 --ritual --against 4 --turns-per-roll 5",
        "--pool 2..4 --required 5..7 --ritual",
        "--pool 5 --rolled 6,2,5,10,9,3",
        "--pool 7 --split 4,3",
        "--pool 5 --with 4@7,3 --required 4",
        "magick --arete 4 --sphere 3 --vulgar --required 2",
        "magick --arete 1..3 --sphere 2 --required 5..6 --ritual",
        "magick --arete 1..3 --sphere 2 --required 1..2",
        "2d10+9 --at-least 15",
        "2d6+3 3d4 --at-least 12",
        "2d10+7 vs 2d10+5",
        "initiative --characteristic 15",
        "initiative --system mage --rating 6 --against 5",
        "initiative --system chronicles --grid 3..4 --show before",
        "attack 1d20 --bonus 5 --evade 15 --critical 20 --fumble 1 --damage 1d6+3 --armor 2",
        "desperate --bonus 9 --mastery 2 --evade 15",
        "percentile --skill 55",
        "2d4 --sample 2000",
        "percentile --skill 55 --sample 2000",
        "--pool 3 --required 4 --ritual --sample 2000",
    ] {
        for format in ["table", "markdown", "csv", "json"] {
            let words = format!("odds {question} --format {format} -o answer-{format}");
            place.run(&words).done();
            place.run(&words).done();
        }
    }
    let first = |name| place.read(name).lines().next().map(str::to_owned);
    let command = "`skirmish odds --pool 3 --required 4 --ritual --sample 2000 --format";
    let table = format!("Made by {command} table -o answer-table`");
    assert_eq!(first("answer-table"), Some(table));
    let markdown = format!("<!-- Made by {command} markdown -o answer-markdown` -->");
    assert_eq!(first("answer-markdown"), Some(markdown));
}

#[test]
fn a_manifest_of_another_program_is_left_as_it_is() {
    let place = Place::with_duel();
    let words = "run duel.toml -n 500 -q -o out";
    for foreign in ["{\"name\": \"mine\"}", "mine"] {
        place.write("out/duel/manifest.json", foreign);
        let ran = place.run(words);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.err.contains("left as it is"), "{ran:#?}");
        assert_eq!(place.read("out/duel/manifest.json"), foreign);
    }
    place.write("out/duel/manifest.json", "");
    place.run(words).done();
}

#[cfg(target_os = "linux")]
#[test]
fn a_starter_is_written_whole_or_not_at_all() {
    let place = Place::new();
    // A limit of 512 bytes per file makes writing fail midway, as on a full disk.
    let mut limited = std::process::Command::new("sh");
    let program = place.command("").get_program().to_owned();
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" new duel"])
        .arg(program)
        .current_dir(place.path(""));
    let ran = Ran::of(limited.output().unwrap());
    assert_ne!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(place.files(), [""; 0]);
    place.run("new duel").done();
}

/// Makes a folder read-only. Root can write to it all the same, so the test applies only if a write fails.
#[cfg(unix)]
#[test]
fn tune_tests_where_it_is_to_write_before_the_search() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    place.write("locked/duel.toml", include_str!("../tune/fair.toml"));
    let folder = place.path("locked");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.join("try"), "").is_err() {
        let ran = place.run("tune locked/duel.toml -n 1M --write -o out");
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.err.contains("cannot write in the folder"), "{ran:#?}");
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn replacing_results_of_another_task_says_so_and_no_clobber_refuses() {
    let place = Place::with_duel();
    let first = place.run("run duel.toml -n 20k -q -o out").done();
    assert!(!first.err.contains("replaces"), "{first:#?}");
    let same = place.run("run duel.toml -n 20k -q -o out").done();
    assert!(!same.err.contains("replaces"), "{same:#?}");
    let kept = results(&place, "out/duel");
    place
        .run("run duel.toml -n 5k -q -o out --no-clobber")
        .refused("--no-clobber keeps them");
    assert_eq!(results(&place, "out/duel"), kept);
    let other = place.run("run duel.toml -n 5k -q -o out").done();
    assert!(
        other.err.contains("replaces a run of 20,000 encounters"),
        "{other:#?}"
    );
    assert_eq!(
        other.out,
        place
            .run("run duel.toml -n 5k -q -o fresh --no-clobber")
            .done()
            .out
    );
    for words in [
        "compare duel.toml -n 200 -q",
        "sweep duel.toml --vary combatants.monster.health=20..21 -n 200 -q",
        "sensitivity duel.toml -n 200 -q",
        "knockout duel.toml -n 200 -q",
    ] {
        place.run(&format!("{words} -o out --no-clobber")).done();
        let again = place.run(&format!("{words} -o out --no-clobber"));
        again.refused("--no-clobber keeps them");
    }
}

#[test]
fn sweeps_of_other_keys_get_files_of_their_own() {
    let place = Place::with_duel();
    let sweep = |vary: &str| format!("sweep duel.toml --vary {vary} -n 200 -q -o out");
    place.run(&sweep("combatants.monster.health=20..22")).done();
    let first = place.read("out/duel/sweep.csv");
    place.run(&sweep("combatants.monster.armor=0..2")).done();
    assert_eq!(place.read("out/duel/sweep.csv"), first);
    let other = place.read("out/duel/sweep combatants.monster.armor.csv");
    assert!(other.contains(",combatants.monster.armor,"), "{other}");
    // The same keys with other values are the same sweep and replace its results.
    place.run(&sweep("combatants.monster.health=24..26")).done();
    assert_ne!(place.read("out/duel/sweep.csv"), first);
    place.run("report out/duel -q -o page.html").done();
    let page = place.read("page.html");
    assert!(page.contains("combatants.monster.health"));
    assert!(page.contains("combatants.monster.armor"));
}

/// A merge is short, so the signal may arrive at any point: before it begins, during it, or at its end.
#[cfg(unix)]
#[test]
fn an_interrupted_merge_leaves_the_old_results_or_the_new() {
    let place = Place::with_duel();
    place.run("run duel.toml -n 300 --seed 5 -q -o old").done();
    place
        .run("plan duel.toml -n 2k --shards 20 -q -o plan")
        .done();
    for shard in 0..20 {
        place
            .run(&format!("run --plan plan --shard {shard} -q"))
            .done();
    }
    place.run("merge plan -q -o new").done();
    let [old, new] = ["old", "new"].map(|folder| results(&place, &format!("{folder}/duel")));
    assert_ne!(old, new);
    for (number, signal) in (0..24).zip(["-INT", "-TERM", "-HUP"].iter().cycle()) {
        let out = format!("out{number}");
        for name in [
            "summary.csv",
            "distributions.csv",
            "examples.csv",
            "manifest.json",
        ] {
            place.write(
                &format!("{out}/duel/{name}"),
                &place.read(&format!("old/duel/{name}")),
            );
        }
        let mut child = place.start(&format!("merge plan -q -o {out}"));
        std::thread::sleep(std::time::Duration::from_millis(number));
        super::signals::send(signal, &child);
        child.wait().unwrap();
        let found = results(&place, &format!("{out}/duel"));
        assert!(
            found == old || found == new,
            "{number} {signal}: {found:#?}"
        );
        place
            .run(&format!("report {out}/duel -q -o page.html"))
            .done();
        let left = place.files();
        assert!(
            left.iter().all(|name| !name.contains(".skirmish")),
            "{number} {signal}: {left:?}"
        );
    }
}
