//! No file that does not belong to a plan is merged, and the error says what is wrong with it.

use super::{DUEL, play_shard, shard_file};
use crate::support::TestDir;
use skirmish::cli::Exit;
use skirmish::task::shard::{Head, Plan};
use std::fs::{self, File};
use std::time::{Duration, SystemTime};

/// Returns a folder with a plan of four shards, all of them played.
fn played() -> TestDir {
    let dir = TestDir::with_duel(DUEL);
    dir.call("plan @/duel.toml -n 1k --shards 4 -o @/run -q")
        .printed();
    (0..4).for_each(|number| play_shard(&dir, number));
    dir
}

/// Returns the error of a merge that leaves no results.
fn refused(dir: &TestDir) -> String {
    let said = dir
        .call("merge @/run -o @/merged -q")
        .messages(Exit::Mismatch);
    assert!(!dir.path("merged").exists());
    said
}

#[test]
fn a_shard_that_is_cut_short_is_named_and_can_be_replaced() {
    let dir = played();
    let whole = fs::read(shard_file(&dir, 1)).unwrap();
    let head = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let lengths = [0, 1, head - 1, head, head + 1, head + 31, whole.len() / 2];
    for length in lengths.into_iter().chain(whole.len() - 34..whole.len()) {
        fs::write(shard_file(&dir, 1), &whole[..length]).unwrap();
        let missing = dir.call("missing @/run");
        assert_eq!(
            (missing.exit, missing.out.as_str()),
            (Exit::Done, "1\n"),
            "{length}"
        );
        assert!(
            missing
                .err
                .starts_with("`@/run/shards/000001.shard`: it is "),
            "{}",
            missing.err
        );
    }
    let said = refused(&dir);
    assert_eq!(
        said,
        "`@/run/shards/000001.shard`: it is damaged or cut short: its checksum is not that of its \
         content; play it again: skirmish run --plan @/run --shard 1\n\
         error: nothing was merged: 3 of 4 shards are there; --partial merges those that are there\n"
    );
    let said = dir.call("run --plan @/run --shard 1").messages(Exit::Done);
    assert!(
        said.contains("its checksum is not that of its content; it is played again\n"),
        "{said}"
    );
    assert_eq!(fs::read(shard_file(&dir, 1)).unwrap(), whole);
    dir.call("merge @/run -o @/merged -q").printed();
}

#[test]
fn a_shard_with_a_changed_byte_is_refused() {
    let dir = played();
    let whole = fs::read(shard_file(&dir, 1)).unwrap();
    let head = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let some = (head..whole.len()).step_by(97);
    for at in (0..head).step_by(7).chain([head - 1]).chain(some) {
        let mut other = whole.clone();
        other[at] ^= 4;
        fs::write(shard_file(&dir, 1), other).unwrap();
        assert_eq!(dir.call("missing @/run").out, "1\n", "byte {at}");
    }
    refused(&dir);
}

#[test]
fn a_shard_of_anything_else_is_refused() {
    let others = [
        "@/duel.toml -n 1k --shards 4 --seed 2",
        "@/other.toml -n 1k --shards 4",
        "@/duel.toml -n 1k --shards 4 --set combatants.knight.armor=2",
        "@/duel.toml -n 2k --shards 4",
        "compare @/duel.toml -n 1k --shards 4",
    ];
    for other in others {
        let dir = played();
        let text = DUEL.replace("A duel", "Another");
        dir.write("other.toml", text);
        dir.call(&format!("plan {other} -o @/other -q")).printed();
        dir.call("run --plan @/other --shard 1 -q").printed();
        fs::copy(dir.path("other/shards/000001.shard"), shard_file(&dir, 1)).unwrap();
        let said = refused(&dir);
        assert!(
            said.starts_with("`@/run/shards/000001.shard`: it is of run "),
            "{said}"
        );
    }
}

#[test]
fn a_shard_of_another_cut_or_place_is_refused() {
    let dir = played();
    dir.call("plan @/duel.toml -n 1k --shards 5 -o @/other -q")
        .printed();
    dir.call("run --plan @/other --shard 1 -q").printed();
    fs::copy(dir.path("other/shards/000001.shard"), shard_file(&dir, 1)).unwrap();
    fs::copy(shard_file(&dir, 2), shard_file(&dir, 3)).unwrap();
    let said = refused(&dir);
    assert!(
        said.starts_with(
            "`@/run/shards/000001.shard`: it is shard 1/5 with encounters 400 to 800, \
             not shard 1/4 with encounters 500 to 1000; play it again"
        ),
        "{said}"
    );
    assert!(
        said.contains(
            "`@/run/shards/000003.shard`: it is shard 2/4 with encounters 1000 to 1500, \
             not shard 3/4 with encounters 1500 to 2000; play it again"
        ),
        "{said}"
    );
    assert!(
        said.contains("error: nothing was merged: 2 of 4 shards are there"),
        "{said}"
    );
    assert_eq!(dir.call("missing @/run").out, "1,3\n");
}

