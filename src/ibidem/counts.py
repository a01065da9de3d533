"""Numbers in sentences."""

__all__ = ["format_count"]


def format_count(number: int, noun: str, plural: str | None = None) -> str:
    """A number and its noun.

    >>> format_count(1, "document"), format_count(1200, "document"), format_count(2, "match", "matches")
    ('1 document', '1,200 documents', '2 matches')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
