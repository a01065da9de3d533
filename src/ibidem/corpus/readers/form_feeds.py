"""The pages of plain text: a form feed ends one, as programs write that print or that take the text out of a PDF."""

import re

from ibidem.corpus.readers.document import Span


def find_pages(content: bytes) -> list[Span]:
    """The pages of a text in UTF-8, in code points; none if it has no form feed. A blank page counts, and is not named.

    >>> [span[1:4] for span in find_pages("Ærø\\f\\fend".encode())]
    [('1', 0, 3), ('3', 5, 8)]
    """
    feeds = [match.start() for match in re.finditer(b"\f", content)]
    if not feeds:
        return []
    import numpy as np

    data = np.frombuffer(content, np.uint8)
    pages, begin, start = [], 0, 0
    for number, feed in enumerate([*feeds, len(data)], 1):
        length = int(np.count_nonzero((data[begin:feed] & 0xC0) != 0x80))  # the bytes that begin a code point
        if content[begin:feed].strip():
            pages.append(Span("page", str(number), start, start + length))
        begin, start = feed + 1, start + length + 1
    return pages