#[test]
fn a_shard_of_another_version_is_refused() {
    let dir = played();
    let plan = Plan::read(&dir.path("run/plan.json")).unwrap();
    let head = Head {
        version: "0.0.9".to_owned(),
        ..Head::shard(&plan, 1)
    };
    fs::write(shard_file(&dir, 1), head.file(&[])).unwrap();
    let said = refused(&dir);
    assert!(
        said.contains("it is of version 0.0.9, not of version "),
        "{said}"
    );
    let head = Head { format: 5, ..head };
    fs::write(shard_file(&dir, 1), head.file(&[])).unwrap();
    let said = refused(&dir);
    assert!(
        said.contains("its format is 5, and this program reads 4"),
        "{said}"
    );
    // A shard with a valid head and checksum, but no content.
    fs::write(shard_file(&dir, 1), Head::shard(&plan, 1).file(&[])).unwrap();
    let said = refused(&dir);
    assert!(
        said.contains("it is at its end, not at encounters 500 to 1000 of fight 0"),
        "{said}"
    );
}

#[test]
fn strangers_among_the_shards_are_named() {
    let dir = played();
    for stray in ["notes.txt", "17.shard", "000004.shard", "000001.shard.bak"] {
        fs::write(dir.path("run/shards").join(stray), "").unwrap();
    }
    // Files that are being written, or were left half written, are ignored.
    dir.write("run/shards/.skirmish-abc.tmp", "half");
    let said = refused(&dir);
    let strays = ["000001.shard.bak", "000004.shard", "17.shard", "notes.txt"]
        .map(|name| format!("`@/run/shards/{name}` is no shard of this plan: move it away\n"));
    assert!(said.starts_with(&strays.concat()), "{said}");
    assert!(said.ends_with("--partial leaves them out\n"), "{said}");
    let missing = dir.call("missing @/run");
    assert_eq!((missing.exit, missing.out.as_str()), (Exit::Done, ""));
    assert_eq!(missing.err, strays.concat());
    fs::create_dir(dir.path("run/shards/000009.shard")).unwrap();
    fs::remove_file(shard_file(&dir, 2)).unwrap();
    fs::create_dir(shard_file(&dir, 2)).unwrap();
    let said = refused(&dir);
    assert!(
        said.contains("`@/run/shards/000002.shard`: it cannot be read"),
        "{said}"
    );
    let said = dir.call("run --plan @/run --shard 2").errors();
    assert!(said.contains("is in the way: it is not a file"), "{said}");
}

#[test]
fn a_plan_that_was_changed_is_refused() {
    let dir = played();
    let file = dir.path("run/plan.json");
    let plan = fs::read_to_string(&file).unwrap();
    let changes = [
        (
            "\"seed\": 1",
            "\"seed\": 2",
            Exit::Mismatch,
            "it has been changed since it was written",
        ),
        (
            "A duel",
            "A ruel",
            Exit::Mismatch,
            "it has been changed since it was written",
        ),
        (
            "\"encounters\": 1000",
            "\"encounters\": 900",
            Exit::Mismatch,
            "it has been changed",
        ),
        (
            "duel.toml",
            "fuel.toml",
            Exit::Mismatch,
            "it has been changed",
        ),
        (
            "\"fights\": 2",
            "\"fights\": 3",
            Exit::Mismatch,
            "plan again, into another folder",
        ),
        (
            "\"shards\": 4",
            "\"shards\": 9000",
            Exit::Mismatch,
            "9000 shards of 2000 encounters",
        ),
        (
            "\"shards\": 4",
            "\"shards\": 0",
            Exit::BadInput,
            "it is no plan",
        ),
        (
            "\"format\": 4",
            "\"format\": 5",
            Exit::Mismatch,
            "its format is 5",
        ),
        (
            "\"version\": \"",
            "\"version\": \"9",
            Exit::Mismatch,
            "use the program that wrote it",
        ),
        ("\"seed\"", "\"sead\"", Exit::BadInput, "it is no plan"),
        ("}", "", Exit::BadInput, "it is no plan"),
    ];
    for (old, new, exit, why) in changes {
        let changed = plan.replacen(old, new, 1);
        assert_ne!(changed, plan, "{old}");
        fs::write(&file, changed).unwrap();
        for line in [
            "missing @/run",
            "merge @/run -o @/merged",
            "run --plan @/run --shard 0",
        ] {
            let said = dir.call(line).messages(exit);
            assert!(said.contains(why), "{line}: {said}");
        }
    }
    for length in 0..plan.len() - 1 {
        fs::write(&file, &plan[..length]).unwrap();
        assert!(Plan::read(&file).is_err(), "{length} bytes");
    }
    // A user may change the number of shards by hand; then no shard is where it should be.
    fs::write(&file, plan.replacen("\"shards\": 4", "\"shards\": 3", 1)).unwrap();
    let missing = dir.call("missing @/run");
    assert_eq!(missing.out, "0-2\n");
    assert!(
        missing
            .err
            .contains("`@/run/shards/000003.shard` is no shard of this plan")
    );
    fs::write(&file, plan).unwrap();
    assert_eq!(dir.call("missing @/run").printed(), "");
}

