# SPDX-License-Identifier: Apache-2.0
"""The map of feeds: what the fabric's engine, its programs and all decoders agree on."""

from fixaccel.hwmap import load_window

FEED = load_window("feed")
NESTING = FEED.constant("nesting")  # groups and sequences in each other, most
REFERENCES = FEED.constant("references")  # dynamic references in each other, most
TEMPLATES = FEED.constant("templates")  # with an identifier, most
MESSAGE_INSTRUMENTS = FEED.constant("message_instruments")  # of the venue, that a message names
ENTITY_BYTES = FEED.constant("entity_bytes")  # of an integer or a presence map: 70 bits
DATAGRAM_BYTES = 1_472  # of a frame of 1,514 bytes, at most
KEPT_BYTES = FEED.constant("kept_bytes")  # of a string that is a previous or an initial value
