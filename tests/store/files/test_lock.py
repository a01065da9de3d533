import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ibidem.errors import LockedError
from ibidem.store import Store
from ibidem.store.files.lock import WriterLock

from .. import samples

# Says that it writes, and then does so until it is killed.
CHILD = """
import sys
from ibidem.store import Store
from ibidem.text import Document, Documents, Tokens
import numpy as np

tokens = Tokens(np.arange(3, dtype=np.uint32), np.array([0, 3]))
with Store.open(sys.argv[1]).writer() as writer:
    segment = writer.new_segment()
    print("writing", flush=True)
    while True:
        segment.append_documents(Documents.of([Document("id", "one two three")]), tokens)
"""


def test_a_living_writer_keeps_others_out_and_a_killed_one_does_not(store: Store) -> None:
    before = samples.contents(store)
    with subprocess.Popen([sys.executable, "-c", CHILD, str(store.path)], stdout=subprocess.PIPE) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == b"writing\n"
            with pytest.raises(LockedError, match=f"process {child.pid} is writing to the index"), store.writer():
                pass
            assert samples.contents(Store.open(store.path)) == before
        finally:
            child.send_signal(signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL
    with store.writer() as writer:
        assert writer.recovered == ["segments/000003.partial"]
        samples.fill(writer.new_segment())
        writer.commit()
    assert store.check().problems == []


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_that_lives_on_does_not_keep_the_lock_of_its_parent(path: Path) -> None:
    path.mkdir()
    lock = WriterLock(path)
    lock.acquire()
    read_end, write_end = os.pipe()
    child = os.fork()
    if not child:
        os.close(write_end)
        os.read(read_end, 1)
        os._exit(0)
    try:
        lock.release()
        again = WriterLock(path)
        again.acquire()
        again.release()
    finally:
        os.close(write_end)
        os.close(read_end)
        os.waitpid(child, 0)


def test_a_lock_that_nobody_holds_any_more_is_free(path: Path) -> None:
    path.mkdir()
    lock = WriterLock(path)
    lock.acquire()
    del lock
    other = WriterLock(path)
    other.acquire()
    other.release()
    other.release()


def test_a_file_that_names_a_writer_is_no_lock(store: Store) -> None:
    (store.path / "writer.lock").write_text(f"{os.getpid()}\n")
    with store.writer():
        pass
