# SPDX-License-Identifier: Apache-2.0
"""The map of feeds: what the fabric's engine, its programs and all decoders agree on."""

from fixaccel.hwmap import load_window

FEED = load_window("feed")
