"""Cases for Hypothesis: few documents and short ranges, so that they meet."""

from hypothesis import strategies as st

from ibidem.evaluation import Case

Range = tuple[int, int]


def ranges(largest: int = 20) -> st.SearchStrategy[Range]:
    return st.tuples(st.integers(0, largest - 1), st.integers(1, 8)).map(lambda pair: (pair[0], sum(pair)))


def _case(suspicious: str, source: str, ours: Range, theirs: Range) -> Case:
    return Case(
        suspicious=suspicious, start=ours[0], end=ours[1], source=source, source_start=theirs[0], source_end=theirs[1]
    )


cases = st.builds(_case, st.sampled_from("xy"), st.sampled_from("st"), ranges(), ranges())

hostile_ids = st.text(st.sampled_from('ab-/\\u09%~.\t\r\n\0\x1b\x85\u2028\ufffe\ud800"<&'), min_size=1, max_size=8)
"""Ids with what XML, tables and file names cannot hold, and with what looks like its escapes."""

hostile_cases = st.builds(_case, hostile_ids, hostile_ids, ranges(), ranges())
