"""The tables of what becomes of documents."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.tables import make_document_schema, tabulate_documents


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4, unique=True))
def test_any_ids_make_a_table(ids: list[str]) -> None:
    ones = np.ones(len(ids))
    flags = ones > 0
    table = tabulate_documents(ids, ids, ids, kept=flags, similarity=ones, exact=flags, weakest=ones)
    assert table["id"].to_pylist() == table["cluster"].to_pylist() == ids
    assert table.schema == make_document_schema()
