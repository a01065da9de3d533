"""What an index of sketches can be: what makes no sense is refused by name."""

import msgspec
import pytest

from ibidem.sketches.index.configuration import SketchConfiguration
from ibidem.text import make_tokenizer

TOKENIZER = {"name": "words"}
WRONG_WEIGHTS = [
    {"weights": [[1, 2.0]]},
    *(
        {"family": "weighted", "weights": weights}
        for weights in ([[1, -2.0]], [[-1, 2.0]], [[2, 1.0], [1, 1.0]], [[1, 1e300]])
    ),
    {"family": "weighted", "idf": "smooth", "weights": [[1, 2.0]]},
]
WEIGHTED = {"family": "weighted", "idf": "smooth", "tf": "logarithmic"}


def test_weights_are_refused_without_units_and_units_without_weights():
    with pytest.raises(ValueError, match="'oph' has no family 'weighted' but with weights"):
        SketchConfiguration(tokenizer=TOKENIZER, sketch="oph", **WEIGHTED)
    for more in ({"family": "set", "sketch": "oph"}, {"family": "weighted"}):
        with pytest.raises(ValueError, match="weight_units are for the family 'weighted' with"):
            SketchConfiguration(tokenizer=TOKENIZER, weight_units=4, **more)


@pytest.mark.parametrize("stored", WRONG_WEIGHTS)
def test_stored_weights_of_words_that_make_no_sense_are_refused(stored):
    with pytest.raises(msgspec.ValidationError, match="weight"):
        msgspec.convert({"tokenizer": TOKENIZER, "kind": "sketches"} | stored, SketchConfiguration)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"sketch": "exact"}, "sketch is one of minhash, oph, not 'exact'"),
        ({"num_hashes": 0}, "num_hashes is between 1 and"),
        ({"num_hashes": 65_536}, "num_hashes is between 1 and 65535"),
        ({"seed": -1}, "seed"),
        ({"min_length": 2000}, "not 2000 and 1024"),
    ],
)
def test_choices_that_make_no_sense_are_refused_by_name(wrong, message):
    with pytest.raises(ValueError, match=message):
        SketchConfiguration(tokenizer=TOKENIZER, **wrong)


def test_weights_choose_the_family_unless_another_is_named():
    for measure, expected in (
        ({}, "multiset"),
        ({"tf": "squared"}, "weighted"),
        ({"idf": "smooth"}, "weighted"),
        ({"family": "set"}, "set"),
    ):
        choices = {"family": None, "tf": None, "idf": None, **measure}
        assert SketchConfiguration.of(make_tokenizer(), **choices).family == expected
    with pytest.raises(ValueError, match="tf and idf are weights of the family 'weighted'"):
        SketchConfiguration.of(make_tokenizer(), family="set", tf="squared", idf=None)
