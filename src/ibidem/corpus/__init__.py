"""Reading collections: any file that holds documents becomes batches of ids, texts and metadata.

=======  ===========================================  =========================================================
format   file names                                   documents
=======  ===========================================  =========================================================
jsonl    ``.jsonl`` ``.ndjson`` ``.json``, and pipes  one JSON object a line, or one array
parquet  ``.parquet`` ``.pq``                         one row each
arrow    ``.arrow`` ``.feather`` ``.ipc``              one row each; files and streams, as ``datasets`` saves them
csv      ``.csv``                                     one row each, under a header
tsv      ``.tsv`` ``.tab``                            one row each, under a header
archive  ``.zip`` ``.tar`` ``.tgz`` ``.tar.bz2``      each file in it is a document; of WARC and WET, each page
         ``.tbz2`` ``.tar.xz`` ``.txz`` ``.warc``
         ``.wet`` ``.wat``
text     any other                                    the file is one document, and its path is the id
=======  ===========================================  =========================================================

A file of text is read as it is. HTML, PDF, Word, OpenDocument, RTF, e-books, TEI, OpenITI, ALTO, PAGE and hOCR go
through the readers of :mod:`ibidem.corpus.readers`, which need ``pip install 'ibidem[files]'``.

Each may end in ``.gz``, ``.zst``, ``.bz2`` or ``.xz`` besides. A path may also be a folder (read recursively, in sorted
order, without hidden files), a glob, ``-`` for JSON lines on standard input, or a URL that fsspec opens.

Reading streams: one batch is in memory at a time, however large the file. Nothing is skipped silently: whatever
cannot be read is a ``CorpusError`` that names the file, the line or row, and the column.
"""

from ibidem.corpus.readers.document import NoTextError, Opened, ReadDocument, Span, UnreadableError
from ibidem.corpus.reading import read
from ibidem.corpus.sources import ReadingProgress

__all__ = [
    "NoTextError",
    "Opened",
    "ReadDocument",
    "ReadingProgress",
    "Span",
    "UnreadableError",
    "read",
]
