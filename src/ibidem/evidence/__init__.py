"""What texts share beyond chance: what follows what in a collection, exact runs, and how often chance gives such."""
