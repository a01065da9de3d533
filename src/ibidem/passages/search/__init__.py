"""From a plan to matches: candidates, verification, selection."""
