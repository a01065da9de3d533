"""Which settings find what, in texts of which kind?

    python benchmarks/kinds_of_text.py [--quick] [--tasks N] [--csv FILE]

A task is a text with four passages of another in it, whose kind is changed: characters read wrong (5, 10, 15 and 20 %
of all: 70 % by what machines read in their place, the rest dropped or added; and 10 % with any letter in their place),
handwriting that was transcribed (of the words, 12 % with another letter, 4 % abbreviated, 3 % lost, 3 % joined to the
next and 3 % split), an old spelling (verses of 1611 among other verses), another translation, traditional Chinese
characters in the place of simplified ones, Arabic without vowels and hamza in the place of Arabic with them, or code of
which half of the names were changed. The Arabic is generated: roots in patterns, words as frequent as in Zipf's law;
the code is that of Python's library. ``align`` looks for the passages, with summaries off, from 20 words or 100
characters on. Recall and precision count the characters of the text: precision is the share of what is reported that
was planted. ``false`` are pairs reported of 20 pairs of novels that have nothing in common. Seconds are those of the
processor for one task.

Without IBIDEM_DATA, texts are generated, and there are no kinds but noise, handwriting, Arabic and code.
"""

import builtins
import keyword
import os
import random
import re
import time
import unicodedata
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from collections_of_text import BIBLES, NOVELS, generated, rows_of
from report import Report, Row

from ibidem import align, make_tokenizer
from ibidem.text.normalization.letters import TABLES

MISREADINGS = dict(
    line.split(maxsplit=1)
    for line in """e c,o,a
c e,o
o c,0,a
a o,u,n
n u,r,ii
u n,a,ii
m rn,in,ni
r t,v
t r,l,f
l 1,i,t
i l,1,t,j
h b,li,n
b h,o
s f,8,5
f t,s
d cl,o
g q,9
v y,r
y v,g
w vv,m
p n,b
q g
k h,lc
x z
z 2""".splitlines()
)
"""What stands in the place of a letter in texts that a machine has read, which are not the groups of ``noisy``."""

SETTINGS = {
    "words": ("words", ""),
    "latin": ("words", "latin"),
    "noisy": ("words", "noisy"),
    "latin,noisy": ("words", "latin,noisy"),
    "cjk": ("words", "cjk"),
    "arabic-light": ("words", "arabic-light"),
    "characters:4": ("characters:4", ""),
    "characters:4, latin": ("characters:4", "latin"),
}

ALPHABET = "abcdefghilmnoprstu"

ROOTS = "بتثجحخدذرزسشصضطظعغفقكلمنهوي"
PATTERNS = (
    "{}َ{}َ{}َ", "{}َا{}ِ{}ٌ", "مَ{}ْ{}ُو{}ٌ", "{}ِ{}َا{}ٌ", "يَ{}ْ{}ُ{}ُ", "تَ{}ْ{}ِي{}ٌ", "أَ{}ْ{}َ{}َ", "إِ{}ْ{}َا{}ٌ",
    "{}ُ{}ُو{}ٌ", "ٱِسْتَ{}ْ{}َ{}َ", "مُ{}َ{}ِّ{}ٌ", "{}َ{}ِي{}َةٌ", "وَ{}َ{}َ{}َ", "ال{}َ{}َ{}ُ",
)  # fmt: skip
"""Patterns that take the three letters of a root."""


class Task(NamedTuple):
    """A text, the other text, and the ranges of both that correspond."""

    text: str
    other: str
    planted: list[tuple[int, int, int, int]]


def misread(text: str, rate: float, rng: random.Random, *, random_letters: bool = False) -> str:
    """The text as a machine reads it."""
    return "".join(_misread(sign, rng, random_letters) if rng.random() < rate else sign for sign in text)


def _misread(sign: str, rng: random.Random, random_letters: bool) -> str:
    kind = rng.random()
    if random_letters and kind < 0.7:
        return rng.choice(ALPHABET)
    if kind < 0.7 and sign.lower() in MISREADINGS:
        return rng.choice(MISREADINGS[sign.lower()].split(","))
    if kind < 0.7 and sign == " ":
        return rng.choice(["", ". "])
    return "" if kind < 0.85 else sign + rng.choice("il.,r t")


def plant(host: str, other: str, change: Callable[[str], str], rng: random.Random) -> Task:
    """Four passages of ``other`` among parts of ``host``; what is between them is changed, too."""
    parts, planted, length = [], [], 0
    for number in range(4):
        size = rng.choice([200, 400, 800]) if " " in other[:1000] else rng.choice([60, 120, 240])
        first = rng.randrange(0, len(other) - size)
        part = change(host[number * 4000 : (number + 1) * 4000]) + " "
        passage = change(other[first : first + size])
        planted.append((length + len(part), length + len(part) + len(passage), first, first + size))
        parts += [part, passage, " "]
        length += len(part) + len(passage) + 1
    return Task("".join(parts), other, planted)


