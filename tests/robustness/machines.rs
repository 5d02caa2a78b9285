//! `.ci`: a successful build has run every check, or was allowed to skip it.
#![cfg(unix)]

use std::process::{Command, Output};

/// Runs a script that begins like the checks.
fn check(name: &str, script: &str, environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new("bash");
    command.args([
        "-euo",
        "pipefail",
        "-c",
        &format!(". .ci/common.sh\n{script}"),
        name,
    ]);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    for known in ["CI", "ALLOWED_SKIPS"] {
        command.env_remove(known);
    }
    command.envs(environment.iter().copied()).output().unwrap()
}

#[test]
fn ci_is_not_green_without_its_cluster() {
    let skip = "skip 6 'the cluster' 'there is no root'\nclosing";
    let ends = |environment: &[(&str, &str)]| {
        let output = check("slurm", skip, environment);
        let out = String::from_utf8(output.stdout).unwrap();
        (
            output.status.success(),
            out.lines().last().unwrap().to_owned(),
        )
    };
    let skipped = "slurm: 0 passed, 0 failed, 6 skipped".to_owned();
    let failed = "slurm: 0 passed, 1 failed, 0 skipped".to_owned();
    assert_eq!(ends(&[]), (true, skipped.clone()));
    assert_eq!(ends(&[("CI", "true")]), (false, failed.clone()));
    let others = [("CI", "true"), ("ALLOWED_SKIPS", "browser parallel")];
    assert_eq!(ends(&others), (false, failed));
    let named = [("CI", "true"), ("ALLOWED_SKIPS", "browser slurm")];
    assert_eq!(ends(&named), (true, skipped));
}

#[test]
fn packages_are_installed_once_and_wait_for_the_lock() {
    let run = std::fs::read_to_string(".ci/run").unwrap();
    let installs = run.find("need_for run rows slurm parallel machines browser");
    let side_by_side = run.find("beside slurm parallel");
    assert!(installs.unwrap() < side_by_side.unwrap());
    let apt = check("run", "echo \"${apt[@]}\"", &[]);
    let apt = String::from_utf8(apt.stdout).unwrap();
    assert!(apt.contains("-o DPkg::Lock::Timeout="), "{apt}");
    // Each check takes its packages from the common list.
    let lists = ["slurm", "parallel", "browser", "browser"];
    for (name, list) in ["slurm", "parallel", "browser", "web"]
        .into_iter()
        .zip(lists)
    {
        let text = std::fs::read_to_string(format!(".ci/{name}")).unwrap();
        assert!(text.contains(&format!("need_for {list}")), "{name}");
    }
}
