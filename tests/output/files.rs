//! Files are written whole or not at all.

use crate::check::DUEL;
use crate::support::TestDir;
use skirmish::cli::Exit;
use skirmish::output::Target;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_name_that_is_too_long_is_refused_before_anything_is_written() {
    let dir = TestDir::empty();
    let name = "x".repeat(300);
    let refused = Target::prepare(&dir.path("results"), &[&name]).unwrap_err();
    assert!(refused.to_string().contains(&name), "{refused}");
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_not_replaced() {
    let dir = TestDir::with_duel(DUEL);
    let link = dir.path("out.html");
    std::os::unix::fs::symlink(dir.path("nothing"), &link).unwrap();
    let rows = dir.path("rows.csv");
    std::os::unix::fs::symlink(dir.path("nothing"), &rows).unwrap();
    for option in ["--report @/out.html", "--each @/rows.csv"] {
        let outcome = dir.call(&format!("run @/duel.toml -n 10 -q -o @/results {option}"));
        outcome.assert_refused("a link to nothing");
    }
    assert!(link.is_symlink() && rows.is_symlink());
    assert!(!dir.path("nothing").exists() && !dir.path("results").exists());
}

#[test]
fn files_of_a_batch_appear_together() {
    let dir = TestDir::empty();
    let place = dir.path("new/kiting");
    let mut target = Target::prepare(&place, &["a", "b"]).unwrap();
    let mut batch = target.batch();
    batch.file("a", |out| out.write_all(b"one")).unwrap();
    assert!(!place.join("a").exists());
    batch.file("b", |out| out.write_all(b"two")).unwrap();
    batch.commit().unwrap();
    assert_eq!(names(&place), ["a", "b"]);
    assert_eq!(fs::read(place.join("b")).unwrap(), b"two");
}

#[test]
fn a_new_file_appears_whole_and_replaces_no_other() {
    let dir = TestDir::empty();
    let mut target = Target::prepare(dir.root(), &["a"]).unwrap();
    target.create("a", b"one").unwrap();
    let refused = target.create("a", b"two").unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(dir.files(), ["a"]);
    assert_eq!(dir.read("a"), "one");
}

#[test]
fn a_failed_write_leaves_the_old_files_whole() {
    let dir = TestDir::empty();
    dir.write("a", "old");
    dir.write("b", "old");
    let mut target = Target::prepare(dir.root(), &["a", "b"]).unwrap();
    let mut batch = target.batch();
    batch.file("a", |out| out.write_all(b"new")).unwrap();
    let error = batch
        .file("b", |out| {
            out.write_all(b"ne")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        })
        .unwrap_err();
    assert!(error.to_string().contains("cannot write"), "{error}");
    drop(batch);
    assert_eq!(names(dir.root()), ["a", "b"]);
    assert_eq!(fs::read(dir.path("a")).unwrap(), b"old");
    assert_eq!(fs::read(dir.path("b")).unwrap(), b"old");
}

#[test]
fn a_folder_in_a_files_place_is_found_before_the_run() {
    let dir = TestDir::empty();
    fs::create_dir(dir.path("a")).unwrap();
    let error = Target::prepare(dir.root(), &["a"]).unwrap_err();
    assert!(error.to_string().contains("is in the way"), "{error}");
}

#[test]
fn a_file_in_the_folders_place_is_found_before_the_run() {
    let dir = TestDir::empty();
    dir.write("results", "not a folder");
    let error = Target::prepare(&dir.path("results/kiting"), &[]).unwrap_err();
    assert!(
        error.to_string().contains("cannot make the folder"),
        "{error}"
    );
}

#[test]
fn folders_made_for_nothing_go_again() {
    let dir = TestDir::empty();
    let place = dir.path("results/kiting");
    drop(Target::prepare(&place, &["a"]).unwrap());
    assert_eq!(fs::read_dir(dir.root()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn results_are_as_readable_as_any_other_file() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TestDir::empty();
    dir.write("plain", "");
    let mut target = Target::prepare(dir.root(), &["a"]).unwrap();
    let mut batch = target.batch();
    batch.file("a", |out| out.write_all(b"x")).unwrap();
    batch.commit().unwrap();
    let mode = |name| fs::metadata(dir.path(name)).unwrap().permissions().mode();
    assert_eq!(mode("a"), mode("plain"));
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_found_before_the_run() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TestDir::empty();
    fs::set_permissions(dir.root(), fs::Permissions::from_mode(0o555)).unwrap();
    // Permissions do not bind root, so the check applies only where they do.
    if fs::write(dir.path("probe"), "").is_err() {
        let error = Target::prepare(dir.root(), &["a"]).unwrap_err();
        assert!(
            error.to_string().contains("cannot write in the folder"),
            "{error}"
        );
    }
    fs::set_permissions(dir.root(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_that_takes_no_files_is_found_before_the_run_even_by_root() {
    // No user can create files in /proc.
    let error = Target::prepare(Path::new("/proc/self"), &["a"]).unwrap_err();
    assert!(
        error.to_string().contains("cannot write in the folder"),
        "{error}"
    );
}

#[test]
fn options_that_name_one_file_are_refused_before_anything_is_played() {
    let expectation = "[[expect]]\nmetric = \"rounds\"\nmax = 9\n";
    let dir = TestDir::with_duel(&format!("{DUEL}\n{expectation}"));
    let one_file = "name the same file";
    let folder = "the results go to a folder of this name";
    for (line, message) in [
        ("run duel.toml -n 50 --checkpoint z --report z", one_file),
        ("run duel.toml -n 50 --checkpoint z --report ./z", one_file),
        ("run duel.toml -n 50 --each new/../z --report z", one_file),
        ("run duel.toml --each z --report ./z", one_file),
        (
            "tune duel.toml -n 50 --vary combatants.monster.health=1..3 --checkpoint z --report ./z",
            one_file,
        ),
        ("odds --pool 6 -o z --report ./z", one_file),
        ("check duel.toml -n 50 -o z --report ./z", one_file),
        ("run duel.toml -n 50 -o new --report new", folder),
        ("compare duel.toml -n 50 -o new --report new/duel", folder),
        (
            "sweep duel.toml -n 50 -o new --vary combatants.monster.health=1..3 --report ./new/duel",
            folder,
        ),
        (
            "run duel.toml -n 50 --report -",
            "`-` is not standard output",
        ),
    ] {
        let outcome = dir.run(line);
        assert_eq!(outcome.exit, Exit::BadInput, "{line}: {outcome:#?}");
        assert!(outcome.err.contains(message), "{line}: {outcome:#?}");
        assert_eq!(dir.files(), ["duel.toml"], "{line}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(dir.root(), dir.path("here")).unwrap();
        let outcome = dir.run("odds --pool 6 -o z --report here/z");
        assert!(outcome.err.contains(one_file), "{outcome:#?}");
    }
}

#[test]
fn a_page_has_two_names() {
    let dir = TestDir::with_duel(DUEL);
    let body = |name: &str| {
        let page = dir.read(name);
        page.replace(name, "PAGE")
    };
    for line in [
        "run duel.toml -n 50 -q",
        "compare duel.toml -n 50 -q",
        "sweep duel.toml -n 50 -q --over combatants.monster.health=20,21",
        "knockout duel.toml -n 20 -q",
        "tune duel.toml -n 50 -q --vary combatants.monster.health=20,21",
        "odds 2d6 -q",
        "trace duel.toml -q",
    ] {
        dir.run(&format!("{line} --report one.html"));
        dir.run(&format!("{line} --format html -o two.html"));
        // Pages name the command that makes them, and the command names the file.
        let [one, two] = ["one.html", "two.html"].map(|name| body(name).len());
        assert!(one.abs_diff(two) < 200, "{line}: {one} {two}");
        fs::remove_file(dir.path("one.html")).unwrap();
        fs::remove_file(dir.path("two.html")).unwrap();
    }
    dir.run("run duel.toml -n 50 -q -o out --report page.html");
    dir.run("report out/duel -q --format html --report again.html");
    assert!(dir.read("again.html").starts_with("<!DOCTYPE html>"));
    dir.run("run duel.toml -n 50 --format html")
        .assert_refused("name the file of the page with -o FILE");
    dir.run("run duel.toml -n 50 --format html -o a.html --report b.html")
        .assert_refused("leave one out");
}

#[test]
fn names_of_results_have_no_spaces() {
    let dir = TestDir::empty();
    dir.write("a fight.toml", DUEL);
    let line = dir.path("a fight.toml");
    let out = dir.path("out");
    let [line, out] = [&line, &out].map(|path| path.to_str().unwrap());
    for keys in ["monster.health=20,21", "monster.armor=1,2"] {
        crate::support::skirmish(&["sweep", line, "--vary", keys, "-n", "9", "-q", "-o", out])
            .assert_done();
    }
    let files = dir.files();
    let spaced = files.iter().filter(|name| name.contains(' '));
    assert_eq!(spaced.count(), 1, "{files:?}");
    assert!(
        files
            .iter()
            .any(|name| name == "out/a-fight/sweep-combatants.monster.armor.csv"),
        "{files:?}"
    );
    dir.call("report @/out -o @/page.html").assert_done();
    assert_eq!(
        dir.call("reproduce @/out")
            .printed()
            .matches("same: ")
            .count(),
        4
    );
}
