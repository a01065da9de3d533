"""Reading collections: any file that holds documents becomes batches of ids, texts and metadata.

=========  ==========================================  ===========================================================
format     file names                                  documents
=========  ==========================================  ===========================================================
jsonl      ``.jsonl`` ``.ndjson`` ``.json``, and pipes  one JSON object a line, or one array
parquet    ``.parquet`` ``.pq``                        one row each
csv        ``.csv``                                    one row each, under a header
tsv        ``.tsv`` ``.tab``                           one row each, under a header
text       any other                                   the file is one document, and its path is the id
=========  ==========================================  ===========================================================

Each may end in ``.gz`` or ``.zst`` besides. A path may also be a folder (read recursively, in sorted order, without
hidden files), a glob, ``-`` for JSON lines on standard input, or a URL that fsspec opens.

Reading streams: one batch is in memory at a time, however large the file. Nothing is skipped silently: whatever
cannot be read is a ``CorpusError`` that names the file, the line or row, and the column.
"""

from ibidem.corpus.formats import Format, supported_formats
from ibidem.corpus.reading import read
from ibidem.corpus.sources import ReadingProgress

__all__ = ["Format", "ReadingProgress", "read", "supported_formats"]
