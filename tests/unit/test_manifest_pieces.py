# SPDX-License-Identifier: Apache-2.0
"""Large files that the daemon goes by have hashes piece by piece; the other files have not."""

import json
from hashlib import sha256

from fixaccel.emit.manifest import with_files

_LARGE = bytes(range(251)) * 600  # of no whole number of pieces


def test_hashes_of_pieces_are_those_of_the_file() -> None:
    files = {
        "image/rules.safetensors": _LARGE,
        "image/small.bin": b"x",
        "image/trigger.mem": _LARGE,
        "report.md": _LARGE,
    }
    listed = json.loads(with_files({}, files))["files"]
    assert [name for name, entry in listed.items() if "pieces" in entry] == ["image/rules.safetensors"]
    pieces = listed["image/rules.safetensors"]["pieces"]
    size = pieces["bytes"]
    assert 0 < size < len(_LARGE)
    expected = [sha256(_LARGE[at : at + size]).hexdigest() for at in range(0, len(_LARGE), size)]
    assert pieces["sha256"] == expected
