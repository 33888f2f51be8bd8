# SPDX-License-Identifier: Apache-2.0
"""The other end of a link, written apart from the RTL: frames, channels, incarnations as the specification has them."""

import random
import zlib
from collections import deque
from dataclasses import dataclass, field

from fixaccel.hwmap.load import load_window

LINK = load_window("link")
CONST = {name: constant.value for name, constant in LINK.constants.items()}
HEADER, HEAD, HELLO = (LINK.records[name] for name in ("link_header", "record_head", "hello_state"))
FIRES, PRICES, HOST, NOTHING = (CONST[f"channel_{name}"] for name in ("fires", "prices", "host", "none"))
SAYS_HELLO = CONST["channel_hello"]
CHANNELS = (FIRES, PRICES, HOST)
ACKS = {FIRES: "ack_fires", PRICES: "ack_prices", HOST: "ack_host"}
MODULUS = 1 << 16
LEAST = 60


def network(record, values: dict[str, int]) -> bytes:
    """A record as it goes over the wire."""
    return record.pack(values)[: -(-record.bits // 8)][::-1]


def read(record, data: bytes) -> dict[str, int]:
    """The fields of one."""
    return record.unpack(data[::-1].ljust(record.stride_bytes, b"\0"))


def with_fcs(body: bytes) -> bytes:
    return body + zlib.crc32(body).to_bytes(4, "little")


def is_good(frame: bytes) -> bool:
    return len(frame) >= 64 and zlib.crc32(frame[:-4]).to_bytes(4, "little") == frame[-4:]


def record(words: int, fill: random.Random, record_type: int = 7) -> list[int]:
    """A record of so many words, with anything in it."""
    first = HEAD.field("record_type").encode(record_type) | HEAD.field("words").encode(words)
    return [first | fill.getrandbits(48), *(fill.getrandbits(64) for _ in range(words - 1))]


@dataclass
class Sender:
    """What waits for its acknowledgement: frames by number, all of it as words."""

    frames: deque[list[int]] = field(default_factory=deque)  # not sent yet
    under_way: dict[int, list[int]] = field(default_factory=dict)
    base: int = 0
    next: int = 0
    limit: int = 2

    def heard(self, ack: int, free: int) -> None:
        """Numbers are whole here; what is told is modulo 2^16, so it is taken as what is next to `base`."""
        ack = self.base + (ack - self.base + MODULUS // 2) % MODULUS - MODULUS // 2
        if self.base < ack <= self.next:
            for number in range(self.base, ack):
                del self.under_way[number]
            self.base = ack
        self.limit = max(self.limit, ack + free)

    @property
    def idle(self) -> bool:
        return not self.frames and not self.under_way


@dataclass
class Receiver:
    """What came: words in order. ``stalled``: nothing is consumed."""

    ack: int = 0
    held: list[int] | None = None
    waiting: deque[list[int]] = field(default_factory=deque)
    words: list[int] = field(default_factory=list)
    stalled: bool = False
    refused: int = 0

    def frame(self, number: int, words: list[int]) -> None:
        """The frame ``number`` modulo 2^16."""
        if number == self.ack % MODULUS and len(self.waiting) < 2:
            self.waiting.append(words)
            self.ack += 1
            if self.held is not None:
                self.waiting.append(self.held)
                self.ack, self.held = self.ack + 1, None
        elif number == (self.ack + 1) % MODULUS and self.held is None and not self.waiting:
            self.held = words
        else:
            self.refused += 1
        self.consume()

    def consume(self) -> None:
        while self.waiting and not self.stalled:
            self.words += self.waiting.popleft()

    @property
    def free(self) -> int:
        return 2 - len(self.waiting)


class FarEnd:
    """One end. ``heard`` takes a frame, and what is to be sent because of it is in ``out``, in order."""

    def __init__(self, mac: int, other_mac: int, incarnation: int, hello: dict[str, int]) -> None:
        self.mac, self.other_mac, self.hello = mac, other_mac, hello
        self.out: deque[bytes] = deque()
        self.log: list[dict[str, int]] = []  # headers of all that were good
        self.bad = self.answers = 0
        self.start(incarnation)

    def start(self, incarnation: int) -> None:
        """As it comes up: it knows nobody."""
        self.own, self.known, self.answered = incarnation, 0, 0
        self._anew()

    def _anew(self) -> None:
        self.up = False
        self.senders = {channel: Sender() for channel in CHANNELS}
        self.receivers = {channel: Receiver() for channel in CHANNELS}

    # ---- Frames

    def frame(self, channel: int, words: list[int], seq: int = 0, **changed: int) -> bytes:
        """One with what is told now; ``changed`` fields of the header are as they say."""
        receivers = self.receivers
        values = {
            "version": CONST["version"], "channel": channel, "length": 8 * len(words), "sender": self.own,
            "receiver": (channel == SAYS_HELLO and self.answered) or self.known, "seq": seq % MODULUS,
            "answer": int(not self.up),
            **{ACKS[c]: receivers[c].ack % MODULUS for c in CHANNELS},
            "free": sum(receivers[c].free << 2 * (c - 1) for c in CHANNELS),
            "missing": sum((receivers[c].held is not None) << c - 1 for c in CHANNELS),
        } | changed  # fmt: skip
        body = self.other_mac.to_bytes(6, "big") + self.mac.to_bytes(6, "big") + CONST["ether_type"].to_bytes(2, "big")
        body += network(HEADER, values) + b"".join(word.to_bytes(8, "big") for word in words)
        return with_fcs(body.ljust(LEAST, b"\0"))

    def say_hello(self) -> None:
        first = HEAD.field("record_type").encode(CONST["type_hello"]) | HEAD.field("words").encode(6)
        state = network(HELLO, self.hello)
        words = [first, *(int.from_bytes(state[at : at + 8], "big") for at in range(0, 40, 8))]
        self.out.append(self.frame(SAYS_HELLO, words))
        self.answered = 0

    def heard(self, frame: bytes) -> None:
        """A frame from the wire."""
        if not is_good(frame) or int.from_bytes(frame[:6], "big") != self.mac:
            self.bad += 1
            return
        said = read(HEADER, frame[14:40])
        words = [int.from_bytes(frame[at : at + 8], "big") for at in range(40, 40 + said["length"], 8)]
        assert len(frame) >= 44 + said["length"]
        assert said["version"] == CONST["version"]
        self.log.append(said)
        if said["receiver"] != self.own:
            self.answered = said["sender"]
            self.say_hello()
            return
        later = (said["sender"] - self.known) % MODULUS
        if later and self.known and later >= MODULUS // 2:
            return
        if later:
            self.known = said["sender"]
            self._anew()
            self.say_hello()
        if said["channel"] == SAYS_HELLO:
            state = read(HELLO, frame[48:88])
            self.up = state["hwmap_hash"] == self.hello["hwmap_hash"]
        if said["answer"]:
            self.say_hello()
        # What a hello says of channels may be of another pair of lives.
        if not self.up or said["channel"] == SAYS_HELLO:
            return
        for channel in CHANNELS:
            sender, missing = self.senders[channel], said["missing"] >> (channel - 1) & 1
            sender.heard(said[ACKS[channel]], said["free"] >> 2 * (channel - 1) & 3)
            if missing and said[ACKS[channel]] == sender.base % MODULUS and sender.under_way:
                self.send_again(channel)
        if said["channel"] in CHANNELS:
            self.receivers[said["channel"]].frame(said["seq"], words)
            self.answers += 1
            self.out.append(self.frame(NOTHING, []))
        self.send()

    def send(self) -> None:
        """Sends what there is room for."""
        for channel, sender in self.senders.items():
            while self.up and sender.frames and sender.next < sender.limit and sender.next - sender.base < 2:
                words = sender.under_way[sender.next] = sender.frames.popleft()
                self.out.append(self.frame(channel, words, sender.next))
                sender.next += 1

    def send_again(self, channel: int) -> None:
        """The oldest frame of the channel, if one is under way."""
        sender = self.senders[channel]
        if sender.under_way:
            self.out.append(self.frame(channel, sender.under_way[sender.base], sender.base))
