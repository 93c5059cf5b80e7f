"""OAuth 2.1 for MCP clients that act for somebody."""
