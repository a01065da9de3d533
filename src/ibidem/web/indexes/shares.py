"""How many words of one document another one has, as answers say it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ibidem.comparison import Quotation, WordCounts, count_shares
from ibidem.spans import Ignored, Match
from ibidem.web import answers
from ibidem.web.indexes.served_index import Reader
from ibidem.web.indexes.units import Positions
from ibidem.web.requests import AlignRequest

_TEXT = "the text"
"""The name of the text that was sent."""


def count_words_of(
    reader: Reader, request: AlignRequest, matches: Sequence[Match], ignored: Sequence[Ignored]
) -> list[answers.SharedDocument]:
    """Count the words that a text, without its ignored passages, and each document with a match share; by id."""
    of_document: dict[str, list[Match]] = {}
    for match in matches:
        of_document.setdefault(match.document, []).append(match)
    convert = Positions(request.text, request.unit).give
    documents = []
    for name, own_matches in sorted(of_document.items()):
        document = reader.document(name)
        if document is None:
            continue
        text = document[0]
        shares = count_shares(
            request.text,
            text,
            own_matches,
            tokenizer=reader.index.tokenizer,
            frequencies=reader.word_frequencies,
            quotations=request.quotations,
            absent=([(passage.start, passage.end) for passage in ignored], ()),
        )
        theirs = Positions(text, request.unit).give
        a = describe_words(shares.a, _TEXT, name, shares.a_quotations, convert)
        b = describe_words(shares.b, name, _TEXT, shares.b_quotations, theirs)
        documents.append(answers.SharedDocument(document=name, passages=len(own_matches), a=a, b=b))
    return documents


def words_of_row(
    row: Mapping[str, Any], side: str, other_side: str, convert: Callable[[int], int]
) -> answers.SharedWords:
    """One side of a row of ``document_pairs``."""
    counts = WordCounts(*(row.get(f"{side}_{name}") or 0 for name in WordCounts._fields))
    quotations = [Quotation(**quotation) for quotation in row.get(f"{side}_quotations") or ()]
    return describe_words(counts, row[side], row[other_side], quotations, convert)


def describe_words(
    counts: WordCounts,
    document: str,
    other_document: str,
    quotations: Sequence[Quotation] = (),
    convert: Callable[[int], int] = int,
) -> answers.SharedWords:
    """The counts of a document, with a sentence that says them; ``convert`` gives the positions of quotations."""
    return answers.SharedWords(
        **counts._asdict(),
        identical_share=counts.identical_share,
        similar_share=counts.similar_share,
        reading=counts.describe(document, other_document),
        quotations=[
            answers.Quotation(
                **quotation._replace(start=convert(quotation.start), end=convert(quotation.end))._asdict()
            )
            for quotation in quotations
        ],
    )
