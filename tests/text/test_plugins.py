"""A tokenizer of another package is found by its entry point, and ours are found without asking for any."""

import subprocess
import sys

import pytest

from ibidem import PassageIndex, make_tokenizer
from ibidem.errors import ConfigurationError
from ibidem.text import Texts

PLUGIN = """
import re

from ibidem.text import make_tokenizer


class Lines:
    def __init__(self, fold=False):
        self.fold = fold
        self._inner = make_tokenizer(self._lines)

    def _lines(self, text):
        found = [(line[0], line.start(), line.end()) for line in re.finditer(r"[^\\n]+", text)]
        return [(line.lower() if self.fold else line, start, end) for line, start, end in found]

    def encode(self, texts, *, offsets=False):
        return self._inner.encode(texts, offsets=offsets)

    @property
    def config(self):
        return {"name": "lines", "fold": self.fold}
"""

ENTRIES = """[ibidem.tokenizers]
lines = line_tokens:Lines
broken = line_tokens_that_are_not_there:Lines
nothing = builtins:dict
"""


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """A folder on the path with a package that adds the tokenizer ``lines``, as pip would install it."""
    folder = tmp_path / "site"
    information = folder / "line_tokens-1.0.dist-info"
    information.mkdir(parents=True)
    (folder / "line_tokens.py").write_text(PLUGIN, "utf-8")
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: line-tokens\nVersion: 1.0\n", "utf-8")
    (information / "entry_points.txt").write_text(ENTRIES, "utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "line_tokens", raising=False)
    return folder


TEXT = "Roses are red\nViolets are blue\nroses are red"


def test_a_tokenizer_of_another_package_is_made_by_its_name(plugin) -> None:
    assert len(set(make_tokenizer("lines").encode(Texts.from_strings([TEXT])).ids.tolist())) == 3
    folded = make_tokenizer("lines", fold=True)
    assert len(set(folded.encode(Texts.from_strings([TEXT])).ids.tolist())) == 2
    assert make_tokenizer(folded.config).config == folded.config == {"name": "lines", "fold": True}
    with pytest.raises(ValueError, match=r"the tokenizer 'lines' cannot be made: .*knots"):
        make_tokenizer("lines", knots=1)


def test_an_index_keeps_the_name_and_says_what_it_lacks(plugin, tmp_path, monkeypatch) -> None:
    with PassageIndex.build(tmp_path / "i", [("poem", TEXT)], tokenizer="lines:2"):
        pass
    with PassageIndex.open(tmp_path / "i") as index:
        assert [match.document for match in index.search("Roses are red\nViolets are blue", threshold=0.9)] == ["poem"]
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry != str(plugin)])
    with pytest.raises(ConfigurationError, match="its tokenizer cannot be made here: no tokenizer is called 'lines'"):
        PassageIndex.open(tmp_path / "i")


def test_the_command_takes_it_too(plugin, tmp_path, monkeypatch) -> None:
    (tmp_path / "poem.txt").write_text(TEXT, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(plugin))
    command = [sys.executable, "-m", "ibidem.cli", "index", str(tmp_path / "poem.txt"), "--tokenizer", "lines"]
    subprocess.run([*command, "-o", str(tmp_path / "i")], check=True, capture_output=True)
    with PassageIndex.open(tmp_path / "i") as index:
        assert index.configuration.tokenizer == {"name": "lines", "fold": False}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", "'broken', line_tokens_that_are_not_there:Lines, cannot be loaded: No module named"),
        ("nothing", "the tokenizer 'nothing' is a dict without encode and config"),
    ],
)
def test_a_package_that_is_broken_is_named(plugin, name: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        make_tokenizer(name)


def test_a_name_that_nobody_has_is_refused_with_all_that_there_are(plugin) -> None:
    with pytest.raises(ValueError, match="no tokenizer is called 'runes'; there are bpe, broken, characters, lines,"):
        make_tokenizer("runes")


def test_our_own_names_ask_for_no_entry_points(monkeypatch) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", None)
    assert make_tokenizer("words:3").config["shingle"] == 3
    assert make_tokenizer("characters").config["name"] == "characters"