def novels(quick: bool) -> list[str]:
    if quick:
        return [text for _, text in generated(4, 4_000)]
    return [re.sub(r"\s+", " ", row["text"])[3000:25000] for row in islice(rows_of(NOVELS), 40)]


def noise_tasks(texts: list[str], tasks: int, rate: float, random_letters: bool = False) -> Iterator[Task]:
    for number in range(tasks):
        rng = random.Random(number)
        host, other = texts[2 * number % len(texts)], texts[(2 * number + 1) % len(texts)]
        yield plant(host, other, lambda text: misread(text, rate, rng, random_letters=random_letters), rng)  # noqa: B023


def verse_tasks(version: str, tasks: int) -> Iterator[Task]:
    """Runs of verses of a version among verses of other books, against the chapters of the King James Bible."""
    rows = list(rows_of(BIBLES))
    known = {(row["book"], row["chapter"], row["verse"]): row["text"] for row in rows if row["version"] == "kjv"}
    given = [row for row in rows if row["version"] == version and (row["book"], row["chapter"], row["verse"]) in known]
    chapters = [list(verses) for _, verses in groupby(given, key=lambda row: (row["book"], row["chapter"]))]
    for number in range(tasks):
        rng = random.Random(number)
        hosts, chosen = rng.sample(chapters, 4), rng.sample(chapters, 4)
        text = other = ""
        planted = []
        for host, chapter in zip(hosts, chosen, strict=True):
            text += " ".join(row["text"] for row in host) + "\n"
            verses = chapter[:8]
            passage = " ".join(row["text"] for row in verses)
            whole = [known[row["book"], row["chapter"], row["verse"]] for row in chapter]
            same = " ".join(whole[: len(verses)])
            planted.append((len(text), len(text) + len(passage), len(other), len(other) + len(same)))
            text, other = text + passage + "\n", other + " ".join(whole) + "\n"
        yield Task(text, other, planted)


def chinese_tasks(tasks: int) -> Iterator[Task]:
    texts = [row["text"][2000:20000] for row in rows_of("classics-zh")]
    traditional = str.maketrans({new: old for old, new in TABLES["cjk"]().items()})
    for number in range(tasks):
        rng = random.Random(number)
        host, other = rng.sample(texts, 2)
        yield plant(host, other, lambda text: text.translate(traditional), rng)


