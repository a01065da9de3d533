"""Do words that differ by a likely edit, counted as equal, find more of a noisy text than fixed shapes or characters?

    python benchmarks/likely_edits.py [--quick] [--tasks N] [--only WORD] [--csv FILE]

An experiment, not a part of the package. ``learned`` goes as follows. Passages are found with words as they are; the
words that differ in them are aligned letter by letter, and give how often a letter is read as another, lost or added
(where nothing is found, all edits are alike, at 8 %). Each word that only one of the two texts has may be a reading of
the words of the other that are one edit away (from three letters on) or two (from five), which share a deletion
neighbour (Bocek, Hunt and Stiller 2007; SymSpell). It becomes the likeliest of them: the likelihood of its edits times
the frequency of the word, if the logarithm is above -25. Then passages are found again.

The tasks are those of ``kinds_of_text.py``, and two more: Indonesian, and generated Arabic without its vowels, where
one character in ten is another letter of the text (70 %), lost, or followed by another one. Recall and precision count
characters. ``false`` are pairs reported of novels, or of the generated Arabic, that have nothing in common. Seconds are
those of the processor for a task; ``learned`` is plain Python, its rivals are kernels.
"""

import math
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher

import numpy as np
from collections_of_text import rows_of
from kinds_of_text import (
    PATTERNS,
    ROOTS,
    Task,
    arabic,
    noise_tasks,
    novels,
    plant,
    strip_vowels,
    transcribed_tasks,
    verse_tasks,
)
from report import Report, Row

from ibidem import align, make_tokenizer
from ibidem.alignment.align_tokens import AlignmentOptions, align_tokens
from ibidem.alignment.weighted_pair import TF, weigh_texts
from ibidem.results import Alignments
from ibidem.spans import Alignment
from ibidem.text import Texts, Tokens

Counts = Counter[tuple[str, str]]
"""How often a letter was read as another; an empty one for a letter that was added or lost."""

LEAST = -25.0
"""The least logarithm of the likelihood of a reading."""

UNKNOWN_RATE, LETTERS, PRIOR = 0.08, 20, 30.0


class Edits:
    """The cost of each edit of a letter: the negative logarithm of its likelihood."""

    def __init__(self, counts: Counts, letters: int) -> None:
        self._counts, self._total = counts, counts.total()
        self.rate = (self._total + 1) / (letters + LETTERS) if letters >= 300 else UNKNOWN_RATE
        self.match = -math.log(1 - self.rate)
        self._costs: dict[tuple[str, str], float] = {}

    def cost(self, true: str, read: str) -> float:
        if (true, read) not in self._costs:
            plain = 1 / 28 if true and read else 1 / 112 if read else 1 / 4
            share = (self._counts[true, read] + PRIOR * plain / 28) / (self._total + PRIOR)
            likelihood = self.rate * min(1.0, share * (LETTERS if true else LETTERS / 4))
            self._costs[true, read] = -math.log(max(likelihood, 1e-9))
        return self._costs[true, read]

    def distance(self, true: str, read: str) -> float:
        """The cost of the cheapest edits that make ``read`` of ``true``."""
        above = [0.0]
        for letter in read:
            above.append(above[-1] + self.cost("", letter))
        for letter in true:
            row = [above[0] + self.cost(letter, "")]
            for place, other in enumerate(read):
                same = self.match if letter == other else self.cost(letter, other)
                row.append(
                    min(
                        above[place] + same, above[place + 1] + self.cost(letter, ""), row[place] + self.cost("", other)
                    )
                )
            above = row
        return above[-1]


