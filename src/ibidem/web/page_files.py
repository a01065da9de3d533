"""The files of the page: modules, styles and the frames of HTML that load them."""

from importlib.resources import files

TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css"}


def read_page_file(name: str) -> bytes:
    """Read a file of the page."""
    return files("ibidem.web").joinpath("page", name).read_bytes()


def list_page_files(frame: str) -> dict[str, tuple[str, str]]:
    """Every file that the page consists of, and its type, by its address: no other path reaches the file system.

    Args:
        frame: the file of HTML at the root.
    """
    names = [path.name for path in files("ibidem.web").joinpath("page").iterdir() if not path.name.endswith(".html")]
    addresses = {"/": frame, **{f"/page/{name}": name for name in sorted(names)}}
    return {path: (name, f"{TYPES[name.rpartition('.')[2]]}; charset=utf-8") for path, name in addresses.items()}
