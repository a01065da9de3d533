"""Plans of deduplications."""
