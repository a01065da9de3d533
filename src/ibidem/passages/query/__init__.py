"""What a search looks for: its options, the weighed query, its sketch, the plan, and the statistics of the work."""
