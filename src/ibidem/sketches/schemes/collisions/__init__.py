"""The passages that collide with a query under enough functions: windows read, met, and swept, as in the papers."""
