"""A plan leaves out what the plain command leaves out, and every rank that ends it knows what that is."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ibidem.cli import main
from ibidem.corpus.failures import Failures
from ibidem.errors import LEFT_OUT, CorpusError
from ibidem.jobs.reading import InputSettings, join_failures
from ibidem.jobs.run import run_rank
from ibidem.jobs.workspace import Workspace
from ibidem.plans import plan_dedup, plan_index, plan_reuse, run_processes
from ibidem.resources import Resources

from .samples import digest
from .test_run import die_at

MAX_LINE = 700

PLAIN = {
    "index": ["--min-length", "4", "--memory", "64M"],
    "dedup": ["--threshold", "0.5", "--memory", "64M"],
    "reuse": ["--recall", "1", "--format", "jsonl", "--memory", "64M"],
}

PLANNED = {
    "index": (plan_index, {"min_length": 4, "memory": "64M"}),
    "dedup": (plan_dedup, {"threshold": 0.5, "memory": "64M"}),
    "reuse": (plan_reuse, {"recall": 1.0, "format": "jsonl", "memory": "64M"}),
}


def write_broken(folder: Path) -> Path:
    """A file of many lines, of which some are damaged, also the first; and files that cannot be read."""
    folder.mkdir()
    words = [f"word{number % 37} and{number % 11}" for number in range(40)]
    lines: list[Any] = [{"text": " ".join(words[number % 7 :])} for number in range(60)]
    for number in (0, 1, 17, 18, 40, 59):
        lines[number] = {"text": None}
    lines[5] = lines[33] = {"text": " ".join(words * 3)}  # longer than a line may be
    rows = [json.dumps(line) for line in lines]
    rows[20] = rows[20][:-5]
    (folder / "a.jsonl").write_text("\n".join(rows) + "\n")
    (folder / "b.csv").write_text("id,text\nx," + " ".join(words) + "\ny,one,too many\n")
    (folder / "c.csv").write_text('id,text\nz,"never closed\n')
    (folder / "d.jsonl.gz").write_bytes(b"no gzip file")
    (folder / "e.parquet").write_bytes(b"PAR1")
    (folder / "f.jsonl").write_text(rows[2] + "\n" + rows[3] + "\n")
    return folder


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    return write_broken(tmp_path / "broken")


@pytest.fixture(params=PLAIN)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def run_plainly(kind: str, inputs: Path, output: Path, capsys: Any) -> tuple[dict[str, str], list[str]]:
    """What the plain command writes, and what it says that it left out."""
    line = [kind, str(inputs), "-o", str(output), "--on-error", "skip", "--max-line", str(MAX_LINE), *PLAIN[kind]]
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == LEFT_OUT
    told = capsys.readouterr().err
    return digest(output), sorted(told[told.index("left out of the input") :].splitlines())


def make_plan(kind: str, inputs: Path, place: Path, parts: int) -> Any:
    plan, options = PLANNED[kind]
    given = {"max_line": MAX_LINE, "on_error": "skip", **options}
    return plan([str(inputs)], place / "made", place / "plan", parts=parts, **given)  # type: ignore[operator]


def listed(failures: Failures | None) -> set[str]:
    return {failure.message for failure in failures or ()}


@pytest.mark.parametrize("parts", [1, 9])
def test_a_plan_leaves_out_what_the_plain_command_leaves_out(
    kind: str, broken: Path, tmp_path: Path, parts: int, capsys: pytest.CaptureFixture[str]
) -> None:
    expected, told = run_plainly(kind, broken, tmp_path / "plain", capsys)
    plan = make_plan(kind, broken, tmp_path, parts)
    assert max(shard.piece.line if shard.piece else 0 for shard in plan.shards) > (30 if parts == 9 else -1)
    for _ in range(2):  # a run that has nothing left to do says it, too
        with pytest.raises(SystemExit) as ended:
            main(["run", str(tmp_path / "plan")])
        assert ended.value.code == LEFT_OUT
        again = capsys.readouterr().err
        assert sorted(again[again.index("left out of the input") :].splitlines()) == told
    assert digest(tmp_path / "made") == expected
    assert len(told) == 1 + 10 + 3


def test_ranks_leave_out_the_same_together_and_after_kills(
    kind: str, broken: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected, _ = run_plainly(kind, broken, tmp_path / "plain", capsys)
    make_plan(kind, broken, tmp_path, 4)
    assert sum(die_at(tmp_path / "plan", instant) for instant in (6, 25, 50))
    with ThreadPoolExecutor(3) as pool:
        reports = list(pool.map(lambda rank: run_rank(tmp_path / "plan", rank, 3), range(3)))
    assert digest(tmp_path / "made") == expected
    expected_failures = tuple(join_failures(Workspace(str(tmp_path / "plan"))) or ())
    assert {tuple(report.failures or ()) for report in reports} == {expected_failures}
    assert len(expected_failures) == 13


def test_processes_tell_what_was_left_out(broken: Path, tmp_path: Path) -> None:
    make_plan("index", broken, tmp_path, 3)
    assert len(run_processes(tmp_path / "plan", 2).failures or ()) > 9


def test_a_plan_that_stops_names_the_first_fault(kind: str, broken: Path, tmp_path: Path) -> None:
    plan, options = PLANNED[kind]
    with pytest.raises(CorpusError, match=r"a\.jsonl, line 1"):
        plan([str(broken)], tmp_path / "made", tmp_path / "plan", **options)  # type: ignore[operator]


def test_a_file_that_cannot_be_read_for_the_plan_is_left_out_of_it(
    broken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ibidem.jobs import shards

    real = shards._cut_lines

    def refuse(source: Any, most: Any) -> Any:
        if source.path.endswith("b.csv"):
            raise CorpusError(f"{source.path}: cannot be read: Permission denied")
        return real(source, most)

    monkeypatch.setattr(shards, "_cut_lines", refuse)
    plan = make_plan("dedup", broken, tmp_path, 2)
    assert "b.csv" not in {shard.name for shard in plan.shards}
    [failure] = plan.read_settings(InputSettings).left_out
    assert "Permission denied" in failure.message
    run_rank(tmp_path / "plan")
    summary = json.loads((tmp_path / "made/summary.json").read_text())
    assert summary["files_left_out"] == 4
    monkeypatch.setattr(shards, "_cut_lines", lambda source, most: (_ for _ in ()).throw(CorpusError("no")))
    with pytest.raises(CorpusError, match="no"):
        shards.describe_shards([str(broken)], Resources.of("64M", 1, None), failures=Failures())
