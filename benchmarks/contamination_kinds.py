"""Are leaks, templates and boilerplate told apart by document frequencies, in collections that are unlike each other?

    python benchmarks/contamination_kinds.py [--quick] [--csv FILE]

Items are planted into pages of web sites, of Python's own library and of Chinese novels, and into single sentences.
Each page belongs to one of 20 sites. A *piece* is the first two thirds of an item's words. Each column is a way to
plant an item, and the share of the pages of which the right thing is said:

- *piece*: in one page; *copied*: in one page that is there 12 times; both are leaks;
- *within*: a piece in 15 pages of one site, boilerplate within a source; *beside*: one more page of another site, which
  is a leak; *across*: a piece in 3 pages of each of 5 sites, boilerplate across sources;
- *whole*: the item in 15 pages; *fifth word*: in 15 pages, each time with every fifth word replaced; all are leaks;
- *one number*: a page with one of three or more numbers changed, a leak; *filled in*: the same beside two pages with
  all numbers changed, where all three are templates.

*false* are the pages without an item of which a leak is reported. No constant was chosen on these figures.
"""

import random
import re
import sysconfig
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from collections_of_text import generated, rows_of
from contamination import NUMBER, change, cut_pages, embed, renumber
from report import Report, Row

from ibidem import find_contamination
from ibidem.contamination.items import Evals, Item

SITES = [f"site{number}" for number in range(20)]


class World(NamedTuple):
    """Pages without an item, and questions."""

    pages: list[str]
    questions: list[str]


class Page(NamedTuple):
    """A page with what was planted into it, and what is to be said of that: a kind, or a reason."""

    text: str
    site: str
    item: int
    way: str
    expected: str


Way = Callable[[str, random.Random], list[tuple[str, str, str]]]
"""Plants an item: the text for each page, the site, and what is to be said."""


def read_web(source: random.Random) -> World:
    questions = [row["question"] for row in rows_of("gsm8k-test")]
    questions += dict.fromkeys(row["question"] for row in rows_of("evals-mmlu-dev"))
    return World(cut_pages((row["text"] for row in rows_of("article-extraction")), source), long_ones(questions, 13))


def read_code(source: random.Random) -> World:
    library = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    pages = cut_pages((path.read_text("utf-8", "replace") for path in library), source)
    return World(pages, [row["prompt"] for row in rows_of("humaneval")])


def read_chinese(source: random.Random) -> World:
    novels = [row["text"] for row in rows_of("classics-zh")]
    sentences = [each for each in re.split(r"[。！？\n]", novels[0]) if 30 <= len(each) <= 80]
    rest = "".join(novels[1:])
    return World([rest[at : at + 600] for at in range(0, 600 * 3000, 600)], sentences)


def read_short(source: random.Random) -> World:
    texts = [row["text"] for row in rows_of("novels-en")]
    sentences = [each.strip() for text in texts for each in re.split(r"(?<=[.!?])\s+", text)]
    pages = list(dict.fromkeys(each for each in sentences if 6 <= len(each.split()) <= 25))
    questions = dict.fromkeys(row["question"] for row in rows_of("evals-mmlu-dev"))
    short = [each for each in questions if 9 <= len(each.split()) <= 16]
    numbered = [row["question"] for row in rows_of("gsm8k-test") if len(row["question"].split()) <= 25]
    return World(source.sample(pages, min(6000, len(pages))), short + numbered)


def read_quick(source: random.Random) -> World:
    texts = [text.split() for _, text in generated(90, 1200)]
    questions = [" ".join([*words[:10], "7", *words[10:20], "52", *words[20:28], "318"]) for words in texts[:27]]
    return World(cut_pages((" ".join(words) for words in texts[27:]), source), questions)


def long_ones(texts: list[str], least: int) -> list[str]:
    return [each for each in texts if len(each.split()) >= least]


