"""The kinds of files and their readers, chosen by first bytes and names. Other packages add readers by entry points."""

import re
import struct
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import NamedTuple

from ibidem.corpus.readers.document import NoTextError, Reader
from ibidem.corpus.readers.encodings import holds_no_text
from ibidem.corpus.readers.plain_markup import OPENITI_MARK
from ibidem.corpus.readers.xml import root_name
from ibidem.plugins import find_plugins

HEAD = 4096
"""Bytes at the beginning of a file that show its kind."""

NOT_TEXT = ", not text"
"""The end of the message on a file that is something else."""

_GROUP = "ibidem.readers"
_NAMED = 3
_MODULES = "ibidem.corpus.readers."


class Kind(NamedTuple):
    """A kind of file.

    Attributes:
        name: what it is called.
        suffixes: how names of such files end, in lower case.
        function: ``module:function`` of its reader.
        needs: the module of an optional dependency; empty if none is needed.
        holds_files: whether it holds several documents.
    """

    name: str
    suffixes: tuple[str, ...]
    function: str
    needs: str = ""
    holds_files: bool = False

    @property
    def read(self) -> Reader:
        """The reader itself."""
        module, _, name = self.function.partition(":")
        function: Reader = getattr(import_module(module), name)
        return function


def _kind(name: str, suffixes: str, function: str, needs: str = "", several: bool = False) -> Kind:
    return Kind(name, tuple(suffixes.split()), _MODULES + function, needs, several)


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in [
        _kind("text", ".txt .text", "encodings:read", "charset_normalizer"),
        _kind("html", ".html .htm .xhtml", "html:read", "selectolax"),
        _kind("pdf", ".pdf", "pdf:read", "pypdf"),
        _kind("docx", ".docx", "office:read_docx", "lxml"),
        _kind("odt", ".odt", "office:read_odt", "lxml"),
        _kind("rtf", ".rtf", "rich_text:read_rtf", "striprtf"),
        _kind("epub", ".epub", "books:read", "selectolax"),
        _kind("markdown", ".md .markdown", "plain_markup:read_markdown"),
        _kind("openiti", ".completed .inprogress", "plain_markup:read_openiti"),
        _kind("tei", ".tei", "tei:read", "lxml"),
        _kind("alto", ".alto", "layout:read_alto", "lxml"),
        _kind("page", ".page", "layout:read_page", "lxml"),
        _kind("hocr", ".hocr", "layout:read_hocr", "lxml"),
        _kind("xml", ".xml", "tei:read_any_xml", "lxml"),
        _kind("warc", ".warc .wet .wat", "warc:read", "fastwarc", several=True),
        _kind("zip", ".zip", "archives:read_zip", several=True),
        _kind("tar", ".tar .tgz .tbz2 .txz .tar.bz2 .tar.xz", "archives:read_tar", several=True),
    ]
}

_ROOTS = {"tei": "tei", "tei.2": "tei", "teicorpus": "tei", "alto": "alto", "pcgts": "page", "html": "html"}

_ZIP_MARK = b"PK\x03\x04"
_ZIP_HEADER = struct.Struct("<4s5H3I2H")
"""The header of a member of a zip file, whose last fields are the sizes of the name and of what comes between it and
the content (APPNOTE 4.3.7)."""

_OFFICE_MEMBERS = {b"[Content_Types].xml", b"_rels/.rels", b"docProps/app.xml", b"docProps/core.xml"}

