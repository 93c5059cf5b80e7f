"""The product's settings, read once at the start: flags, then environment, then file, then defaults."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from taskpilot.domain.errors import Invalid

if TYPE_CHECKING:
    from taskpilot.domain.remote import Reach

Source = Literal["flag", "environment", "file", "default"]
Auth = Literal["local", "required"]
SignUp = Literal["open", "invitation", "closed"]
Workers = Literal["auto", "off"]
LogLevel = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["auto", "text", "json"]
ChatTools = Literal["native", "todo"]

PREFIX = "TASKPILOT_"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def _user_folder(kind: Literal["data", "config"]) -> Path:
    import platformdirs

    return platformdirs.user_data_path("taskpilot") if kind == "data" else platformdirs.user_config_path("taskpilot")


def config_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the TOML file is looked for."""
    named = environment.get(PREFIX + "CONFIG")
    return Path(named).expanduser() if named else _user_folder("config") / "config.toml"


class Secret(str):
    """A value that is used but not shown: printing or logging it tells nothing."""

    __slots__ = ()

    def __str__(self) -> str:
        return "•••" if self else ""

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    __repr__ = __str__

    def reveal(self) -> str:
        return "".join(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    data_dir: Path = field(
        default_factory=lambda: _user_folder("data"),
        metadata={"about": "Folder for the SQLite database and the server's socket."},
    )
    database_url: str = field(
        default="",
        metadata={"about": "A PostgreSQL address (postgresql://…). Empty: SQLite in the data folder."},
    )
    host: str = field(default="127.0.0.1", metadata={"about": "Address the server listens on."})
    port: int = field(default=8000, metadata={"about": "Port the server listens on."})
    auth: Auth = field(default="local", metadata={"about": "Who may come in: local (this machine's user) or required."})
    dangerously_open: bool = field(
        default=False,
        metadata={
            "about": "Let everyone who can reach a public address act as this machine's user, without signing in."
            " Never on a network you share."
        },
    )
    public_url: str = field(
        default="",
        metadata={
            "about": "Address people and programs use from outside, such as https://tasks.example.com."
            " Empty: whatever address a request was sent to."
        },
    )
    allowed_hosts: str = field(
        default="",
        metadata={"about": "Further host names requests may be sent to, separated by commas."},
    )
    cors_origins: str = field(
        default="",
        metadata={"about": "Origins whose pages may call this server from a browser, separated by commas."},
    )
    trusted_proxies: str = field(
        default="",
        metadata={"about": "Addresses of proxies whose X-Forwarded-For and -Proto are believed, separated by commas."},
    )
    sign_up: SignUp = field(
        default="open", metadata={"about": "Who may make an account: open (everyone), invitation or closed."}
    )
    rate_limit: int = field(
        default=1200,
        metadata={"about": "Requests a minute for one user, where signing in is required. 0: no limit."},
    )
    address_rate_limit: int = field(
        default=2400,
        metadata={"about": "Requests a minute from one address, where signing in is required. 0: no limit."},
    )
    sign_in_limit: int = field(
        default=20,
        metadata={"about": "Tries a minute from one address to sign up, sign in or refresh. 0: no limit."},
    )
    body_limit: int = field(default=4_194_304, metadata={"about": "Longest request that is read, in bytes."})
    audit_days: int = field(default=90, metadata={"about": "Days that calls which changed nothing are kept."})
    workers: Workers = field(
        default="auto",
        metadata={
            "about": "Who carries runs out: auto (a worker is started on this machine when there is a run, and leaves"
            " when there is none) or off (only workers you start yourself with `taskpilot worker`)."
        },
    )
    runs_per_user: int = field(
        default=8, metadata={"about": "Runs of one user that are carried out at a time. 0: any number."}
    )
    worktree_days: int = field(
        default=30,
        metadata={
            "about": "Days that the worktree of a run at rest is kept; then it is removed, and what was not pushed is"
            " saved to a ref of its repository. 0: for ever."
        },
    )
    token: Secret = field(
        default=Secret(""),
        metadata={"about": "Personal access token that `taskpilot mcp` acts with. Empty: as this machine's user."},
    )
    log_level: LogLevel = field(default="info", metadata={"about": "Least severe log line that is written."})
    log_format: LogFormat = field(
        default="auto",
        metadata={"about": "text, json, or auto: text on a terminal, json elsewhere."},
    )
    remote_hosts: str = field(
        default="",
        metadata={
            "about": "Hosts that remotes may reach over plain http or at private addresses, separated by commas."
            " All others must be public and https."
        },
    )
    remote_timeout: int = field(default=20, metadata={"about": "Seconds to wait for an answer of a remote, 1 to 300."})
    github_url: str = field(
        default="https://api.github.com",
        metadata={"about": "Address of the GitHub REST API; for GitHub Enterprise https://HOST/api/v3."},
    )
    github_token: Secret = field(
        default=Secret(""),
        metadata={"about": "Token for GitHub, used for this machine's user where none was connected."},
    )
    workspace_roots: str = field(
        default="",
        metadata={
            "about": "Folders whose files this server reads and writes for people who signed in, separated by commas."
            " Empty: none. This machine's user is not bound by it."
        },
    )
    chat_model: str = field(
        default="",
        metadata={
            "about": "Model that chat talks to: openai:NAME, anthropic:NAME, google:NAME, or with chat_url the name"
            " alone. Empty: the rules that need no model and no key."
        },
    )
    chat_url: str = field(
        default="",
        metadata={
            "about": "Address of the model, where it is not its maker's: any that speaks as OpenAI does, such as"
            " http://localhost:11434/v1 for Ollama."
        },
    )
    chat_api_key: Secret = field(
        default=Secret(""),
        metadata={"about": "Key for the model. Empty: none is sent, as most local models want none."},
    )
    chat_rounds: int = field(
        default=10,
        metadata={"about": "Times that the model is asked for one answer at most, tools included, 1 to 100."},
    )
    chat_tokens: int = field(
        default=100_000, metadata={"about": "Tokens that one answer may take, read and written. 0: any number."}
    )
    chat_seconds: int = field(default=120, metadata={"about": "Seconds that one answer may take, 1 to 3600."})
    chat_tools: ChatTools = field(
        default="native",
        metadata={
            "about": "Tools that chat has: native (the six of todo, and the native ones they lack) or todo alone."
        },
    )
    secret_key: Secret = field(
        default=Secret(""),
        metadata={
            "about": "Key that stored tokens are sealed with: 32 random bytes in base64."
            " Empty: the file secret.key in the data folder, made on first use."
        },
    )
    sources: Mapping[str, Source] = field(default_factory=dict[str, Source])
    """Where each value came from, for `taskpilot config`."""

    @property
    def sign_in_required(self) -> bool:
        """Whether everybody has to say who they are: when told so, or when more than this machine can come in."""
        return self.auth == "required" or (self.host not in LOOPBACK and not self.dangerously_open)

    @property
    def database_path(self) -> Path:
        return self.data_dir / "taskpilot.db"

    @property
    def engine_address(self) -> str | Path:
        """Where workers remember how far runs have come: beside the tasks."""
        return self.database_url or self.data_dir / "engine.db"

    @property
    def key_path(self) -> Path:
        return self.data_dir / "secret.key"

    @property
    def reach(self) -> Reach:
        """What the server may talk to, and as whom."""
        from taskpilot.domain.remote import Reach

        return Reach(
            hosts=tuple(host.lower() for host in self.remote_hosts.split(", ") if host),
            timeout=float(self.remote_timeout),
            github_url=self.github_url,
            github_token=self.github_token.reveal(),
            roots=tuple(os.path.abspath(os.path.expanduser(root)) for root in self.workspace_roots.split(", ") if root),
        )


NAMES = tuple(item.name for item in fields(Settings) if item.name != "sources")
SECRETS = ("chat_api_key", "github_token", "secret_key", "token")
LISTS = ("remote_hosts", "allowed_hosts", "cors_origins", "trusted_proxies", "workspace_roots")
ABOUT: dict[str, str] = {item.name: item.metadata["about"] for item in fields(Settings) if item.name != "sources"}


def load(flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """Settle every value. Unknown names in the file are refused, so that a typo is not silently ignored."""
    file = read_file(config_file(environment))
    values: dict[str, Any] = {}
    sources: dict[str, Source] = {}
    for name in NAMES:
        places: tuple[tuple[Source, Any], ...] = (
            ("flag", (flags or {}).get(name)),
            ("environment", environment.get(PREFIX + name.upper()) or None),
            ("file", file.get(name)),
        )
        sources[name] = "default"
        for source, given in places:
            if given is not None:
                value = convert(name, given)
                values[name], sources[name] = Secret(value) if name in SECRETS else value, source
                break
    return Settings(**values, sources=sources)


def read_file(path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Invalid(
            f"The settings file {path} cannot be read: {error}.", hint="Correct it or move it away."
        ) from None
    unknown = sorted(set(found) - set(NAMES))
    if unknown:
        raise Invalid(f"{path} names unknown settings: {', '.join(unknown)}.", hint=f"Known: {', '.join(NAMES)}.")
    return found


def convert(name: str, given: Any) -> Any:
    """The value of one setting from what was written for it."""
    if name == "data_dir":
        return Path(str(given)).expanduser().absolute()
    if name in NUMBERS:
        return _number(name, given)
    if name == "dangerously_open":
        return _yes_or_no(name, given)
    if name in LISTS:
        hosts = cast("list[Any]", given) if isinstance(given, list) else str(given).split(",")
        return ", ".join(str(host).strip() for host in hosts if str(host).strip())
    if name in ("public_url", "chat_url") and given:
        from taskpilot.domain.system import check_url

        return check_url(str(given)).rstrip("/")
    if name == "github_url":
        from taskpilot.domain.system import check_url

        return check_url(str(given))
    choices = CHOICES.get(name)
    if choices and given not in choices:
        raise Invalid(f"{name} cannot be {given!r}.", hint=f"Choose one of: {', '.join(choices)}.")
    if name == "database_url" and given and not str(given).startswith(("postgresql://", "postgres://")):
        raise Invalid(f"database_url cannot be {given!r}.", hint="It looks like postgresql://user@host/name.")
    return str(given)


CHOICES: dict[str, tuple[str, ...]] = {
    "auth": get_args(Auth),
    "sign_up": get_args(SignUp),
    "workers": get_args(Workers),
    "log_level": get_args(LogLevel),
    "log_format": get_args(LogFormat),
    "chat_tools": get_args(ChatTools),
}


NUMBERS: dict[str, tuple[int, int]] = {
    "port": (0, 65_535),
    "remote_timeout": (1, 300),
    "rate_limit": (0, 1_000_000),
    "address_rate_limit": (0, 1_000_000),
    "sign_in_limit": (0, 1_000_000),
    "body_limit": (1_024, 1_073_741_824),
    "audit_days": (1, 3_650),
    "runs_per_user": (0, 1_000),
    "worktree_days": (0, 3_650),
    "chat_rounds": (1, 100),
    "chat_tokens": (0, 1_000_000_000),
    "chat_seconds": (1, 3_600),
}
NO_LIMIT = ("rate_limit", "address_rate_limit", "sign_in_limit", "runs_per_user", "worktree_days", "chat_tokens")
ZERO = {"port": ", or 0 for any free port"} | dict.fromkeys(NO_LIMIT, ", or 0 for no limit")


def _number(name: str, given: Any) -> int:
    least, most = NUMBERS[name]
    try:
        number = int(given)
    except (TypeError, ValueError):
        number = least - 1
    if not least <= number <= most:
        hint = f"Choose a number from {max(least, 1)} to {most}{ZERO.get(name, '')}."
        raise Invalid(f"{name} cannot be {given!r}.", hint=hint)
    return number


def _yes_or_no(name: str, given: Any) -> bool:
    words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    found = words.get(str(given).strip().lower())
    if found is None:
        raise Invalid(f"{name} cannot be {given!r}.", hint="Choose true or false.")
    return found
