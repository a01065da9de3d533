"""Items of evaluations planted in web pages: which are found, which item is named, and what is flagged falsely.

Each planted page holds an item of gsm8k's test split or of MMLU's: alone, embedded, wrapped at 8 words, its question
only, with every fifth word replaced by another word of the pages, or one whose question has fewer than 13 words. Hard
negatives are the same questions with other numbers, and questions of gsm8k's training split; easy ones are the pages as
they are. Rivals read the same pages in the same run: shared runs of 13 and of 8 words, and decon's clusters of runs of
5, by its description: runs that follow each other with at most 11 misses are a cluster, and it is flagged if its
distinct runs have 0.8 of the weight of the question's, by how rare they are among the questions.

``--set second`` plants HumanEval's items in Python's own library, and sentences of one Chinese novel in others.
``--set third`` plants verses of a Bible and sentences of Indonesian articles in news, novels and other articles; other
verses are the hard negatives. Nothing was chosen on it.
"""

import math
import random
import re
import sysconfig
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from collections_of_text import generated, rows_of
from report import Report, Row

from ibidem import find_contamination
from ibidem.contamination.items import Evals, Item

PLANTED = ("alone", "embedded", "wrapped", "question only", "every fifth word", "under 13 words")
PIECE = 300

NUMBER = re.compile(r"\b\d+\b")
"""A number, and no part of a name: ``md5`` with another digit is the same task with a name misspelt."""


class Planted(NamedTuple):
    """Pages, and the item and the kind of each; a page without a leak has no item."""

    pages: list[str]
    items: list[int | None]
    kinds: list[str]


class World(NamedTuple):
    """Items, pages that hold none, and questions that are none of the items."""

    items: list[Item]
    pages: list[str]
    others: list[str]


Method = Callable[[list[str], list[Item]], list[list[int]]]
"""Finds the items that each page holds."""


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def read_first(source: random.Random) -> World:
    items = [
        Item("gsm8k", "", "test", number, row["question"], answers=(row["answer"],), correct=0)
        for number, row in enumerate(rows_of("gsm8k-test"))
    ]
    choices: dict[tuple[str, int], list[dict[str, Any]]] = defaultdict(list)
    for row in rows_of("evals-mmlu-dev"):
        choices[row["config"], row["eval_instance_index"]].append(row)
    for number, rows in enumerate(choices.values()):
        answers = tuple(row["answer"] for row in rows)
        items.append(Item("mmlu", "", "dev", number, rows[0]["question"], answers=answers))
    others = [row["question"] for row in rows_of("gsm8k-train")]
    return World(items, cut_pages((row["text"] for row in rows_of("pan13-train-documents")), source), others)


def read_development(source: random.Random) -> World:
    """Items and pages that the constants were chosen on: none of them is in the table."""
    rows = list(rows_of("gsm8k-train"))
    items = [
        Item("gsm8k", "", "train", number, row["question"], answers=(row["answer"],), correct=0)
        for number, row in enumerate(rows[:1500])
    ]
    pages = cut_pages((row["text"] for row in rows_of("article-extraction")), source)
    return World(items, pages, [row["question"] for row in rows[1500:]])


def read_second(source: random.Random) -> World:
    items = [
        Item("humaneval", "", "test", number, row["prompt"], answers=(row["canonical_solution"],), correct=0)
        for number, row in enumerate(rows_of("humaneval"))
    ]
    library = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    pages = cut_pages((path.read_text("utf-8", "replace") for path in library), source)
    novels = [row["text"] for row in rows_of("classics-zh")]
    sentences = [each for each in re.split(r"[。！？\n]", novels[0]) if 12 <= len(each) <= 80]
    for number, text in enumerate(source.sample(sentences, 400)):
        items.append(Item("chinese", "", "test", number, text))
    rest = "".join(novels[1:])
    pages += [rest[at : at + 600] for at in range(0, 600 * 4000, 600)]
    source.shuffle(pages)
    said = {item.question for item in items}
    return World(items, pages, source.sample([each for each in sentences if each not in said], 200))


