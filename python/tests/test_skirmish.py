"""Holds the package against the program: what both say about a question is the same, byte for byte.

SKIRMISH is the program; both are run at the root of the repository.
"""

import csv
import inspect
import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pandas
import polars
import pyarrow
import pytest

import skirmish

PROGRAM = os.path.abspath(os.environ["SKIRMISH"])
SCENARIOS = sorted(path.as_posix() for path in Path("scenarios").glob("*.toml"))
KITING = "scenarios/kiting.toml"
BUILDS = "scenarios/hammer-knives-shield.toml"
DOOR = "scenarios/chronicles-door.toml"


@pytest.fixture
def program(tmp_path):
    """Returns a function that runs the program, with results in a folder of its own."""

    def run(*words, cwd=None):
        where = [] if words[0] in ("odds", "plan") or "--plan" in words else ["-o", str(tmp_path)]
        done = subprocess.run([PROGRAM, *map(str, words), *where], capture_output=True, text=True, cwd=cwd)
        done.check_returncode()
        return done.stdout

    run.folder = tmp_path
    return run


def is_the_file(table, text):
    """Asserts that a table holds what a CSV file holds, with numbers to the last digit."""
    rows = list(csv.DictReader(text.splitlines()))
    assert table.columns == list(rows[0])
    assert len(table) == len(rows)
    for name in table.columns:
        for value, row in zip(table[name], rows):
            cell = row[name]
            known = None if cell == "" else type(value)(cell)
            assert value == known, (name, row)


@pytest.mark.parametrize("path", SCENARIOS)
def test_a_run_has_the_numbers_of_its_files(program, path):
    program("run", path, "-n", 100, "-q")
    result = skirmish.run(path, n=100, threads=2)
    assert result.tables == ["summary.csv", "distributions.csv", "examples.csv"]
    for name in result.tables:
        is_the_file(result.table(name), (program.folder / Path(path).stem / name).read_text())


@pytest.mark.parametrize(
    "words, result",
    [
        (["run", DOOR, "--exact"], lambda: skirmish.run(DOOR, exact=True)),
        (["run", KITING, "--precision", "3%"], lambda: skirmish.run(KITING, precision="3%")),
        (
            ["run", KITING, "-n", "300", "--variant", "base", "--set", "combatants.archer.move=12", "--seed", "7",
             "--confidence", "99%"],
            lambda: skirmish.run(
                KITING, n=300, variants="base", set={"combatants.archer.move": 12}, seed=7, confidence=0.99
            ),
        ),
        (["compare", KITING, "-n", "1k"], lambda: skirmish.compare(KITING, n="1k")),
        (["compare", KITING, KITING, "-n", "500"], lambda: skirmish.compare(KITING, KITING, n=500)),
        (
            ["sweep", KITING, "--vary", "combatants.archer.move=8..12:2", "-n", "400", "--threshold", "50%"],
            lambda: skirmish.sweep(KITING, {"combatants.archer.move": range(8, 13, 2)}, n=400, threshold="50%"),
        ),
        (
            ["sweep", KITING, "--vary", "weapons.axe.damage=1d8,2d6+4", "-n", "400", "--metric", "rounds"],
            lambda: skirmish.sweep(KITING, ["weapons.axe.damage=1d8,2d6+4"], n=400, metrics=["rounds"]),
        ),
        (["matchup", BUILDS, "-n", "400"], lambda: skirmish.matchup(BUILDS, n=400)),
    ],
)
def test_every_question_has_the_numbers_of_the_program(program, words, result):
    result = result()
    is_the_file(result.table(), program(*words, "-q", "--format", "csv"))
    assert str(result) == program(*words, "-q")
    document = json.loads(program(*words, "-q", "--format", "json"))
    document["manifest"].pop("run", None)
    assert result.json() == document


def test_odds_have_the_numbers_of_the_program(program):
    result = skirmish.odds(pool="4..6", difficulty=9, show="botch")
    words = ["odds", "--pool", "4..6", "--difficulty", "9", "--show", "botch"]
    is_the_file(result.table(), program(*words, "--format", "csv"))
    assert str(result) == program(*words)
    assert result.json() == json.loads(program(*words, "--format", "json"))
    assert skirmish.odds("4d6kh3", at_least=15).answer
    checked = skirmish.odds(KITING, check="weapons.longbow", vary={"evade": "10..20"})
    assert len(checked.table()) > 1
    with pytest.raises(skirmish.Error, match="dice"):
        skirmish.odds("4x6")


def test_the_page_is_the_report_of_the_program(program):
    result = skirmish.run(Path(KITING).resolve(), n=500)
    program("run", Path(KITING).resolve(), "-n", 500, "-q", "--report", "page.html", cwd=program.folder)
    assert result.page() == (program.folder / "page.html").read_text()
    assert "<iframe srcdoc=" in result._repr_html_()


def test_the_answer_is_a_sentence():
    assert skirmish.run(KITING, n="20k").answer.startswith("Wins of hunters: most ")
    assert skirmish.run(KITING, n=500, variants=["base"]).answer.startswith("Wins of hunters: ")
    assert repr(skirmish.compare(KITING, n=500)).startswith("<skirmish.Result: Wins of hunters")


