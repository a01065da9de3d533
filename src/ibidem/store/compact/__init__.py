"""The compact layout of a segment: its texts, tokens and offsets in about half of the bytes."""
