//! The files in `examples/clusters` play a plan as the scheduler would call them: its variables are set, a task is killed
//! half way and repeated, and the merged bytes are those of one machine.

use super::{DUEL, results};
use crate::support::TestDir;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SHARDS: usize = 4;

const ENCOUNTERS: &str = "20k";

/// Stands before the program: kills the first try to play shard 1 half way.
const MORTAL: &str = r#"#!/bin/sh
case "$*" in
*"--shard 1 "*) if [ ! -e "$ROOM/killed" ]; then
    touch "$ROOM/killed"
    "$PROGRAM" "$@" & sleep 0.05
    kill -KILL $!
    exit 137
fi ;;
esac
exec "$PROGRAM" "$@"
"#;

/// Stands for the AWS CLI: a bucket is a folder, and an array job is played at once, each child up to four times.
const AWS: &str = r#"#!/bin/sh -e
bucket() { echo "$1" | sed "s|^s3:/|$ROOM/s3|"; }
case "$1 $2" in
"s3 cp")
    shift 2
    if [ "$1" = --recursive ]; then cp -R "$(bucket "$2")/." "$3"; exit; fi
    to=$(bucket "$2")
    mkdir -p "$(dirname "$to")"
    cp "$(bucket "$1")" "$to" ;;
"batch submit-job")
    size=$(echo "$*" | sed 's/.*size=\([0-9]*\).*/\1/')
    task=$(echo "$*" | sed 's/.*command=\([^ ]*\).*/\1/' | tr , ' ')
    for AWS_BATCH_JOB_ARRAY_INDEX in $(seq 0 $((size - 1)) | sort -r); do
        export AWS_BATCH_JOB_ARRAY_INDEX
        for try in 1 2 3 4; do $task && break; done
    done ;;
esac
"#;

/// Stands for the Python package, as far as the example uses it. Its process is killed with the program.
const PACKAGE: &str = r#"
import os, pathlib, subprocess, tempfile
def skirmish(*words):
    done = subprocess.run(["skirmish", *words], stdout=subprocess.PIPE)
    if done.returncode == 137:
        os.kill(os.getpid(), 9)
    done.check_returncode()
    return done.stdout
def written(folder, name, data):
    path = pathlib.Path(folder) / name
    path.write_bytes(data)
    return path
def play_shard(plan, shard):
    with tempfile.TemporaryDirectory() as folder:
        path = written(folder, "plan.json", plan.encode())
        return skirmish("run", "--plan", path, "--shard", str(shard), "--shard-file", "-", "-q")
def merge(plan, shards):
    with tempfile.TemporaryDirectory() as folder:
        path = written(folder, "plan.json", plan.encode())
        files = [written(folder, f"{at}.shard", shard) for at, shard in enumerate(shards)]
        return skirmish("merge", path, *files, "-o", os.environ["ROOM"] + "/merged", "-q").decode()
"#;

/// Stands for Ray: a task is a process, and another one if that dies.
const RAY: &str = r#"
import os, pickle
def init(): pass
def put(value): return value
def get(values): return [value() for value in values]
def remote(num_cpus, max_retries):
    def decorated(function):
        def tried(*words):
            for _ in range(max_retries + 1):
                out, into = os.pipe()
                child = os.fork()
                if child == 0:
                    with open(into, "wb") as file:
                        pickle.dump(function(*words), file)
                    os._exit(0)
                os.close(into)
                with open(out, "rb") as file:
                    data = file.read()
                if os.waitpid(child, 0)[1] == 0:
                    return pickle.loads(data)
            raise RuntimeError("the worker died too often")
        function.remote = lambda *words: lambda: tried(*words)
        return function
    return decorated
"#;

/// A folder with a duel, the program and what stands for others.
struct Cluster {
    dir: TestDir,
}

impl Cluster {
    fn new() -> Self {
        let cluster = Self {
            dir: TestDir::with_duel(DUEL),
        };
        cluster.executable("skirmish", MORTAL);
        cluster
    }