_NO_TEXT = {
    "a picture": (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*"),
    "sound or video": (b"RIFF", b"ID3", b"OggS"),
    "a program": (b"\x7fELF", b"MZ", b"\xca\xfe\xba\xbe"),
    "a database": (b"SQLite format 3",),
    "a font": (b"wOFF",),
    "an old Office file (save it as .docx)": (b"\xd0\xcf\x11\xe0",),
    "an archive of a kind that is not read (unpack it)": (b"7z\xbc\xaf", b"Rar!"),
}
_PROTECTED = (".docx", ".xlsx", ".pptx")
"""Office files that are zips, unless a password protects them: then they begin as old ones do."""

_PACKED_APART = {
    (".pages", ".numbers", ".key"): "an Apple file (export it as .docx or PDF)",
    (".xlsx", ".ods"): "a spreadsheet (save it as .csv)",
    (".pptx", ".odp"): "slides (save them as PDF)",
}
"""Zips that hold no text as files of their own."""

_NO_PROSE = {
    "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "poetry.lock", "uv.lock", "pdm.lock", "cargo.lock",
    "composer.lock", "gemfile.lock", "go.sum", "flake.lock", "thumbs.db", "desktop.ini",
}  # fmt: skip


_MARKER = re.compile(r"_success|_(committed|started)_\w+|_metadata|_common_metadata|.*\.crc|.*_\$folder\$")
"""Names in lower case of what Spark, Hadoop and their like write beside their files."""


def find_kind(name: str, head: bytes) -> Kind:
    """The kind of a file, by its name and its first bytes.

    Raises:
        NoTextError: it is a picture, a program or something else that is no text.
    """
    base = name.rpartition("/")[2].lower()
    if base in _NO_PROSE:
        raise NoTextError("a lock file" + NOT_TEXT)
    if base.startswith("~$"):
        raise NoTextError("a lock file" + NOT_TEXT)
    if _MARKER.fullmatch(base):
        raise NoTextError("a marker of the program that wrote the files beside it" + NOT_TEXT)
    for description, marks in _NO_TEXT.items():
        if head.startswith(marks):
            is_protected = base.endswith(_PROTECTED) and "Office" in description
            raise NoTextError(
                ("protected by a password (save it without one)" if is_protected else description) + NOT_TEXT
            )
    if plugin := _plugin_of(base):
        return plugin
    for suffixes, description in _PACKED_APART.items():
        if base.endswith(suffixes) and head.startswith(_ZIP_MARK):
            raise NoTextError(description + NOT_TEXT)
    fallback = KINDS["zip" if head.startswith(_ZIP_MARK) else "text"]
    return _by_content(head) or _by_suffix(base) or fallback


def find_no_text(name: str, head: bytes) -> str:
    """Name the kind of a file that holds no text, by its name and its first bytes; empty if it may hold some."""
    try:
        kind = find_kind(name, head)
    except NoTextError as error:
        return str(error)
    return "binary data" if kind is KINDS["text"] and holds_no_text(head) else ""


def describe_passed_over(names: Sequence[str]) -> str:
    """Say that these files are no documents; the first of them by name."""
    subject = "1 file is no document and is" if len(names) == 1 else f"{len(names):,} files are no documents and are"
    others = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{subject} passed over: {', '.join(names[:_NAMED])}{others}"


def _by_suffix(base: str) -> Kind | None:
    for kind in KINDS.values():
        if base.endswith(kind.suffixes):
            return kind
    return None


def _by_content(head: bytes) -> Kind | None:
    """The kind that the first bytes prove, whatever the name is."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"%PDF-"):
        return KINDS["pdf"]
    if start.startswith(b"{\\rtf"):
        return KINDS["rtf"]
    if start.startswith(b"WARC/"):
        return KINDS["warc"]
    if start.startswith(OPENITI_MARK):
        return KINDS["openiti"]
    if start.startswith(_ZIP_MARK):
        return _packed_kind(start)
    if head[257:262] == b"ustar":
        return KINDS["tar"]
    if start[:1] == b"<":
        return _markup_kind(start)
    return None


def _packed_kind(head: bytes) -> Kind | None:
    """The kind of a zip file by the name of its first member; the bytes of a member may hold a zip file, too."""
    if len(head) < _ZIP_HEADER.size:
        return None
    *_, size, extra = _ZIP_HEADER.unpack_from(head)
    name, content = head[_ZIP_HEADER.size :][:size], head[_ZIP_HEADER.size + size + extra :]
    if name == b"mimetype" and content.startswith(b"application/epub+zip"):
        return KINDS["epub"]
    if name == b"mimetype" and content.startswith(b"application/vnd.oasis.opendocument.text"):
        return KINDS["odt"]
    if name in _OFFICE_MEMBERS or (name.startswith(b"word/") and name.endswith((b".xml", b".rels"))):
        return KINDS["docx"]
    return None


def _markup_kind(start: bytes) -> Kind | None:
    lowercase = start[:2048].lower()
    root = root_name(start)
    if root in ("html", "doctype") or lowercase.startswith(b"<!doctype html"):
        is_hocr = b"ocr-system" in lowercase or b"ocr_page" in start
        return KINDS["hocr" if is_hocr else "html"]
    if root in _ROOTS:
        return KINDS[_ROOTS[root]]
    return KINDS["xml"] if lowercase.startswith(b"<?xml") else None


@lru_cache(maxsize=1)
def _plugins() -> dict[str, Kind]:
    """Readers of other packages: an entry point's name is a suffix without the dot, its object is a reader."""
    return {
        f".{name.lower()}": Kind(name, (f".{name.lower()}",), entry.value)
        for name, entry in find_plugins(_GROUP).items()
    }


def _plugin_of(base: str) -> Kind | None:
    suffix = "." + base.rpartition(".")[2]
    if suffix in _KNOWN_SUFFIXES:
        return None
    return _plugins().get(suffix)


_KNOWN_SUFFIXES = {suffix for kind in KINDS.values() for suffix in kind.suffixes}
