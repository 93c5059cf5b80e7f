"""Secrets at rest: sealed with a key that is kept outside the database."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from taskpilot.domain.errors import Invalid, Unavailable

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

KEY_BYTES = 32


class Vault:
    """Seals and opens. Its key is given, or lives in a file of its own that is made on first use."""

    def __init__(self, file: Path | None = None, *, key: str = "") -> None:
        self._file = file
        self._key = key

    def __repr__(self) -> str:
        return f"Vault({self._file})"

    def seal(self, secrets: Mapping[str, str]) -> str:
        """As the database may keep them; nothing for nothing."""
        if not secrets:
            return ""
        return self._fernet.encrypt(json.dumps(dict(secrets)).encode()).decode()

    def open(self, sealed: str) -> dict[str, str]:
        if not sealed:
            return {}
        from cryptography.fernet import InvalidToken

        try:
            return json.loads(self._fernet.decrypt(sealed.encode()))
        except InvalidToken:
            raise Unavailable(
                "A stored token cannot be read: it was sealed with another key.",
                hint="Bring the old secret.key back, or connect again with the token.",
            ) from None

    def derive(self, purpose: str) -> bytes:
        """Another key from the same secret, for one purpose only."""
        import hashlib
        import hmac

        return hmac.new(self._find_key(), f"taskpilot: {purpose}".encode(), hashlib.sha256).digest()

    @cached_property
    def _fernet(self) -> Fernet:
        from cryptography.fernet import Fernet

        return Fernet(base64.urlsafe_b64encode(self._find_key()))

    def _find_key(self) -> bytes:
        if self._key:
            return _decode(self._key, "The setting secret_key")
        if self._file is None:
            raise Unavailable("Tokens cannot be stored here: there is no secret key.", hint="Set TASKPILOT_SECRET_KEY.")
        try:
            return _read_or_make(self._file)
        except OSError as error:
            raise Unavailable(
                f"The secret key {self._file} cannot be used: {error.strerror}.", hint="Make the file readable."
            ) from None


def _read_or_make(file: Path) -> bytes:
    """One key, whoever asks first: a new one appears whole, and never replaces another."""
    if not file.exists():
        part = file.with_name(f".{file.name}-{os.getpid()}-{os.urandom(4).hex()}")
        with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as target:
            target.write(base64.urlsafe_b64encode(os.urandom(KEY_BYTES)) + b"\n")
            target.flush()
            os.fsync(target.fileno())
        try:
            with suppress(FileExistsError):  # somebody else was first: theirs it is
                os.link(part, file)
        finally:
            part.unlink()
    return _decode(file.read_text(encoding="ascii", errors="replace"), str(file))


def _decode(given: str, name: str) -> bytes:
    with suppress(ValueError):
        key = base64.b64decode(given.strip().translate(str.maketrans("-_", "+/")), validate=True)
        if len(key) == KEY_BYTES:
            return key
    raise Invalid(f"{name} is not a key.", hint="A key is 32 random bytes in base64: openssl rand -base64 32.")
