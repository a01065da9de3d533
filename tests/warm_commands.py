"""``ibidem`` and ``python`` as copies of one process that has loaded libraries and kernels, so that they start at once.

A page of the guide runs many commands, each of which would load the same for most of its time, and so do benchmarks and
programs that tests write. Small programs named ``ibidem`` and ``python`` hand their arguments, folder, environment and
standard streams to a server, which forks, and the copy runs the command and ends as any process does: by its status or
by a signal. A signal that asks the small program to end goes to the copy. That the installed command and Python itself
run is what other tests are for.
"""

import atexit
import os
import runpy
import select
import signal
import socket
import stat
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from subprocess import PIPE, Popen
from types import ModuleType
from typing import NoReturn

__all__ = ["CAN_FORK", "serve_commands"]

CAN_FORK = sys.platform == "linux"
"""Elsewhere the libraries of the system do not bear to be copied."""

_CALL = """#!{python} -IS
import os, signal, socket, sys
kind, numba = "".join(sys.argv[1:2]), {{name: os.environ[name] for name in os.environ if name.startswith("NUMBA_")}}
bounded = "ibidem.corpus.readers.worker" in sys.argv  # it bounds its memory, of which a copy uses much from the start
if {name!r} == "python" and (bounded or numba != {numba!r} or not (kind in ("-c", "-m") or kind.endswith(".py"))):
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
variables = [name + "=" + value for name, value in os.environ.items()]
words = [{name!r}, os.getcwd(), str(len(sys.argv) - 1), *sys.argv[1:], *variables]
message = "\\0".join(words).encode("utf-8", "surrogateescape")
socket.send_fds(server, [len(message).to_bytes(8, "big")], [0, 1, 2])
server.sendall(message)
passed_on = signal.SIGINT, signal.SIGTERM
for number in passed_on:
    signal.signal(number, lambda number, _: server.send(bytes([number])))
word = server.recv(4)
status = int.from_bytes(word, "big", signed=True) if word else 1
if status < 0:
    for number in passed_on:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
sys.exit(status)
"""


@contextmanager
def serve_commands(folder: Path) -> Iterator[Path]:
    """The folder of the programs, which is to come first on the path; the server ends with the block."""
    address = str(folder / "server")
    numba = {name: value for name, value in os.environ.items() if name.startswith("NUMBA_")}
    for name in ("ibidem", "python"):
        program = folder / name
        program.write_text(
            _CALL.format(python=sys.executable, address=address, name=name, numba=numba), encoding="utf-8"
        )
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        program = [sys.executable, "-P", __file__, str(listening.fileno()), str(folder / "python")]
        server = Popen(program, pass_fds=[listening.fileno()], stdout=PIPE)
    with server:
        try:
            assert server.stdout is not None
            server.stdout.readline()  # it is ready
            yield folder
        finally:
            server.terminate()


def _serve(listening: socket.socket, python: str) -> None:
    """Load everything, then copy this process for each call."""
    from ibidem.cli import warmup
    from ibidem.cli.group import COMMANDS, main

    for name in COMMANDS:
        import_module(f"ibidem.cli.{name}")
    warmup.compile_passages({})
    with tempfile.TemporaryDirectory() as folder, warmup._silence():
        warmup._write_texts(Path(folder))
        for line in warmup.COMMANDS:
            with main.make_context("ibidem", line.format(folder=folder).split("|")) as context:
                main.invoke(context)
    os.fsync = lambda descriptor: None  # as in the tests: none lives through a loss of power
    sys.executable = python
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the copies
    listening.settimeout(1.0)
    print(flush=True)
    started_by = os.getppid()
    while os.getppid() == started_by:
        try:
            call, _ = listening.accept()
        except TimeoutError:
            continue
        with call:
            if not os.fork():
                listening.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                streams, words = _receive(call)
                command = os.fork()
                if not command:
                    call.close()
                    _end(main if _become(streams, words) == "ibidem" else _run_python)
                for stream in streams:
                    os.close(stream)
                _wait(command, call)


def _receive(call: socket.socket) -> tuple[list[int], list[str]]:
    """What a caller sends: its streams, and the words that :func:`_become` reads."""
    head, streams, _, _ = socket.recv_fds(call, 8, 3)
    left, parts = int.from_bytes(head, "big"), []
    while left:
        parts.append(call.recv(min(left, 1 << 16)))
        left -= len(parts[-1])
    return streams, b"".join(parts).decode("utf-8", "surrogateescape").split("\0")


def _become(streams: list[int], words: list[str]) -> str:
    """Take over what the caller has: its streams, folder, arguments and environment; return its program's name."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    name, folder, count, *words = words
    os.chdir(folder)
    sys.argv = [name, *words[: int(count)]]
    os.environ.clear()
    os.environ.update(item.split("=", 1) for item in words[int(count) :])
    return name


def _wait(command: int, call: socket.socket) -> NoReturn:
    """Pass the signals that the caller gets to a command, which ends with its caller, and its status to the caller."""
    end, events = os.pidfd_open(command), select.poll()
    events.register(end, select.POLLIN)
    events.register(call, select.POLLIN)
    while end not in dict(events.poll()):
        number = call.recv(1)
        if not number:  # the caller is gone
            events.unregister(call)
        os.kill(command, number[0] if number else signal.SIGTERM)
    _, status = os.waitpid(command, 0)
    with suppress(OSError):
        call.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))
    os._exit(0)


def _run_python() -> None:
    """Run code, a module or a script, as Python does with these arguments."""
    del sys.argv[0]
    sys.path[:0] = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    kind = sys.argv[0]
    if kind == "-m":
        sys.argv.pop(0)
        sys.path.insert(0, os.getcwd())
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    elif kind == "-c":
        code = sys.argv.pop(1)
        sys.path.insert(0, "")
        sys.modules["__main__"] = program = ModuleType("__main__")
        exec(compile(code, "<string>", "exec"), vars(program))
    else:
        sys.path.insert(0, str(Path(kind).resolve().parent))
        runpy.run_path(kind, run_name="__main__")


def _end(command: Callable[[], object]) -> NoReturn:
    """Run a command and end with its status, without taking down all that was loaded, which takes half a second."""
    status: object = 0
    try:
        command()
    except SystemExit as ended:
        status = ended.code
    except BaseException:
        traceback.print_exc()
        status = 1
    if isinstance(status, str):
        print(status, file=sys.stderr)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else int(status is not None))


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])
