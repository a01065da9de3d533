"""The files of the page: modules, styles and the frame of HTML that loads them."""

from functools import cache
from importlib.resources import files

_TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}


def read_page_file(name: str) -> bytes:
    """Read a file of the page."""
    return files("ibidem.web").joinpath("page", name).read_bytes()


def read_frame(entry: str) -> bytes:
    """The frame of the page; ``entry`` is the module that it begins with."""
    return read_page_file("index.html").replace(b"ENTRY", entry.encode())


@cache
def list_page_files() -> dict[str, tuple[str, str]]:
    """Every file that the page loads, and its type, by its address: no other path reaches the file system."""
    names = sorted(path.name for path in files("ibidem.web").joinpath("page").iterdir())
    return {f"/page/{name}": (name, _TYPES[kind]) for name in names if (kind := name.rpartition(".")[2]) in _TYPES}
