"""What a question quotes: a source that the item asks about, and not the item.

«This question refers to the following information. "..." Which of these ...?» has a passage of a book in its question.
A document that holds the book holds no item, so the quotation is taken for the passage of the item.
"""

import re
from typing import NamedTuple

LONG_QUOTATION = 100
"""Letters and digits of a quotation that is a passage by itself; a shorter one, such as a proverb, is of the question.
"""

_QUOTED = re.compile(
    r"“[^“”]*”|‘[^‘]*?’(?!\w)|«[^«»]*»|»[^«»]*«|„[^„“”]*[“”]|‚[^‚‘]*‘|「[^「」]*」|『[^『』]*』|(?<!\")\"[^\"]+\"(?!\")"
)

_CODE = ('"""', "'''")
"""Marks that quote nothing: a docstring is what the item asks."""

_ANNOUNCED = re.compile(
    r"[^.?!:\n]*\b(?:following|below)\b[^.?!:\n]*\b"
    r"(?:information|passages?|excerpts?|extracts?|quotations?|quotes?|texts?|letters?|speech|poems?|stanzas?|documents?|"
    r"articles?|stor(?:y|ies)|sources?|dialogue|conversation)\b[^.?!:\n]*[.:]\s*",
    re.IGNORECASE,
)
"""A sentence that announces what the question is about, and asks nothing itself."""


class QuotedQuestion(NamedTuple):
    """A question without what it quotes, and the quotations, which are empty if there are none."""

    question: str
    quotation: str


def split_quotation(question: str) -> QuotedQuestion:
    """Take long quotations out of a question: those in quotation marks, and a block that a sentence announces.

    The block ends where the last line begins, which asks the question. A question that would lose all of its words
    stays whole, and so does one that holds a string of code.

    >>> text = "In the beginning was the word, and the word was with the people who lived along the river, " * 2
    >>> split_quotation(f'This question refers to the following information. "{text}" Which river is meant?')[0]
    'This question refers to the following information. Which river is meant?'
    >>> split_quotation('Who said "the die is cast"?').quotation
    ''
    """
    if any(mark in question for mark in _CODE):
        return QuotedQuestion(question, "")
    quotations = [match.group()[1:-1].strip() for match in _QUOTED.finditer(question)]
    long_quotations = [quotation for quotation in quotations if _is_long(quotation)]
    rest = _QUOTED.sub(lambda match: " " if _is_long(match.group()) else match.group(), question)
    if announced := _ANNOUNCED.match(rest.lstrip()):
        lines = rest.strip()[announced.end() :].splitlines()
        block = "\n".join(lines[:-1]).strip()
        if lines and _is_long(block):
            long_quotations.append(block)
            rest = lines[-1]
    if not long_quotations or not re.search(r"\w", rest):
        return QuotedQuestion(question, "")
    return QuotedQuestion(re.sub(r"[^\S\n]+", " ", rest).strip(), "\n".join(long_quotations))


def _is_long(text: str) -> bool:
    return sum(map(str.isalnum, text)) >= LONG_QUOTATION
