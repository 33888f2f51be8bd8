# SPDX-License-Identifier: Apache-2.0
"""Images of the memories: binary for the runtime, hexadecimal text for simulation and synthesis."""

from fixaccel.hwmap.model import Hwmap, Record
from fixaccel.image.model import Image


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
    stride = record.stride_bytes
    values = (int.from_bytes(data[at : at + stride], "little") for at in range(0, len(data), stride))
    return "".join(f"{value:0{digits}x}\n" for value in values).encode("ascii")
