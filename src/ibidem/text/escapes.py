"""Ids in formats and file names that cannot hold every character: no two ids become one, and every reader accepts them.

XML has no control characters, a table of separated values that every program reads has no line ends in its cells, and
a file name has no slash. Such characters are written as escapes, and so is text that looks like an escape already.
"""

import re

import xxhash

# Control characters, separators of lines, and what is no character: XML 1.0 lacks some, editors break lines at others.
_CONTROLS = "[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff\ud800-\udfff]"

_TO_ESCAPE = re.compile(_CONTROLS + r"|\\(?=u[0-9a-f]{4})")
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})")

_NO_NAME = re.compile(r"^\.|[\x00-\x1f\x7f/\\%~\ud800-\udfff]")

# Bytes of a file's name: two of them and an ending fit into the 255 of most file systems.
_LONGEST_NAME = 100


def escape_controls(id: str) -> str:
    r"""The id with ``\u`` and four digits for each control character; any two ids stay different.

    >>> print(escape_controls("a\tb"), escape_controls(r"a\u0009b"), escape_controls(r"C:\users"))
    a\u0009b a\u005cu0009b C:\users
    """
    return _TO_ESCAPE.sub(lambda match: f"\\u{ord(match[0]):04x}", id)


def unescape_controls(escaped: str) -> str:
    r"""The id that :func:`escape_controls` made this of.

    >>> unescape_controls(r"a\u005cu0009b")
    'a\\u0009b'
    """
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), escaped)


def name_file(id: str) -> str:
    """A file name for an id, another one for any other id: percent signs escape what a name cannot have.

    A long one is cut, and ends in a digest.

    >>> name_file("plays/Hamlet.txt"), name_file("..")
    ('plays%2FHamlet.txt', '%2E.')
    """
    name = _NO_NAME.sub(lambda match: "".join(f"%{byte:02X}" for byte in _bytes(match[0])), id)
    if len(_bytes(name)) <= _LONGEST_NAME:
        return name
    digest = xxhash.xxh3_128_hexdigest(_bytes(id))
    return _bytes(name)[: _LONGEST_NAME - len(digest) - 1].decode(errors="ignore") + "~" + digest


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