#[test]
fn what_is_no_folder_of_a_plan_is_refused() {
    let dir = TestDir::with_duel(DUEL);
    fs::create_dir(dir.path("empty")).unwrap();
    for command in ["missing", "merge", "run --shard 0 --plan"] {
        let said = |place: &str| dir.call(&format!("{command} {place}")).errors();
        assert!(said("@/nowhere").contains("is no folder with a plan: `skirmish plan` makes one"));
        assert!(said("@/duel.toml").contains("it is no plan of `skirmish plan`"));
        assert!(said("@/empty").contains("`@/empty` is no folder with a plan"));
    }
    let said = dir
        .call("plan @/duel.toml --shards 2 -o @/duel.toml")
        .errors();
    assert!(
        said.contains("cannot make the folder `@/duel.toml`"),
        "{said}"
    );
    let said = dir.call("plan @/nix.toml --shards 2 -o @/run").errors();
    assert!(said.contains("cannot be read"), "{said}");
    dir.write("bad.toml", b"title = \"\xff\"");
    let said = dir.call("plan @/bad.toml --shards 2 -o @/run").errors();
    assert!(said.contains("not UTF-8"), "{said}");
    dir.write("bad.toml", "titel = 7");
    let said = dir.call("plan @/bad.toml --shards 2 -o @/run").errors();
    assert!(said.contains("titel"), "{said}");
    assert!(!dir.path("run").exists());
}

#[test]
fn shards_that_a_plan_does_not_have_are_refused() {
    let dir = TestDir::with_duel(DUEL);
    dir.call("plan @/duel.toml -n 1k --shards 8 -o @/run -q")
        .printed();
    let said = |shard: &str| {
        let line = format!("run --plan @/run --shard {shard}");
        dir.call(&line).errors()
    };
    assert_eq!(
        said("8"),
        "error: --shard 8: the plan has 8 shards, with the numbers 0 to 7\n"
    );
    assert_eq!(
        said("3/9"),
        "error: --shard 3/9: the plan has 8 shards; write 3/8\n"
    );
    assert!(said("18446744073709551615").contains("0 to 7"));
    let said = dir
        .call("plan @/duel.toml -n 4 --shards 9 -o @/few")
        .errors();
    assert_eq!(
        said,
        "error: --shards 9: 9 shards of 8 encounters: some would be empty; write 8 at most\n"
    );
    let said = dir
        .call("plan @/duel.toml --shards 1_000_001 -o @/few")
        .errors();
    assert!(
        said.contains("1000001 shards: a million is the most"),
        "{said}"
    );
}

/// No decision depends on a clock, including the times of files.
#[test]
fn times_of_files_mean_nothing() {
    let dir = played();
    let hour = Duration::from_hours(1);
    let times = [
        SystemTime::UNIX_EPOCH,
        SystemTime::now() + hour * 24 * 365 * 50,
        SystemTime::now(),
        SystemTime::UNIX_EPOCH + hour,
    ];
    for (number, time) in (0..4).zip(times) {
        let file = File::options()
            .write(true)
            .open(shard_file(&dir, number))
            .unwrap();
        file.set_modified(time).unwrap();
    }
    let plan = File::options()
        .write(true)
        .open(dir.path("run/plan.json"))
        .unwrap();
    plan.set_modified(SystemTime::now() + hour).unwrap();
    assert_eq!(dir.call("missing @/run").printed(), "");
    let said = dir.call("run --plan @/run --shard 0").messages(Exit::Done);
    assert!(said.contains("is there already"), "{said}");
    let merged = dir.call("merge @/run -o @/merged -q").printed();
    assert_eq!(
        merged,
        dir.call("run @/duel.toml -n 1k -q -o @/whole").printed()
    );
}
