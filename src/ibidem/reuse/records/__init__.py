"""Records: runs of windows that have one key, made, shared out into parts, and grouped by key."""
