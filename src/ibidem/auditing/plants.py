"""Items planted into documents of the training data, in the forms in which items leak; both are drawn for a round."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from math import gcd
from typing import NamedTuple

from ibidem.auditing.ocr import misread
from ibidem.contamination.items import Item
from ibidem.text import Collection, Document, as_batches

_HOST_WORDS = 300
"""Words of the training document around an item, unless the kind says otherwise."""

_SPACELESS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_SPACELESS}]|[^\s{_SPACELESS}]+")
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*\s*")
_LINE_WORDS = 8

MANY = 12
"""Documents that a form which spreads has: more than those that make a phrase boilerplate."""

_PIECE = 0.6
"""The share of the words of a question that a piece of it has."""

SOURCE = "source"
"""The column of planted documents that names their source."""

_NUMBER = re.compile(r"(?<!\w)[0-9]+(?!\w)")

Change = Callable[[Item, "Words", random.Random], str | None]
"""Makes the text to be planted of an item; ``None`` if the item has no such form."""

Words = Sequence[str]
"""Running words of the training data, from which words are drawn."""


class PlantedForm(NamedTuple):
    """A form in which an item occurs in training data.

    Attributes:
        name: of the form.
        change: how the item is changed.
        host_words: how many words of a training document are around it; 0 if it is a document by itself.
        expected: what is to be said of it, one of ``EXPECTED``.
        documents: how many documents have it, each with changes of its own.
        has_sources: whether each of these is from a source of its own.
        templates: how many documents beside them have the question with other numbers.
    """

    name: str
    change: Change
    host_words: int = _HOST_WORDS
    expected: str = "leak"
    documents: int = 1
    has_sources: bool = False
    templates: int = 0


class Plant(NamedTuple):
    """A document that holds an item, or several that hold the same.

    Attributes:
        document: as training data.
        item: the number of the item.
        kind: the name of the form.
        words: how many words the planted text has.
        expected: what is to be said of it, one of ``EXPECTED``.
        copies: further documents that hold it, of which the same is to be said.
        templates: documents with the question and other numbers, which are no leak.
    """

    document: Document
    item: int
    kind: str
    words: int
    expected: str = "leak"
    copies: tuple[Document, ...] = ()
    templates: tuple[Document, ...] = ()

    @property
    def holders(self) -> tuple[Document, ...]:
        """All documents that hold it."""
        return (self.document, *self.copies)


def count_words(text: str) -> int:
    """How many words a text has; each character of a script without blanks is one.

    >>> count_words("in the same place"), count_words("在同一地方")
    (4, 5)
    """
    return len(_WORD.findall(text))


def _answer_of(item: Item) -> str:
    """The correct answer, or the first if it is not known which is correct."""
    return item.answers[item.correct or 0] if item.answers else ""


def _with_answer(item: Item, words: Words, generator: random.Random) -> str:
    return f"{item.question} {_answer_of(item)}".strip()


def _question(item: Item, words: Words, generator: random.Random) -> str:
    return item.question


def _answer(item: Item, words: Words, generator: random.Random) -> str | None:
    return _answer_of(item) or None


def _wrap(item: Item, words: Words, generator: random.Random) -> str:
    item_words = _with_answer(item, words, generator).split()
    lines = [" ".join(item_words[first : first + _LINE_WORDS]) for first in range(0, len(item_words), _LINE_WORDS)]
    return "\n".join(lines)


def _replace(item: Item, words: Words, generator: random.Random, *, share: float) -> str:
    """Replace a share of the words, chosen at random, by words of the training data."""
    text = _with_answer(item, words, generator)
    places = [word.span() for word in _WORD.finditer(text)]
    replaced = set(generator.sample(range(len(places)), round(share * len(places))))
    parts, position = [], 0
    for number, (start, end) in enumerate(places):
        parts += [text[position:start], generator.choice(words) if number in replaced else text[start:end]]
        position = end
    return "".join([*parts, text[position:]])


def _reorder(item: Item, words: Words, generator: random.Random) -> str | None:
    sentences = [
        sentence.strip() for sentence in _SENTENCE.findall(_with_answer(item, words, generator)) if sentence.strip()
    ]
    if len(sentences) < 2:
        return None
    new_order = sentences[1:] + sentences[:1]
    generator.shuffle(new_order)
    return " ".join(new_order if new_order != sentences else sentences[::-1])


def _scan(item: Item, words: Words, generator: random.Random, *, rate: float) -> str:
    return misread(_with_answer(item, words, generator), rate, generator)


def _passage(item: Item, words: Words, generator: random.Random) -> str | None:
    return item.passage or None


def _renumber(item: Item, words: Words, generator: random.Random) -> str | None:
    """The question with another number of as many digits in place of each; ``None`` if it has none."""
    new_question = _NUMBER.sub(lambda number: _draw_other(number[0], generator), item.question)
    return new_question if new_question != item.question else None


def _cut(item: Item, words: Words, generator: random.Random) -> str | None:
    """The beginning of the question; ``None`` if it has too few words for a piece."""
    places = [word.end() for word in _WORD.finditer(item.question)]
    return item.question[: places[round(_PIECE * len(places)) - 1]] if len(places) > _LINE_WORDS else None


def _draw_other(number: str, generator: random.Random) -> str:
    """A number of as many digits, the first of which is another one and not 0."""
    first = generator.choice([digit for digit in "123456789" if digit != number[0]])
    return first + "".join(generator.choices("0123456789", k=len(number) - 1))


KINDS = (
    PlantedForm("verbatim", _with_answer, 0),
    PlantedForm("re-wrapped", _wrap),
    *(PlantedForm(f"in {words:,} words", _with_answer, words) for words in (50, 500, 5_000)),
    *(PlantedForm(f"{share} % replaced", partial(_replace, share=share / 100)) for share in (10, 20, 30, 40)),
    PlantedForm("sentences reordered", _reorder),
    PlantedForm("question alone", _question),
    PlantedForm("answer alone", _answer),
    *(PlantedForm(f"OCR, {rate} % misread", partial(_scan, rate=rate / 100)) for rate in (2, 5)),
    PlantedForm("in 12 documents", _with_answer, documents=MANY),
    PlantedForm("in 12 sources", _with_answer, documents=MANY, has_sources=True),
    PlantedForm("20 % replaced, in 12 sources", partial(_replace, share=0.2), documents=MANY, has_sources=True),
    PlantedForm("60 % of a question", _cut),
    PlantedForm("60 % of a question, in 12 sources", _cut, documents=MANY, has_sources=True),
    PlantedForm("beside 3 with other numbers", _with_answer, templates=3),
    PlantedForm("passage alone", _passage, expected="source"),
    PlantedForm("other numbers", _renumber, expected="no leak"),
    PlantedForm("other numbers, in 12 documents", _renumber, expected="no leak", documents=MANY),
)
"""The forms. The last three are no leaks."""


def make_plants(
    items: Sequence[tuple[int, Item]], hosts: Sequence[str], turn: int, generator: random.Random
) -> Iterator[Plant]:
    """Each item once, in the form that ``turn`` gives it; all items have had every form after as many turns.

    So an item is as rare in the training data as if it had leaked once, or into as many documents as its form says.
    Of fewer items than forms, the next turn goes on where one ended. ``hosts`` are texts of the training data.
    """
    words = [word for host in hosts[:1000] for word in _WORD.findall(host[:20_000])]
    step = next(step_size for step_size in count(min(len(items), len(KINDS) + 1)) if gcd(step_size, len(KINDS)) == 1)
    for place, (number, item) in enumerate(items):
        kind = KINDS[(place + turn * step) % len(KINDS)]
        texts = [kind.change(item, words, generator) for _ in range(kind.documents)]
        others = [_renumber(item, words, generator) for _ in range(kind.templates)]
        text_to_plant = texts[0]
        if not text_to_plant or not all(others):
            continue
        name = f"planted-{turn}-{number}"
        documents = [
            Document(
                f"{name}-{copy}" if copy else name,
                _embed(text or "", hosts, kind.host_words, generator),
                {SOURCE: f"site {copy}" if kind.has_sources else ""},
            )
            for copy, text in enumerate(texts)
        ]
        templates = [
            Document(f"{name}-other-{copy}", _embed(text or "", hosts, kind.host_words, generator), {SOURCE: ""})
            for copy, text in enumerate(others)
        ]
        yield Plant(
            documents[0],
            number,
            kind.name,
            count_words(text_to_plant),
            kind.expected,
            tuple(documents[1:]),
            tuple(templates),
        )


def _embed(text_to_plant: str, hosts: Sequence[str], words: int, generator: random.Random) -> str:
    """The planted text between words of training documents, of one if it has enough."""
    if not words:
        return text_to_plant
    around, count = "", 0
    while count < words:
        host = generator.choice(hosts)
        places = [word.span() for word in _WORD.finditer(host)]
        if not places:
            continue
        first = generator.randrange(max(1, len(places) - (words - count) + 1))
        last = min(len(places), first + words - count)
        around = f"{around}\n{host[places[first][0] : places[last - 1][1]]}".strip()
        count += last - first
    ends = [word.end() for word in _WORD.finditer(around)]
    position = generator.choice([0, *ends])
    return f"{around[:position]}\n{text_to_plant}\n{around[position:].lstrip()}".strip()


def draw_documents(
    train: Collection, count: int, generator: random.Random, text: str = "text", id: str = "id"
) -> tuple[list[Document], int]:
    """``count`` documents, all as likely as each other, and how many were read (Vitter's algorithm R, 1985)."""
    sample: list[Document] = []
    read = 0
    for batch in as_batches(train, text, id):
        for row in range(len(batch.ids)):
            place = read if read < count else generator.randrange(read + 1)
            read += 1
            if place < count:
                document = Document(f"sampled-{read}", batch.texts[row], {SOURCE: ""})
                sample[place : place + 1] = [document]
    return sample, read


def plan_rounds(
    numbered_items: list[tuple[int, Item]], plants: int, generator: random.Random
) -> list[list[tuple[int, Item]]]:
    """The items that are planted in each round, so that each form has about so many ``plants``."""
    generator.shuffle(numbered_items)
    rounds = min(len(KINDS), -(-plants * len(KINDS) // len(numbered_items)))
    most = max(-(-plants * len(KINDS) // rounds), 1)
    return [numbered_items[:most]] * rounds
