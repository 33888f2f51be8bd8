# SPDX-License-Identifier: Apache-2.0
"""Foreign decoders of FAST beside ours: a campaign over generated templates, messages and damaged streams.

    PYTHONPATH=tests/fast python tests/fast/foreign.py --build --cases 1000 --seed 1

They are those of tests/oracles: `fastlib` (needs cargo) and `openfast` (needs a JDK and Maven). What cannot be built is
told as "not run". Each known departure of one from the standard is a rule in `departures`; what is left over is a
difference to look at, and exit code 1.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable

from departures import Difference, departure, differing
from fast_support import templates
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from oracles import ORACLES, NotHereError, Program
from strategies import files, message_lists

from fixaccel.fast.decoder import Decoder
from fixaccel.fast.encoder import Encoder
from fixaccel.fast.errors import EncodingError
from fixaccel.fast.messages import Content, Fields, Message
from fixaccel.fast.model import Group, Item, Repeated, Scaled

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


class Comparison:
    """One oracle beside our reference decoder."""

    def __init__(self, name: str, command: list[str], most_shown: int) -> None:
        self.name, self._most = name, most_shown
        self._program = Program(command)
        self.counts: Counter[str] = Counter()
        self.shown: list[str] = []

    def one(self, text: str, data: st.DataObject) -> None:
        """Templates, messages and perhaps damage that Hypothesis draws."""
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
        ours, theirs = Decoder(found).datagram(bytes(stream)), self._program.ask(text, bytes(stream))
        mine = [pairs(message) for message in ours.messages]
        same = theirs.get("messages") == mine if ours.error is None else "error" in theirs
        if same:
            self.counts["same error" if ours.error else "same messages"] += 1
            return
        said = theirs.get("messages")
        differ = differing(mine, said) if isinstance(said, list) and ours.error is None else frozenset()
        why = departure(self.name, Difference(found, ours, differ, str(theirs.get("error", "")), bytes(stream)))
        self.counts[why or "DIFFERENT"] += 1
        if why is None and len(self.shown) < self._most:
            shown = str(ours.error) if ours.error else json.dumps(mine)
            self.shown.append(f"{text}\n  data   {stream.hex(' ')}\n  ours   {shown}\n  theirs {json.dumps(theirs)}")

    def close(self) -> None:
        """Ends the program."""
        self._program.close()


def campaign(comparison: Comparison, cases: int, first: int) -> None:
    """So many cases."""

    @seed(first)
    @settings(
        max_examples=cases,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(files(dictionaries_around=False), st.data())
    def run(text: str, data: st.DataObject) -> None:
        comparison.one(text, data)

    run()


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("oracle", nargs="*", help=f"of {', '.join(ORACLES)} [all]")
    parser.add_argument("--build", action="store_true", help="build them before")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5)
    arguments = parser.parse_args()
    different, missing = 0, list[str]()
    for name in arguments.oracle or ORACLES:
        try:
            command = ORACLES[name].made(build=arguments.build)
        except NotHereError as error:
            missing.append(f"{name}: not run, {error}")
            continue
        comparison = Comparison(name, command, arguments.show)
        campaign(comparison, arguments.cases, arguments.seed)
        comparison.close()
        for text in comparison.shown:
            print(text)
        for what, count in comparison.counts.most_common():
            print(f"{name}: {count:8,} {what}")
        different += comparison.counts["DIFFERENT"]
    ran = len(arguments.oracle or ORACLES) - len(missing)
    # One line: of a round that went well `make soak` shows the last.
    print("; ".join([f"{ran} foreign decoders, {different} differences left over", *missing]))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
