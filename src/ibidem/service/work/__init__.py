"""What each request asks for, as functions of values: they know nothing of HTTP and run in threads."""
