"""A reuse folder is read again when it is replaced."""

from pathlib import Path

import pytest

from ibidem.errors import CorpusError
from ibidem.reuse.find import find_reuse
from ibidem.reuse.outputs.result import write_reuse
from ibidem.web.indexes.served_reuse import ServedReuse

from ..conftest import Serve
from ..samples import REUSED


@pytest.mark.parametrize(("folder", "name"), [("songs.reuse", "songs"), ("songs", "songs")])
def test_a_result_is_named_by_its_folder_without_the_suffix(tmp_path: Path, folder: str, name: str) -> None:
    (tmp_path / folder).mkdir()
    write_reuse(find_reuse(REUSED[3:]), tmp_path / folder)
    assert ServedReuse(tmp_path / folder).name == name
    assert ServedReuse(tmp_path / folder, "other").name == "other"
    assert ServedReuse(tmp_path / folder).findings.counts == {
        "documents": 1,
        "pairs": 0,
        "passages": 0,
        "clusters": 0,
        "left_out": 0,
    }


def test_a_folder_that_reuse_did_not_write_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"it has no summary\.json"):
        ServedReuse(tmp_path)


def test_findings_that_are_replaced_are_read_again_and_those_that_are_gone_are_told(
    serve: Serve, tmp_path: Path
) -> None:
    for name, documents in (("first", REUSED), ("second", REUSED[:2])):
        (tmp_path / name).mkdir()
        write_reuse(find_reuse(documents, min_pair_length=8), tmp_path / name)
    folder = tmp_path / "x.reuse"
    (tmp_path / "first").rename(folder)
    client = serve(reuse=[ServedReuse(folder)])
    assert len(client.get("/v1/reuse/x").json()["documentPairs"]) == 3
    folder.rename(tmp_path / "old")
    assert client.get("/v1/reuse/x").status_code == 503
    (tmp_path / "second").rename(folder)
    assert len(client.get("/v1/reuse/x").json()["documentPairs"]) == 1
