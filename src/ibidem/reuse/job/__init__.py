"""The job that finds reuse: its stages, and the plan of them."""
