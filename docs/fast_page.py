# SPDX-License-Identifier: Apache-2.0
"""Makes the reference of FAST from the code: what can be wrong in a stream, and what is bounded."""

from fixaccel.fast.errors import Fault
from fixaccel.fast.model import REFERENCES
from fixaccel.fast.previous import KEPT_BYTES
from fixaccel.fast.reader import INSTRUCTIONS, NESTING
from fixaccel.fast.transfer import ENTITY_BYTES

_HEAD = """# FAST

Feeds in FAST 1.1 (FIX Adapted for STreaming, version 1.x.1 of 2006) as [`fixaccel fast`](../howto/fast.md) reads them.
Faults of templates are [diagnostics](diagnostics.md), FX1101 and on; this page is about streams.

## Faults of a stream

A datagram counts whole or not at all: a fatal fault takes back all its messages. The others are counted, and decoding
goes on with what stands there. Codes with D and R are the standard's, those with U our own.

| code | what is wrong | |
| --- | --- | --- |
"""
_TAIL = f"""
## What is fixed here

Where the standard leaves room, or implementations differ:

- Previous values, and the template identifier with them, are forgotten at each datagram, or at each message with
  `--reset message`. A template with `reset` of the session control protocol forgets them too; the identifier that asked
  for it stays.
- In a static reference the dictionary `template` is that of the template which is referred to, as the standard says.
  Not all implementations do that, so relying on it is a warning ([FX1108](diagnostics/FX1108.md)).
- A null that is longer than it need be is a null, and counted as R6.
- A decimal's exponent is from -63 to 63, whatever operator made it; R1 is fatal, and so is R4.
- Groups without an operator on their fields have no presence map, and nor have elements of sequences. A group that is
  absent leaves all previous values alone.
- An optional decimal with operators for its parts: without an exponent the mantissa takes no byte and no bit.

## Bounds

| of what | at most |
| --- | --- |
| bytes of an integer, or of a presence map | {ENTITY_BYTES} |
| bytes of a string that is a previous value | {KEPT_BYTES} |
| groups and sequences in each other | {NESTING} |
| dynamic references in each other | {REFERENCES} |
| instructions of a file, references replaced by what they name | {INSTRUCTIONS:,} |
"""


def page() -> str:
    """The page as MyST Markdown."""
    rows = [f"| {fault.name} | {fault.value} | {'fatal' if fault.fatal else 'counted'} |" for fault in Fault]
    return _HEAD + "\n".join(rows) + "\n" + _TAIL
