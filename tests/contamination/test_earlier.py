"""A run that is updated gives the bytes of one that looks for everything anew, in whatever order things were added."""

import json
import random
import re
import shutil
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.contamination.detector import Detector
from ibidem.contamination.earlier import EarlierRun, describe_reading
from ibidem.contamination.find import decontaminate_files
from ibidem.corpus import inputs
from ibidem.corpus.failures import Failures
from ibidem.corpus.rows import Columns
from ibidem.corpus.writing.run_state import FOLDER
from ibidem.errors import ConfigurationError, CorpusError, FormatVersionError
from ibidem.text import Documents, Tokens, make_tokenizer
from tests.contamination.samples import QUESTIONS, pages

LATER = [
    "Which river flows through the small town of Cradock in the Eastern Cape of South Africa?",
    "At what time of the year does the embryological development of the hyoid bone begin?",
]


def split_words(text: str) -> list[tuple[str, int, int]]:
    return [(each[0], each.start(), each.end()) for each in re.finditer(r"\w+", text)]


def read_settings(output: Path) -> dict[str, Any]:
    settings: dict[str, Any] = json.loads((output / FOLDER / "run.json").read_bytes())["settings"]
    return settings


def read_run(output: Path) -> EarlierRun:
    return EarlierRun.read(output, read_settings(output))


