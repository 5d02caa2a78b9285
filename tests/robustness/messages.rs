//! Errors about files, devices and links name the thing and the way out.

use crate::check::DUEL;
use crate::support::{TestDir, joined};
use skirmish::cli::Exit;
use std::fs;

/// Asserts that each command is refused with its message.
fn refused(dir: &TestDir, commands: &[(&str, &str)]) {
    for (command, message) in commands {
        let ran = dir.run(command);
        let said = joined(&ran.err);
        assert_eq!(ran.exit, Exit::BadInput, "{command}: {said}");
        assert!(said.contains(message), "{command}: {said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_named_everywhere() {
    let dir = TestDir::with_duel(DUEL);
    for words in [
        "odds 2d6",
        "explain rules",
        "systems",
        "schema",
        "trace duel.toml",
        "validate duel.toml",
        "--help",
        "run --help",
        "run duel.toml -n 50 -q",
    ] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let ran = dir.command(words).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(74), "{words}: {said}");
        let wanted = "error: cannot write to standard output: No space left on device";
        assert!(said.contains(wanted), "{words}: {said}");
    }
}

#[test]
fn standard_output_is_no_folder_of_results() {
    let dir = TestDir::with_duel(DUEL);
    let way_out = "--output -: results are files in a folder";
    refused(
        &dir,
        &[
            ("run duel.toml -n 50 -o -", way_out),
            (
                "sweep duel.toml --vary monster.health=5..6 -n 50 -o -",
                way_out,
            ),
        ],
    );
    assert!(!dir.path("-").exists());
}

#[test]
fn a_folder_or_device_in_the_place_of_a_file_is_named() {
    let dir = TestDir::with_duel(DUEL);
    fs::create_dir(dir.path("dd")).unwrap();
    let folder = "`dd` is a folder: name a file in it";
    refused(
        &dir,
        &[
            ("odds 2d6 -o dd", folder),
            ("run duel.toml -n 50 --report dd", folder),
            ("run duel.toml -n 50 --checkpoint dd", folder),
            (
                "run duel.toml -n 50 --each dd",
                "this is a folder: name a file in it, such as",
            ),
        ],
    );
    #[cfg(unix)]
    {
        let device = "`/dev/null` is a device or a pipe: name a file";
        refused(
            &dir,
            &[
                ("odds 2d6 -o /dev/null", device),
                ("run duel.toml -n 50 --report /dev/null", device),
                ("run duel.toml -n 50 --checkpoint /dev/null", device),
                (
                    "run duel.toml -n 50 --each /dev/null",
                    "this is a device or a pipe",
                ),
            ],
        );
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_named() {
    let dir = TestDir::with_duel(DUEL);
    std::os::unix::fs::symlink("nowhere.toml", dir.path("broken.toml")).unwrap();
    let broken = "it is a link to `nowhere.toml`, which does not exist";
    refused(&dir, &[("validate broken.toml", broken)]);
}

#[test]
fn a_scenario_that_is_named_twice_is_left_out_once() {
    let dir = TestDir::with_duel(DUEL);
    let twice = "`./duel.toml` is named twice: leave one out";
    refused(&dir, &[("run duel.toml ./duel.toml -n 50", twice)]);
}

#[test]
fn a_damaged_manifest_is_told_once() {
    let dir = TestDir::with_duel(DUEL);
    dir.run("run duel.toml -n 50 -q -o out").assert_done();
    dir.write("out/duel/manifest.json", "{\n");
    let damaged = "is no manifest of skirmish, or it is damaged: it ends too early\n";
    refused(&dir, &[("report out/duel -o page.html", damaged)]);
}

#[test]
fn explain_lists_its_topics() {
    refused(&TestDir::empty(), &[("explain", "eclipse-phase")]);
}

#[test]
fn a_new_scenario_can_be_played_by_the_command_that_is_printed() {
    let dir = TestDir::empty();
    let ran = dir.run("new -- -z").assert_done();
    assert!(ran.err.contains("skirmish run ./-z.toml"), "{ran:#?}");
    let ran = dir.run("run ./-z.toml -n 50 -q").assert_done();
    assert!(!ran.out.contains("trace -z"), "{ran:#?}");
    let ran = dir.run("run -n 50 -q -- -z.toml").assert_done();
    assert!(ran.out.contains("skirmish trace ./-z.toml"), "{ran:#?}");
    let mut command = dir.command("new");
    let ran = command.arg("a\nb").output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(!dir.path("a\nb.toml").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_of_encounters_says_how_far_it_came() {
    let dir = TestDir::with_duel(DUEL);
    let child = dir.start("trace duel.toml --find rounds>49 --within 1G");
    std::thread::sleep(std::time::Duration::from_millis(300));
    super::signals::send("-INT", &child);
    let ran = crate::support::Outcome::of(child.wait_with_output().unwrap());
    let said = joined(&ran.err);
    assert_eq!(ran.exit, Exit::Interrupted, "{said}");
    assert!(!said.contains("results"), "{said}");
    assert!(said.contains("interrupted: none of the "), "{said}");
}
