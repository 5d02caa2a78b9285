#!/usr/bin/env python3
"""What is in a program: `.ci/bill.py TARGET FOLDER` writes a CycloneDX list of its packages and the texts of their licences."""

import json
import subprocess
import sys
from pathlib import Path

target, folder = sys.argv[1], Path(sys.argv[2])


def cargo(*words):
    return subprocess.run(["cargo", *words], check=True, capture_output=True, text=True).stdout


# Only what is compiled in: no tests and no build scripts.
tree = cargo("tree", "--locked", "-e", "normal", "--target", target, "--prefix", "none", "--format", "{p}")
compiled = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
packages = json.loads(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", target))["packages"]
packages = [one for one in packages if (one["name"], "v" + one["version"]) in compiled]
packages.sort(key=lambda one: (one["name"], one["version"]))
own = next(one for one in packages if one["name"] == "skirmish")


def component(one, kind="library"):
    purl = f"pkg:cargo/{one['name']}@{one['version']}"
    licences = [{"expression": one["license"].replace("/", " OR ")}] if one["license"] else []
    return {"type": kind, "bom-ref": purl, "name": one["name"], "version": one["version"], "purl": purl, "licenses": licences}


bill = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.5",
    "version": 1,
    "metadata": {"component": component(own, "application")},
    "components": [component(one) for one in packages if one is not own],
}
(folder / "skirmish.cdx.json").write_text(json.dumps(bill, indent=1) + "\n")

with open(folder / "LICENSES-OF-PACKAGES.txt", "w", encoding="utf-8") as out:
    for one in packages:
        if one["source"] is None:
            continue
        texts = sorted(Path(one["manifest_path"]).parent.glob("LICEN[SC]E*"))
        out.write(f"{'=' * 72}\n{one['name']} {one['version']}: {one['license']}\n\n")
        for text in texts:
            if text.is_file():
                out.write(text.read_text(encoding="utf-8", errors="replace").strip() + "\n\n")
print(f"{len(packages)} packages")
