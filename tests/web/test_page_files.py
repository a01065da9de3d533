"""The files of the page."""

from ibidem.web.page_files import list_page_files, read_frame, read_page_file


def test_every_file_has_an_address_and_nothing_else_does() -> None:
    files = list_page_files()
    assert files["/page/style.css"] == ("style.css", "text/css; charset=utf-8")
    assert all(read_page_file(name) for name, _ in files.values())
    assert not any(path.endswith((".html", ".py")) for path in files)


def test_the_frame_loads_the_module_that_it_begins_with() -> None:
    assert b'src="/page/indexes.js"' in read_frame("indexes")
