"""Records: runs of windows that have one key, such as seeds, shared out into parts and grouped by key."""
