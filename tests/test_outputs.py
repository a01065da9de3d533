"""The page that lists the columns of all outputs, and what commands write."""

import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import ibidem
from ibidem.cli import main
from ibidem.corpus.failures import Failures
from ibidem.corpus.records import read_records
from ibidem.corpus.writing.removed import find_removed

PAGE = Path(__file__).parents[1] / "docs/guide/outputs.md"

Columns = dict[str, str]

TEXT = "in the evening when the tide is out the whole village walks down to the flats with lamps and baskets and then"


def read_page() -> dict[str, Columns]:
    """The columns of each section, by its title."""
    sections: dict[str, Columns] = {}
    for section in PAGE.read_text("utf-8").split("\n## ")[1:]:
        title, _, text = section.partition("\n")
        listed = re.search(r"^Columns: (.*?)\.$", text, re.MULTILINE | re.DOTALL)
        columns = re.findall(r"`(\w+)`\s(list<element: \w+>|\w+)", listed[1] if listed else "")
        sections[title.replace("`", "")] = dict(columns)
    return sections


def read_table(path: Path) -> Columns:
    return {field.name: str(field.type) for field in pq.read_schema(path)}


def name_type(value: Any) -> str:
    types = {bool: "bool", int: "int64", float: "double", str: "string", type(None): "string"}
    return (types | {list: "list", dict: "object"})[type(value)]


def read_lines(path: object) -> Columns:
    values = next(record.values for record in read_records(str(path)))
    return {name: name_type(value) for name, value in values.items()}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Columns]:
    """The columns that each function for files writes."""
    folder = tmp_path_factory.mktemp("outputs")
    documents = [("1", TEXT), ("2", f"{TEXT} they say"), ("3", "short"), ("4", TEXT + " and " + TEXT), ("5", None)]
    rows = [json.dumps({"id": name, "text": text}) + "\n" for name, text in documents]
    (folder / "a.jsonl").write_text("".join(rows), "utf-8")
    (folder / "evals.jsonl").write_text(json.dumps({"question": TEXT}) + "\n", "utf-8")
    source, reading = folder / "a.jsonl", {"null": "drop", "failures": Failures(skips=False)}
    ibidem.deduplicate_files(source, folder / "dedup", removed="ids", **reading)
    ibidem.deduplicate_passages_of_files(source, folder / "passages", min_length=12, **reading)
    ibidem.deduplicate_passages_of_files(source, folder / "common", min_length=12, min_documents=2, **reading)
    given = folder / "b.jsonl"
    given.write_text("".join(rows[:-1]), "utf-8")
    ibidem.find_reuse_in_files(given, folder / "reuse", texts=True, min_pair_length=12, format="parquet")
    ibidem.decontaminate_files(given, [folder / "evals.jsonl"], folder / "leaks", format="parquet")
    tables = {
        "reuse": ("pairs", "passages", "clusters", "documents", "document_pairs", "left_out"),
        "decontaminate": ("contamination", "items", "left_out"),
        "dedup": ("clusters", "short"),
    }
    places = {"reuse": "reuse", "decontaminate": "leaks", "dedup": "dedup"}
    found = {
        f"{name} of ibidem {command}": read_table(folder / places[command] / f"{name}.parquet")
        for command, names in tables.items()
        for name in names
    }
    lists = {
        "rows_left_out.jsonl of every command that writes rows": folder / "dedup/rows_left_out.jsonl",
        "removed.jsonl of ibidem dedup": find_removed(folder / "dedup"),
        "passages.jsonl of ibidem dedup --passages": folder / "passages/passages.jsonl",
        "passages.jsonl of ibidem dedup --passages --min-documents": folder / "common/passages.jsonl",
    }
    return found | {title: read_lines(path) for title, path in lists.items()}


def test_the_page_has_the_columns_and_types_that_are_written(
    written: dict[str, Columns], printed: dict[str, Columns]
) -> None:
    page = read_page()
    for command, table in (("reuse", "pairs"), ("decontaminate", "contamination")):
        page[f"left_out of ibidem {command}"] = {"reason": "string"} | page[f"{table} of ibidem {command}"]
    assert page == written | printed


@pytest.fixture
def printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Columns]:
    """The columns of what the commands write that have no function for files."""
    monkeypatch.chdir(tmp_path)
    words = TEXT.split()
    page = {"id": "a", "text": TEXT, "year": 1903, "locators": [[0, len(TEXT), "1", "page", ""]]}
    rows = [{"id": f"page-{n}", "text": " ".join([*words[n:], *words[:n], f"number {n}"] * 9)} for n in range(20)]
    items = [{"question": "Which river flows through the town of Grahamstown in the Eastern Cape?", "answer": "none"}]
    for name, values in (("a", [page]), ("crawl", rows), ("evals", items)):
        Path(f"{name}.jsonl").write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")
    Path("output.txt").write_text(TEXT, "utf-8")
    for line in (
        "decontaminate crawl.jsonl --evals evals.jsonl --audit --plants 1 --threshold 1 -o audited",
        "index a.jsonl -o a.ibidem",
        "trace output.txt --index a.ibidem -o traced",
    ):
        done = CliRunner().invoke(main, line.split())
        assert done.exit_code == 0, done.output
    audit = ibidem.audit(rows, "evals.jsonl", plants=1, threshold=1.0)
    tables = {name: getattr(audit, name).schema for name in ("kinds", "curve", "missed")}
    for name, schema in tables.items():
        assert list(read_lines(f"audited/{name}.jsonl")) == schema.names
    [span] = read_records("traced/spans.jsonl")
    return {
        **{
            f"{name}.jsonl of ibidem decontaminate --audit": {field.name: str(field.type) for field in schema}
            for name, schema in tables.items()
        },
        **{f"{name}.jsonl of ibidem trace": read_lines(f"traced/{name}.jsonl") for name in ("spans", "outputs")},
        "sources of a span of ibidem trace": {
            name: name_type(value) for name, value in span.values["sources"][0].items()
        },
    }


def test_a_call_has_the_columns_of_the_clusters_in_files() -> None:
    table = ibidem.deduplicate([("1", TEXT), ("2", TEXT)]).to_arrow()
    assert {field.name: str(field.type) for field in table.schema} == read_page()["clusters of ibidem dedup"]
    assert table.schema.field("id").type == pa.string()
