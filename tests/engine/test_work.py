"""The folder of a work outlives an interruption for the same work alone, and its result comes at one instant."""

import json
from pathlib import Path

import pytest

from ibidem.corpus.writing.output_folder import require_absent
from ibidem.engine import Work, open_work
from ibidem.engine.work import require_unmade
from ibidem.errors import ClusterError, CorpusError, LockedError
from ibidem.remote.storage import Storage


def fail(work: Work, fault: type[BaseException]) -> None:
    (work / "reading-00000").mkdir()
    (work / "reading-00000" / "rows").write_text("rows")
    raise fault


def interrupt(output: Path, origin: bytes, fault: type[BaseException] = KeyboardInterrupt) -> None:
    with pytest.raises(fault), open_work(output, origin) as work:
        fail(work, fault)


def test_the_same_work_finds_what_an_interrupted_call_left(tmp_path: Path) -> None:
    interrupt(tmp_path / "out", b"these files")
    with open_work(tmp_path / "out", b"these files") as work:
        assert work.resumed
        assert (work / "reading-00000" / "rows").read_text() == "rows"
    with open_work(tmp_path / "out", b"these files") as work:
        assert not work.resumed
    assert list(tmp_path.iterdir()) == []


def test_another_work_begins_anew(tmp_path: Path) -> None:
    interrupt(tmp_path / "out", b"these files")
    with open_work(tmp_path / "out", b"other files") as work:
        assert not work.resumed
        assert not (work / "reading-00000").exists()


@pytest.mark.parametrize(("fault", "stays"), [(CorpusError, False), (ClusterError, True)])
def test_the_folder_goes_after_a_failure_and_stays_when_a_cluster_failed(
    fault: type[Exception], stays: bool, tmp_path: Path
) -> None:
    interrupt(tmp_path / "out", b"", fault)
    assert (tmp_path / "out.partial").exists() == stays


def test_a_result_is_whole_or_absent(tmp_path: Path) -> None:
    def fill(folder: Path) -> None:
        (folder / "rows").write_text("rows")
        (folder / "summary.json").write_text('{"rows": 1}')
        assert not (tmp_path / "out").exists()

    with open_work(tmp_path / "out", b"") as work:
        result = work.commit(fill, lambda: (tmp_path / "prepared").write_text(""))
    assert result == ({"rows": 1}, False)
    assert (tmp_path / "out" / "rows").read_text() == "rows"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "prepared"]


def test_a_work_is_of_one_process(tmp_path: Path) -> None:
    with (
        open_work(tmp_path / "out", b""),
        pytest.raises(LockedError, match="another process is writing to it"),
        open_work(tmp_path / "out", b""),
    ):
        pass


def test_a_result_goes_to_an_object_store_with_its_summary_last(
    object_store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sent: list[str] = []
    upload = Storage.upload

    def note(storage: Storage, file: Path, name: str) -> None:
        sent.append(name)
        upload(storage, file, name)

    monkeypatch.setattr(Storage, "upload", note)

    def fill(folder: Path) -> None:
        (folder / "tables").mkdir()
        (folder / "tables" / "rows.jsonl").write_text("{}\n")
        (folder / "summary.json").write_text(json.dumps({"rows": 1}))
        (folder / "words.csv").write_text("word\n")

    url = f"{object_store}/made"
    require_absent(url)
    with open_work(url, b"") as work:
        assert (tmp_path / "made.partial").is_dir()
        work.commit(fill)
    assert sent == ["tables/rows.jsonl", "words.csv", "summary.json"]
    assert json.loads(Storage(url).read("summary.json")) == {"rows": 1}
    assert not (tmp_path / "made.partial").exists()
    with pytest.raises(CorpusError, match="is not empty"):
        require_absent(url)


def make(output: Path, origin: bytes, monkeypatch: pytest.MonkeyPatch, *, is_ended: bool = False) -> None:
    """Make an output; the process may be ended when the output has its name."""

    def fill(folder: Path) -> None:
        (folder / "summary.json").write_text('{"rows": 1}')

    def end(_: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, open_work(output, origin) as work:
        (work / "reading-00000").mkdir()
        if is_ended:
            patch.setattr("ibidem.system.disk.sync_folder", lambda path: path == output.parent and end(path))
        work.commit(fill)


def test_a_work_that_was_ended_when_its_output_had_the_name_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "out", b"these files", monkeypatch, is_ended=True)
    require_unmade(tmp_path / "out")
    with open_work(tmp_path / "out", b"these files") as work:
        assert (work.find_summary(), work.resumed) == ({"rows": 1}, True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    with pytest.raises(CorpusError, match="it exists already"):
        require_unmade(tmp_path / "out")


def test_another_work_does_not_take_an_output_that_was_made_for_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "out", b"these files", monkeypatch, is_ended=True)
    with open_work(tmp_path / "out", b"other files") as work, pytest.raises(CorpusError, match="it exists already"):
        work.find_summary()


def test_what_took_the_place_of_an_output_is_not_taken_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "out", b"", monkeypatch, is_ended=True)
    (tmp_path / "out").rename(tmp_path / "other")
    (tmp_path / "out").mkdir()
    with pytest.raises(CorpusError, match="it exists already"):
        require_unmade(tmp_path / "out")


