"""What other packages add: a sample package has a reader and an export, and the command uses both."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ibidem import find_reuse
from ibidem.cli import main
from ibidem.errors import ConfigurationError
from ibidem.plugins import find_plugins, load_plugin
from ibidem.reuse.outputs.exports import EXPORTS, export_reuse

SAMPLE = """
from ibidem.corpus import ReadDocument, Span



def read_cards(opened):
    for number, card in enumerate(opened.stream.read().decode("utf-8").split("%%"), 1):
        card = card.strip()
        yield ReadDocument(card, {"card": number}, [Span("card", str(number), 0, len(card))], str(number))


def write_list(found, folder):
    rows = [f"{pair['a']} {pair['b']}\\n" for pair in found.pairs.to_pylist()]
    (folder / "pairs.txt").write_text("".join(rows), encoding="utf-8")
"""

ENTRIES = """[ibidem.readers]
cards = sample_plugin:read_cards

[ibidem.exports]
list = sample_plugin:write_list
broken = sample_plugin_that_is_not_there:write
"""

TEXT = "the whole village walks down to the flats with lamps and baskets and the children run ahead to be first there"


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with the sample package, as pip would install it."""
    folder = tmp_path / "site"
    information = folder / "sample_plugin-1.0.dist-info"
    information.mkdir(parents=True)
    (folder / "sample_plugin.py").write_text(SAMPLE, "utf-8")
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: sample-plugin\nVersion: 1.0\n", "utf-8")
    (information / "entry_points.txt").write_text(ENTRIES, "utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))  # the process that reads files
    monkeypatch.delitem(sys.modules, "sample_plugin", raising=False)
    return folder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_entry_points_are_listed_without_an_import(sample: Path) -> None:
    assert {"list", "broken"} <= find_plugins("ibidem.exports").keys()
    assert "sample_plugin" not in sys.modules


def test_a_package_that_cannot_be_imported_is_named(sample: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"the export 'broken', sample_plugin_that_is_not_there:write, cannot"):
        load_plugin(find_plugins("ibidem.exports")["broken"], "export")


def test_an_export_of_another_package_is_written_by_its_name(sample: Path, tmp_path: Path) -> None:
    export_reuse(find_reuse([("a", TEXT), ("b", TEXT)]), tmp_path, "list")
    assert (tmp_path / "pairs.txt").read_text("utf-8") == "a b\n"


def test_a_name_that_nobody_has_is_refused_with_all_that_there_are(sample: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"one of {', '.join(EXPORTS)}, broken, list, not 'rtf'"):
        export_reuse(find_reuse([("a", TEXT)]), tmp_path, "rtf")


def test_the_command_reads_and_writes_by_the_sample_package(sample: Path, tmp_path: Path) -> None:
    (tmp_path / "box.cards").write_text(f"{TEXT}\n%%\nsomething else\n%%\n{TEXT}", "utf-8")
    # A process of its own: this one, and the one that reads files for it, may know their readers already.
    asked = ["reuse", "box.cards", "-o", "out", "--also", "list", "--format", "jsonl"]
    done = subprocess.run(
        [sys.executable, "-m", "ibidem.cli", *asked], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "pairs.txt").read_text("utf-8").split() == [
        json.loads((tmp_path / "out" / "pairs.jsonl").read_text("utf-8"))[side] for side in "ab"
    ]


def test_the_command_refuses_an_export_that_nobody_has_before_it_reads(tmp_path: Path) -> None:
    done = run("reuse", tmp_path / "missing.jsonl", "-o", tmp_path / "out", "--also", "rtf")
    assert done.exit_code == 2
    assert "a format is one of graphml" in done.stderr
    assert not (tmp_path / "out").exists()
