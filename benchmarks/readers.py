"""How fast are files of the kinds read that people have, and what becomes of broken ones?

    python benchmarks/readers.py [--quick] [--csv FILE]

A folder of 1,000 files of each kind: Word, PDF, HTML and TEI, each with 2,000 words in paragraphs of 100, the PDF with
five pages. Two in a hundred are cut in half. They are read as every command reads them, in a process of its own, and
with ``failures``, so what cannot be read is left out and named; half of a web page is a page. Words come from a
vocabulary with the frequencies of Zipf's law.

CPU s are those of the processor in both processes. MB are the most memory that either of them has
held up to then.
"""

import io
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from collections_of_text import generated
from report import Report, Row

from ibidem.corpus import read
from ibidem.corpus.failures import Failures
from ibidem.corpus.files import _close_idle

BROKEN_EVERY = 50
PARAGRAPH, PARAGRAPHS, PAGES = 100, 20, 5


def make_docx(paragraphs: Sequence[str]) -> bytes:
    from docx import Document

    document = Document()
    for number, paragraph in enumerate(paragraphs):
        if number % 5 == 0:
            document.add_heading(f"Section {number // 5 + 1}", 1)
        document.add_paragraph(paragraph)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def make_pdf(paragraphs: Sequence[str]) -> bytes:
    """Lines of ten words, as many pages as there are."""
    size = -(-len(paragraphs) // PAGES)
    pages = [paragraphs[first : first + size] for first in range(0, len(paragraphs), size)]
    kids = " ".join(f"{4 + 2 * page} 0 R" for page in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in enumerate(pages):
        words = " ".join(page).split()
        lines = [" ".join(words[first : first + 10]) for first in range(0, len(words), 10)]
        content = "BT /F1 9 Tf 11 TL 40 760 Td " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream".encode())
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)


def make_html(paragraphs: Sequence[str]) -> bytes:
    body = "".join(f"<h2>Part {number}</h2><p>{each}</p>" for number, each in enumerate(paragraphs))
    menu = "".join(f"<li><a href='/{number}'>Entry {number}</a></li>" for number in range(40))
    return f"<!DOCTYPE html><html><body><nav><ul>{menu}</ul></nav><main>{body}</main></body></html>".encode()


def make_tei(paragraphs: Sequence[str]) -> bytes:
    body = "".join(f'<pb n="{number}"/><p xml:id="p{number}">{each}</p>' for number, each in enumerate(paragraphs))
    return f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body>{body}</body></text></TEI>'.encode()


KINDS: dict[str, Callable[[Sequence[str]], bytes]] = {
    "docx": make_docx,
    "pdf": make_pdf,
    "html": make_html,
    "tei.xml": make_tei,
}


def write_files(folder: Path, kind: str, count: int) -> int:
    """Write the files; how many are broken."""
    texts = generated(min(count, 50), PARAGRAPH * PARAGRAPHS)
    broken = 0
    for number in range(count):
        words = texts[number % len(texts)][1].split()
        words[0] = f"number{number}"
        paragraphs = [" ".join(words[first : first + PARAGRAPH]) for first in range(0, len(words), PARAGRAPH)]
        data = KINDS[kind](paragraphs)
        if number % BROKEN_EVERY == BROKEN_EVERY - 1:
            data, broken = data[: len(data) // 2], broken + 1
        (folder / f"{number:04}.{kind}").write_bytes(data)
    return broken


def measure(kind: str, count: int) -> Row:
    """Read a folder of files of a kind, once."""
    with tempfile.TemporaryDirectory() as place:
        broken = write_files(Path(place), kind, count)
        size = sum(path.stat().st_size for path in Path(place).iterdir())
        _close_idle()
        start, before, failures, documents, words = time.perf_counter(), processor_seconds(), Failures(), 0, 0
        for batch in read(place, failures=failures):
            documents += len(batch.ids)
            words += sum(len(text.split()) for text in batch.texts)
        seconds = time.perf_counter() - start
        _close_idle()  # what a process took is known when it has ended
        used = processor_seconds() - before
    held = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "kind": kind,
        "files": count,
        "MB of files": f"{size / 1e6:.1f}",
        "broken": broken,
        "left out": failures.files,
        "documents": documents,
        "words": words,
        "seconds": f"{seconds:.1f}",
        "CPU s": f"{used:.1f}",
        "files a CPU s": f"{count / used:.0f}",
        "MB": f"{held / 1024:.0f}",
    }


def processor_seconds() -> float:
    """Those of this process, and of the processes that have ended which it began."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def main() -> None:
    report = Report(__doc__)
    options = report.options()
    rows = [measure(kind, 60 if options.quick else 1_000) for kind in KINDS]
    for row in rows:
        if row["documents"] + row["left out"] != row["files"]:  # type: ignore[operator]
            sys.exit(f"a file is neither read nor named: {row}")
    report.finish(rows)


if __name__ == "__main__":
    main()