class World:
    """Files of training data and of items, in a folder."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.folder = folder
        source = random.Random(seed)
        (folder / "train").mkdir()
        for name in "abc":
            texts = pages(15, seed=source.randrange(1000))
            for at in source.sample(range(15), 4):
                words = source.choice([*QUESTIONS, *LATER]).split()
                words[source.randrange(len(words))] = source.choice(["zebra", "90", words[0]])
                texts[at] += " " + " ".join(words)
            self.write(f"train/{name}.jsonl", "text", texts)
        self.write("first.jsonl", "question", QUESTIONS)
        self.write("later.jsonl", "question", LATER)

    def write(self, name: str, column: str, texts: list[str]) -> None:
        lines = [json.dumps({column: text}) + "\n" for text in texts]
        (self.folder / name).write_text("".join(lines), encoding="utf-8")

    def run(self, name: str, train: str, evals: str = "", update: str | None = None, **options: Any) -> dict[str, Any]:
        return decontaminate_files(
            [self.folder / f"train/{each}.jsonl" for each in train],
            [self.folder / f"{each}.jsonl" for each in evals.split()],
            self.folder / name,
            memory="64M",
            threads=2,
            update=None if update is None else self.folder / update,
            **options,
        ).summary

    def read(self, name: str) -> dict[str, bytes]:
        folder = self.folder / name
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def forget(self, name: str, copy: str) -> None:
        """A copy of a run that weighs words as it did, and knows of no file what it holds."""
        shutil.copytree(self.folder / name, self.folder / copy)
        state = self.folder / copy / FOLDER
        earlier, read = read_run(state.parent), read_settings(state.parent)
        shutil.rmtree(state)
        earlier._replace(files=[]).write(state, read)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 10_000))
def test_whatever_was_added_first_the_bytes_are_the_same(seed: int) -> None:
    with TemporaryDirectory() as folder:
        world = World(Path(folder), seed)
        world.run("base", "a", "first")
        world.run("two", "ab", update="base")
        world.run("three", "abc", update="two")
        world.run("at once", "abc", update="base")
        world.forget("base", "forgotten")
        world.run("anew", "abc", update="forgotten")
        assert world.read("three") == world.read("at once") == world.read("anew")


def test_nothing_new_and_a_run_from_nothing_give_the_same(world: World) -> None:
    world.run("base", "abc", "first")
    world.run("again", "abc", update="base")
    world.forget("base", "forgotten")
    world.run("anew", "abc", update="forgotten")
    assert world.read("base") == world.read("again") == world.read("anew")


def test_items_beside_an_update_are_refused(world: World) -> None:
    world.run("base", "abc", "first")
    with pytest.raises(ValueError, match="leave out the evals, or look for them in a new run"):
        world.run("next", "abc", "later", update="base")


def test_what_is_done_is_not_looked_at_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    find = Detector.find

    def count(self: Detector, documents: Documents) -> Any:
        looked.append(len(documents.ids))
        return find(self, documents)

    monkeypatch.setattr(Detector, "find", count)
    world.run("base", "ab", "first")
    looked.clear()
    world.run("files", "abc", update="base")
    assert looked == [15]


def test_a_file_that_was_changed_counts_as_new_and_a_missing_one_as_gone(world: World) -> None:
    world.run("base", "abc", "first")
    world.write("train/b.jsonl", "text", [*pages(5), QUESTIONS[0]])
    summary = world.run("next", "bc", update="base")
    world.forget("base", "forgotten")
    world.run("anew", "bc", update="forgotten")
    assert world.read("next") == world.read("anew")
    assert summary["documents"] == 21


@pytest.mark.parametrize("action", ["report", "cut"])
def test_an_update_of_many_parts_writes_the_bytes_of_one(
    world: World, action: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.run("base", "ab", "first")
    world.run("files", "abc", update="base", action=action)
    monkeypatch.setattr(inputs, "PART_BYTES", 3000)
    world.run("base in parts", "ab", "first")
    world.run("files in parts", "abc", update="base in parts", action=action)
    for name in ("base", "files"):
        assert world.read(name) == world.read(f"{name} in parts")


def test_files_with_rows_that_were_left_out_are_read_again(world: World) -> None:
    with (world.folder / "train/a.jsonl").open("a", encoding="utf-8") as file:
        file.write("{no json\n")
    world.run("base", "ab", "first", failures=Failures())
    assert [each.name for each in read_run(world.folder / "base").files] == [str(world.folder / "train/b.jsonl")]
    failures = Failures()
    assert world.run("next", "abc", update="base", failures=failures)["rows_left_out"] == 1
    assert len(failures) == 1


def test_a_run_that_read_otherwise_or_is_none_is_refused(world: World) -> None:
    world.run("base", "a", "first")
    with pytest.raises(ConfigurationError, match="made with id 'id', not 'name'"):
        world.run("next", "ab", update="base", id="name")
    with pytest.raises(ConfigurationError, match="not with a function"):
        world.run("next", "ab", update="base", tokenizer=make_tokenizer(split_words))
    with pytest.raises(CorpusError, match="no folder of a run"):
        world.run("next", "ab", update="train")
    facts = world.folder / "base" / FOLDER / "run.json"
    facts.write_text(facts.read_text("utf-8").replace('"version": 5', '"version": 9'), encoding="utf-8")
    with pytest.raises(FormatVersionError, match="made by a newer ibidem"):
        world.run("next", "ab", update="base")
    facts.write_text("{", encoding="utf-8")
    with pytest.raises(CorpusError, match="damaged"):
        world.run("next", "ab", update="base")
    assert not (world.folder / "next").exists()


@pytest.mark.parametrize("name", ["output", "run.json"])
def test_whatever_byte_of_the_state_is_changed_it_is_refused_or_means_the_same(world: World, name: str) -> None:
    world.run("base", "a", "first")
    earlier, file, source = read_run(world.folder / "base"), world.folder / "base" / FOLDER / name, random.Random(5)
    read = read_settings(world.folder / "base")
    content = file.read_bytes()
    for place in source.sample(range(len(content)), 40):
        changed = bytearray(content)
        changed[place] ^= 1 << source.randrange(8)
        file.write_bytes(changed)
        with suppress(CorpusError, FormatVersionError):
            assert repr(EarlierRun.read(world.folder / "base", read)) == repr(earlier)
            assert name == "run.json"


def test_numbers_that_cannot_be_are_refused_though_the_state_is_sealed(world: World) -> None:
    world.run("base", "a", "first")
    earlier, read = read_run(world.folder / "base"), read_settings(world.folder / "base")
    (known,) = earlier.files
    ids, bounds = earlier.weighed.sample[:2]
    wrong: list[EarlierRun] = [
        earlier._replace(weighed=earlier.weighed._replace(sample=Tokens(ids, bounds + 10**6))),
        earlier._replace(weighed=earlier.weighed._replace(sample=Tokens(ids, bounds[::-1].copy()))),
        *(
            earlier._replace(files=[known._replace(findings=msgspec.structs.replace(known.findings, **changed))])
            for changed in ({"documents": 1}, {"rows": 1})
        ),
    ]
    for number, run in enumerate(wrong):
        (world.folder / f"wrong{number}").mkdir()
        run.write(world.folder / f"wrong{number}" / FOLDER, read)
        with pytest.raises(CorpusError, match="damaged"):
            world.run("next", "a", update=f"wrong{number}")


def test_half_a_surrogate_pair_is_kept_as_a_replacement(world: World) -> None:
    world.write("train/a.jsonl", "text", [QUESTIONS[0].replace("small", "small \ud800")])
    world.write("first.jsonl", "question", [QUESTIONS[0], QUESTIONS[1] + " \udfff"])
    world.run("base", "a", "first")
    assert world.run("next", "a", update="base")["contaminated_items"] == 1
    assert world.read("base") == world.read("next")


def test_how_the_input_is_read_is_not_described_if_the_tokenizer_is_a_function() -> None:
    columns, words = Columns.of("text", "id"), make_tokenizer("words")
    described = describe_reading(columns, words, "url")
    assert described is not None
    assert (described["source"], described["tokenizer"]) == ("url", dict(words.config))
    assert describe_reading(columns, make_tokenizer(split_words), None) is None


def test_a_tokenizer_that_is_a_function_leaves_nothing_for_a_later_run(world: World) -> None:
    world.run("base", "a", "first", tokenizer=make_tokenizer(split_words))
    assert FOLDER not in {path.name for path in (world.folder / "base").iterdir()}
