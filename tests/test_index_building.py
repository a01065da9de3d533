"""What a caller may call documents, sizes of memory, and failures in the middle of a build."""

import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import Document, PassageIndex, resources
from ibidem.errors import CorpusError, IndexExistsError, LockedError, StoreError
from ibidem.index_building import cut_by_tokens
from ibidem.store import Store
from ibidem.store.files.lock import WriterLock
from ibidem.text import Documents, Texts

TEXT = "the quick brown fox jumps over the lazy dog"


@pytest.mark.parametrize(
    "documents", [TEXT, b"bytes", {"id": "a", "text": TEXT}, Documents(["a"], Texts.from_strings([TEXT]), [b"{}"])]
)
def test_one_document_in_place_of_many_is_refused(tmp_path, documents):
    with pytest.raises(TypeError, match="documents are a table"):
        PassageIndex.build(tmp_path / "index", documents, min_length=3)
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"family": "bag"}, "bag"),
        ({"min_length": 0}, "min_length"),
        ({"min_length": 9, "max_length": 8}, "min_length"),
        ({"max_length": 65536}, "65535"),
        ({"family": "set", "tf": "squared"}, "weighted"),
        ({"family": "weighted", "tf": "cubed"}, "cubed"),
        ({"family": "weighted", "idf": "cubed"}, "cubed"),
        ({"memory": "1M"}, "memory"),
        ({"tokenizer": "sentences"}, "sentences"),
        ({"threads": -1}, "threads|workers"),
    ],
)
def test_arguments_that_make_no_sense_are_refused_and_leave_nothing(tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        PassageIndex.build(tmp_path / "index", [TEXT], **arguments)
    assert not (tmp_path / "index").exists()


def test_nothing_is_read_before_the_arguments_are_known_to_make_sense(tmp_path):
    def documents():
        raise AssertionError("read")
        yield

    with pytest.raises(ValueError, match="idf"):
        PassageIndex.build(tmp_path / "index", documents(), family="weighted", idf="rare")


def failing(error, after=5):
    for number in range(after):
        yield Documents.of([Document(str(number), TEXT)])
    raise error


@pytest.mark.parametrize("error", [OSError("disk gone"), KeyboardInterrupt(), CorpusError("line 7")], ids=type)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_build_that_fails_leaves_nothing_and_the_path_can_be_built_again(tmp_path, error, threads):
    with pytest.raises(type(error)):
        PassageIndex.build(tmp_path / "index", failing(error), min_length=3, threads=threads)
    assert list(tmp_path.iterdir()) == []
    with PassageIndex.build(tmp_path / "index", [TEXT], min_length=3) as index:
        assert index.last_write.recovered == []
        assert len(index.search(TEXT)) == 1


@pytest.mark.parametrize("phase", ["reading", "indexing"])
def test_a_build_that_is_interrupted_at_its_progress_leaves_nothing(tmp_path, phase):
    def interrupt(now, done, total):
        if now == phase:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        PassageIndex.build(tmp_path / "index", [TEXT] * 3, min_length=3, progress=interrupt)
    assert list(tmp_path.iterdir()) == []


def test_a_tokenizer_that_fails_leaves_nothing(tmp_path):
    def broken(text):
        raise RuntimeError("no tokens today")

    with pytest.raises(RuntimeError, match="today"):
        PassageIndex.build(tmp_path / "index", [TEXT] * 3, tokenizer=broken)
    assert list(tmp_path.iterdir()) == []


def test_progress_tells_tokens_read_and_indexed(tmp_path):
    told = []
    PassageIndex.build(
        tmp_path / "index",
        [TEXT] * 3,
        min_length=3,
        progress=lambda *state: told.append(state),
    ).close()
    assert told[0] == ("reading", 27, None)
    assert told[-1][0] == "indexing"
    assert all(done <= total == 27 for phase, done, total in told if phase == "indexing")


def test_of_two_builds_at_one_path_the_second_is_refused(tmp_path):
    def documents():
        yield Documents.of([Document("a", TEXT)])
        with pytest.raises(LockedError):
            PassageIndex.build(tmp_path / "index", [TEXT])
        yield Documents.of([Document("b", TEXT)])

    with PassageIndex.build(tmp_path / "index", documents(), min_length=3, threads=1) as index:
        assert len(index) == 2
        assert index.check() == []


def leave_an_interrupted_build(path):
    Store.create(path, {"of": "a build that was killed"}).close()


@pytest.mark.parametrize("left", ["nothing", "an interrupted build"])
def test_a_build_that_finishes_between_the_look_and_the_lock_of_another_stays(tmp_path, monkeypatch, left):
    path = tmp_path / "index"
    if left != "nothing":
        leave_an_interrupted_build(path)
    acquire = WriterLock.acquire

    def be_overtaken(lock):
        monkeypatch.setattr(WriterLock, "acquire", acquire)
        PassageIndex.build(path, [("first", TEXT)], min_length=3).close()
        acquire(lock)

    monkeypatch.setattr(WriterLock, "acquire", be_overtaken)
    with pytest.raises(IndexExistsError):
        PassageIndex.build(path, [("second", TEXT)], min_length=3)
    with PassageIndex.open(path) as index:
        assert index.ids() == {"first"}
        assert index.check() == []


def test_a_build_holds_its_place_until_its_commit_also_over_what_an_interrupted_one_left(tmp_path):
    leave_an_interrupted_build(tmp_path / "index")

    def documents():
        yield ("a", TEXT)
        for writer in (lambda: PassageIndex.build(tmp_path / "index", [TEXT]), Store.open(tmp_path / "index").writer):
            with pytest.raises(LockedError), writer():
                pass

    with PassageIndex.build(tmp_path / "index", documents(), min_length=3) as index:
        assert index.ids() == {"a"}
        assert index.configuration.min_length == 3


def test_a_failed_build_leaves_nothing_and_an_empty_folder_as_it_was(tmp_path):
    def documents():
        yield ("a", TEXT)
        raise ZeroDivisionError

    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "new", tmp_path / "empty"):
        with pytest.raises(ZeroDivisionError):
            PassageIndex.build(path, documents(), min_length=3)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []
    assert not (tmp_path / "new").exists()


