"""PAN's XML: what is written is read again, and a file that is wrong is named."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import CorpusError
from ibidem.evaluation import Case, read_pan, write_pan

from .strategies import cases, hostile_cases

FEATURE = (
    '<feature name="plagiarism" type="artificial" this_offset="5" this_length="7" '
    'source_reference="source-document00001.txt" source_offset="11" source_length="13"/>'
)
OTHER = '<feature name="about" authors="nobody" title="" lang="en"/>'


def document(*features: str) -> str:
    return f'<document reference="suspicious-document00002.txt">{"".join(features)}</document>'


@given(st.lists(cases, max_size=8), st.sampled_from(["plagiarism", "detected-plagiarism"]))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, some: list[Case], name: str) -> None:
    folder = tmp_path_factory.mktemp("pan")
    files = write_pan(folder, some, name=name)
    assert len(files) == len({(case.suspicious, case.source) for case in some})
    if some:
        assert sorted(map(str, read_pan(folder))) == sorted(map(str, some))


def test_a_file_of_the_corpus_is_read(tmp_path: Path) -> None:
    (tmp_path / "02-no-obfuscation").mkdir()
    (tmp_path / "02-no-obfuscation" / "pair.xml").write_text(document(OTHER, FEATURE), "utf-8")
    (tmp_path / "none.xml").write_text(document(OTHER), "utf-8")
    [case] = read_pan(tmp_path)
    assert case == Case(
        suspicious="suspicious-document00002",
        start=5,
        end=12,
        source="source-document00001",
        source_start=11,
        source_end=24,
        category="02-no-obfuscation",
    )
    [alone] = read_pan(tmp_path / "02-no-obfuscation" / "pair.xml")
    assert alone.category == "artificial"


def test_a_folder_of_detections_is_what_pan_expects(tmp_path: Path) -> None:
    [file] = write_pan(tmp_path / "new", read_pan_of(tmp_path, FEATURE))
    assert file.name == "suspicious-document00002-source-document00001.xml"
    written = file.read_text("utf-8")
    assert '<document reference="suspicious-document00002.txt">' in written
    assert (
        '<feature name="detected-plagiarism" this_offset="5" this_length="7" '
        'source_reference="source-document00001.txt" source_offset="11" source_length="13" />'
    ) in written


def read_pan_of(folder: Path, *features: str) -> list[Case]:
    (folder / "one.xml").write_text(document(*features), "utf-8")
    return read_pan(folder / "one.xml")


@pytest.mark.parametrize(
    ("feature", "cause"),
    [
        (FEATURE.replace('this_offset="5"', ""), "<feature> has no attribute 'this_offset'"),
        (FEATURE.replace('"11"', '"-1"'), "source_offset='-1' is no number of characters"),
        (FEATURE.replace('"13"', '"0"'), "a passage is empty"),
        (FEATURE.replace("source_reference", "about"), "has no attribute 'source_reference'"),
        (FEATURE[:-2], "line 1: no well-formed XML"),
    ],
)
def test_a_file_that_is_wrong_is_named(tmp_path: Path, feature: str, cause: str) -> None:
    with pytest.raises(CorpusError, match=r"one\.xml.*" + cause):
        read_pan_of(tmp_path, feature)


def test_a_folder_without_xml_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no XML files are there"):
        read_pan(tmp_path)


@given(st.lists(hostile_cases, max_size=8))
def test_any_ids_are_read_again(tmp_path_factory: pytest.TempPathFactory, some: list[Case]) -> None:
    folder = tmp_path_factory.mktemp("pan")
    files = write_pan(folder, some)
    assert len({file.name for file in files}) == len({(case.suspicious, case.source) for case in some})
    assert sorted(path.name for path in folder.iterdir()) == sorted(file.name for file in files)
    if some:
        assert sorted(map(repr, read_pan(folder))) == sorted(map(repr, some))
