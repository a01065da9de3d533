"""A class: essays of words that no two have in common by chance, with passages that were planted."""

import io
import random
import re
import tarfile
import zipfile
from pydoc_data.topics import topics

_WORDS = sorted(set(re.findall(r"\b[a-z]{2,11}\b", " ".join(topics.values()))))
random.Random(27).shuffle(_WORDS)
_WEIGHTS = [1 / (rank + 1) for rank in range(len(_WORDS))]

TEMPLATE = (
    "Name:\nDescribe in your own words what you have read about the war. Give two sources for each thing you say.\n"
)


def write_words(seed: int, count: int) -> str:
    """A text of so many words."""
    chosen = random.Random(seed)
    return " ".join(chosen.choices(_WORDS, _WEIGHTS, k=count))


SOURCES = {f"class/sources/book{number}.txt": write_words(900 + number, 500) for number in (1, 2, 3)}
ESSAYS = {f"class/essay{number}.txt": TEMPLATE + write_words(number, 160) for number in range(1, 13)}
COPIED = " ".join(SOURCES["class/sources/book1.txt"].split()[50:170])
SHARED = " ".join(ESSAYS["class/essay3.txt"].split()[60:150])
ESSAYS["class/essay5.txt"] += f"\n{COPIED}"
ESSAYS["class/essay9.txt"] += f"\n{SHARED}"
PLANTED = {("class/essay5.txt", "class/sources/book1.txt"), ("class/essay3.txt", "class/essay9.txt")}
"""The pairs that there are."""

FILES = {name: text.encode() for name, text in (ESSAYS | SOURCES | {"class/template.txt": TEMPLATE}).items()}

UNREADABLE = {
    "class/broken.docx": b"PK\x03\x04 word/ and nothing after it",
    "class/scan.png": b"\x89PNG\r\n\x1a\n and so on",
    "class/empty.txt": b"",
}
"""A broken file, one of another kind, and one without a word."""

_NAMES = "Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal", "Ida", "Jo", "Kai", "Lea"

AUTHORS = "file;author;year\n" + "".join(
    f"{name.rpartition('/')[2]};{author};{2000 + number}\n"
    for number, (name, author) in enumerate(zip(ESSAYS, _NAMES, strict=True), 1)
)


def pack(files: dict[str, bytes]) -> bytes:
    """A zip of files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in files.items():
            out.writestr(name, data)
    return packed.getvalue()


def pack_tar(files: dict[str, bytes], compression: str = "") -> bytes:
    """A tar of files, compressed by ``gz``, ``bz2`` or ``xz``."""
    packed = io.BytesIO()
    with tarfile.open(None, f"w:{compression}", packed) as out:  # type: ignore[call-overload]
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            out.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def make_docx(text: str) -> bytes:
    """A Word file of one paragraph."""
    from docx import Document

    written, document = io.BytesIO(), Document()
    document.add_paragraph(text)
    document.save(written)
    return written.getvalue()
