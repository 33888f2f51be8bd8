# SPDX-License-Identifier: Apache-2.0
"""The stream of a daemon's events, over one connection for as long as that lasts."""

import time
from collections.abc import Iterator
from typing import Any

from fixaccel.board.control import ControlClient, ControlError, ControlRefusedError

# `event` is session, rule, order, fire, book, missed, dropped; and of our own making away, back.
Event = dict[str, Any]

_PATIENCE_S = 5.0
_RETRY_S = 0.5


def watch(client: ControlClient) -> Iterator[Event]:
    """Events of a daemon: first all that is, then what changes, until the connection ends with ControlError.

    Nothing else may be asked on ``client`` from then on. A daemon that says nothing for long is no error. Raises
    ControlRefusedError.
    """
    client.ask("watch")
    client.be_patient()
    while True:
        event = client.next_line()
        if "event" in event:
            yield event


def follow(endpoint: str, retry_s: float = _RETRY_S) -> Iterator[Event]:
    """Events for ever, over restarts of the daemon: ``away`` with the reason where there is none, then ``back``."""
    said = ""
    while True:
        try:
            with ControlClient(endpoint, timeout_s=_PATIENCE_S) as client:
                for event in watch(client):
                    if said:
                        yield {"event": "back"}
                    said = ""
                    yield event
        except (ControlError, ControlRefusedError) as error:
            if said != str(error):
                said = str(error)
                yield {"event": "away", "reason": said}
            time.sleep(retry_s)
