"""The job of an index of passages: its stages, and the plan of them."""
