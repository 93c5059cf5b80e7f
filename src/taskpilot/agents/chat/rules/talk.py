"""Yes, no, hello and help: what is said to the assistant itself."""

from __future__ import annotations

import re

from taskpilot.agents.chat.rules.outcome import Answer
from taskpilot.agents.chat.rules.view import Wanted
from taskpilot.agents.chat.rules.words import Text

NOT_UNDERSTOOD = (
    'I didn\'t understand that, so I changed nothing. Try "add buy milk tomorrow" or "show my open tasks"; '
    '"help" tells more.'
)
HELP = (
    "I keep your task list. For example:\n"
    '- "add call the bank tomorrow at 5pm #money" or "remind me to call the bank tomorrow"\n'
    '- "show my open tasks", "what\'s due this week?", "what next?", "how many are left?"\n'
    '- "tell me about 3", "rename 3 to Call dad", "move it to Monday", "make the groceries one urgent"\n'
    '- "complete 3", "reopen 3", "delete 3" (I ask before I delete), "undo", "search for report"'
)
HELLO = 'Hello! Tell me what to do with your tasks: "add buy milk", "show my tasks", or "help".'
WELCOME = "You're welcome."
NOTHING_ASKED = "There is nothing to confirm. What would you like to do?"

_YES = (
    r"(?:y|yes|yes+|ye|yea|yeah|yeh|yep|yup|ya|sure|sure thing|ok|okay|k|fine|of course|certainly|absolutely|definitely"
    r"|affirmative|confirm|confirmed|correct|right|agreed|i'm sure|im sure|i am sure|i confirm"
    r"|go ahead|go for it|do it|do that"
    r"|do so|please do|yes i do|yes i am|proceed|continue|by all means|exactly|that's right"
    r"|sounds good|good|all right|alright"
    r"|i do|make it so|go|please|thanks|now|just do it|very sure|positive|100%)"
)
_DELETE = (
    r"(?:(?:delete|remove|erase|get rid of|trash)(?: (?:it|that|them|them all|all of them|those|these"
    r"|both|both of them|all))?(?: now)?|then|all|both|all of them|to all|them all|both of them)"
)
_PLAIN_YES = re.compile(rf"{_YES}(?:[ ,.!]+(?:{_YES}|{_DELETE}|and))*$")
_NO = re.compile(
    r"(?:n|no+|nope|nah|no way|cancel|stop|never ?mind|nevermind|don't|dont|do not|keep (?:it|them"
    r"|that|those)|wait|not yet|not now"
    r"|abort|forget it|leave it|leave them|negative|hold on|no thanks|no thank you|rather not"
    r"|better not|skip(?: it)?)\b"
)
_HELP = re.compile(
    r"(?:help(?: me)?(?: please)?|what can (?:you|i) do(?: here)?|how (?:do|does|can|should) (?:i"
    r"|this|it|you|we|one)\b.*"
    r"|what (?:commands|can i say|do you do|are you|else can you do)\b.*|who are you|usage|commands"
    r"|\?+|how to .*|examples?)$"
)
_HELLO = re.compile(
    r"(?:hi|hello|hey|hiya|howdy|yo|good (?:morning|afternoon|evening|day)|greetings"
    r"|how are you(?: doing)?|what's up|sup)"
    r"(?: there| all| again| assistant| today)*$"
)
_THANKS = re.compile(
    r"(?:thanks?|thank you|thx|ty|cheers|great|nice|cool|perfect|awesome|well done|good job|bye|goodbye)\b[\w\s]*$"
)


def confirm(said: str, pending: tuple[Wanted, ...] = ()) -> bool | None:
    """A plain yes, a plain no, or neither. Only a plain yes is one: doubt keeps things as they are."""
    text = Text.read(said)
    low = text.low.strip(" .!,")
    if not low or "?" in low:
        return None
    named = {str(call.arguments.get("task_id")) for call in pending}
    both = re.match(r"(.+?[ ,]+)(?:delete|remove|erase) (?:tasks? )?((?:#?\d+(?:, ?| and |, and )?)+)$", low)
    if both and len(named) > 1 and set(re.findall(r"\d+", both[2])) == named:
        low = both[1].strip(" ,")
    low = re.sub(
        r"\b(delete|remove|erase) (?:tasks? |#)*(\d+)$",
        lambda found: f"{found[1]} it" if named == {found[2]} and found.start() > 0 else found[0],
        low,
    )
    if _PLAIN_YES.match(low) and low not in ("please", "thanks", "now", "good", "right", "and"):
        return True
    return False if _NO.match(low) else None


def is_plain_no(said: Text) -> bool:
    return bool(
        re.fullmatch(
            rf"(?:{_NO.pattern}[ ,.!]*)+(?:do it|that|it|thanks|thank you|please|delete it|delete them)?",
            said.low.strip(" .!,"),
        )
    )


def cut_no(said: Text, *, asked: bool) -> Text:
    """ "No, mark it as done instead": what is wanted instead."""
    if not asked:
        return said.after(r"(?:no|nope|nah|never ?mind)[,.!;:-]+ *(?!(?:don't|do not|never)\b)") or said
    rest = (
        said.after(
            rf"(?:{_NO.pattern})[,.!;:-]+ *|(?:no|nope|nah|never ?mind)[ ,.!;:-]+(?!(?:don't|do not|dont|never)\b)"
        )
        or said
    )
    return rest.before(r"[ ,]+instead") or rest


def chat(said: Text) -> Answer | None:
    low = said.low.strip(" .!,")
    if said.low.strip() and not low.strip("?"):
        return Answer(HELP)
    if _HELP.match(low.rstrip("?")) or (low and set(low) == {"?"}):
        return Answer(HELP)
    if _HELLO.match(low.rstrip("?")):
        return Answer(HELLO)
    if _THANKS.match(low):
        return Answer(WELCOME)
    return None
