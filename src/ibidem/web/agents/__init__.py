"""Searches for AI agents, over the Model Context Protocol (MCP); it needs the extra ``mcp``."""
