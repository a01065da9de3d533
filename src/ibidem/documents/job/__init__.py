"""The job of a deduplication: its stages, and the plan of them."""
