"""Plans of finding reuse."""
