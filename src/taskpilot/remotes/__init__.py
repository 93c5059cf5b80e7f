"""Other people's task systems: one adapter each, over one careful HTTP client."""
