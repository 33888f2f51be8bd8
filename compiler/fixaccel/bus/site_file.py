# SPDX-License-Identifier: Apache-2.0
"""The file that describes a site of the bus: servers, boards, readers and what each of them may read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fixaccel.bus import names
from fixaccel.diagnostics.codes import bus as codes
from fixaccel.diagnostics.codes import language
from fixaccel.diagnostics.report import Report
from fixaccel.language.documents.kind import VERSION_KEYS, VERSION_KIND, check_version
from fixaccel.language.keys.kinds import Choice, Duration, ListOf, MapOf, Matching
from fixaccel.language.keys.schema import JsonSchema, Key, Located, Section, Shape, clip, nearest
from fixaccel.language.text.files import read_source
from fixaccel.language.text.reader import read_tree
from fixaccel.source import Node, ScalarNode, SourceFile, Span

KIND = "bus"
ALL = "all"
ADMIN = "admin"
ROLES = ("view", "trade", "risk", "archive")
_NS = 1_000_000_000
_KEEP_S = 400 * 86_400  # events, if the file says nothing
_LEAST_EVERY_NS, _MOST_EVERY_NS = 1_000_000, 60 * _NS
_SERVER = re.compile(r"(nats|tls)://(\[[0-9a-f:]+\]|[A-Za-z0-9.-]+):([0-9]{1,5})\Z")
_LOOPBACK = re.compile(r"(127\.|localhost\Z|\[::1\]\Z)")
_TAKEN = re.compile(r"(relay-.*|admin|server)\Z")

NAME_KIND = Matching(names.NAME, "a name", codes.BUS_NAME, names.NAME_FORM)
KEY_KIND = Matching(
    re.compile(r"U[A-Z2-7]{55}\Z"), "the public key of a user", codes.BUS_KEY, "`fixaccel bus init` makes keys"
)
SERVER_KIND = Matching(_SERVER, "a server, such as `tls://nats-1:4222`", language.BAD_TEXT, "write `tls://HOST:PORT`")

KEY = Key("key", KEY_KIND, "Its public key; the seed is a file of its own.", required=True)
_PRINCIPAL = Shape("the administrator", (KEY,))
_BOARD = Shape("a board", (KEY,))
EVERY = Key("every", Duration("a time from `1ms` to `60s`"), "How often it is told what has changed.", required=True)
_CONFLATED = Shape("conflated quotes", (EVERY,))


@dataclass(frozen=True)
class LiveOrEvery:
    """`live`, or `every` with a time."""

    form: str = "`live`, or `{every: 100ms}`"
    shape: Shape = _CONFLATED

    def json_schema(self) -> JsonSchema:
        """The word, or an object."""
        return {"anyOf": [{"const": "live"}, self.shape.json_schema()]}

    def read(self, node: Node, key: str, report: Report) -> Section | str | None:
        """The section, or the word."""
        if isinstance(node, ScalarNode) and node.text == "live":
            return "live"
        return self.shape.read(node, key, report)


EVENT_KINDS = Key(
    "kinds",
    ListOf(Choice({kind: kind for kind in (ALL, *names.EVENT_KINDS)}), single=True, filled=True),
    "Which kinds of events; `all` if left out.",
)
MODE = Key(
    "mode",
    Choice({"stored": False, "cut-through": True}),
    "`cut-through` takes the copy that comes before the server has stored it, too; `stored` if left out.",
)
_EVENTS = Shape("events", (EVENT_KINDS, MODE))

ROLE = Key("role", Choice({role: role for role in ROLES}), "What it is for.", required=True)
READS = Key("boards", ListOf(NAME_KIND, single=True, filled=True), "Which boards, or `all`.", required=True)
QUOTES = Key("quotes", LiveOrEvery(), "How it reads quotes; it gets none if left out.")
EVENTS = Key("events", _EVENTS, "Which events it gets, each once and in order; it gets none if left out.")
_READER = Shape("a reader", (ROLE, KEY, READS, QUOTES, EVENTS))

VERSION = Key(VERSION_KEYS[KIND], VERSION_KIND, "Version of the file's language.", required=True)
SITE = Key("site", NAME_KIND, "Name of the site, in all subjects.", required=True)
SERVERS = Key("servers", ListOf(SERVER_KIND, filled=True), "Where the server listens.", required=True)
INSECURE = Key("insecure", Choice({"loopback": True}), "`loopback`: a server on this machine is asked without TLS.")
KEEP = Key("events", Duration("a time such as `9600h`"), "How long events are kept; 9600 hours if left out.")
RETENTION = Key("retention", Shape("`retention`", (KEEP,)), "How long is kept what is kept.")
ADMIN_KEY = Key(ADMIN, _PRINCIPAL, "Who may make streams and see all: `apply` and `status`.", required=True)
BOARDS = Key(
    "boards", MapOf(_BOARD, "boards by their name"), "The boards, each with the key of its relay.", required=True
)
READERS = Key("readers", MapOf(_READER, "readers by their name"), "Who reads what.")
BUS_SHAPE = Shape("a site of the bus", (VERSION, SITE, SERVERS, INSECURE, RETENTION, ADMIN_KEY, BOARDS, READERS))


@dataclass(frozen=True)
class Reader:
    """``every_s``: of conflated quotes; ``kinds``: None for all. ``live``, ``events``: whether it gets them."""

    name: str
    role: str
    key: str
    boards: tuple[str, ...]
    live: bool
    every_s: float | None
    events: bool
    kinds: tuple[str, ...] | None
    cut_through: bool

    @property
    def quotes(self) -> bool:
        return self.live or self.every_s is not None


@dataclass(frozen=True)
class SiteFile:
    """A site as it is written; ``boards`` are the keys of their relays."""

    site: str
    servers: tuple[str, ...]
    insecure: bool
    keep_s: int
    admin: str
    boards: Mapping[str, str]
    readers: Mapping[str, Reader]

    @property
    def tls(self) -> bool:
        return any(server.startswith("tls:") for server in self.servers)


def read_site(path: Path, report: Report, sources: dict[str, SourceFile]) -> SiteFile | None:
    """The site at ``path``; None if it has errors, which are reported."""
    source = read_source(path, str(path), report, sources)
    tree = read_tree(source, report) if source else None
    return parse_site(tree, report) if tree is not None else None


def parse_site(root: Node, report: Report) -> SiteFile | None:
    """Reads the whole tree; None if anything in it is wrong."""
    if not check_version(root, KIND, report):
        return None
    section = BUS_SHAPE.read(root, "site", report)
    if section is None:
        return None
    used: dict[str, str] = {}
    site, servers, admin = section.get(SITE), _servers(section, report), section.get(ADMIN_KEY)
    admin_key = _key(admin.value, ADMIN, used, report) if admin else None
    boards = {}
    for name, value in _named(section, BOARDS, report):
        boards[name.text] = _key(value.value, f"board {name.text}", used, report) or ""
    readers = {}
    for name, value in _named(section, READERS, report):
        if _TAKEN.match(name.text):
            report.add(codes.BUS_NAME, f"`{name.text}` is no name for a reader", name.span, help="give it another")
        reader = _reader(name.text, value.value, tuple(boards), used, report)
        if reader:
            readers[name.text] = reader
    if report.failed or not (site and servers and admin_key):
        return None
    keep = section.get(RETENTION)
    keep_ns = keep.value.get(KEEP) if keep else None
    return SiteFile(
        site.value,
        servers,
        section.get(INSECURE) is not None,
        keep_ns.value // _NS if keep_ns else _KEEP_S,
        admin_key,
        boards,
        readers,
    )


def _named(section: Section, key: Key[Any], report: Report) -> list[tuple[ScalarNode, Located[Section]]]:
    """Entries whose name can be one."""
    found = section.get(key)
    good = []
    for name, value in found.value if found else ():
        if not names.NAME.match(name.text):
            report.add(codes.BUS_NAME, f"`{clip(name.text)}` is not a name", name.span, help=names.NAME_FORM)
        elif value is not None:
            good.append((name, value))
    return good


def _servers(section: Section, report: Report) -> tuple[str, ...]:
    found = section.get(SERVERS)
    insecure = section.get(INSECURE)
    for server in found.value if found else ():
        match = _SERVER.match(server.value)
        assert match
        if match[1] == "tls":
            continue
        if not _LOOPBACK.match(match[2]):
            meant = "tls" + server.value[4:]
            message = f"`{server.value}` is asked without TLS and is not on this machine"
            report.add(codes.BUS_PLAIN, message, server.span, help=f"write `{meant}`", instead=[meant])
        elif insecure is None:
            way_out = "write `insecure: loopback` if that is meant, or `tls://`"
            report.add(codes.BUS_PLAIN, f"`{server.value}` is asked without TLS", server.span, help=way_out)
    if found and len(found.value) > 1:
        message = "a site has one server in this version"
        report.add(language.BAD_TEXT, message, found.value[1].span, help="leave the others out")
    return tuple(server.value for server in found.value) if found else ()


def _key(section: Section, whose: str, used: dict[str, str], report: Report) -> str | None:
    key = section.get(KEY)
    if key is None:
        return None
    other = used.setdefault(key.value, whose)
    if other != whose:
        message = f"{whose} has the key of {other}"
        report.add(codes.BUS_KEY, message, key.span, help="`fixaccel bus init` makes one for each")
    return key.value


def _reader(
    name: str, section: Section, boards: tuple[str, ...], used: dict[str, str], report: Report
) -> Reader | None:
    role, key = section.get(ROLE), _key(section, f"reader {name}", used, report)
    reads = _boards(section.get(READS), boards, report)
    quotes, events = section.get(QUOTES), section.get(EVENTS)
    if not (QUOTES.name in section.keys or EVENTS.name in section.keys):
        report.add(codes.BUS_NOTHING, f"reader `{name}` reads nothing", section.span, help="add `quotes: live`")
    every_s = _every(quotes, report) if quotes and isinstance(quotes.value, Section) else None
    kinds = events.value.get(EVENT_KINDS) if events else None
    wanted = tuple(kind.value for kind in kinds.value) if kinds else (ALL,)
    mode = events.value.get(MODE) if events else None
    if role is None or key is None:
        return None
    return Reader(
        name,
        role.value,
        key,
        reads,
        quotes is not None and quotes.value == "live",
        every_s,
        events is not None,
        None if ALL in wanted else wanted,
        mode is not None and mode.value,
    )


def _every(quotes: Located[Any], report: Report) -> float | None:
    every = quotes.value.get(EVERY)
    if every is None:
        return None
    if not _LEAST_EVERY_NS <= every.value <= _MOST_EVERY_NS:
        message = f"`every` is a time from 1ms to 60s, not {every.value / _NS:g} s"
        report.add(language.BAD_DURATION, message, every.span, help="write `every: 100ms`")
    return float(every.value) / _NS


def _boards(reads: Located[Any] | None, boards: tuple[str, ...], report: Report) -> tuple[str, ...]:
    if reads is None:
        return ()
    found = []
    for name in reads.value:
        if name.value == ALL:
            return boards
        if name.value in boards:
            found.append(name.value)
            continue
        close = nearest(name.value, boards, report)
        way_out = f"did you mean `{close}`?" if close else f"there are {', '.join(boards)}"
        _report_board(name.value, name.span, way_out, close, report)
    return tuple(found)


def _report_board(name: str, span: Span, way_out: str, close: str | None, report: Report) -> None:
    report.add(codes.BUS_BOARD, f"there is no board `{name}`", span, help=way_out, instead=[close] if close else [])
