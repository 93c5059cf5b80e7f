"""Random secrets, and what may be kept of them."""

from __future__ import annotations

import hashlib
import secrets

BYTES = 32


def make_secret() -> str:
    """43 characters that nobody can guess."""
    return secrets.token_urlsafe(BYTES)


def hash_secret(secret: str) -> str:
    """A secret this long needs no salt and no slowness: nobody can try them all."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
