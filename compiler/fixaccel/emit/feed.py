# SPDX-License-Identifier: Apache-2.0
"""Files of a bundle whose prices come by a feed: the program, its parameters and the names of its tags."""

import json
from typing import Any

from fixaccel.language.terms import Feed, Venue

PROGRAM_FILE = "feed/program.bin"
PARAMETERS_FILE = "feed/parameters.json"
TAGS_FILE = "feed/tags.json"


def feed_files(venue: Venue) -> dict[str, bytes]:
    """By path inside the bundle; none without a feed."""
    if venue.feed is None:
        return {}
    files = {PARAMETERS_FILE: _text(_parameters(venue, venue.feed))}
    if venue.feed.image:
        files[PROGRAM_FILE] = venue.feed.image
        files[TAGS_FILE] = _text({str(tag): name for tag, name in sorted(venue.feed.tags.items())})
    return files


def _text(data: dict[str, Any]) -> bytes:
    return (json.dumps(data, indent=1) + "\n").encode("ascii")


def _parameters(venue: Venue, feed: Feed) -> dict[str, Any]:
    terms = feed.terms
    only = next(iter(terms.channels)) if len(terms.channels) == 1 else None
    return {
        "sequence": terms.sequence.written,
        "skip": terms.skip,
        "reset": terms.reset,
        "wait_ns": terms.wait_ns,
        "silence_ns": terms.silence_ns,
        "export": terms.export,
        "channels": {name: channel.written for name, channel in terms.channels.items()},
        "instruments": {
            symbol: {
                "channel": instrument.channel or only,
                **({"id": instrument.feed_id} if instrument.feed_id is not None else {}),
            }
            for symbol, instrument in venue.instruments.items()
        },
    }
