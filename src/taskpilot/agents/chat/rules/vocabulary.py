"""Words that are looked for, and words that only look like them."""

from __future__ import annotations


def pack(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())


VERBS = pack("""
    add create make show list display view delete remove erase complete finish mark check tick close reopen
    uncomplete toggle rename change update describe search find count undo remind move push postpone reschedule tell
    estimate repeat start open help discard trash prioritize snooze schedule revert
""")
"""Words that begin a command, for mending mistyped ones."""

STRUCTURE = pack("""
    task tasks todo list priority project projects description complete completed incomplete finished unfinished
    overdue everything urgent reminder tomorrow tonight monday tuesday wednesday thursday friday saturday sunday
    january february august september october november december morning afternoon evening weekend minutes high
    please done
""")
"""Words that say how a sentence is built. Mistyped, they are read as meant; a title keeps them as typed."""

REAL = pack("""
    lost last lift slow shop shot tack talks talk tall took mask ask tool fishing marked market marks make mark find
    fine fund seat tests text heigh added adds remote removed compete deplete restart recent started marry sundry
    match mourning movie moved moves closed closet clothes finance undone donee drops stars state object projection
    protect creature related renamed tagged stag lists listen listed thigh hugh nigh completes completion finishes
    opens reopened
""")
"""Words that are what they are, however near to one of ours."""

SHORT = {
    "whats": "what's",
    "wats": "what's",
    "whens": "when's",
    "hows": "how's",
    "im": "i'm",
    "ive": "i've",
    "dont": "don't",
    "doesnt": "doesn't",
    "didnt": "didn't",
    "havent": "haven't",
    "hasnt": "hasn't",
    "isnt": "isn't",
    "arent": "aren't",
    "wasnt": "wasn't",
    "thats": "that's",
    "todays": "today's",
    "tomorrows": "tomorrow's",
    "gimme": "give me",
    "lemme": "let me",
    "wanna": "want to",
    "tmrw": "tomorrow",
    "weds": "wednesday",
    "tsk": "task",
    "shw": "show",
    "lst": "list",
    "tel": "tell",
}
"""Words written short, as people do when they type."""

DOING = pack("""
    accept adopt advise agree aim air allow analyse analyze announce answer apologise apologize apply appoint
    approve argue arrange ask assemble assess assign attach attend audit avoid back bake bathe beat become begin
    bike bind blog boil book borrow breathe brew bring browse brush build burn buy calculate call camp cancel
    capture carry carve catch celebrate change charge chase chat check chill choose chop claim clarify clean clear
    climb clip close coach collect comb come comment compare compile complain complete compose compute configure
    confirm congratulate connect consider consult contact continue contribute convert cook coordinate copy correct
    count cover create crochet cut cycle dance darn debug decide declutter decorate defrost delegate delete deliver
    demo deploy deposit describe design develop dial dig discuss dispose do document donate download draft draw
    dress drink drive drop dry dust eat edit email empty enrol enroll enter escalate evaluate examine exchange
    exercise expand explain explore export extend face fast feed fetch figure file fill filter find finish fit fix
    fly focus fold follow format forward frame freeze fry fund gather get give go grab grade grate greet grill groom
    grow guide hack handle hang harvest have hear heat help hike hire hold hoover host hunt hydrate identify
    implement import improve inform inspect install insure interview investigate invite invoice iron jog join
    journal juggle jump keep knit know label laminate launch learn leave lend let lift light listen load lock log
    look lubricate mail maintain make manage mark massage measure meditate meet memorise memorize mend merge message
    migrate mix model monitor mop mount move mow negotiate nominate note notify observe obtain open optimise
    optimize order organise organize pack paint park paste patch pay peel phone photograph pick pitch place plan
    plant plaster play plough polish post practice practise pray prepare present press print process program
    proofread propose prune publish pull pump purchase push put quit raise rake rate reach read rearrange rebase
    rebook rebuild recharge record recruit recycle redeem redo reduce refactor refill refund register rehearse relax
    release remember remind remove rename renew renovate rent repair repay repeat replace reply report repot request
    research reschedule reserve reset resize resolve respond rest restart restock restore return review revise
    rewrite ride ring rinse roast roll rotate row run sail sand save scan schedule scrape scrub seal search see
    select sell send separate serve service set settle sew share sharpen shave shift ship shop shovel show shower
    sign simplify sing sit skate sketch ski skim sleep slice smile snap soak solve sort spray spend speak stack
    start stay steam stitch stop store stream stretch strip study submit subscribe suggest supervise support surf
    survey swap sweep swim switch sync synchronise take talk taste teach tell test text thank thaw think throw tidy
    tie tighten touch tour trace track trade train transcribe transfer translate travel treat trim troubleshoot try
    tune turn tweak type uninstall unload unpack unplug unsubscribe update upgrade upload use vacuum validate vent
    verify view visit volunteer vote wait wake walk wash watch water wear weed weigh weld wind wipe withdraw work
    wrap write
""")
"""Words that begin something to do. After one, "and" joins its objects."""