def edits_of(true: str, read: str) -> Counts:
    """The edits of a shortest way from ``true`` to ``read``."""
    found: Counts = Counter()
    for kind, first, end, other_first, other_end in SequenceMatcher(None, true, read, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        a, b = true[first:end], read[other_first:other_end]
        both = min(len(a), len(b))
        found.update(zip(a[:both], b[:both], strict=True))
        found.update((letter, "") for letter in a[both:])
        found.update(("", letter) for letter in b[both:])
    return found


def deletions(word: str) -> set[str]:
    """The word without one or two of its letters, by its length, and itself."""
    found = level = {word}
    for _ in range((len(word) >= 3) + (len(word) >= 5)):
        level = {each[:place] + each[place + 1 :] for each in level for place in range(len(each))}
        found = found | level
    return found


def learn(a: list[str], b: list[str], boxes: list[list[int]]) -> tuple[Counts, int]:
    """The edits that make words of ``a`` of words of ``b`` in passages that correspond, and the letters compared."""
    counts: Counts = Counter()
    letters = 0
    for a_first, a_end, b_first, b_end in boxes:
        some, others = a[a_first:a_end], b[b_first:b_end]
        for kind, *ranges in SequenceMatcher(None, some, others, autojunk=False).get_opcodes():
            first, end, other_first, other_end = ranges
            if kind == "equal":
                letters += sum(map(len, some[first:end]))
            elif kind == "replace" and end - first == other_end - other_first:
                for read, true in zip(some[first:end], others[other_first:other_end], strict=True):
                    edits = edits_of(true, read)
                    if edits.total() <= max(1, len(true) // 3):
                        counts += edits
                        letters += len(true)
    return counts, letters


def map_words(words: Counter[str], others: Counter[str], edits: Edits, targets: set[str]) -> dict[str, str]:
    """The likeliest word of ``others`` for each word that these do not have."""
    near: defaultdict[str, list[str]] = defaultdict(list)
    for other in others:
        for part in deletions(other):
            near[part].append(other)
    found = {}
    total = others.total()
    for word in words.keys() - others.keys() - targets:
        candidates = {other for part in deletions(word) for other in near.get(part, ())}
        scored = [(math.log(others[other] / total) - edits.distance(other, word), other) for other in candidates]
        score, best = max(scored, default=(-math.inf, ""))
        if score > LEAST:
            found[word] = best
    return found


def align_learned(a: str, b: str) -> Alignments:
    """The passages of two texts whose words count as equal if they differ by a likely edit."""
    tokenizer = make_tokenizer("words")
    tokens = tokenizer.encode(Texts.from_strings((a, b)), offsets=True)
    found = _find(tokens)
    assert tokens.starts is not None
    assert tokens.ends is not None
    places = zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    middle = int(tokens.bounds[1])
    texts = [a] * middle + [b] * (len(tokens.ids) - middle)
    spelling: dict[int, str] = {}
    for number, text, (start, end) in zip(tokens.ids.tolist(), texts, places, strict=True):
        spelling.setdefault(number, text[start:end].casefold())
    words = [spelling[number] for number in tokens.ids.tolist()]
    sides = words[:middle], words[middle:]
    counts, letters = learn(*sides, [_in_tokens(tokens, pair) for pair in found])
    in_a, in_b = map(Counter, sides)
    mapping = map_words(in_a, in_b, Edits(counts, letters), set())
    back = Edits(Counter({(read, true): number for (true, read), number in counts.items()}), letters)
    for word, other in map_words(in_b, in_a, back, set(mapping.values())).items():
        mapping[word] = mapping.get(other, other)
    number_of = {word: number for number, word in spelling.items()}
    ids = np.array([number_of[mapping.get(word, word)] for word in words], np.uint32)
    return Alignments(_find(tokens._replace(ids=ids)), a=a, b=b, tokenizer=tokenizer)


def _find(tokens: Tokens) -> list[Alignment]:
    return align_tokens(tokens, weigh_texts(tokens.ids, TF, "smooth"), AlignmentOptions(0.3, 20, False, 0.1))


def _in_tokens(tokens: Tokens, pair: Alignment) -> list[int]:
    """The ranges of a pair in tokens of its texts."""
    assert tokens.starts is not None
    a, b = np.split(tokens.starts, [int(tokens.bounds[1])])
    return [*np.searchsorted(a, [pair.a_start, pair.a_end]), *np.searchsorted(b, [pair.b_start, pair.b_end])]


def spoil(text: str, rate: float, rng: random.Random) -> str:
    """The text with a share of its characters read as other ones of it, lost, or followed by one more."""
    letters = sorted(set(text) - {" "})
    ways: tuple[Callable[[str], str], ...] = (
        *[lambda _: rng.choice(letters)] * 14,
        *[lambda _: ""] * 3,
        *[lambda sign: sign + rng.choice(letters)] * 3,
    )
    return "".join(rng.choice(ways)(sign) if rng.random() < rate else sign for sign in text)


def other_tasks(texts: list[str], tasks: int) -> Iterator[Task]:
    """Passages of texts in other languages, spoilt."""
    for number in range(tasks):
        rng = random.Random(number)
        host, other = texts[2 * number % len(texts)], texts[(2 * number + 1) % len(texts)]
        yield plant(host, other, lambda text: spoil(text, 0.1, rng), rng)  # noqa: B023


def arabic_texts(number: int) -> list[str]:
    rng = random.Random(5)
    words = (rng.choice(PATTERNS).format(*rng.sample(ROOTS, 3)) for _ in range(12_000))
    vocabulary = list(dict.fromkeys(map(strip_vowels, words)))
    return [arabic(rng, vocabulary, 2_500) for _ in range(number)]


def indonesian_texts() -> list[str]:
    texts = [" ".join(row["text"].split()) for row in rows_of("plagiarism-id")]
    return [text[:22_000] for text in texts if len(text) > 17_000]


SETTINGS: dict[str, Callable[[str, str], Alignments]] = {
    "words": lambda a, b: align(a, b, min_pair_length=20, summaries=False),
    "noisy": lambda a, b: align(a, b, min_pair_length=20, summaries=False, normalize="noisy"),
    "learned": align_learned,
    "characters:4": lambda a, b: align(a, b, min_pair_length=100, summaries=False, tokenizer="characters:4"),
}


def measure(kind: str, name: str, given: list[Task], texts: list[str]) -> Row:
    start = time.process_time()
    found = [SETTINGS[name](*task[:2]) for task in given]
    seconds = (time.process_time() - start) / len(given)
    right = reported = planted = 0
    for task, pairs in zip(given, found, strict=True):
        of_task, of_pairs = (np.zeros(len(task.text), np.bool_) for _ in range(2))
        for first, end, *_ in task.planted:
            of_task[first:end] = True
        for pair in pairs:
            of_pairs[pair.a_start : pair.a_end] = True
        right += int((of_task & of_pairs).sum())
        reported, planted = reported + int(of_pairs.sum()), planted + int(of_task.sum())
    unrelated = list(zip(texts[::2], texts[1::2], strict=False))
    return {
        "kind": kind,
        "setting": name,
        "recall": f"{right / planted:.3f}",
        "precision": f"{right / max(1, reported):.3f}",
        "seconds": f"{seconds:.3f}",
        "false": sum(len(SETTINGS[name](a, b)) for a, b in unrelated) if unrelated else "",
    }


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--tasks", type=int, default=20, metavar="N", help="tasks of each kind (20)")
    report.parser.add_argument("--only", metavar="WORD", default="", help="kinds whose name has this word")
    options = report.options()
    texts, tasks = novels(options.quick), 1 if options.quick else options.tasks
    for setting in SETTINGS.values():
        setting(texts[0], texts[0])  # compiles
    rates = (0.1,) if options.quick else (0.05, 0.1, 0.15, 0.2)
    kinds = {
        f"noise {rate:.0%}": (list(noise_tasks(texts, tasks, rate)), texts if rate == 0.1 else []) for rate in rates
    }
    if not options.quick:
        kinds["random letters 10%"] = list(noise_tasks(texts, tasks, 0.1, True)), []
        kinds["handwriting"] = list(transcribed_tasks(texts, tasks)), []
        kinds["spelling of 1611"] = list(verse_tasks("kjv1611", tasks)), []
        kinds["translation"] = list(verse_tasks("web", tasks)), []
        indonesian, generated = indonesian_texts(), arabic_texts(2 * tasks)
        kinds["Indonesian 10%"] = list(other_tasks(indonesian, tasks)), []
        kinds["Arabic 10%"] = list(other_tasks(generated, tasks)), generated
    chosen = {kind: each for kind, each in kinds.items() if options.only in kind}
    report.finish([measure(kind, name, *each) for kind, each in chosen.items() for name in SETTINGS])


if __name__ == "__main__":
    main()
