"""One thing said: its words without the politeness, and how they were put."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from taskpilot.agents.chat.rules.view import View
from taskpilot.agents.chat.rules.vocabulary import VERBS
from taskpilot.agents.chat.rules.words import Text

_OPENERS = re.compile(
    r"(?:(?:please|pls|plz|kindly|hey|hi|hello|hi there|ok|okay|oh|ah|so|well|now|then|alright|great|cool|thanks"
    r"|thank you|oops|whoops|sorry|actually|quickly|just|good morning|and then|and|also|after that|afterwards|finally"
    r"|firstly|but|yo|nice|perfect|assistant|taskpilot|(?:next|first|that was (?:wrong|a mistake)"
    r"|my (?:bad|mistake)|i made a mistake"
    r"|that's wrong|wait|hmm)(?=[,.!]))(?:[,!.:]+ ?| |$))+"
)
_REQUEST = re.compile(
    r"(?:(?:can|could|would|will) (?:you|u)(?: please| pls| kindly| just| maybe| possibly| quickly| also)*"
    r"(?: help me(?: to)?| be so kind as to| go ahead and)? (?!mind\b|like\b|say\b|recommend\b|think\b|be\b|have\b)"
    r"|(?:(?:can|could|may|might) i (?:ask|get|trouble) you to|would it be possible to|is it possible for you to"
    r"|i(?:'d| would) appreciate it if you (?:could|would)|why don't you|any chance you (?:can|could)"
    r"|(?:can|could|shall) we"
    r"|go ahead and|make sure to|make sure you|be sure to|feel free to|help me to|help me"
    r"|i(?:'d| would) (?:really )?(?:like|love) you to|i (?:need|want) you to|you (?:can|may|should|could) (?:now )?) )"
)
_WISH = re.compile(
    r"(?:i(?:'d| would) (?:really )?(?:like|love) to|i want to|want to|i need to|i'll need to"
    r"|i have to|let's|lets|let us) "
)
_LOOK = re.compile(r"(?:(?:can|could|may|might) (?:i|we)(?: please| also)?|let me|am i able to) ")
_MIND = re.compile(r"(?:would|do) you mind ([a-z]+)ing\b ?")
_CLOSERS = re.compile(
    r"[ ,]+(?:please|pls|plz|for me|thanks|thank you|thx|thank you very much|many thanks|ok|okay|if you can|if possible"
    r"|will you|would you|could you|can you|when you can|if you don't mind|if you would|cheers)$"
)


@dataclass(frozen=True, slots=True)
class Clause:
    text: Text
    view: View
    asked: bool = False
    """A question mark, and no "can you" before it: not a command."""
    wished: bool = False
    """"I want to …": what I want to finish is not finished."""
    looking: bool = False
    """"Can I …": only what shows something is meant."""
    only: bool = True
    """Nothing else was said in this message."""

    @property
    def low(self) -> str:
        return self.text.low

    def on(self, text: Text) -> Clause:
        return replace(self, text=text)


def strip(said: Text, view: View, *, only: bool = True) -> Clause:
    """Without greetings, "please" and "could you"."""
    question = said.low.rstrip().endswith("?")
    text, request, wish, look = said.strip(" \t\n,;.!?"), False, False, False
    while True:
        if (rest := text.after(_OPENERS)) is not None and rest:
            text = rest
        elif (rest := text.after(_REQUEST)) is not None and rest:
            text, request = rest, True
        elif (rest := text.after(_WISH)) is not None and rest:
            text, wish = rest, True
        elif (rest := text.after(_LOOK)) is not None and rest:
            text, look = rest, True
        elif found := _MIND.match(text.low):
            text, request = _ungerund(text, found), True
        elif (rest := text.before(_CLOSERS)) is not None and rest:
            text = rest.strip(" \t\n,;.!?")
        else:
            break
    text = text.mend_first(VERBS)
    return Clause(text, view, asked=question and not request, wished=wish and not request, looking=look, only=only)


def _ungerund(text: Text, found: re.Match[str]) -> Text:
    """ "Would you mind deleting 3" asks to delete it."""
    base = found[1]
    doubled = base[:-1] if len(base) > 3 and base[-1] == base[-2] and base != "add" else base
    verb = next((verb for verb in (base, f"{base}e", doubled) if verb in VERBS), base)
    at = found.start(1)
    return text[at:].put_first(verb, found.end() - at) if verb in VERBS else text[at:]
