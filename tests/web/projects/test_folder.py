"""The folder of projects."""

from pathlib import Path

import pytest

from ibidem.errors import LockedError
from ibidem.web.projects.folder import hold_folder, note_address, read_address, take_secret


def test_one_server_has_a_folder_and_the_next_is_given_its_address(tmp_path: Path) -> None:
    held = hold_folder(tmp_path / "data")
    note_address(tmp_path / "data", "http://127.0.0.1:1/?key=k")
    assert (tmp_path / "data" / "address.json").stat().st_mode & 0o077 == 0
    with pytest.raises(LockedError, match="key=k"):
        hold_folder(tmp_path / "data")
    assert read_address(tmp_path / "data") == "http://127.0.0.1:1/?key=k"
    held.close()
    hold_folder(tmp_path / "data").close()


def test_the_secret_of_a_folder_stays_the_same_so_that_an_old_link_opens_the_page(tmp_path: Path) -> None:
    secret = take_secret(tmp_path)
    assert len(secret) == 32
    assert take_secret(tmp_path) == secret
    assert (tmp_path / "secret.json").stat().st_mode & 0o077 == 0
