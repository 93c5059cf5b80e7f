"""What an agent finds in its environment: what programs need to work, and what it was given by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from taskpilot.domain.errors import Invalid

_SYSTEM = "PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TERM COLORTERM TZ TMPDIR"
_FOLDERS = "XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME"
_CERTIFICATES = "SSL_CERT_* REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO NODE_EXTRA_CA_CERTS"
_PROXIES = "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy"
_TOOLCHAINS = (
    "NVM_DIR VOLTA_HOME FNM_DIR PNPM_HOME BUN_INSTALL PYENV_ROOT ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR CARGO_HOME "
    "RUSTUP_HOME GOPATH GOROOT JAVA_HOME NIX_PATH NIX_PROFILES"
)

BASIC = tuple(" ".join((_SYSTEM, _FOLDERS, _CERTIFICATES, _PROXIES, _TOOLCHAINS)).split())
"""No name here belongs to a secret or to a way to one, such as SSH_AUTH_SOCK; a policy can add those."""

OURS = "TASKPILOT_"


def compose(source: Mapping[str, str], names: Iterable[str], extra: Mapping[str, str]) -> dict[str, str]:
    """What `source` has of BASIC and of `names`, and all of `extra`, which wins.

    A name may end in `*`. Nothing of our own goes over from `source`, whatever the names say.
    """
    wanted = (*BASIC, *(_check(name) for name in names))
    exact = {name for name in wanted if not name.endswith("*")}
    starts = tuple(name[:-1] for name in wanted if name.endswith("*"))
    passed = {
        name: value
        for name, value in source.items()
        if (name in exact or name.startswith(starts)) and not name.startswith(OURS)
    }
    return passed | dict(extra)


def _check(name: str) -> str:
    if not name.removesuffix("*"):
        raise Invalid("An agent cannot have the whole environment.", hint="Name what it needs, such as AWS_*.")
    if name.startswith(OURS):
        raise Invalid(f"{name} is TaskPilot's own; an agent cannot have it.", hint="Take it off the list.")
    return name
