import re
from pathlib import Path

import pytest

from ibidem.store import Store, check_index, format
from ibidem.store.format import COLUMNS, FREQUENCY_COLUMNS, TOMBSTONE_COLUMN, Column
from ibidem.store.manifest import Attachment, FrequenciesEntry, Manifest, RemovedDocuments, SegmentEntry
from ibidem.store.segments.record import SegmentRecord

from . import golden_index, samples

PAGE = (Path(__file__).parents[2] / "docs" / "format.md").read_text(encoding="utf-8")


def tables() -> list[list[list[str]]]:
    """The tables of the page: for each its rows of cells, without the head."""
    blocks = re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE)
    return [[cells(line) for line in block.splitlines()[2:]] for block in blocks]


def cells(line: str) -> list[str]:
    return [cell.strip().replace(r"\|", "|") for cell in line.strip("|").split(" | ")]


def row(column: Column, name: str) -> list[str]:
    return [f"`{name}`", f"`{column.dtype}`", ", ".join(column.shape), column.part, column.meaning]


def test_the_page_has_every_column_with_its_dtype_shape_and_meaning() -> None:
    for columns in (COLUMNS, FREQUENCY_COLUMNS):
        assert [row(column, column.file) for column in columns] in tables()
    assert [row(TOMBSTONE_COLUMN, TOMBSTONE_COLUMN.name)] in tables()


def test_the_page_has_every_number() -> None:
    numbers = {name: value for name, value in vars(format).items() if name.isupper() and isinstance(value, int)}
    table = next(table for table in tables() if table[0][0] == "`FORMAT_VERSION`")
    assert {name.strip("`"): int(value) for name, value, _ in table} == numbers


@pytest.mark.parametrize(
    "record", [Manifest, SegmentEntry, RemovedDocuments, FrequenciesEntry, Attachment, SegmentRecord]
)
def test_the_page_has_every_field_in_its_order(record: type) -> None:
    fields = [f"`{name}`" for name in record.__struct_fields__]
    assert fields in [[first for first, *_ in table] for table in tables()]


def test_the_golden_index_is_read() -> None:
    store = Store.open(golden_index.FOLDER)
    assert check_index(store.path).problems == []
    assert (store.generation, store.format_version, store.config) == (3, format.FORMAT_VERSION, samples.CONFIG)
    assert [segment.name for segment in store.segments] == ["000002", "000003"]
    large, small = store.segments
    assert large.document_ids() == [f"doc {row}" for row in range(5, 45)]
    assert [large.text(row) for row in range(5)] == samples.TEXTS
    assert large.metadata(39) == {"row": 44}
    assert large.removed.tolist() == [7, 39]
    assert small.document_ids() == ["doc 300", "doc 301", "doc 302"]
    assert small.tokens[:].tolist() == samples.batch(300, 3)[1].ids.tolist()
    assert small.text(0)[slice(*small.offsets(0, 1, 2))] == "the same"
    for segment in store.segments:
        assert segment.postings(0, segment.num_postings)[1].shape == (segment.num_postings, 3)
        for function in range(segment.num_functions):
            keys, starts, extents = samples.some_postings(segment.token_bounds, function)
            for key in (keys[0], keys[-1]):
                found, widths = segment.postings(*segment.list_bounds(function, [key])[0].tolist())
                assert found.tolist() == starts[keys == key].tolist()
                assert widths.tolist() == extents[keys == key].tolist()
    assert (large.num_functions, small.num_functions) == (2, 4)
    assert store.frequencies()[2] == 5
    assert [store.attachment(checksum) for checksum in store.attachments] == [samples.ATTACHED]


def test_the_content_of_the_golden_index_is_written_as_the_same_bytes(path: Path) -> None:
    golden_index.write(path)
    assert samples.tree(path) == samples.tree(golden_index.FOLDER)


def test_a_file_of_the_golden_index_is_as_the_page_says() -> None:
    data = (golden_index.FOLDER / "segments" / "000003" / "vocabulary.npy").read_bytes()
    length = (len(data) - format.HEADER_BYTES) // 4
    head = bytes.fromhex("93 4E 55 4D 50 59 01 00 76 00")
    facts = f"{{'descr': '<u4', 'fortran_order': False, 'shape': ({length},), }}".encode()
    assert data[:128] == head + facts + b" " * (117 - len(facts)) + b"\n"
