# SPDX-License-Identifier: Apache-2.0
"""Foreign decoders of FAST beside ours: a campaign over generated templates, messages and damaged streams.

    PYTHONPATH=tests/fast python tests/fast/foreign.py --program PROGRAM --cases 1000 --seed 1

PROGRAM is one of tests/oracles, built. Each known departure of it from the standard is a rule below; what is left over
is a difference to look at, and exit code 1.
"""

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable

from fast_support import templates
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from strategies import files, message_lists

from fixaccel.fast.decoder import Datagram, Decoder
from fixaccel.fast.encoder import Encoder
from fixaccel.fast.errors import EncodingError, Fault
from fixaccel.fast.messages import Content, Fields, Message
from fixaccel.fast.model import Group, Item, Kind, Operator, Repeated, Scaled, Templates, scalars

Pairs = list[object]


def pairs(message: Message) -> Pairs:
    """A message as the programs write it."""
    return [["id", message.template.id], *_pairs(message.template.items, message.fields)]


def _pairs(items: Iterable[Item], fields: Fields) -> Pairs:
    return [_pair(item, fields[item.label]) for item in items if item.label in fields]


def _pair(item: Item, content: Content) -> Pairs:
    name = item.label.partition("#")[0]
    match item, content:
        case _, Message():
            return ["templateRef", pairs(content)]
        case Group(), dict():
            return [name, _pairs(item.items, content)]
        case Repeated(), list():
            return [name, [_pairs(item.items, element) for element in content]]
        case _, Scaled():
            return [name, [content.exponent, content.mantissa]]
        case _, bytes():
            return [name, content.hex()]
        case _:
            return [name, content]


class Program:
    """A foreign decoder that is running."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, text: str, data: bytes) -> dict[str, object]:
        """What it says of one datagram."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"templates": text, "data": data.hex()}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert isinstance(answer, dict)
        return answer

    def close(self) -> None:
        """Ends it."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(timeout=10)


def departure(text: str, found: Templates, ours: Datagram, theirs: dict[str, object], data: bytes) -> str | None:
    """The known departure that explains a difference, None where there is none known."""
    said = str(theirs.get("error", "")).lower()
    fields = [field for template in found.all for field in scalars(template.items)]
    defaults = [field for field in fields if field.operator is Operator.DEFAULT]
    rules = {
        "our own bounds": bool(ours.error and ours.error.fault in {Fault.U2, Fault.U3, Fault.U5}),
        "`default` of an exponent without a value is refused": any(
            field.initial is None and field.kind is Kind.INT32 for field in defaults
        ) and "initial value" in said,
        "`default` of a whole decimal loses its value": any(field.kind is Kind.DECIMAL for field in defaults),
        "zeros in front of a string are misread": b"\x00\x80" in data or b"\x00\x00" in data,
    }  # fmt: skip
    return next((name for name, holds in rules.items() if holds), None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5)
    arguments = parser.parse_args()
    program = Program([arguments.program])
    counts: Counter[str] = Counter()
    shown: list[str] = []

    @seed(arguments.seed)
    @settings(
        max_examples=arguments.cases,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(files(dictionaries_around=False), st.data())
    def run(text: str, data: st.DataObject) -> None:
        found = templates(text)
        messages = data.draw(message_lists(found))
        chance = random.Random(data.draw(st.integers(0, 1 << 32)))
        damaged = data.draw(st.booleans())
        try:
            stream = bytearray(Encoder(needless=lambda: chance.random() < 0.2).datagram(messages))
        except EncodingError:
            return
        for _ in range(chance.randint(1, 3) if damaged and stream else 0):
            stream[chance.randrange(len(stream))] = chance.randrange(256)
        ours = Decoder(found).datagram(bytes(stream))
        theirs = program.ask(text, bytes(stream))
        if ours.error is None:
            same = theirs.get("messages") == [pairs(message) for message in ours.messages]
        else:
            same = "error" in theirs
        if same:
            counts["same error" if ours.error else "same messages"] += 1
            return
        why = departure(text, found, ours, theirs, bytes(stream))
        counts[why or "DIFFERENT"] += 1
        if why is None and len(shown) < arguments.show:
            mine = str(ours.error) if ours.error else json.dumps([pairs(message) for message in ours.messages])
            shown.append(f"{text}\n  data   {stream.hex(' ')}\n  ours   {mine}\n  theirs {json.dumps(theirs)}")

    run()
    program.close()
    for text in shown:
        print(text)
    for name, count in counts.most_common():
        print(f"{count:8,} {name}")
    return 1 if counts["DIFFERENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
