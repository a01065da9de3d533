"""passim's records, read by a JSON reader that infers a schema as Spark does."""

from pathlib import Path

import pyarrow as pa
import pyarrow.json
import pytest

from ibidem import find_reuse
from ibidem.reuse.outputs.exports import export_reuse
from ibidem.reuse.outputs.passim import make_passim_uid
from ibidem.reuse.outputs.result import Reuse

from .conftest import DOCUMENTS, TEXTS


def test_a_uid_is_that_of_spark() -> None:
    assert make_passim_uid("ABC") == 4105715581806190027  # from the documentation of pyspark's xxhash64


def test_a_line_for_each_passage_of_a_cluster(reuse: Reuse, target: Path) -> None:
    export_reuse(reuse, target, "passim")
    table = pa.json.read_json(target / "passim/out.json/part-00000.json")
    assert table.schema.field("cluster").type == pa.int64()
    assert table.schema.field("src").type.value_type.num_fields == 3
    rows = table.to_pylist()
    assert len(rows) == 3
    assert {row["size"] for row in rows} == {3}
    assert len({row["cluster"] for row in rows}) == 1
    years = {document["id"]: document["year"] for document in DOCUMENTS}
    for row in rows:
        assert row["text"] == TEXTS[row["id"]][row["begin"] : row["end"]]
        assert row["uid"] == make_passim_uid(row["id"])
        assert row["year"] == years[row["id"]]
        assert row["pboiler"] == 0.0
        for source in row["src"]:
            earlier = next(name for name in TEXTS if make_passim_uid(name) == source["uid"])
            assert years[earlier] < row["year"]
    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)


def test_a_line_for_each_pair_has_both_passages_below_each_other(reuse: Reuse, target: Path) -> None:
    export_reuse(reuse, target, "passim")
    rows = pa.json.read_json(target / "passim/align.json/part-00000.json").to_pylist()
    assert len(rows) == 3
    for row in rows:
        assert row["uid"] < row["uid2"]
        assert len(row["s1"]) == len(row["s2"])
        for s, name, begin, end in (("s1", "id", "begin", "end"), ("s2", "id2", "begin2", "end2")):
            assert row[s].replace("-", "").replace("\u2010", "-") == TEXTS[row[name]][row[begin] : row[end]]
        assert row["matches"] == sum(x == y for x, y in zip(row["s1"], row["s2"], strict=True))
        assert {"author", "author2", "year", "year2"} <= row.keys()


def test_without_its_documents_a_result_has_no_texts_to_write(target: Path) -> None:
    with pytest.raises(ValueError, match="this format holds texts"):
        export_reuse(find_reuse(DOCUMENTS), target, "passim")
