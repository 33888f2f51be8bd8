# SPDX-License-Identifier: Apache-2.0
"""The streams that an administrator makes, their consumers, and how far everything has come."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NatsTimeoutError

from fixaccel.bus import names
from fixaccel.bus.reader import Bus, BusError
from fixaccel.bus.site_file import SiteFile

_ANSWER_S = 5.0
_NS = 1_000_000_000
_NOT_THERE = 404
_ACK_WAIT_S = 30
_AHEAD = 1024  # events that a reader may have without having acked them

Config = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """One thing to make or to change. ``what``: in words."""

    what: str
    subject: str
    request: Config


async def ask(bus: Bus, subject: str, request: Mapping[str, Any] | None = None) -> Config | None:
    """The answer of JetStream's API; None: there is no such thing. Raises BusError."""
    try:
        answer = await bus.client.request(subject, json.dumps(request or {}).encode(), timeout=_ANSWER_S)
    except (NatsTimeoutError, NoRespondersError) as error:
        raise BusError(f"no answer to {subject}: is this the administrator's key?") from error
    body: Config = json.loads(answer.data)
    if error_said := body.get("error"):
        if error_said.get("code") == _NOT_THERE:
            return None
        raise BusError(f"{subject}: {error_said.get('description')}")
    return body


def events_config(site: SiteFile, board: str) -> Config:
    """Of the stream that mirrors a board's events: on disk, nothing taken out of it before its time."""
    return {
        "name": names.events_stream(board),
        "subjects": [names.subject(site.site, board, names.EVENTS, "*")],
        "storage": "file",
        "retention": "limits",
        "discard": "new",
        "max_age": site.keep_s * _NS,
        "allow_direct": True,
        "deny_delete": True,
        "deny_purge": True,
        "num_replicas": 1,
    }


def consumer_config(reader: str) -> Config:
    """Of a reader of events: all of them, acked one by one."""
    return {
        "durable_name": reader,
        "ack_policy": "explicit",
        "deliver_policy": "all",
        "ack_wait": _ACK_WAIT_S * _NS,
        "max_ack_pending": _AHEAD,
    }


async def difference(bus: Bus, site: SiteFile) -> list[Step]:
    """What has to be made or changed. Raises BusError."""
    steps = []
    for board in site.boards:
        wanted = events_config(site, board)
        stream = wanted["name"]
        there = await ask(bus, f"$JS.API.STREAM.INFO.{stream}")
        if there is None:
            steps.append(Step(f"make stream {stream}", f"$JS.API.STREAM.CREATE.{stream}", wanted))
        elif changed := _changed(there["config"], wanted):
            steps.append(Step(f"change {changed} of stream {stream}", f"$JS.API.STREAM.UPDATE.{stream}", wanted))
        for reader in site.readers.values():
            if not reader.events or board not in reader.boards:
                continue
            config = consumer_config(reader.name)
            known = await ask(bus, f"$JS.API.CONSUMER.INFO.{stream}.{reader.name}") if there else None
            differs = "" if known is None else _changed(known["config"], config)
            if known is None or differs:
                word = f"change {differs} of" if known else "make"
                subject = f"$JS.API.CONSUMER.DURABLE.CREATE.{stream}.{reader.name}"
                steps.append(
                    Step(f"{word} consumer {reader.name} of {stream}", subject,
                         {"stream_name": stream, "config": config})
                )  # fmt: skip
    return steps


async def carry_out(bus: Bus, steps: list[Step]) -> None:
    """Makes them. Raises BusError."""
    for step in steps:
        if await ask(bus, step.subject, step.request) is None:
            raise BusError(f"cannot {step.what}: what it belongs to is not there")


def _changed(there: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """Names of what differs."""
    return ", ".join(key for key, value in wanted.items() if there.get(key, _absent(value)) != value)


def _absent(value: object) -> object:
    return False if isinstance(value, bool) else None


@dataclass(frozen=True)
class BoardState:
    """What is known of a board. ``problems``: what is amiss, a text each."""

    board: str
    heartbeat: Mapping[str, Any] | None
    status: Mapping[str, Any] | None
    events: int
    behind: Mapping[str, int]  # events that a reader has not acked yet
    problems: tuple[str, ...]


async def board_state(bus: Bus, site: SiteFile, board: str, *, now_ns: int, most_lag: int) -> BoardState:
    """The state of a board, by the administrator. Raises BusError."""
    stream = names.events_stream(board)
    there = await ask(bus, f"$JS.API.STREAM.INFO.{stream}")
    said = {kind: await _last(bus, site, board, kind) for kind in (names.HEARTBEAT, names.STATUS)}
    heartbeat, status = said[names.HEARTBEAT], said[names.STATUS]
    problems = []
    if there is None:
        problems.append(f"there is no stream {stream}: `fixaccel bus apply` makes it")
    if heartbeat is None or now_ns - heartbeat["ts_ns"] > names.SILENT_MS * 1_000_000:
        problems.append("no relay is heard of")
    elif not heartbeat["daemon"]:
        problems.append("the relay sees no daemon")
    if heartbeat and heartbeat["lag"] > most_lag:
        problems.append(f"events are {heartbeat['lag']} records behind the journal")
    if heartbeat and heartbeat["ring_lost"]:
        problems.append(f"the relay was too slow for {heartbeat['ring_lost']} messages")
    behind = {}
    for reader in site.readers.values():
        if there is None or not reader.events or board not in reader.boards:
            continue
        info = await ask(bus, f"$JS.API.CONSUMER.INFO.{stream}.{reader.name}")
        if info is None:
            problems.append(f"reader {reader.name} has no consumer: `fixaccel bus apply` makes it")
        else:
            behind[reader.name] = int(info["num_pending"]) + int(info["num_ack_pending"])
    events = int(there["state"]["last_seq"]) if there else 0
    return BoardState(board, heartbeat, status, events, behind, tuple(problems))


async def _last(bus: Bus, site: SiteFile, board: str, kind: str) -> Mapping[str, Any] | None:
    stream, subject = names.status_stream(board), names.subject(site.site, board, kind)
    try:
        found, _ = await bus.newest(stream, subject, 0)
    except BusError:
        return None
    return json.loads(found[-1].data) if found else None
