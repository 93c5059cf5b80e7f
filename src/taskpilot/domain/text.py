"""Text from strangers, made safe to store and to show."""

from __future__ import annotations

from taskpilot.domain.errors import Invalid

# Characters that can hide or reorder what a person reads, and those no database stores: control
# characters (tab and line feed excepted), bidirectional overrides, zero-width and tag characters,
# half surrogates. U+200D stays: it joins emoji.
_HIDDEN = (
    *range(0x09),
    *range(0x0B, 0x20),
    *range(0x7F, 0xA0),
    0xAD,
    0x200B,
    0x200C,
    0x200E,
    0x200F,
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    0xFEFF,
    *range(0xD800, 0xE000),
    *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE0080),
)
_STRIP = dict.fromkeys(_HIDDEN)


def clean(text: str) -> str:
    """Long text: hidden characters gone, line ends unified, outer white space trimmed."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.translate(_STRIP).strip()


def clean_line(text: str) -> str:
    """One line: as `clean`, with every run of white space a single space."""
    if text.isascii() and text.isprintable():  # nearly all there is; the table below costs a hundred times as much
        return " ".join(text.split())
    return " ".join(text.translate(_STRIP | {0x0B: " ", 0x0C: " ", 0x0D: " ", 0x85: " ", 0x2028: " "}).split())


def line(text: str, name: str, most: int, least: int = 1) -> str:
    """A cleaned line of an allowed length."""
    given = clean_line(text)
    if not least <= len(given) <= most:
        if not given:
            raise Invalid(f"{name} cannot be empty.", hint=f"Give 1 to {most} characters.")
        raise Invalid(f"{name} is {len(given)} characters long; at most {most} fit.", hint="Make it shorter.")
    return given


def prose(text: str, name: str, most: int) -> str:
    """Cleaned long text of an allowed length."""
    given = clean(text)
    if len(given) > most:
        raise Invalid(f"{name} is {len(given)} characters long; at most {most} fit.", hint="Make it shorter.")
    return given


def shorten(text: str, most: int) -> str:
    """Cut for a list, with an ellipsis that counts."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
