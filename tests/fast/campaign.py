# SPDX-License-Identifier: Apache-2.0
"""Reference decoder, program interpreters and fabric over generated templates, messages and damaged streams.

    PYTHONPATH=tests/fast python tests/fast/campaign.py --messages 100000 --seed 1

Each datagram is decoded by the reference, by the interpreter in Python, by the one in C++ and by the Verilated decoder
of the fabric, there with and without gaps between its bytes: values, counts, code, byte, template and field must be
equal. Exit code 1, with the case, at the first difference.
"""

import argparse
import random
import sys
from collections import Counter
from contextlib import suppress

from fast_support import templates
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from program_support import program_of, run, said, told
from strategies import files, message_lists

from fixaccel.fast.decoder import Decoder
from fixaccel.fast.encoder import Encoder
from fixaccel.fast.model import Item, Reference, Templates
from fixaccel.fast.program.interpreter import Outcome, What
from fixaccel.fast.program.native import Fabric, Native, NativeError
from fixaccel.fast.program.program import Program

_LISTS = 12  # of messages, for each file of templates
_DAMAGED = 4  # variants of each datagram


class _EnoughError(Exception):
    """The campaign has done what it was asked for."""


class Campaign:
    """Counts what was compared."""

    def __init__(self, most: int, start: int) -> None:
        self._most = most
        self.counts: Counter[str] = Counter()
        self.others = {"C++": Native(), "fabric": Fabric(gaps=start)}

    def case(self, text: str, data: st.DataObject) -> None:
        """One file of templates."""
        found = templates(text)
        whole, part = program_of(found), program_of(found, _some)
        chance = random.Random(data.draw(st.integers(0, 1 << 32)))
        streams = []
        for _ in range(_LISTS):
            messages = data.draw(message_lists(found))
            stream = Encoder(needless=lambda: chance.random() < 0.2).datagram(messages)
            self.counts["messages"] += len(messages)
            streams += [stream, *(_damaged(stream, chance) for _ in range(_DAMAGED))]
        # One program behind the other: to load one takes longer than to decode a datagram.
        for one in streams:
            self._compare(found, whole, one, text)
        for one in streams:
            self._both(part, one, text)
        self.counts["files"] += 1
        if self.counts["messages"] >= self._most:
            raise _EnoughError

    def _compare(self, found: Templates, program: Program, stream: bytes, text: str) -> None:
        reference = Decoder(found).datagram(stream)
        outcome = self._both(program, stream, text)
        if said(told(found, program, outcome)) != said(reference):
            raise AssertionError(f"{text}\n{stream.hex(' ')}\nreference {reference}\nprogram   {outcome}")
        self.counts[f"fault {reference.error.fault.name}" if reference.error else "sound datagrams"] += 1

    def _both(self, program: Program, stream: bytes, text: str) -> Outcome:
        outcome = run(program, stream)
        for name, other in self.others.items():
            if (its := other.datagram(program, stream)) != outcome:
                raise AssertionError(f"{text}\n{stream.hex(' ')}\nPython {outcome}\n{name}: {its}")
        self.counts["values"] += sum(event.what is What.VALUE for event in outcome.events)
        return outcome


def _some(item: Item) -> bool:
    return not isinstance(item, Reference) and item.id in {"1", "3", "6", "10"}


def _damaged(stream: bytes, chance: random.Random) -> bytes:
    made = bytearray(stream)
    for _ in range(chance.randint(1, 3) if made else 0):
        made[chance.randrange(len(made))] = chance.choice([0x00, 0x80, 0xFF, 0x7F, chance.randrange(256)])
    return bytes(made[: chance.randint(0, len(made))] if chance.random() < 0.2 else made)


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        campaign = Campaign(arguments.messages, arguments.seed)
    except NativeError as error:
        print(f"not run: {error}")
        return 2

    @seed(arguments.seed)
    @settings(
        max_examples=10**9, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(files(), st.data())
    def work(text: str, data: st.DataObject) -> None:
        campaign.case(text, data)

    with suppress(_EnoughError):
        work()
    for other in campaign.others.values():
        other.close()
    for name, count in sorted(campaign.counts.items()):
        print(f"{count:10,} {name}")
    total = campaign.counts
    print(f"{total['messages']:,} messages of {total['files']:,} files agree on reference, Python, C++ and fabric")
    return 0


if __name__ == "__main__":
    sys.exit(main())
