"""A run that is updated gives the bytes of one that looks for everything anew, in whatever order things were added."""

import json
import random
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ibidem.contamination.job.planning import plan_contamination
from ibidem.jobs.run import run_rank

from ibidem.contamination.job.earlier import EarlierFindings
from ibidem.contamination.job.files import decontaminate_files
from ibidem.contamination.rounds import Rounds
from ibidem.corpus.failures import Failures
from ibidem.engine.earlier import FOLDER
from ibidem.errors import ConfigurationError, CorpusError, FormatVersionError
from ibidem.resources import Resources
from ibidem.text import Documents, make_tokenizer
from tests.contamination.samples import QUESTIONS, pages

RESOURCES = Resources.of("64M", 2, None)

LATER = [
    "Which river flows through the small town of Cradock in the Eastern Cape of South Africa?",
    "At what time of the year does the embryological development of the hyoid bone begin?",
]


def split_words(text: str) -> list[tuple[str, int, int]]:
    return [(each[0], each.start(), each.end()) for each in re.finditer(r"\w+", text)]


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
            RESOURCES,
            update=None if update is None else self.folder / update,
            **options,
        )

    def read(self, name: str) -> dict[str, bytes]:
        folder = self.folder / name
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def forget(self, name: str, copy: str) -> None:
        """A copy of a run that weighs words as it did, and knows of no file what it holds."""
        shutil.copytree(self.folder / name, self.folder / copy)
        (self.folder / copy / FOLDER / "files.jsonl").write_bytes(b"")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 10_000))
def test_whatever_was_added_first_the_bytes_are_the_same(seed: int) -> None:
    with TemporaryDirectory() as folder:
        world = World(Path(folder), seed)
        world.run("base", "a", "first")
        world.run("files", "abc", update="base")
        world.run("files, items", "abc", "later", update="files")
        world.run("items", "a", "first later", update="base")
        world.run("items, files", "abc", update="items")
        world.run("both", "abc", "later", update="base")
        world.forget("base", "forgotten")
        world.run("anew", "abc", "later", update="forgotten")
        assert world.read("both") == world.read("anew")
        assert world.read("files, items") == world.read("items, files") == world.read("both")


def test_nothing_new_and_a_run_from_nothing_give_the_same(world: World) -> None:
    world.run("base", "abc", "first")
    world.run("again", "abc", "first", update="base")
    world.forget("base", "forgotten")
    world.run("anew", "abc", update="forgotten")
    assert world.read("base") == world.read("again") == world.read("anew")


def test_new_items_are_found_as_in_a_run_of_their_own_and_the_others_stay(world: World) -> None:
    world.run("base", "abc", "first")
    world.run("alone", "abc", "later")
    world.run("both", "abc", "later", update="base")

    def leaks(name: str) -> set[tuple[str, ...]]:
        lines = (world.folder / name / "contamination.jsonl").read_text("utf-8").splitlines()
        rows = map(json.loads, lines)
        return {(row["training_file"], str(row["training_line"]), row["eval_key"], row["text"]) for row in rows}

    items = [json.loads(line) for line in (world.folder / "both/items.jsonl").read_text("utf-8").splitlines()]
    assert [row["eval_key"] for row in items] == ["first"] * 3 + ["later"] * 2
    assert leaks("both") <= leaks("base") | leaks("alone")
    assert leaks("both") & leaks("alone")
    assert leaks("both") & leaks("base")


def test_what_is_done_is_not_looked_at_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[tuple[int, int]] = []
    find = Rounds.find

    def count(self: Rounds, documents: Documents, first: int = 0) -> Any:
        looked.append((len(documents.ids), first))
        return find(self, documents, first)

    monkeypatch.setattr(Rounds, "find", count)
    world.run("base", "ab", "first")
    looked.clear()
    world.run("files", "abc", update="base")
    assert looked == [(15, 0)]
    looked.clear()
    world.run("items", "abc", "later", update="files")
    assert sorted(looked) == [(15, 1)] * 3


def test_a_file_that_was_changed_counts_as_new_and_a_missing_one_as_gone(world: World) -> None:
    world.run("base", "abc", "first")
    world.write("train/b.jsonl", "text", [*pages(5), QUESTIONS[0]])
    summary = world.run("next", "bc", update="base")
    world.forget("base", "forgotten")
    world.run("anew", "bc", update="forgotten")
    assert world.read("next") == world.read("anew")
    assert summary["documents"] == 21


@pytest.mark.parametrize("action", ["report", "cut"])
@pytest.mark.parametrize("parts", [1, 7])
def test_a_plan_updates_a_run_to_the_bytes_of_the_command(world: World, action: str, parts: int) -> None:
    world.run("base", "ab", "first")
    world.run("plain", "abc", "later", update="base", action=action)
    plan_contamination(
        [str(world.folder / f"train/{name}.jsonl") for name in "abc"],
        world.folder / "planned",
        world.folder / "plan",
        evals=[str(world.folder / "later.jsonl")],
        update=world.folder / "base",
        action=action,
        parts=parts,
    )
    run_rank(str(world.folder / "plan"), rank=0, of=1)
    assert world.read("planned") == world.read("plain")


def test_files_with_rows_that_were_left_out_are_read_again(world: World) -> None:
    with (world.folder / "train/a.jsonl").open("a", encoding="utf-8") as file:
        file.write("{no json\n")
    world.run("base", "ab", "first", failures=Failures())
    assert [name for name, _ in EarlierFindings.read(world.folder / "base" / FOLDER).files] == [
        str(world.folder / "train/b.jsonl")
    ]
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
    world.write("first.jsonl", "question", [*QUESTIONS[:2], "Another question of the same number?"])
    with pytest.raises(CorpusError, match=r"first\.jsonl, line 3: the item 2 is another one"):
        world.run("next", "ab", "first", update="base")
    facts = world.folder / "base" / FOLDER / "run.json"
    facts.write_text(facts.read_text("utf-8").replace('"version": 2', '"version": 9'), encoding="utf-8")
    with pytest.raises(FormatVersionError, match="made by a newer ibidem"):
        world.run("next", "ab", update="base")
    facts.write_text("{", encoding="utf-8")
    with pytest.raises(CorpusError, match="damaged"):
        world.run("next", "ab", update="base")
    assert not (world.folder / "next").exists()


def test_a_tokenizer_that_is_a_function_leaves_nothing_for_a_later_run(world: World) -> None:
    world.run("base", "a", "first", tokenizer=make_tokenizer(split_words))
    assert FOLDER not in {path.name for path in (world.folder / "base").iterdir()}
