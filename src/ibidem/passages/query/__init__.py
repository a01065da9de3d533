"""What a search asks for: its options, the query, its sketch, and the plan for all segments."""