def piece_of(question: str) -> str:
    """The first two thirds of the words; an ideograph is one."""
    ends = [found.end() for found in re.finditer(r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]+", question)]
    return question[: ends[2 * len(ends) // 3]]


def plant_piece(question: str, source: random.Random) -> list[tuple[str, str, str]]:
    return [(piece_of(question), source.choice(SITES), "leak")]


def plant_within(question: str, source: random.Random) -> list[tuple[str, str, str]]:
    return [(piece_of(question), SITES[0], "boilerplate within a source")] * 15


def plant_across(question: str, source: random.Random) -> list[tuple[str, str, str]]:
    return [(piece_of(question), SITES[number % 5], "boilerplate across sources") for number in range(15)]


def plant_whole(question: str, source: random.Random) -> list[tuple[str, str, str]]:
    return [(question, source.choice(SITES), "leak") for _ in range(15)]


def plant_number(question: str, source: random.Random) -> list[tuple[str, str, str]]:
    return [(change_numbers(question, 1, source), source.choice(SITES), "leak")]


def plant_filled(question: str, source: random.Random) -> list[tuple[str, str, str]]:
    texts = [change_numbers(question, most, source) for most in (1, 99, 99)]
    return [(text, source.choice(SITES), "template") for text in texts]


def change_numbers(question: str, most: int, source: random.Random) -> str:
    """The question with its first numbers changed."""
    return NUMBER.sub(lambda found: renumber(found[0], source), question, count=most)


WAYS: dict[str, Way] = {
    "piece": plant_piece,
    "copied": plant_piece,
    "within": plant_within,
    "across": plant_across,
    "whole": plant_whole,
    "fifth word": plant_whole,
    "one number": plant_number,
    "filled in": plant_filled,
}


def plant(world: World, each: int, source: random.Random) -> list[Page]:
    """Plant ``each`` items in every way; pages are used once."""
    numbered = [n for n, text in enumerate(world.questions) if len(NUMBER.findall(text)) >= 3]
    free = source.sample(range(len(world.questions)), len(world.questions))
    pages = iter(world.pages)
    vocabulary = [word for page in world.pages[:500] for word in page.split()]
    planted: list[Page] = []
    for way in sorted(WAYS, key=lambda way: way not in ("one number", "filled in")):
        chosen = [n for n in free if n in set(numbered)] if way in ("one number", "filled in") else free
        for number in chosen[:each]:
            free.remove(number)
            question = world.questions[number]
            for text, site, expected in WAYS[way](question, source):
                if way == "fifth word":
                    text = change(Item("", "", "", 0, question), "every fifth word", vocabulary, source)
                planted.append(Page(embed(text, next(pages), source), site, number, way, expected))
            if way == "copied":
                planted += [planted[-1]] * 11
            if way == "within":
                text = embed(piece_of(question), next(pages), source)
                planted.append(Page(text, SITES[1], number, "beside", "leak"))
    return planted + [Page(page, source.choice(SITES), -1, "", "") for page in pages]


def say(pages: list[Page], questions: list[str]) -> list[dict[int, str]]:
    """What is said of each page and item: the kind of a leak or a template, or the reason."""
    evals = Evals([Item("all", "", "", number, question) for number, question in enumerate(questions)])
    found = find_contamination([{"text": page.text, "site": page.site} for page in pages], evals, source="site")
    said: list[dict[int, str]] = [{} for _ in pages]
    for row in found.left_out.to_pylist():
        if row["document"] is not None:
            is_template = row["kind"] == "template"
            said[int(row["document"])][int(row["eval_instance_index"])] = "template" if is_template else row["reason"]
    for row in found.contamination.to_pylist():
        said[int(row["document"])][int(row["eval_instance_index"])] = "leak"
    return said


def measure(name: str, world: World, each: int, source: random.Random, is_shown: bool) -> Row:
    pages = plant(world, each, source)
    right: dict[str, list[bool]] = defaultdict(list)
    false = 0
    for page, said in zip(pages, say(pages, world.questions), strict=True):
        if page.item >= 0:
            right[page.way].append(said.get(page.item, "") == page.expected)
            if is_shown and not right[page.way][-1]:
                print(name, page.way, page.item, said, world.questions[page.item][:200].replace("\n", " "), sep=" | ")
        else:
            false += "leak" in said.values()
    row: Row = {"collection": name}
    for way in ("piece", "copied", "within", "beside", "across", "whole", "fifth word", "one number", "filled in"):
        row[way] = f"{sum(right[way])}/{len(right[way])}"
    row["false"] = f"{false} of {sum(page.item < 0 for page in pages):,}"
    return row


READ = {"web pages": read_web, "code": read_code, "Chinese": read_chinese, "sentences": read_short}


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--show", action="store_true", help="print of what the wrong thing was said")
    options = report.options()
    if options.quick:
        report.finish([measure("generated", read_quick(random.Random(1)), 2, random.Random(2), options.show)])
        return
    report.finish(
        [measure(name, read(random.Random(1)), 12, random.Random(2), options.show) for name, read in READ.items()]
    )


if __name__ == "__main__":
    main()
