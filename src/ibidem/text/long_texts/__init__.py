"""Long texts lie in files while they are worked on, piece by piece."""
