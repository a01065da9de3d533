"""How many words of one document another one has, as answers say it."""

from collections.abc import Iterable, Sequence

from ibidem import results
from ibidem.comparison import Quotation, WordCounts
from ibidem.web import answers
from ibidem.web.indexes.served_index import Reader

_TEXT = "the text"
"""The name of the text that was sent."""


def count_words_of(
    reader: Reader, matches: results.Matches, documents: Iterable[str], quotations: int | None
) -> list[answers.SharedDocument]:
    """Count the words that a text, without its ignored passages, and each of some documents share; by id."""
    shared = []
    for name in sorted(documents):
        document = reader.document(name)
        if document is None:
            continue
        shares = matches.shares(name, document[0], quotations=quotations)
        a = describe_words(shares.a, _TEXT, name, shares.a_quotations)
        b = describe_words(shares.b, name, _TEXT, shares.b_quotations)
        passages = sum(match.document == name for match in matches)
        shared.append(answers.SharedDocument(document=name, passages=passages, a=a, b=b))
    return shared


def describe_words(
    counts: WordCounts, document: str, other_document: str, quotations: Sequence[Quotation] = ()
) -> answers.SharedWords:
    """The counts of a document, with a sentence that says them."""
    return answers.SharedWords(
        **counts._asdict(),
        identical_share=counts.identical_share,
        similar_share=counts.similar_share,
        reading=counts.describe(document, other_document),
        quotations=[answers.Quotation(**quotation._asdict()) for quotation in quotations],
    )