    fn executable(&self, name: &str, text: &str) {
        let name = format!("bin/{name}");
        self.dir.write(&name, text);
        fs::set_permissions(self.dir.path(&name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn plan(&self) {
        let line = format!("plan duel.toml -n {ENCOUNTERS} --shards {SHARDS} -o run -q");
        self.dir.run(&line).assert_done();
    }

    /// Returns a command in this folder, which finds the program.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var("PATH").unwrap_or_default();
        let bin = self.dir.path("bin");
        command
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("PROGRAM", self.dir.command("").get_program())
            .env("ROOM", self.dir.root())
            .current_dir(self.dir.root());
        command
    }

    /// Plays each shard by a shell script with its number in `variable`, from the last to the first, and again if it
    /// fails.
    fn play(&self, variable: &str, script: impl Fn(usize) -> String) {
        let mut failed = Vec::new();
        for number in (0..SHARDS).rev() {
            let task = || {
                let mut shell = self.command("sh");
                shell.args(["-ec", &script(number)]);
                shell.env(variable, number.to_string()).output().unwrap()
            };
            if !task().status.success() {
                failed.push(number);
                done(&task());
            }
        }
        assert_eq!(failed, [1], "one task is killed, once");
    }

    fn assert_whole(&self) {
        assert!(self.dir.path("killed").exists(), "no task was killed");
        let line = format!("run duel.toml -n {ENCOUNTERS} -o whole -q");
        self.dir.run(&line).assert_done();
        let [merged, whole] = ["merged", "whole"].map(|folder| results(&self.dir.path(folder)));
        assert_eq!(merged, whole);
    }

    fn merge(&self, shards: &str) {
        let line = format!("merge run/plan.json {shards} -o merged -q");
        self.dir.run(&line).assert_done();
        self.assert_whole();
    }
}

#[track_caller]
fn done(output: &Output) {
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/clusters")
        .join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(example(name)).unwrap()
}

/// Returns what stands between two texts.
#[track_caller]
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).expect(before);
    rest.split_once(after).expect(after).0
}

#[test]
fn an_indexed_job_of_kubernetes() {
    let cluster = Cluster::new();
    cluster.plan();
    let file = text("kubernetes.yaml");
    let script = between(&file, "- -ec\n            - |\n", "          resources:");
    let script = script
        .replace("/plan/", "run/")
        .replace("/shards/", "volume/");
    cluster.play("JOB_COMPLETION_INDEX", |_| script.clone());
    cluster.merge("volume");
}

#[test]
fn a_batch_job_of_nomad() {
    let cluster = Cluster::new();
    cluster.plan();
    let file = text("nomad.hcl");
    let script = between(&file, "<<-EOT\n", "EOT\n").replace("/run/skirmish/", "run/");
    cluster.play("NOMAD_ALLOC_INDEX", |_| script.clone());
    cluster.merge("run/out");
}

#[test]
fn an_array_job_of_aws_batch() {
    let cluster = Cluster::new();
    cluster.executable("aws", AWS);
    cluster.executable("aws-batch.sh", &text("aws-batch.sh"));
    let call = |words: &[&str]| {
        let mut script = cluster.command("aws-batch.sh");
        script.env("QUEUE", "q").env("DEFINITION", "d").args(words);
        done(&script.output().unwrap());
    };
    let shards = SHARDS.to_string();
    let submit = [
        "submit",
        "s3://bucket/run",
        "duel.toml",
        "-n",
        ENCOUNTERS,
        "--shards",
        &shards,
    ];
    call(&submit);
    let merge = ["merge", "s3://bucket/run", "-q", "-o", "merged"];
    call(&merge);
    cluster.assert_whole();
    // To submit it once more plays nothing again.
    call(&submit);
}

#[test]
fn rules_of_snakemake() {
    let cluster = Cluster::new();
    let file = text("Snakefile");
    let shell = |rule: &str| {
        let rule = between(&file, &format!("\nrule {rule}:\n"), "\"\n\n").to_owned() + "\"";
        between(&rule, "shell:\n        \"", "\"").to_owned()
    };
    // The last rule ends with the file.
    let play = format!("{file}\n\n");
    let play = between(&play, "\nrule shard:\n", "\"\n\n").to_owned() + "\"";
    let play = between(&play, "shell:\n        \"", "\"").replace("{input}", "run/plan.json");
    let script = |script: &str| {
        let mut command = cluster.command("sh");
        done(&command.args(["-ec", script]).output().unwrap());
    };
    let plan = shell("plan")
        .replace("{input}", "duel.toml")
        .replace("{params.encounters}", ENCOUNTERS)
        .replace("{params.shards}", &SHARDS.to_string());
    script(&plan);
    cluster.play("NONE", |number| {
        play.replace("{wildcards.shard}", &number.to_string())
            .replace("{output}", &format!("run/out/{number}.shard"))
            .replace("{threads}", "1")
    });
    let merge = shell("results")
        .replace("{input.plan}", "run/plan.json")
        .replace("{output}", "merged");
    script(&merge);
    cluster.assert_whole();
}

#[test]
fn tasks_of_ray() {
    if Command::new("python3").arg("--version").output().is_err() {
        return eprintln!("skipped: there is no python3");
    }
    let cluster = Cluster::new();
    cluster.plan();
    cluster.dir.write("python/skirmish.py", PACKAGE);
    cluster.dir.write("python/ray.py", RAY);
    let mut python = cluster.command("python3");
    python.env("PYTHONPATH", "python").arg(example("on_ray.py"));
    done(&python.arg("run/plan.json").output().unwrap());
    cluster.assert_whole();
}

#[test]
fn every_file_says_how_to_call_it() {
    let readme = text("README.md");
    for entry in fs::read_dir(example("")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            name == "README.md" || readme.contains(&format!("({name})")),
            "{name}"
        );
    }
}