def read_third(source: random.Random) -> World:
    verses = dict.fromkeys(" ".join(row["text"].split()) for row in rows_of("bibles-en") if row["version"] == "kjv")
    drawn = source.sample([verse for verse in verses if count_words(verse) >= 5], 600)
    articles = [row["text"] for row in rows_of("plagiarism-id")]
    sentences = [each for text in articles[:30] for each in re.split(r"(?<=[.!?])\s+", text)]
    sentences = source.sample([each for each in dict.fromkeys(sentences) if 5 <= count_words(each) <= 60], 150)
    items = [Item("verses", "", "test", number, verse) for number, verse in enumerate(drawn[:500])]
    items += [Item("indonesian", "", "test", number, each) for number, each in enumerate(sentences)]
    texts = [row["text"] for row in rows_of("mccormick-2500") if "text" in row]
    texts += [row["text"] for row in rows_of("novels-en")][:25] + articles[30:]
    return World(items, cut_pages(iter(texts), source), drawn[500:])


def read_quick(source: random.Random) -> World:
    texts = [text.split() for _, text in generated(40, 1200)]
    items = [
        Item("generated", "", "", number, " ".join(words[: source.choice([10, 20, 30, 40])]))
        for number, words in enumerate(texts[:20])
    ]
    others = [" ".join(words[100:130]) for words in texts[:20]]
    return World(items, cut_pages((" ".join(words) for words in texts[20:]), source), others)


def cut_pages(texts: Iterator[str], source: random.Random) -> list[str]:
    """Pieces of about ``PIECE`` words, each once."""
    pages = {}
    for text in texts:
        words = text.split(" ")
        for at in range(0, len(words), PIECE):
            pages[" ".join(words[at : at + PIECE])] = None
    chosen = list(pages)
    source.shuffle(chosen)
    return chosen