def test_an_index_that_another_has_replaced_is_not_written_to(tmp_path):
    path = tmp_path / "index"
    with PassageIndex.build(path, [("first", TEXT)], min_length=3) as index:
        shutil.rmtree(path)
        PassageIndex.build(path, [("second", TEXT)], min_length=4).close()
        with pytest.raises(StoreError, match="another index has taken its place"):
            index.add([("third", TEXT)])
    with PassageIndex.open(path) as index:
        assert index.ids() == {"second"}


def test_an_index_stays_where_it_is_when_the_current_folder_changes(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with PassageIndex.build("index", [("first", TEXT)], min_length=3) as index:
        monkeypatch.chdir(tmp_path / "elsewhere")
        index.add([("second", TEXT)])
        assert index.check() == []
    with PassageIndex.open("../index") as index:
        assert index.ids() == {"first", "second"}
    assert list((tmp_path / "elsewhere").iterdir()) == []


# However the work is divided.


def some_documents(seed=5, count=30):
    random = np.random.default_rng(seed)
    return [
        Documents.of([Document(f"d{number}", " ".join(f"w{word}" for word in random.zipf(1.4, 60) % 90))])
        for number in range(count)
    ]


def bytes_of(path):
    return {file.relative_to(path): file.read_bytes() for file in path.rglob("*") if file.is_file()}


OPTIONS = {"min_length": 5, "max_length": 40}
FAMILIES = [("set", {}), ("multiset", {}), ("weighted", {"tf": "logarithmic", "idf": "smooth"})]


@pytest.mark.parametrize(("family", "weights"), FAMILIES)
def test_threads_do_not_change_a_byte(tmp_path, family, weights):
    options = {**OPTIONS, "family": family, **weights}
    PassageIndex.build(tmp_path / "plain", some_documents(), **options).close()
    plain = bytes_of(tmp_path / "plain")
    for threads in (1, 4):
        PassageIndex.build(tmp_path / str(threads), some_documents(), threads=threads, **options).close()
        assert bytes_of(tmp_path / str(threads)) == plain


@pytest.mark.parametrize(("family", "weights"), FAMILIES)
def test_a_tiny_budget_makes_several_segments_with_the_same_matches(tmp_path, monkeypatch, family, weights):
    options = {**OPTIONS, "family": family, **weights}
    with PassageIndex.build(tmp_path / "one", some_documents(), **options) as one:
        assert one.info()["segments"] == 1
        monkeypatch.setattr(resources, "memory_bytes", int)
        with PassageIndex.build(tmp_path / "many", some_documents(), memory=32 * 350, **options) as many:
            assert many.info()["segments"] == 6
            assert many.check() == []
            assert many.last_write.tokens == one.last_write.tokens
            for search in ({"select": "all"}, {}):
                for batch in some_documents()[::7]:
                    query = " ".join(batch.texts[0].split()[10:40])
                    assert ordered(many.search(query, threshold=0.5, **search)) == ordered(
                        one.search(query, threshold=0.5, **search)
                    )


def ordered(matches):
    return sorted(
        matches, key=lambda match: (match.document, match.starts or (match.start,), match.ends or (match.end,))
    )


lengths = st.lists(st.integers(0, 30), max_size=30)


@given(lengths, st.integers(1, 40), st.data())
def test_documents_are_dealt_out_by_their_lengths_and_not_by_their_batches(sizes, most, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sizes)), max_size=5)))
    batches = [sizes[low:high] for low, high in zip([0, *cuts], [*cuts, len(sizes)], strict=True)]
    assert deal(batches, most) == deal([sizes], most) == deal_plainly(sizes, most)


def deal(batches, most):
    segments = []
    for batch in batches:
        held = sum(segments[-1]) if segments else None
        for first, end, begins in cut_by_tokens(batch, held, most):
            if begins:
                segments.append([])
            segments[-1] += batch[first:end]
    return segments


def deal_plainly(sizes, most):
    segments = []
    for size in sizes:
        if not segments or sum(segments[-1]) + size > most:
            segments.append([])
        segments[-1].append(size)
    return segments
