"""Proving who somebody is: passwords, tokens, and the keeper of the door."""
