"""PDF: the text of each page, in the order in which the file draws it."""

from collections.abc import Iterator
from typing import Any

from ibidem.corpus.readers.document import NoTextError, Opened, ReadDocument, UnreadableError
from ibidem.corpus.readers.printed_twice import drop_repeats
from ibidem.corpus.readers.running_text import RunningText
from ibidem.counts import format_count


def read(file: Opened) -> Iterator[ReadDocument]:
    """The one document of a PDF, with a span for each page by its label.

    Raises:
        NoTextError: no page has text, as in a scan.
        UnreadableError: the file is damaged, or needs a password.
    """
    from pypdf import PdfReader
    from pypdf.errors import FileNotDecryptedError, PyPdfError

    try:
        reader = PdfReader(file.stream)
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableError("the PDF needs a password")
        labels = reader.page_labels
        text = RunningText()
        for number, page in enumerate(reader.pages):
            text.begin("page", labels[number] if number < len(labels) else str(number + 1))
            text.add_verbatim(_read_page(page).strip())
            text.break_paragraph()
        pages = len(reader.pages)
        metadata = _describe(reader.metadata)
    except FileNotDecryptedError as error:
        raise UnreadableError("the PDF needs a password") from error
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise UnreadableError(f"damaged PDF ({error or type(error).__name__})") from error
    body, spans = text.finish()
    if not body:
        raise NoTextError(f"no text in {format_count(pages, 'page')}: needs OCR")
    yield ReadDocument(body, {**metadata, "pages": pages}, spans)


def _read_page(page: Any) -> str:
    """The text of a page; what is drawn twice to look bold is there once."""
    from pypdf.generic import NameObject

    content = page.get_contents()
    if content is not None:
        kept = drop_repeats(content.operations)
        if len(kept) < len(content.operations):
            content.operations = kept
            page[NameObject("/Contents")] = content
    return str(page.extract_text())


def _describe(metadata: Any) -> dict[str, Any]:
    if metadata is None:
        return {}
    values = {"title": metadata.title, "author": metadata.author}
    if metadata.creation_date_raw:
        values["date"] = metadata.creation_date_raw.removeprefix("D:")[:8]
    return {name: str(value) for name, value in values.items() if value}