def plant(world: World, each: int, source: random.Random) -> Planted:
    """``each`` items of every kind, as many hard negatives as of one kind, and all other pages as they are."""
    pages = iter(world.pages)
    vocabulary = [word for page in world.pages[:2000] for word in page.split()]
    planted = Planted([], [], [])
    long = [number for number, item in enumerate(world.items) if count_words(item.question) >= 13]
    short = [number for number, item in enumerate(world.items) if 5 <= count_words(item.question) < 13]
    for kind in PLANTED:
        chosen = short if kind == "under 13 words" else long
        for number in source.sample(chosen, min(each, len(chosen))):
            text = change(world.items[number], kind, vocabulary, source)
            add(planted, text if kind == "alone" else embed(text, next(pages), source), number, kind)
    for question in source.sample(world.others, min(each // 2, len(world.others))):
        add(planted, embed(question, next(pages), source), None, "other question")
    numbered = [number for number in long if len(NUMBER.findall(world.items[number].question)) > 1]
    for number in source.sample(numbered, min(each // 2, len(numbered))):
        text = NUMBER.sub(lambda found: renumber(found[0], source), world.items[number].question)
        add(planted, embed(text, next(pages), source), None, "other numbers")
    for page in pages:
        add(planted, page, None, "as it is")
    return planted


def add(planted: Planted, page: str, item: int | None, kind: str) -> None:
    planted.pages.append(page)
    planted.items.append(item)
    planted.kinds.append(kind)


def count_words(text: str) -> int:
    """Words; an ideograph is one."""
    return len(re.findall(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+", text))


def change(item: Item, kind: str, vocabulary: list[str], source: random.Random) -> str:
    whole = "\n".join([item.question, *item.answers])
    if kind == "wrapped":
        words = whole.split()
        return "\n".join(" ".join(words[at : at + 8]) for at in range(0, len(words), 8))
    if kind == "every fifth word":
        pieces = re.findall(r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]+|\s+", item.question)
        places = [at for at, piece in enumerate(pieces) if not piece.isspace()]
        for at in places[4::5]:
            is_ideograph = "\u4e00" <= pieces[at] <= "\u9fff"
            pieces[at] = source.choice("天地玄黃宇宙洪荒日月盈昃") if is_ideograph else source.choice(vocabulary)
        return "".join(pieces)
    return item.question if kind in ("question only", "under 13 words") else whole


def renumber(number: str, source: random.Random) -> str:
    drawn = number
    while drawn == number:
        drawn = str(source.randrange(2, 9 * 10 ** len(number) // 2))
    return drawn


def embed(text: str, page: str, source: random.Random) -> str:
    words = page.split(" ")
    at = source.randrange(len(words) + 1)
    return f"{' '.join(words[:at])}\n{text}\n{' '.join(words[at:])}"


def by_ibidem(pages: list[str], items: list[Item]) -> list[list[int]]:
    evals = Evals([item._replace(eval_key="all", instance=number) for number, item in enumerate(items)])
    found = find_contamination(pages, evals)
    named: list[list[int]] = [[] for _ in pages]
    for row in (
        found.contamination.select(["document", "eval_instance_index", "evidence"])
        .sort_by([("evidence", "descending")])
        .to_pylist()
    ):
        item = int(row["eval_instance_index"])
        if item not in named[int(row["document"])]:
            named[int(row["document"])].append(item)
    return named


def by_runs(size: int) -> Method:
    def find(pages: list[str], items: list[Item]) -> list[list[int]]:
        holders: dict[tuple[str, ...], set[int]] = defaultdict(set)
        for number, item in enumerate(items):
            for run in runs_of(words_of("\n".join([item.question, *item.answers])), size):
                holders[run].add(number)
        found = []
        for page in pages:
            counted: Counter[int] = Counter()
            for run in set(runs_of(words_of(page), size)) & holders.keys():
                counted.update(holders[run])
            found.append([number for number, _ in counted.most_common()])
        return found

    return find


def runs_of(words: list[str], size: int) -> list[tuple[str, ...]]:
    return list(zip(*(words[at:] for at in range(size)), strict=False))


def by_clusters(pages: list[str], items: list[Item]) -> list[list[int]]:
    """decon's clusters, by its description: all places are looked at, not one in ten."""
    holders: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for number, item in enumerate(items):
        for run in runs_of(words_of(item.question), 5):
            holders[run].add(number)
    weights = {run: math.log(len(items) / len(held)) + 1 for run, held in holders.items()}
    totals = [sum(weights[run] for run in set(runs_of(words_of(item.question), 5))) for item in items]
    found = []
    for page in pages:
        scores: dict[int, float] = {}
        open_: dict[int, tuple[int, set[tuple[str, ...]]]] = {}
        for at, run in enumerate(runs_of(words_of(page), 5)):
            for number in holders.get(run, ()):
                last, held = open_.get(number, (at, set()))
                held = held if at - last <= 11 else set()
                held.add(run)
                open_[number] = at, held
                share = sum(weights[each] for each in held) / totals[number]
                scores[number] = max(scores.get(number, 0.0), share)
        found.append([n for n, score in sorted(scores.items(), key=lambda each: -each[1]) if score >= 0.8])
    return found


METHODS: dict[str, Method] = {
    "ibidem": by_ibidem,
    "runs of 13": by_runs(13),
    "runs of 8": by_runs(8),
    "clusters of 5": by_clusters,
}


def measure(name: str, planted: Planted, items: list[Item]) -> Row:
    began = time.process_time()
    found = METHODS[name](planted.pages, items)
    seconds = time.process_time() - began
    flagged = [bool(each) for each in found]
    true = sum(flag and item is not None for flag, item in zip(flagged, planted.items, strict=True))
    row: Row = {"method": name, "precision": format(true / max(sum(flagged), 1), ".4f")}
    for kind in PLANTED:
        of = [at for at, each in enumerate(planted.kinds) if each == kind]
        row[kind] = format(sum(planted.items[at] in found[at] for at in of) / max(len(of), 1), ".3f")
    leaks = [at for at, item in enumerate(planted.items) if item is not None and found[at]]
    row["right item first"] = format(sum(found[at][0] == planted.items[at] for at in leaks) / max(len(leaks), 1), ".4f")
    for kind in ("other numbers", "other question", "as it is"):
        of = [at for at, each in enumerate(planted.kinds) if each == kind]
        row[f"flagged: {kind}"] = f"{sum(flagged[at] for at in of)} of {len(of)}"
    row["seconds"] = format(seconds, ".1f")
    return row


SETS = {"first": read_first, "second": read_second, "third": read_third, "development": read_development}


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--set", choices=list(SETS), default="first")
    report.parser.add_argument("--show", action="store_true", help="print what ibidem got wrong")
    options = report.options()
    source = random.Random(1)
    read = SETS[options.set]
    world = read_quick(source) if options.quick else read(source)
    planted = plant(world, 10 if options.quick else 200, source)
    if options.show:
        show(planted, world.items)
        return
    report.finish([measure(name, planted, world.items) for name in METHODS])


def show(planted: Planted, items: list[Item]) -> None:
    found = by_ibidem(planted.pages, items)
    for page, item, kind, named in zip(planted.pages, planted.items, planted.kinds, found, strict=True):
        if (item is None and named) or (item is not None and item not in named):
            print("===", kind, item, named)
            print("  item:", items[item if item is not None else named[0]].question[:300].replace("\n", " "))
            print("  page:", page[:1500].replace("\n", " "))


if __name__ == "__main__":
    main()
