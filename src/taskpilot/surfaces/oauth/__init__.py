"""OAuth 2.1 for programs that act for somebody: discovery, registration, consent, tokens."""