def test_an_output_of_which_a_part_was_sent_is_sent_again(
    object_store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    url, upload = f"{object_store}/half", Storage.upload

    def fill(folder: Path) -> None:
        (folder / "rows").write_text("rows")
        (folder / "summary.json").write_text("{}")

    def cut(storage: Storage, file: Path, name: str) -> None:
        upload(storage, file, name)
        raise KeyboardInterrupt

    def send() -> None:
        with open_work(url, b"") as work:
            work.commit(fill)

    with monkeypatch.context() as patch:
        patch.setattr(Storage, "upload", cut)
        with pytest.raises(KeyboardInterrupt):
            send()
    require_unmade(url)
    with open_work(url, b"") as work:
        assert work.find_summary() is None
        work.commit(fill)
    assert Storage(url).read("summary.json") == b"{}"


@pytest.mark.parametrize(("fault", "stays"), [(KeyboardInterrupt, True), (CorpusError, False)])
def test_a_folder_stays_after_an_interrupt_and_not_after_a_failure(
    fault: type[BaseException], stays: bool, tmp_path: Path
) -> None:
    def fail() -> None:
        with open_work(tmp_path / "out", b"") as work:
            (work.folder / "read").write_text("half")
            raise fault

    with pytest.raises(fault):
        fail()
    assert (tmp_path / "out.partial/read").exists() == stays
    with open_work(tmp_path / "out", b"") as work:
        assert (work.folder / "read").exists() == stays
    assert list(tmp_path.iterdir()) == []


def test_a_failure_after_which_the_same_call_can_finish_keeps_the_folder(tmp_path: Path) -> None:
    def fail() -> None:
        with open_work(tmp_path / "out", b"", stays=lambda folder: (folder / "note").exists()) as work:
            (work.folder / "note").write_text("begun")
            raise CorpusError("a fault")

    with pytest.raises(CorpusError):
        fail()
    assert (tmp_path / "out.partial/note").exists()


def hold_shortly(output: Path) -> None:
    with open_work(output, b""):
        pass


def test_what_someone_else_made_beside_the_output_is_left_alone(tmp_path: Path) -> None:
    aside = tmp_path / "out.partial"
    aside.mkdir()
    (aside / "mine.txt").write_text("precious")
    with pytest.raises(CorpusError, match=r"out\.partial: .* holds something else; move it away"):
        hold_shortly(tmp_path / "out")
    assert (aside / "mine.txt").read_text() == "precious"
    (aside / "mine.txt").unlink()
    aside.rmdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/mine.txt").write_text("precious")
    aside.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CorpusError, match="holds something else"):
        hold_shortly(tmp_path / "out")
    aside.unlink()
    aside.mkdir()  # what a call leaves that was killed at once
    hold_shortly(tmp_path / "out")
