"""An index that tasks make of parts of the input has the bytes of one that one process writes."""

import json
import random
import re
from pathlib import Path

import pytest

from ibidem import PassageIndex
from ibidem.cli.group import main
from ibidem.corpus import inputs as corpus_inputs
from ibidem.corpus import read
from ibidem.corpus.failures import Failures
from ibidem.corpus.rows import Columns
from ibidem.errors import ConfigurationError, CorpusError
from ibidem.passages import index_files as index_files_module
from ibidem.passages.configuration import Configuration
from ibidem.passages.index_files import index_files
from ibidem.text import make_tokenizer

from ..ray_clusters import run_beside_cluster

COLUMNS = Columns.of("text", "id")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of JSON lines, one of which is larger than all others together, cut into many parts and segments."""
    source = random.Random(7)
    words = [f"word{number}" for number in range(400)]
    place = tmp_path / "inputs"
    place.mkdir()
    for number in range(5):
        rows = range({0: 0, 1: 40}.get(number, 3))
        texts = [" ".join(source.choices(words, k=source.randint(0, 80))) for _ in rows]
        lines = [json.dumps({"id": f"{number}-{row}", "text": text}) + "\n" for row, text in enumerate(texts)]
        (place / f"{number}.jsonl").write_text("".join(lines), encoding="utf-8")
    monkeypatch.setattr(corpus_inputs, "PART_BYTES", 4000)
    for module in ("index_building", "passages.index_files"):
        monkeypatch.setattr(f"ibidem.{module}.segment_tokens", lambda memory, token_bytes: 300)
    return place


def make_index(inputs: Path, output: Path | str, **options: object) -> None:
    tokenizer = make_tokenizer("words")
    configuration = Configuration.of(tokenizer.config, min_length=4, **options.pop("choices", {}))  # type: ignore[arg-type]
    index_files([str(inputs)], output, configuration, tokenizer, COLUMNS, memory="64M", **options)  # type: ignore[arg-type]


def read_bytes(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "writer.lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.parametrize("choices", [{}, {"family": "weighted", "idf": "smooth"}])
def test_tasks_make_the_bytes_of_one_process(folder: Path, tmp_path: Path, choices: dict[str, str]) -> None:
    with PassageIndex.build(
        tmp_path / "plain", read([str(folder)]), min_length=4, memory="64M", threads=1, **choices
    ) as plain:
        assert len(plain) == 49
    make_index(folder, tmp_path / "made", threads=1, choices=choices)
    assert read_bytes(tmp_path / "made") == read_bytes(tmp_path / "plain")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["inputs", "made", "plain"]


def test_the_same_call_resumes_after_the_tasks_that_were_done(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_index(folder, tmp_path / "plain", threads=1)
    reads: list[int] = []
    fill, positions = index_files_module.fill_segments, index_files_module.write_positions

    def note(*arguments: object, **options: object) -> object:
        reads.append(1)
        return fill(*arguments, **options)  # type: ignore[arg-type]

    def interrupt(*arguments: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("ibidem.passages.index_files.fill_segments", note)
    monkeypatch.setattr("ibidem.passages.index_files.write_positions", interrupt)
    with pytest.raises(KeyboardInterrupt):
        make_index(folder, tmp_path / "made", threads=1)
    parts = len(reads)
    assert parts > 2
    monkeypatch.setattr("ibidem.passages.index_files.write_positions", positions)
    make_index(folder, tmp_path / "made", threads=1)
    assert len(reads) == parts
    assert read_bytes(tmp_path / "made") == read_bytes(tmp_path / "plain")


def test_a_repeated_id_is_named_and_no_index_is_left(folder: Path, tmp_path: Path) -> None:
    (folder / "9.jsonl").write_text('{"id": "1-7", "text": "one two three four"}\n', encoding="utf-8")
    with pytest.raises(CorpusError, match="'1-7'"):
        make_index(folder, tmp_path / "made")
    assert [path.name for path in tmp_path.iterdir()] == ["inputs"]


def test_what_cannot_be_read_is_left_out_if_that_is_asked_for(folder: Path, tmp_path: Path) -> None:
    (folder / "9.jsonl").write_text('{"id": "9-0", "text": 7}\n{"id": "9-1", "text": "a b c d"}\n', encoding="utf-8")
    failures = Failures()
    make_index(folder, tmp_path / "made", failures=failures)
    assert failures.rows == 1
    with PassageIndex.open(tmp_path / "made") as index:
        assert len(index) == 50


def test_a_function_is_no_tokenizer_for_other_processes(folder: Path, tmp_path: Path) -> None:
    tokenizer = make_tokenizer(lambda text: [(0, len(text))])
    configuration = Configuration.of(tokenizer.config)
    with pytest.raises(ConfigurationError, match="not a function"):
        index_files([str(folder)], tmp_path / "made", configuration, tokenizer, COLUMNS)


def test_an_index_may_be_made_at_a_url(
    folder: Path, tmp_path: Path, object_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make_index(folder, f"{object_store}/made", threads=1)
    make_index(folder, tmp_path / "plain", threads=1)
    with PassageIndex.open(f"{object_store}/made") as index:
        assert read_bytes(Path(index.path)) == read_bytes(tmp_path / "plain")


def test_a_cluster_makes_the_bytes_of_the_command_without_it(folder: Path, tmp_path: Path) -> None:
    options = "--min-length 4 --family weighted --idf smooth"
    lines = [f"ibidem index inputs -o {name} {options} {where}" for name, where in {"a": "", "b": "--ray auto"}.items()]
    done = run_beside_cluster(lines, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"b: 49 documents with [\d,]+ tokens indexed", done.stderr)
    assert read_bytes(tmp_path / "a") == read_bytes(tmp_path / "b")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--work", "here"], "give --ray, too"), (["--ray", "auto", "--sketch", "oph"], "not for one of sketches")],
)
def test_options_that_do_not_apply_are_refused(
    folder: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    from click.testing import CliRunner

    done = CliRunner().invoke(main, ["index", str(folder), "-o", str(tmp_path / "made"), *arguments])
    assert done.exit_code == 2
    assert message in done.output
