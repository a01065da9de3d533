"""Writing collections: files like those that were read, with fewer rows or with other texts."""
