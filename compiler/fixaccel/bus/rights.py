# SPDX-License-Identifier: Apache-2.0
"""Who may send and hear what: made from the site's file, and enforced by the server."""

from dataclasses import dataclass

from fixaccel.bus import names
from fixaccel.bus.site_file import ADMIN, SiteFile

RELAY = "relay-"  # and the board: the principal of its relay


@dataclass(frozen=True)
class Rights:
    """Of one principal: subjects that it may publish to and subscribe to, as patterns of the server."""

    principal: str
    key: str
    publish: tuple[str, ...]
    subscribe: tuple[str, ...]


def rights(site: SiteFile) -> list[Rights]:
    """All principals of the site, in the order of its file."""
    found = [Rights(ADMIN, site.admin, ("$JS.API.>",), (_inbox(ADMIN), f"{names.ROOT}.{site.site}.>"))]
    found += [_relay(site, board, key) for board, key in site.boards.items()]
    found += [_reader(site, name) for name in site.readers]
    return found


def _inbox(principal: str) -> str:
    return f"{names.inbox(principal)}.>"


def _relay(site: SiteFile, board: str, key: str) -> Rights:
    principal = RELAY + board
    own = [
        names.subject(site.site, board, *rest)
        for rest in ((names.QUOTES, ">"), (names.EVENTS, "*"), (names.STATUS,), (names.HEARTBEAT,))
    ]
    streams = (names.quotes_stream(board), names.status_stream(board))
    api = [f"$JS.API.STREAM.CREATE.{stream}" for stream in streams]
    events = names.events_stream(board)
    api += [f"$JS.API.STREAM.INFO.{events}", f"$JS.API.DIRECT.GET.{events}"]
    return Rights(principal, key, (*own, *api), (_inbox(principal),))


def _reader(site: SiteFile, name: str) -> Rights:
    reader = site.readers[name]
    publish: list[str] = []
    subscribe = [_inbox(name)]
    for board in reader.boards:
        subscribe += [names.subject(site.site, board, kind) for kind in (names.STATUS, names.HEARTBEAT)]
        publish.append(f"$JS.API.DIRECT.GET.{names.status_stream(board)}")
        if reader.live:
            subscribe.append(names.subject(site.site, board, names.QUOTES, ">"))
        if reader.quotes:
            publish.append(f"$JS.API.DIRECT.GET.{names.quotes_stream(board)}")
        if reader.events:
            stream = names.events_stream(board)
            publish += [
                f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{name}",
                f"$JS.ACK.{stream}.{name}.>",
                f"$JS.API.DIRECT.GET.{stream}",
            ]
            if reader.cut_through:
                subscribe.append(names.subject(site.site, board, names.EVENTS, "*"))
    return Rights(name, reader.key, tuple(publish), tuple(subscribe))
