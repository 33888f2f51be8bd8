# SPDX-License-Identifier: Apache-2.0
"""Images of the memories: binary for the runtime, hexadecimal text for simulation and synthesis."""

import numpy as np

from fixaccel.hwmap.hwmap import Hwmap, Record
from fixaccel.image.image import Image


def memory_files(image: Image, hwmap: Hwmap) -> dict[str, bytes]:
    """Contents by path inside the bundle: ``image/NAME.bin`` and ``image/NAME.mem``."""
    files: dict[str, bytes] = {}
    for name, data in image.memories.items():
        files[f"image/{name}.bin"] = data
        files[f"image/{name}.mem"] = readmemh(data, hwmap.memories[name].record)
    return files


def readmemh(data: bytes, record: Record) -> bytes:
    """Text for ``$readmemh``: one record a line, as many digits as the record has bits."""
    digits = -(-record.bits // 4)
    used = -(-digits // 2)  # bytes that hold them
    values = np.frombuffer(data, np.uint8).reshape(-1, record.stride_bytes)[:, :used][:, ::-1]
    text = np.frombuffer(values.tobytes().hex().encode("ascii"), np.uint8).reshape(len(values), 2 * used)
    lines = np.full((len(values), digits + 1), ord("\n"), np.uint8)
    lines[:, :digits] = text[:, 2 * used - digits :]
    return lines.tobytes()
