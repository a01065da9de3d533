"""The factory, and what holds for every tokenizer."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import ConfigurationError
from ibidem.text import Texts, Tokenizer, keep_tokenizer, make_tokenizer, restore_tokenizer
from ibidem.text.shingles import Shingles


def runs(text):
    return [(match[0], match.start(), match.end()) for match in re.finditer(r"\w+", text)]


@pytest.fixture(scope="module", params=["words", "words:3", "characters", "characters:4", "bpe", "bpe:2", "function"])
def every_tokenizer(request, bpe_files):
    if request.param == "function":
        return make_tokenizer(runs)
    if request.param.startswith("bpe"):
        pytest.importorskip("tokenizers", reason="the extra bpe is not installed")
        return make_tokenizer(request.param, **bpe_files)
    return make_tokenizer(request.param)


texts_of_all_kinds = st.lists(st.text(st.characters(exclude_categories=()), max_size=30), max_size=4)


@given(strings=texts_of_all_kinds)
def test_starts_never_decrease_and_places_lie_in_the_text(every_tokenizer, strings):
    tokens = every_tokenizer.encode(Texts.from_strings(strings), offsets=True)
    for text, first, last in zip(strings, tokens.bounds[:-1], tokens.bounds[1:], strict=True):
        starts, ends = tokens.starts[first:last].astype(int), tokens.ends[first:last].astype(int)
        assert (np.diff(starts) >= 0).all()
        assert (starts < ends).all()
        assert (ends <= len(text)).all()


@given(strings=texts_of_all_kinds)
def test_a_text_has_the_same_tokens_alone_and_in_a_batch_with_offsets_and_without(every_tokenizer, strings):
    together = every_tokenizer.encode(Texts.from_strings(strings), offsets=True)
    plain = every_tokenizer.encode(Texts.from_strings(strings))
    assert np.array_equal(together.ids, plain.ids)
    assert np.array_equal(together.bounds, plain.bounds)
    assert plain.starts is None
    assert plain.ends is None
    for row, text in enumerate(strings):
        alone = every_tokenizer.encode(Texts.from_strings([text])).ids
        assert np.array_equal(alone, together.ids[together.bounds[row] : together.bounds[row + 1]])


def test_columns_have_the_types_that_kernels_are_compiled_for(every_tokenizer):
    for strings in ([], [""], ["one two three four", "five"]):
        tokens = every_tokenizer.encode(Texts.from_strings(strings), offsets=True)
        assert [column.dtype for column in tokens] == [np.uint32, np.int64, np.uint32, np.uint32]
        assert len(tokens.bounds) == len(strings) + 1
        assert len(tokens.ids) == len(tokens.starts) == len(tokens.ends) == tokens.bounds[-1]


def test_a_configuration_is_json_and_rebuilds_the_tokenizer(every_tokenizer):
    config = json.loads(json.dumps(every_tokenizer.config))
    if config["name"] == "callable":
        with pytest.raises(ConfigurationError, match=r"the function .*runs, .*give the function itself"):
            make_tokenizer(config)
        return
    texts = Texts.from_strings(["In the same place, in the same words."])
    again = make_tokenizer(config)
    assert isinstance(again, Tokenizer)
    assert again.config == every_tokenizer.config
    assert np.array_equal(again.encode(texts).ids, every_tokenizer.encode(texts).ids)


def test_a_short_form_gives_the_shingles_of_the_class():
    assert make_tokenizer("words:3").config == Shingles(make_tokenizer(), 3).config
    assert make_tokenizer("words:1").config == make_tokenizer().config == {"name": "words", "version": 2, "shingle": 1}
    assert make_tokenizer({"name": "characters", "shingle": 5}).config == make_tokenizer("characters:5").config


@pytest.mark.parametrize("spec", ["wrods", "", "callable", "words:x", "words:-1", {"shingle": 2}, {"name": "wrods"}])
def test_an_unknown_name_is_an_error_that_lists_the_known_ones(spec):
    with pytest.raises(ValueError, match="bpe, characters, words"):
        make_tokenizer(spec)


@pytest.mark.parametrize("shingle", [0, -1, 1.5, "3", True, None])
def test_a_shingle_that_is_no_length_is_refused(shingle):
    for make in (
        lambda: Shingles(make_tokenizer("words"), shingle),
        lambda: make_tokenizer({"name": "words", "shingle": shingle}),
    ):
        with pytest.raises(ValueError, match="a shingle is made of 1 token or more"):
            make()


def test_a_short_form_of_no_token_is_refused():
    with pytest.raises(ValueError, match="shingle"):
        make_tokenizer("words:0")


def test_shingles_of_shingles_are_refused():
    with pytest.raises(ValueError, match="shingles"):
        Shingles(make_tokenizer("words:3"), 2)


@pytest.mark.parametrize(("spec", "options"), [("words", {"file": "x"}), ("bpe", {}), (runs, {"lower": True})])
def test_an_option_that_a_tokenizer_has_not_is_refused(spec, options):
    with pytest.raises(ValueError, match=r"file|lower"):
        make_tokenizer(spec, **options)


@pytest.mark.parametrize("width", [1, 2])
def test_a_tokenizer_that_is_kept_needs_no_file(bpe_files, width):
    made = make_tokenizer(f"bpe:{width}", **bpe_files)
    config, contents = keep_tokenizer(made)
    kept = dict(zip(config["files"], contents, strict=True))
    restored = restore_tokenizer(json.loads(json.dumps(config)), kept.__getitem__, "an index")
    assert config["shingle"] == width
    assert keep_tokenizer(restored) == (config, contents)
    texts = Texts.from_strings(["in the same place"])
    assert restored.encode(texts).ids.tolist() == made.encode(texts).ids.tolist()
    with pytest.raises(ConfigurationError, match="kept in an index"):
        make_tokenizer(config)


def test_a_tokenizer_without_files_is_kept_as_its_configuration():
    made = make_tokenizer("words:3")
    assert keep_tokenizer(made) == (made.config, ())
    assert restore_tokenizer(made.config, "".encode, "an index").config == made.config


@pytest.mark.parametrize(
    "config",
    [
        {"name": "bpe", "file": "/dev/zero"},
        {"name": "bpe", "file": "/dev/zero", "files": ["a"]},
        {"name": "bpe", "files": []},
        {"name": "bpe", "files": [1]},
        {"name": "bpe", "files": "ab"},
        {"name": "words", "file": "/dev/zero"},
        {"name": "words", "shingle": 2**70},
        {"name": "bpe", "files": ["a"], "shingle": 2**70},
        {"name": ["words"]},
        {"name": "callable"},
        {},
    ],
    ids=str,
)
def test_a_hostile_configuration_is_refused_and_reads_no_file(bpe_files, config):
    made, read = make_tokenizer("bpe", **bpe_files), []
    model = json.dumps({"version": "1.0", "model": json.loads(made.model.to_str())["model"]}).encode()
    with pytest.raises(ConfigurationError):
        restore_tokenizer(config, lambda checksum: read.append(checksum) or model, "an index")
    assert set(read) <= {"a"}


def test_a_configuration_of_a_later_version_is_refused():
    with pytest.raises(ConfigurationError, match="version 3 of the words tokenizer"):
        make_tokenizer({"name": "words", "version": 3})


def test_a_number_is_no_tokenizer():
    with pytest.raises(TypeError, match="not int"):
        make_tokenizer(3)


def test_importing_the_package_does_not_import_numba_or_pyarrow():
    code = "import sys, ibidem.text, ibidem.weights, ibidem.similarity; print({'numba', 'pyarrow'} & set(sys.modules))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "set()"
