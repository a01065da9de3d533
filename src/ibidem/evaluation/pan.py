"""PAN's XML: a file for each suspicious document, or for each pair, with a feature for each case.

A case that is true is ``<feature name="plagiarism" …/>``, one that was detected ``name="detected-plagiarism"``; both
have ``this_offset``, ``this_length``, ``source_reference``, ``source_offset`` and ``source_length``, in characters. The
document is named by the ``reference`` of the root. An id is a reference without ``.txt``, with the characters that its
escapes name (:mod:`ibidem.text.escapes`), since XML has no control characters.
"""

import os
from collections.abc import Container, Iterable, Sequence
from itertools import count
from pathlib import Path
from xml.etree import ElementTree

from ibidem.errors import CorpusError
from ibidem.evaluation.cases import Case
from ibidem.text.escapes import escape_controls, name_file, unescape_controls

TRUE = "plagiarism"
DETECTED = "detected-plagiarism"

_CATEGORIES = ("obfuscation", "type")


def read_pan(folder: str | os.PathLike[str]) -> list[Case]:
    """The cases, true or detected, of all XML files in a folder and the folders in it, in the order of their paths.

    The category of a case is the name of the folder under ``folder`` that holds its file, as in PAN's corpora of 2012
    and later; without one, the feature's ``obfuscation`` or ``type``.

    Raises:
        CorpusError: there are no such files, or one is not as it should be; the message names it.
    """
    root = Path(folder)
    files = [root] if root.is_file() else sorted(root.rglob("*.xml"))
    if not files:
        raise CorpusError(f"{folder}: no XML files are there")
    return [case for file in files for case in _cases(file, _folder_between(root, file))]


def write_pan(folder: str | os.PathLike[str], cases: Iterable[Case], *, name: str = DETECTED) -> list[Path]:
    """Write a file ``suspicious-source.xml`` for each pair of documents with a case; the paths of all.

    ``name`` is that of the features: ``"detected-plagiarism"``, or ``"plagiarism"`` for a truth. Characters of an id
    that no file name can have are escaped in the name.
    """
    of_pairs: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        of_pairs.setdefault((case.suspicious, case.source), []).append(case)
    root = Path(folder)
    root.mkdir(parents=True, exist_ok=True)
    paths: dict[Path, None] = {}
    for pair, cases_of_pair in of_pairs.items():
        path = _choose_path(root, pair, paths)
        paths[path] = None
        _write(path, pair, name, cases_of_pair)
    return list(paths)


def drop_parts_of_summaries(reported: Sequence[Case], kinds: Sequence[str]) -> list[Case]:
    """Return the reported cases, of the given ``kinds``, as PAN counts them: without similar pairs inside a summary.

    A passage that sums up a text is one case there, also if sentences of it are similar to the text, and PAN's XML has
    no kinds.
    """
    summaries: dict[tuple[str, str], list[Case]] = {}
    for case, kind in zip(reported, kinds, strict=True):
        if kind == "summary":
            summaries.setdefault((case.suspicious, case.source), []).append(case)
    return [
        case
        for case, kind in zip(reported, kinds, strict=True)
        if kind == "summary"
        or not any(_lies_inside(case, summary) for summary in summaries.get((case.suspicious, case.source), []))
    ]


def _lies_inside(pair: Case, summary: Case) -> bool:
    """Return whether most of a pair of passages lies in a summary and the text that it sums up."""
    length_in_pair = min(pair.end, summary.end) - max(pair.start, summary.start)
    length_in_source = min(pair.source_end, summary.source_end) - max(pair.source_start, summary.source_start)
    return 2 * length_in_pair > pair.end - pair.start and 2 * length_in_source > pair.source_end - pair.source_start


def _folder_between(root: Path, file: Path) -> str:
    between = file.relative_to(root).parts[:-1] if file != root else ()
    return between[0] if between else ""


def _cases(file: Path, category: str) -> list[Case]:
    try:
        root = ElementTree.parse(file).getroot()
    except ElementTree.ParseError as error:
        raise CorpusError(f"{file}, line {error.position[0]}: no well-formed XML ({error})") from error
    features = [feature for feature in root.iter("feature") if feature.get("name") in (TRUE, DETECTED)]
    try:
        return [_case(_attribute(root, "reference"), feature, category) for feature in features]
    except ValueError as error:
        raise CorpusError(f"{file}: {error}") from error


def _case(suspicious: str, feature: ElementTree.Element, category: str) -> Case:
    start, length = _number(feature, "this_offset"), _number(feature, "this_length")
    source_start, source_length = _number(feature, "source_offset"), _number(feature, "source_length")
    if not length or not source_length:
        raise ValueError(f"a passage is empty: {dict(feature.attrib)}")
    own_category = next((feature.attrib[name] for name in _CATEGORIES if feature.get(name)), "")
    return Case(
        suspicious=_id(suspicious),
        start=start,
        end=start + length,
        source=_id(_attribute(feature, "source_reference")),
        source_start=source_start,
        source_end=source_start + source_length,
        category=category or own_category,
    )


def _id(reference: str) -> str:
    return unescape_controls(reference.removesuffix(".txt"))


def _attribute(element: ElementTree.Element, name: str) -> str:
    value = element.get(name)
    if not value:
        raise ValueError(f"<{element.tag}> has no attribute {name!r}")
    return value


def _number(feature: ElementTree.Element, name: str) -> int:
    value = _attribute(feature, name)
    if not (value.isascii() and value.isdigit()):
        raise ValueError(f"{name}={value!r} is no number of characters")
    return int(value)


def _choose_path(folder: Path, pair: tuple[str, str], used_paths: Container[Path]) -> Path:
    """Choose a path that is not taken, since ids with hyphens may give two pairs the same name."""
    name = "-".join(map(name_file, pair))
    candidates = (folder / (f"{name}.xml" if number == 1 else f"{name}-{number}.xml") for number in count(1))
    return next(path for path in candidates if path not in used_paths)


def _write(path: Path, pair: tuple[str, str], name: str, cases: list[Case]) -> None:
    suspicious, source = map(escape_controls, pair)
    root = ElementTree.Element("document", reference=f"{suspicious}.txt")
    for case in cases:
        attributes = {
            "name": name,
            "this_offset": str(case.start),
            "this_length": str(case.end - case.start),
            "source_reference": f"{source}.txt",
            "source_offset": str(case.source_start),
            "source_length": str(case.source_end - case.source_start),
        }
        ElementTree.SubElement(root, "feature", attributes)
    ElementTree.indent(root)
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