def transcribe(text: str, rng: random.Random) -> str:
    """The text as it is transcribed from a hand that is hard to read."""
    words = []
    for word in text.split(" "):
        kind = rng.random()
        if kind < 0.12 and word:
            at = rng.randrange(len(word))
            word = word[:at] + rng.choice(ALPHABET) + word[at + 1 :]
        elif kind < 0.16 and len(word) > 3:
            word = word[: (len(word) + 1) // 2] + "."
        elif kind < 0.19:
            continue
        elif kind < 0.22 and words:
            words[-1] += word
            continue
        elif kind < 0.25 and len(word) > 3:
            at = rng.randrange(2, len(word) - 1)
            word = f"{word[:at]} {word[at:]}"
        words.append(word)
    return " ".join(words)


def arabic(rng: random.Random, vocabulary: list[str], words: int) -> str:
    """Words of a vocabulary, each as frequent as its place in it says."""
    weights = [1 / (place + 1) for place in range(len(vocabulary))]
    return " ".join(rng.choices(vocabulary, weights, k=words))


def strip_vowels(text: str) -> str:
    """Arabic as it is mostly printed: without vowels, and with a bare alif."""
    bare = "".join(sign for sign in text if not unicodedata.combining(sign))
    return bare.translate(str.maketrans("أإآٱ", "اااا"))


def arabic_tasks(tasks: int) -> Iterator[Task]:
    rng = random.Random(5)
    vocabulary = list(dict.fromkeys(rng.choice(PATTERNS).format(*rng.sample(ROOTS, 3)) for _ in range(12_000)))
    for number in range(tasks):
        rng = random.Random(number)
        host, other = (arabic(rng, vocabulary, 2_500) for _ in range(2))
        yield plant(host, other, strip_vowels, rng)


def rename(text: str, rng: random.Random) -> str:
    """Code with other names for half of its names."""
    known = {*keyword.kwlist, *dir(builtins), "self"}
    names = sorted(set(re.findall(r"\b[a-z_]\w{2,}\b", text)) - known)
    others = {name: f"{rng.choice(names)}_{rng.randrange(10)}" for name in names if rng.random() < 0.5}
    return re.sub(r"\b[a-z_]\w{2,}\b", lambda match: others.get(match[0], match[0]), text)


def code_tasks(tasks: int) -> Iterator[Task]:
    library = Path(os.__file__).parent
    files = [path.read_text("utf-8", "replace") for path in sorted(library.glob("*.py"))]
    files = [text for text in files if len(text) > 18_000]
    for number in range(tasks):
        rng = random.Random(number)
        host, other = rng.sample(files, 2)
        yield plant(host, other, lambda text: rename(text, rng), rng)  # noqa: B023


def transcribed_tasks(texts: list[str], tasks: int) -> Iterator[Task]:
    for number in range(tasks):
        rng = random.Random(number)
        host, other = texts[2 * number % len(texts)], texts[(2 * number + 1) % len(texts)]
        yield plant(host, other, lambda text: transcribe(text, rng), rng)  # noqa: B023


def measure(kind: str, name: str, given: list[Task]) -> Row:
    """Recall and precision of a setting on tasks, and the seconds of each."""
    tokenizer = make_tokenizer(SETTINGS[name][0], normalize=SETTINGS[name][1])
    right = reported = planted = 0
    start = time.process_time()
    found = [align(*task[:2], tokenizer=tokenizer, min_pair_length=_length(name), summaries=False) for task in given]
    seconds = (time.process_time() - start) / len(given)
    for task, pairs in zip(given, found, strict=True):
        of_task, of_pairs = (np.zeros(len(task.text), np.bool_) for _ in range(2))
        for first, end, *_ in task.planted:
            of_task[first:end] = True
        for pair in pairs:
            of_pairs[pair.a_start : pair.a_end] = True
        right += int((of_task & of_pairs).sum())
        reported, planted = reported + int(of_pairs.sum()), planted + int(of_task.sum())
    return {
        "kind": kind,
        "setting": name,
        "recall": f"{right / planted:.3f}",
        "precision": f"{right / max(1, reported):.3f}",
        "seconds": f"{seconds:.3f}",
    }


def _length(name: str) -> int:
    return 100 if name.startswith("characters") else 20


def false_alarms(texts: list[str], name: str) -> int:
    """Pairs of passages reported of novels that have nothing in common."""
    tokenizer = make_tokenizer(SETTINGS[name][0], normalize=SETTINGS[name][1])
    halves = zip(texts[::2], texts[1::2], strict=True)
    return sum(len(align(a, b, tokenizer=tokenizer, min_pair_length=_length(name), summaries=False)) for a, b in halves)


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--tasks", type=int, default=20, metavar="N", help="tasks of each kind (20)")
    report.parser.add_argument("--only", metavar="WORD", default="", help="kinds whose name has this word")
    options = report.options()
    texts, tasks = novels(options.quick), 1 if options.quick else options.tasks
    kinds: dict[str, tuple[list[Task], tuple[str, ...]]] = {}
    for rate in (0.1,) if options.quick else (0.05, 0.1, 0.15, 0.2):
        kinds[f"noise {rate:.0%}"] = list(noise_tasks(texts, tasks, rate)), ("words", "noisy", "characters:4")
    usual = ("words", "noisy", "characters:4")
    kinds["handwriting"] = list(transcribed_tasks(texts, tasks)), usual
    kinds["Arabic, without vowels"] = list(arabic_tasks(tasks)), ("words", "arabic-light", "characters:4")
    kinds["code, other names"] = list(code_tasks(tasks)), ("words", "characters:4")
    if not options.quick:
        kinds["random letters 10%"] = list(noise_tasks(texts, tasks, 0.1, True)), ("words", "noisy", "characters:4")
        old = ("words", "latin", "latin,noisy", "characters:4", "characters:4, latin")
        kinds["spelling of 1611"] = list(verse_tasks("kjv1611", tasks)), old
        kinds["translation"] = list(verse_tasks("web", tasks)), ("words", "noisy", "characters:4")
        kinds["Chinese, other characters"] = list(chinese_tasks(tasks)), ("words", "cjk")
    kinds = {kind: given for kind, given in kinds.items() if options.only in kind}
    needed = {name for _, names in kinds.values() for name in names}
    false = {name: false_alarms(texts, name) for name in SETTINGS if name in needed}
    rows = [
        measure(kind, name, given) | {"false": false[name]} for kind, (given, names) in kinds.items() for name in names
    ]
    report.finish(rows)


if __name__ == "__main__":
    main()
