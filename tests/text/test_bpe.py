import gzip
import json
import os
import sys
from pathlib import Path

import pytest

from ibidem.errors import ConfigurationError, MissingExtraError
from ibidem.text import Texts, make_tokenizer
from ibidem.text.bpe import BytePairs

tokenizers = pytest.importorskip("tokenizers", reason="the extra bpe is not installed")


def spelled(made, text):
    """Each token as the vocabulary spells it, with its place."""
    tokens = made.encode(Texts.from_strings([text]), offsets=True)
    places = zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    return [(made.model.id_to_token(token), *place) for token, place in zip(tokens.ids.tolist(), places, strict=True)]


def test_merges_are_applied_and_places_are_code_points(bpe_files):
    made = make_tokenizer("bpe", **bpe_files)
    assert spelled(made, "in the") == [("in", 0, 2), ("Ġ", 2, 3), ("the", 3, 6)]
    # Each byte of a code point is a token, and all have the place of the whole.
    assert [place for _, *place in spelled(made, "é漢😀a")] == [[0, 1]] * 2 + [[1, 2]] * 3 + [[2, 3]] * 4 + [[3, 4]]


def test_a_lone_surrogate_reads_as_the_replacement_character(bpe_files):
    made = make_tokenizer("bpe", **bpe_files)
    assert spelled(made, "a\ud800b") == spelled(made, "a\ufffdb")


@pytest.fixture
def saved(bpe_files, tmp_path):
    """A ``tokenizer.json`` that adds a special token, truncates to 4 tokens and pads to 8."""
    model = make_tokenizer("bpe", **bpe_files).model
    model.add_special_tokens(["<s>"])
    start = model.token_to_id("<s>")
    model.post_processor = tokenizers.processors.TemplateProcessing("<s> $A", None, [("<s>", start)])
    model.enable_truncation(4)
    model.enable_padding(length=8)
    model.save(str(tmp_path / "tokenizer.json"))
    return tmp_path / "tokenizer.json"


def test_a_saved_tokenizer_neither_adds_special_tokens_nor_cuts_nor_pads(saved, bpe_files):
    text = "in the same place"
    assert spelled(make_tokenizer("bpe", file=saved), text) == spelled(make_tokenizer("bpe", **bpe_files), text)


def test_a_normaliser_that_reorders_leaves_starts_in_order(saved, bpe_files):
    model = tokenizers.Tokenizer.from_file(str(saved))
    model.normalizer = tokenizers.normalizers.NFD()
    model.save(str(saved))
    tokens = make_tokenizer("bpe", file=saved).encode(
        Texts.from_strings(["e\u0301\u0323a", "q\u0307\u0323é"]), offsets=True
    )
    starts = [tokens.starts[a:b].tolist() for a, b in zip(tokens.bounds[:-1], tokens.bounds[1:], strict=True)]
    assert starts == [sorted(row) for row in starts]
    assert (tokens.starts <= tokens.ends).all()


def test_a_changed_file_is_refused(saved):
    config = make_tokenizer("bpe", file=saved).config
    assert make_tokenizer(config).config == config
    saved.write_text(saved.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(ConfigurationError, match="is not the tokenizer that the work was begun with"):
        make_tokenizer(config)


def test_a_file_that_moved_is_found_by_its_name_beside_the_configuration(saved):
    config = make_tokenizer("bpe", file=saved).config
    moved = saved.rename(saved.with_name("moved.json"))
    assert make_tokenizer(config, file=moved).config == {**config, "file": str(moved)}


def test_a_device_or_a_huge_file_is_refused_before_it_is_read(tmp_path):
    huge, pipe = tmp_path / "huge.json", tmp_path / "pipe"
    with huge.open("wb") as file:
        file.truncate(1 << 40)
    os.mkfifo(pipe)
    for file in (Path("/dev/zero"), huge, pipe):
        with pytest.raises(ConfigurationError, match="not the file of a tokenizer"):
            make_tokenizer("bpe", file=file)


def test_a_file_that_is_missing_or_something_else_is_named(tmp_path, bpe_files):
    with pytest.raises(ConfigurationError, match=r"gone\.json: .*No such file"):
        make_tokenizer("bpe", file=tmp_path / "gone.json")
    with pytest.raises(ConfigurationError, match=r"encoder\.json: not a tokenizer .*merges="):
        make_tokenizer("bpe", file=bpe_files["file"])
    with pytest.raises(ConfigurationError, match="not a tokenizer"):
        make_tokenizer("bpe", file=bpe_files["merges"], merges=bpe_files["file"])


def test_without_the_package_the_error_says_what_to_install(bpe_files, monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'ibidem\[bpe\]'"):
        make_tokenizer("bpe", **bpe_files)


def test_the_contents_of_the_files_make_the_same_tokenizer(bpe_files):
    made = make_tokenizer("bpe", **bpe_files)
    again = BytePairs.from_contents(made.contents, "an index")
    assert spelled(again, "in the same place") == spelled(made, "in the same place")
    assert again.config == again.kept_config == made.kept_config
    assert not {"file", "merges"} & made.kept_config.keys()
    with pytest.raises(ConfigurationError, match="an index: not a tokenizer"):
        BytePairs.from_contents([b"{}"], "an index")


def test_a_panic_of_the_package_is_an_error(bpe_files):
    class PanicException(BaseException):
        pass

    class Model:
        def encode_batch_fast(self, strings, add_special_tokens):
            raise PanicException("index out of bounds")

    made = make_tokenizer("bpe", **bpe_files)
    made.model = Model()
    with pytest.raises(ConfigurationError, match=r"encoder\.json: the tokenizer fails on a text .*out of bounds"):
        made.encode(Texts.from_strings(["a"]))


@pytest.fixture(scope="module")
def gpt2(data: Path):
    return make_tokenizer("bpe", file=data / "gpt2-bpe" / "encoder.json", merges=data / "gpt2-bpe" / "vocab.bpe")


def test_gpt2_gives_its_known_ids(gpt2):
    assert gpt2.encode(Texts.from_strings(["Hello world"])).ids.tolist() == [15496, 995]


@pytest.mark.parametrize("name", ["clough-stevenson", "humaneval", "plagiarism-id"])
def test_gpt2_tokens_of_real_texts_decode_to_the_texts(gpt2, data, name):
    with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for _, line in zip(range(20), lines, strict=False)]
    texts = [record.get("text") or record["prompt"] for record in records]
    tokens = gpt2.encode(Texts.from_strings(texts), offsets=True)
    for row, text in enumerate(texts):
        part = slice(int(tokens.bounds[row]), int(tokens.bounds[row + 1]))
        assert gpt2.model.decode(tokens.ids[part].tolist()) == text
        # Every code point has a token.
        assert tokens.starts[part][0] == 0
        assert tokens.ends[part][-1] == len(text)
        assert (tokens.starts[part][1:] <= tokens.ends[part][:-1]).all()
