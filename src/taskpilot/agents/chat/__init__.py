"""The assistant people talk to: with any model, or with none."""
