"""info: what an index holds, as JSON and as a table."""

from pathlib import Path

import pytest

from .samples import Run, lines_of


def test_info_gives_what_each_part_takes(run: Run, folder: Path) -> None:
    (facts,) = lines_of(run("info", "books.ibidem"))
    assert facts["documents"] == 3
    assert facts["segments"] == 1
    assert facts["bytes"].keys() == facts["bytes_per_token"].keys()
    assert facts["bytes_per_token"]["postings"] == pytest.approx(facts["bytes"]["postings"] / facts["tokens"], abs=1e-3)


def test_info_is_a_table_for_a_reader(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.cli.info.is_terminal", lambda _: True)
    shown = run("info", "books.ibidem").stdout
    for fact in ("multiset", "words, shingle 1, version 2", "postings", "per token"):
        assert fact in shown
    assert lines_of(run("info", "books.ibidem", "--json"))


def test_info_names_the_normalization(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("index", "books", "-o", "latin.ibidem", "--normalize", "hyphens,latin").exit_code == 0
    monkeypatch.setattr("ibidem.cli.info.is_terminal", lambda _: True)
    assert "words, shingle 1, version 2, normalized by latin and hyphens" in run("info", "latin.ibidem").stdout
