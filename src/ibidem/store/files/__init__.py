"""Files: what the store asks of the file system, the lock of the one writer, and columns of numbers."""