def test_shards_have_the_bytes_of_the_program(program):
    folder = program.folder / "plan"
    program("plan", KITING, "-n", "1k", "--shards", 3, "-o", folder, "-q")
    plan = skirmish.plan(KITING, 3, n="1k")
    assert plan == (folder / "plan.json").read_text()
    shards = [skirmish.play_shard(plan, number) for number in range(3)]
    for number, shard in enumerate(shards):
        program("run", "--plan", folder, "--shard", number, "-q")
        assert shard == (folder / "shards" / f"{number:06}.shard").read_bytes()
    merged = skirmish.merge(folder, reversed(shards))
    whole = skirmish.run(KITING, n="1k")
    assert merged.table("distributions.csv").rows() == whole.table("distributions.csv").rows()
    with pytest.raises(skirmish.Error, match="2 of 3 shards are there; missing: 1"):
        skirmish.merge(plan, [shards[0], shards[2]])
    with pytest.raises(skirmish.Error, match="shard 0 is there twice"):
        skirmish.merge(plan, [shards[0], shards[0]])
    with pytest.raises(skirmish.Error, match="damaged"):
        skirmish.merge(plan, [shards[0][:-1]])
    with pytest.raises(skirmish.Error, match="of run"):
        skirmish.merge(skirmish.plan(KITING, 3, n="2k"), shards)
    with pytest.raises(skirmish.Error, match="numbers 0 to 2"):
        skirmish.play_shard(plan, 3)


def test_other_libraries_read_tables_by_arrow():
    table = skirmish.sweep(KITING, {"combatants.archer.move": [8, 10]}, n=200).table()
    frame = polars.DataFrame(table)
    assert frame.schema["value1"] == polars.Int64 and frame.schema["mean"] == polars.Float64
    assert frame["mean"].to_list() == table["mean"]
    assert pyarrow.table(table).to_pylist() == table.rows()
    assert pandas.DataFrame.from_arrow(table)["mean"].tolist() == table["mean"]
    with pytest.raises(KeyError, match="mean"):
        table["means"]


def test_a_text_is_a_scenario_too():
    text = Path(KITING).read_text()
    ours = skirmish.run(text, n=200).table()
    assert ours["mean"] == skirmish.run(Path(KITING), n=200).table()["mean"]


def test_errors_have_the_text_and_the_places_of_the_program(program, tmp_path, monkeypatch):
    kiting = Path(KITING).read_text()
    monkeypatch.chdir(tmp_path)
    path = Path("wrong.toml")
    path.write_text(kiting.replace("armor = 2", "armour = 2"))
    with pytest.raises(skirmish.ScenarioError) as raised:
        skirmish.run(path)
    with pytest.raises(subprocess.CalledProcessError) as printed:
        program("run", path)
    assert str(raised.value) == printed.value.stderr.rstrip("\n")
    (wrong,) = raised.value.diagnostics
    line = path.read_text().splitlines().index("armour = 2") + 1
    assert (wrong.severity, wrong.file, wrong.line, wrong.column) == ("error", str(path), line, 1)
    assert "armour" in wrong.title and "armor" in wrong.label + " ".join(wrong.help)
    with pytest.raises(skirmish.Error, match="no variant is called `non-such`"):
        skirmish.run(kiting, variants="non-such")
    with pytest.raises(skirmish.ScenarioError, match="cannot be read"):
        skirmish.run("non-such.toml")


def test_arguments_that_do_nothing_are_refused():
    with pytest.raises(TypeError, match="did you mean `confidence`"):
        skirmish.run(KITING, confidnce=0.9)
    with pytest.raises(skirmish.Error, match="seed does nothing to exact=True"):
        skirmish.run(KITING, exact=True, seed=3)
    with pytest.raises(skirmish.Error, match="exclude each other"):
        skirmish.run(KITING, n=3, precision="1%")
    with pytest.raises(skirmish.Error, match="n=0"):
        skirmish.run(KITING, n=0)
    with pytest.raises(skirmish.Error, match="seed=-1: write a whole number"):
        skirmish.run(KITING, seed=-1)
    with pytest.raises(skirmish.Error, match="1024"):
        skirmish.run(KITING, n=10, threads=0)


def test_ctrl_c_stops_a_run_at_once():
    # What a shell starts in the background ignores Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        skirmish.run(KITING, n="1G")
    signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begun < 3


def test_progress_is_shown_and_other_threads_go_on(capsys):
    calls, ticks = [], []

    def progress(label, played, expected):
        calls.append((played, expected))
        if len(calls) > 3:
            raise LookupError(label)

    ticker = threading.Thread(target=lambda: [ticks.append(time.sleep(0.01)) for _ in range(10)])
    ticker.start()
    with pytest.raises(LookupError):
        skirmish.run(KITING, n="1G", threads=1, progress=progress)
    assert ticks and calls[0] <= calls[-1]
    skirmish.run(KITING, n=100, progress=True)
    assert "100% of 900 encounters" in capsys.readouterr().err


def test_the_stub_lists_what_there_is():
    stub = Path(__file__).parent.parent.joinpath("skirmish.pyi").read_text()
    for name in dir(skirmish):
        if not name.startswith("_") and name != "skirmish":
            assert f"class {name}" in stub or f"def {name}(" in stub, name
    for function in (skirmish.run, skirmish.compare, skirmish.sweep, skirmish.matchup, skirmish.plan):
        written = stub.split(f"def {function.__name__}(")[1].split(") ->")[0]
        for parameter in inspect.signature(function).parameters:
            assert f"    {parameter}: " in written, (function.__name__, parameter)
