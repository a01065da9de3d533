"""Readers of the files that people have: from the bytes of a document to its text, its metadata and its places.

A reader is a function from an :class:`ibidem.corpus.readers.document.Opened` file to the documents in it. It runs in a
process of its own, whose memory and time are bounded (``isolation``), because a file may be damaged or hostile.
"""
