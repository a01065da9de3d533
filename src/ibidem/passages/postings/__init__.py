"""From the tokens of a segment to the posting lists on disk."""
