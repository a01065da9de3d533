"""Documents become segments whose windows do not depend on how the work is divided, weighed as the build says."""

import numpy as np

from ibidem import Document, SketchIndex, index_building
from ibidem.text import Documents
from ibidem.weights import DocumentFrequencies

VERSE = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
SONG = "my bonnie lies over the ocean my bonnie lies over the sea"
OPTIONS = {"min_length": 4, "max_length": 40, "num_hashes": 32}


def test_an_addition_is_weighed_with_the_frequencies_of_the_build_or_with_given_ones(tmp_path):
    first, second = [("verse", VERSE), ("song", SONG)], [("both", f"{SONG} {VERSE}")]
    with SketchIndex.build(tmp_path / "added", first, idf="standard", **OPTIONS) as added:
        tokens, counts, number = added._store.frequencies()
        assert number == 2
        added.add(second)
        frequencies = DocumentFrequencies(tokens, counts, number)
        choices = {"idf": "standard", "frequencies": frequencies, **OPTIONS}
        with SketchIndex.build(tmp_path / "given", first + second, **choices) as given_:
            for query in (SONG, VERSE):
                found = [
                    sorted(
                        each.search(query, threshold=0.4, select="all"),
                        key=lambda match: (match.document, match.starts, match.ends),
                    )
                    for each in (added, given_)
                ]
                assert found[0] == found[1] != []


def test_the_number_of_segments_and_threads_changes_no_match(tmp_path, monkeypatch):
    random = np.random.default_rng(3)
    texts = [" ".join(f"w{number}" for number in random.zipf(1.3, 300) % 90) for _ in range(12)]
    found = []
    for threads, most, segments in ((1, 10_000, 1), (3, 700, 6)):
        monkeypatch.setattr(index_building, "segment_tokens", lambda memory, token_bytes, most=most: most)
        batches = [Documents.of([Document(str(number), text)]) for number, text in enumerate(texts)]
        with SketchIndex.build(tmp_path / str(segments), batches, threads=threads, **OPTIONS) as index:
            assert len(index.segments) == segments
            found.append(sorted(index.search(" ".join(texts[3].split()[40:70]), threshold=0.5), key=repr))
    assert found[0] == found[1] != []


def test_a_report_and_progress_say_what_was_written(tmp_path):
    told = []
    with SketchIndex.build(
        tmp_path / "index", [VERSE, SONG, "two words"], progress=lambda *state: told.append(state), **OPTIONS
    ) as index:
        report = index.last_write
        assert (report.documents, report.tokens, report.short) == (3, 29, ["2"])
        assert report.postings == index.info()["postings"] > 0
    assert told[0] == ("reading", 29, None)
    assert told[-1] == ("indexing", 29, 29)
