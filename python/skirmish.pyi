"""Plays a tabletop fight millions of times and shows how your rules decide it, with error bars."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Union

_File = Union[str, PathLike[str]]
"""The path of a file, or its text, which has several lines."""
_Count = Union[int, str]
_Names = Union[str, Sequence[str], None]
_Pairs = Union[Mapping[str, Any], Sequence[str], None]
_Progress = Union[bool, Callable[[str, int, int], object], None]

__version__: str

class Error(ValueError):
    """A question cannot be answered."""

class ScenarioError(Error):
    """A scenario has errors: the text shows them in their lines, and `diagnostics` lists them."""

    diagnostics: list[Diagnostic]

class Diagnostic:
    """An error or a warning about a scenario, with its place."""

    severity: str
    title: str
    label: str
    file: str | None
    line: int | None
    column: int | None
    help: list[str]

class Table:
    """A table of results. Libraries that know Arrow read it without copies: `polars.DataFrame(table)`,
    `pyarrow.table(table)`, `pandas.DataFrame.from_arrow(table)`."""

    @property
    def columns(self) -> list[str]: ...
    def rows(self) -> list[dict[str, Any]]: ...
    def __getitem__(self, name: str) -> list[Any]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class Result:
    """The results of a question."""

    @property
    def answer(self) -> str: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def tables(self) -> list[str]: ...
    def table(self, name: str | None = None) -> Table: ...
    def json(self) -> dict[str, Any]: ...
    def page(self) -> str: ...
    def _repr_html_(self) -> str: ...

def run(
    scenario: _File,
    *,
    n: _Count | None = None,
    precision: float | str | None = None,
    variants: _Names = None,
    exact: bool = False,
    set: _Pairs = None,
    seed: int | None = None,
    confidence: float | str | None = None,
    threads: int | None = None,
    progress: _Progress = None,
) -> Result: ...
def compare(
    scenario: _File,
    other: _File | None = None,
    *,
    n: _Count | None = None,
    baseline: str = "base",
    variants: _Names = None,
    metrics: _Names = None,
    exact: bool = False,
    set: _Pairs = None,
    seed: int | None = None,
    confidence: float | str | None = None,
    threads: int | None = None,
    progress: _Progress = None,
) -> Result: ...
def sweep(
    scenario: _File,
    vary: Mapping[str, str | Iterable[Any]] | Sequence[str],
    *,
    n: _Count | None = None,
    threshold: float | str | None = None,
    metrics: _Names = None,
    variant: str = "base",
    side: str | None = None,
    combatant: str | None = None,
    outcome: str | None = None,
    exact: bool = False,
    set: _Pairs = None,
    seed: int | None = None,
    confidence: float | str | None = None,
    threads: int | None = None,
    progress: _Progress = None,
) -> Result: ...
def matchup(
    scenario: _File,
    *,
    n: _Count | None = None,
    precision: float | str | None = None,
    variant: str = "base",
    exact: bool = False,
    set: _Pairs = None,
    seed: int | None = None,
    confidence: float | str | None = None,
    threads: int | None = None,
    progress: _Progress = None,
) -> Result: ...
def odds(*question: object, **options: object) -> Result: ...
def plan(
    scenario: _File,
    shards: int,
    *,
    n: _Count | None = None,
    variants: _Names = None,
    set: _Pairs = None,
    seed: int | None = None,
    confidence: float | str | None = None,
) -> str: ...
def play_shard(
    plan: _File, shard: int, *, threads: int | None = None, progress: _Progress = None
) -> bytes: ...
def merge(plan: _File, shards: Iterable[bytes]) -> Result: ...
