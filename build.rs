//! Puts the page of `skirmish serve` together, where Node and the packages of `web` are. It asks no network: without them
//! the program is built without the page, and says how to get it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rustc-check-cfg=cfg(page)");
    for watched in ["src", "index.html", "icon.svg", "bundle.js", "package.json"] {
        println!("cargo:rerun-if-changed=web/{watched}");
    }
    println!("cargo:rerun-if-changed=src/output/html/templates/keys.js");
    let folder = env::var_os("OUT_DIR").map(|folder| PathBuf::from(folder).join("page"));
    let (Some(_), Some(folder)) = (env::var_os("CARGO_FEATURE_SERVE"), folder) else {
        return;
    };
    let mut bundle = Command::new("node");
    bundle.arg("web/bundle.js").arg(&folder);
    if Path::new("web/node_modules").is_dir() && bundle.status().is_ok_and(|node| node.success()) {
        println!("cargo:rustc-cfg=page");
        println!("cargo:rustc-env=PAGE={}", folder.display());
    }
}
