"""Numbers and texts in sentences."""


def format_count(number: int, noun: str, plural: str | None = None) -> str:
    """A number and its noun.

    >>> format_count(1, "document"), format_count(1200, "document"), format_count(2, "match", "matches")
    ('1 document', '1,200 documents', '2 matches')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def shorten(text: str, length: int) -> str:
    """The text, or its beginning and end if it is longer than ``length``.

    >>> shorten("from the beginning to the end", 14)
    'from th ... the end'
    """
    half = length // 2
    return text if len(text) <= length else f"{text[:half]} ... {text[-half:]}"
