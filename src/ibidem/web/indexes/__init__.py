"""The work of each request, as functions of values: they know nothing of HTTP and run in threads."""
