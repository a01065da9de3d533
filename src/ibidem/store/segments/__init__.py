"""Segments: documents and postings of a part of an index, in columns that are written once and never change."""
