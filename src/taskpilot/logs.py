"""Log lines on stderr: for eyes on a terminal, for machines elsewhere. Never a secret among them."""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime

from taskpilot.settings import Settings

PASSWORD = re.compile(r"(\b[a-z][a-z0-9+.-]*://[^\s:/@]*):[^\s/]+@", re.IGNORECASE)
CHATTY = ("mcp", "uvicorn", "asyncio", "sse_starlette", "httpx2", "httpcore2")
"""Loggers whose informative lines inform nobody but their authors (and hold session ids)."""
INDISCREET = ("sse_starlette",)
"""Those of them that write out whole answers when asked to talk."""
PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


def configure(settings: Settings) -> None:
    """Send every logger of this process through one handler, in the format that was asked for."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(TextFormatter() if wants_text(settings) else JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    for name in CHATTY:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        chatting = root.level <= logging.DEBUG and name not in INDISCREET
        logger.setLevel(logging.DEBUG if chatting else max(logging.WARNING, root.level))


def wants_text(settings: Settings) -> bool:
    return settings.log_format == "text" or (settings.log_format == "auto" and sys.stderr.isatty())


def mask(text: str) -> str:
    """Hide the password in every address that has one."""
    return PASSWORD.sub(r"\1:***@", text)


class JsonFormatter(logging.Formatter):
    """One object a line: time, level, logger, message, then whatever was passed as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in PLAIN}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return mask(json.dumps(line, default=str, ensure_ascii=False))


class TextFormatter(logging.Formatter):
    """Short enough to read along."""

    def format(self, record: logging.LogRecord) -> str:
        clock = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        text = f"{clock} {record.levelname.lower():<7} {record.getMessage()}"
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return mask(text)
