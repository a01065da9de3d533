"""What was found, as tables and in the formats of others."""
