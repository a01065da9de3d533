"""``ibidem`` as copies of one process that has loaded its libraries and kernels, so that a command starts at once.

A page of the guide runs many commands, each of which would load the same for most of its time. A small program
named ``ibidem`` hands its arguments, folder, environment and standard streams to a server, which forks, and the copy
runs the command and ends as any process does. That the installed command itself runs is what other tests are for.
"""

import atexit
import os
import select
import signal
import socket
import stat
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from subprocess import Popen
from typing import NoReturn

__all__ = ["CAN_FORK", "serve_commands"]

CAN_FORK = sys.platform == "linux"
"""Elsewhere the libraries of the system do not bear to be copied."""

_CALL = """#!{python} -IS
import os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
variables = [name + "=" + value for name, value in os.environ.items()]
words = [os.getcwd(), str(len(sys.argv) - 1), *sys.argv[1:], *variables]
message = "\\0".join(words).encode("utf-8", "surrogateescape")
socket.send_fds(server, [len(message).to_bytes(8, "big")], [0, 1, 2])
server.sendall(message)
status = server.recv(4)
sys.exit(int.from_bytes(status, "big") if status else 1)
"""


@contextmanager
def serve_commands(folder: Path) -> Iterator[Path]:
    """The folder of a program ``ibidem``, which is to come first on the path; the server ends with the block."""
    address = str(folder / "server")
    program = folder / "ibidem"
    program.write_text(_CALL.format(python=sys.executable, address=address), encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        server = Popen([sys.executable, __file__, str(listening.fileno())], pass_fds=[listening.fileno()])
    try:
        yield folder
    finally:
        server.terminate()
        server.wait()


def _serve(listening: socket.socket) -> None:
    """Load everything, then copy this process for each call."""
    from ibidem.cli.group import COMMANDS, main
    from ibidem.cli.warmup import CHOICES, compile_for

    compile_for(CHOICES[0])
    for name in COMMANDS:
        import_module(f"ibidem.cli.{name}")
    os.fsync = lambda descriptor: None  # as in the tests: none lives through a loss of power
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the copies
    listening.settimeout(1.0)
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
                command = os.fork()
                if not command:
                    _become(call)
                    _end(main)
                ends = select.poll()
                ends.register(os.pidfd_open(command), select.POLLIN)
                ends.register(call, select.POLLRDHUP)
                if any(number == call.fileno() for number, _ in ends.poll()):  # the caller is gone
                    os.kill(command, signal.SIGTERM)
                _, status = os.waitpid(command, 0)
                with suppress(OSError):
                    call.sendall((os.waitstatus_to_exitcode(status) & 255).to_bytes(4, "big"))
                os._exit(0)


def _become(call: socket.socket) -> None:
    """Take over what the caller has: its streams, folder, arguments and environment."""
    head, streams, _, _ = socket.recv_fds(call, 8, 3)
    left, parts = int.from_bytes(head, "big"), []
    while left:
        parts.append(call.recv(min(left, 1 << 16)))
        left -= len(parts[-1])
    call.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    folder, count, *words = b"".join(parts).decode("utf-8", "surrogateescape").split("\0")
    arguments, environment = words[: int(count)], words[int(count) :]
    os.chdir(folder)
    sys.argv = ["ibidem", *arguments]
    os.environ.clear()
    os.environ.update(item.split("=", 1) for item in environment)


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
    _serve(socket.socket(fileno=int(sys.argv[1])))
