"""Programs that are started: what they see, what holds them in, and how they are stopped whole."""
