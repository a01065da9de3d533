"""What becomes of the files of an archive, and of one that is damaged or means ill."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable

import pytest

from ibidem.web.projects import unpacking
from ibidem.web.projects.projects import Project, Reading

from .conftest import bring
from .samples import FILES, UNREADABLE, pack, pack_tar


def readings(project: Project) -> dict[str, Reading | None]:
    return {item.name: project.reading(item) for item in project.items()}


@pytest.mark.parametrize(
    ("name", "compression"),
    [("class.tar", ""), ("class.tar.gz", "gz"), ("class.tgz", "gz"), ("class.tar.bz2", "bz2"), ("class.txz", "xz")],
)
def test_each_file_of_a_tar_is_read_as_those_of_a_zip_are(project: Project, name: str, compression: str) -> None:
    bring(project, {name: pack_tar(FILES | UNREADABLE | {"class/.hidden.txt": b"words"}, compression)})
    found = readings(project)
    assert found.pop(name) == Reading("unpacked", documents=len(FILES | UNREADABLE))
    assert {each for each, said in found.items() if said and said.state == "read"} == set(FILES)
    assert {each for each, said in found.items() if said and said.state == "left out"} == set(UNREADABLE)
    roles = {item.name: item.role for item in project.items()}
    assert roles["class/sources/book1.txt"] == "source"


def test_a_tar_of_zstandard_is_unpacked(project: Project) -> None:
    import pyarrow

    bring(project, {"two.tar.zst": pyarrow.compress(pack_tar({"a.txt": b"words of it"}), "zstd", asbytes=True)})
    assert readings(project)["a.txt"] == Reading("read", documents=1, words=3, characters=11)


@pytest.mark.parametrize("compression", ["", "gz"])
def test_a_damaged_tar_is_left_out_whole(project: Project, compression: str) -> None:
    packed = pack_tar({name: text * 40 for name, text in FILES.items()}, compression)
    bring(project, {f"cut.tar{compression and '.'}{compression}": packed[: len(packed) // 2]})
    [(name, said)] = readings(project).items()
    assert name.startswith("cut.tar")
    assert said is not None
    assert said.state == "left out"
    assert "damaged" in said.problem or "cannot be read" in said.problem


def spoil_header(packed: bytes) -> bytes:
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        at = archive.getmembers()[1].offset
    return packed[:at] + b"\x01" * 100 + packed[at + 100 :]


def cut_before_second(packed: bytes) -> bytes:
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        return packed[: archive.getmembers()[1].offset]


@pytest.mark.parametrize("compression", ["", "gz"])
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (spoil_header, "cut off or damaged behind a.txt"),
        (cut_before_second, "cut off or damaged behind a.txt"),
        (
            lambda packed: packed.rstrip(b"\0") + bytes(-len(packed.rstrip(b"\0")) % 512),
            "cut off or damaged behind b.txt",
        ),
        (lambda packed: packed + packed, "files follow behind its end, which is after b.txt"),
    ],
    ids=["header", "cut", "no end", "joined"],
)
def test_no_file_of_a_tar_is_lost_in_silence(
    project: Project, change: Callable[[bytes], bytes], problem: str, compression: str
) -> None:
    packed = change(pack_tar({"a.txt": b"words of a", "b.txt": b"words of b"}, ""))
    name, data = ("two.tar.gz", gzip.compress(packed)) if compression else ("two.tar", packed)
    bring(project, {name: data})
    [(_, said)] = readings(project).items()
    assert said is not None
    assert problem in said.problem


def test_a_tar_bomb_is_refused(project: Project) -> None:
    bring(project, {"bomb.tar.gz": pack_tar({"zeros.txt": bytes(80 << 20)}, "gz")})
    found = readings(project)
    assert found["bomb.tar.gz"] is not None
    assert "tar bomb" in found["bomb.tar.gz"].problem
    assert set(found) == {"bomb.tar.gz"}


def test_an_archive_without_files_is_no_silence(project: Project) -> None:
    bring(project, {"empty.zip": pack({}), "hidden.zip": pack({"__MACOSX/._a.txt": b"x", ".DS_Store": b"y"})})
    none = Reading("left out", "there are no files in it")
    assert readings(project) == {"empty.zip": none, "hidden.zip": none}


def test_links_of_a_tar_lead_nowhere(project: Project) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as out:
        for name, kind in (("a.txt", tarfile.SYMTYPE), ("b.txt", tarfile.LNKTYPE), ("c.txt", tarfile.FIFOTYPE)):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            out.addfile(member)
    bring(project, {"links.tar": packed.getvalue()})
    assert readings(project) == {"links.tar": Reading("left out", "there are no files in it")}


def test_a_damaged_member_of_a_zip_is_left_out_alone(project: Project) -> None:
    packed = bytearray(pack({"a.txt": b"these are words " * 50, "b.txt": b"and these are others " * 50}))
    packed[45] ^= 0xFF
    bring(project, {"two.zip": bytes(packed)})
    found = readings(project)
    assert found["b.txt"] is not None
    assert found["b.txt"].state == "read"
    assert found["a.txt"] is not None
    assert "cannot be unpacked" in found["a.txt"].problem


def test_a_zip_bomb_is_refused(project: Project) -> None:
    bring(project, {"bomb.zip": pack({"zeros.txt": bytes(80 << 20)})})
    found = readings(project)
    assert found["bomb.zip"] is not None
    assert "zip bomb" in found["bomb.zip"].problem
    assert set(found) == {"bomb.zip"}


def test_members_lead_nowhere_outside_of_the_project(project: Project) -> None:
    bring(project, {"evil.zip": pack({"../../evil.txt": b"words of it", "/abs.txt": b"more words"})})
    assert set(readings(project)) == {"evil.zip", "evil.txt", "abs.txt"}
    assert not (project.folder.parent / "evil.txt").exists()


def test_an_archive_of_too_many_files_is_refused(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MOST_FILES", 2)
    bring(project, {"many.zip": pack({f"{name}.txt": b"words" for name in "abc"})})
    found = readings(project)
    assert found["many.zip"] is not None
    assert "3 files" in found["many.zip"].problem


def test_members_of_any_compression_are_unpacked(project: Project) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as out:
        out.writestr("a.txt", "words of it")
    bring(project, {"lzma.zip": packed.getvalue()})
    assert readings(project)["a.txt"] == Reading("read", documents=1, words=3, characters=11)


def test_a_tar_that_holds_too_much_is_refused_before_a_file_of_it_is_taken(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "_UNPACKED", 10)
    bring(project, {"much.tar": pack_tar({"a.txt": b"words", "b.txt": b"more words"})})
    [(name, said)] = readings(project).items()
    assert name == "much.tar"
    assert said is not None
    assert said.problem == "its files have 15 bytes, and 10 are the most"


@pytest.mark.parametrize(("name", "data"), [("a.txt", b"words"), ("rows.jsonl.zst", b""), ("tar", b"words of a tar")])
def test_other_files_are_no_archives(project: Project, name: str, data: bytes) -> None:
    if name.endswith(".zst"):
        import pyarrow

        data = pyarrow.compress(b'{"text": "words"}', "zstd", asbytes=True)
    (project.folder / name).write_bytes(data)
    assert unpacking.open_archive(project.folder / name) is None
