# SPDX-License-Identifier: Apache-2.0
"""A venue that says what no venue should. A program for the exchange's namespace: hostile_venue.py FOLDER PORT [OPTION]

It logs the client on and answers subscriptions with a quiet market. With the option `keep` its numbers go on over
connections. With `anew` it leaves a client, whose end it may not have heard, for one that comes. With `narrow` its
kernel takes a few orders only before they are read, which they are not while it plays.
When `FOLDER/send` appears it plays its lines:

    good MSGTYPE FIELDS    a good message with the venue's next MsgSeqNum; fields end with `|` for SOH
    bytes HEX              bytes into the session, which take no MsgSeqNum
    frame HEX              an Ethernet frame onto the wire
    many COUNT MSGTYPE FIELDS    so many of these at once, `{}` in the fields is which one
    volley SECONDS DEPTH   TestRequests for so long, so many of which wait for their answers at any time
    fin, rst               the connection ends, in one of two ways
    logout                 a Logout, and none when the client answers it
    number N               MsgSeqNum of its next message
    breath SECONDS         behind each line from now on, instead of a short one
    together               the messages and bytes behind it are one write, at the end of the lines
    reset                  a Logon with ResetSeqNumFlag=Y, number 1; the client's answer to it needs none

What the client sends goes to standard output, a line a message.
"""

import re
import select
import socket
import struct
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

_POLL_S = 0.02
_AT_ONCE = 50
_PATIENCE_S = 30.0  # of a client that is busy
_NARROW = 2048  # bytes; the kernel doubles it, and calls half of that its window
_QUIET = {"MSFT": "1185", "ESZ6": "6810", "7203": "3000", "CLZ6": "1"}


def message(fields: str) -> bytes:
    """A FIX message around ``fields``, which are written with `|` for SOH, MsgType first."""
    body = fields.replace("|", "\x01").encode()
    text = b"8=FIX.4.4\x019=%d\x01" % len(body) + body
    return text + b"10=%03d\x01" % (sum(text) % 256)


def header(kind: str, number: int) -> str:
    """MsgType, MsgSeqNum, CompIDs and SendingTime of the venue."""
    now = datetime.now(UTC).strftime("%Y%m%d-%H:%M:%S.%f")[:-3]
    return f"35={kind}|34={number}|49=SIMULATOR|52={now}|56=CLIENT1|"


def snapshot(symbol: str, last: str) -> str:
    """Body of a full snapshot with one trade."""
    return f"55={symbol}|268=1|269=2|270={last}|271=10|"


class Session:
    """The venue's side of one connection."""

    def __init__(self, connection: socket.socket, number: int = 0) -> None:
        self._connection = connection
        self._number = number
        self._logged_out = False
        self._buffer = b""
        self._held: bytes | None = None
        self._resets = 0
        connection.settimeout(_POLL_S)

    def send(self, kind: str, fields: str) -> None:
        """A good message with the next number."""
        self._number += 1
        self.write(message(header(kind, self._number) + fields))

    @property
    def number(self) -> int:
        """MsgSeqNum of the last message."""
        return self._number

    def go_on_with(self, number: int) -> None:
        """The next message has that MsgSeqNum."""
        self._number = number - 1

    def many(self, count: int, kind: str, fields: str) -> None:
        """So many good messages, and what comes back meanwhile."""
        for first in range(0, count, _AT_ONCE):
            lines = []
            for which in range(first, min(count, first + _AT_ONCE)):
                self._number += 1
                lines.append(message(header(kind, self._number) + fields.replace("{}", str(which))))
            self.write(b"".join(lines))
            for text in self.messages():
                print(text, flush=True)

    def volley(self, seconds: float, depth: int) -> None:
        """TestRequests as fast as they are answered, and the last answers. Raises ConnectionError."""
        sent = answered = 0
        end = time.monotonic() + seconds
        patience = end + _PATIENCE_S
        while answered < sent or time.monotonic() < end:
            while sent < answered + depth and time.monotonic() < end:
                self.send("1", f"112=V{sent}|")
                sent += 1
            for text in self.messages():
                print(text, flush=True)
                answered += "|35=0|" in text and "|112=V" in text
            if time.monotonic() > patience:
                raise ConnectionError("no answers to a volley")

    def hang_up(self, how: str) -> None:
        """Ends the connection. Raises ConnectionError."""
        if how == "rst":
            self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._connection.close()
        raise ConnectionAbortedError(how)

    def log_out(self) -> None:
        """The first Logout, or the answer to one; none to an answer."""
        if not self._logged_out:
            self.send("5", "")
        self._logged_out = True

    def reset(self) -> None:
        """Begins both sides' numbers anew."""
        self._number = 0
        self._resets += 1
        self.send("A", "98=0|108=2|141=Y|")

    def answers_reset(self, text: str) -> bool:
        """Whether ``text`` is the client's answer to a reset."""
        if "|35=A|" not in text or not self._resets:
            return False
        self._resets -= 1
        return True

    def hold(self) -> None:
        """What is written from now on waits for `release`."""
        self._held = b""

    def release(self) -> None:
        """Writes what was held, at once."""
        held, self._held = self._held, None
        if held:
            self.write(held)

    def write(self, data: bytes) -> None:
        if self._held is not None:
            self._held += data
            return
        self._connection.settimeout(_PATIENCE_S)
        self._connection.sendall(data)
        self._connection.settimeout(_POLL_S)

    def messages(self) -> list[str]:
        """What has arrived, whole messages only. Raises ConnectionError at the end."""
        try:
            data = self._connection.recv(65536)
        except TimeoutError:
            data = None
        if data == b"":
            raise ConnectionError("the client has closed the connection")
        self._buffer += data or b""
        found = re.findall(rb"8=FIX.*?\x0110=\d{3}\x01", self._buffer, re.DOTALL)
        self._buffer = self._buffer[sum(map(len, found)) :]
        return [text.decode("latin-1").replace("\x01", "|") for text in found]


def answer(session: Session, text: str) -> None:
    """The few answers that a session needs."""
    if session.answers_reset(text):
        return
    kind = re.search(r"\|35=([^|]+)", text)
    heartbeat = re.search(r"\|108=([^|]+)", text)
    test = re.search(r"\|112=([^|]+)", text)
    match kind.group(1) if kind else "":
        case "A":
            session.send("A", f"98=0|108={heartbeat.group(1) if heartbeat else 30}|")
        case "1":
            session.send("0", f"112={test.group(1) if test else ''}|")
        case "V":
            for symbol in re.findall(r"\|55=([^|]+)", text):
                session.send("W", snapshot(symbol, _QUIET[symbol]))
        case "5":
            session.log_out()


def play(session: Session, script: Path) -> None:
    """Plays the lines of ``script``, with a breath between them."""
    breath = _POLL_S
    raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    raw.bind(("ex0", 0))
    lines = script.read_text(encoding="ascii").splitlines()
    if lines[-1] in ("fin", "rst"):
        script.unlink()
    for line in lines:
        what, _, text = line.partition(" ")
        match what:
            case "frame":
                raw.send(bytes.fromhex(text))
            case "breath":
                breath = float(text)
            case "together":
                session.hold()
            case "reset":
                session.reset()
            case "many":
                count, kind, fields = text.split(" ", 2)
                session.many(int(count), kind, fields)
            case "volley":
                seconds, depth = text.split()
                session.volley(float(seconds), int(depth))
            case "logout":
                session.log_out()
            case "number":
                session.go_on_with(int(text))
            case "fin" | "rst":
                session.hang_up(what)
            case "bytes":
                session.write(bytes.fromhex(text))
            case "good":
                kind, _, fields = text.partition(" ")
                session.send(kind, fields)
            case _:
                raise ValueError(line)
        time.sleep(breath)
    session.release()
    script.unlink()


def main() -> None:
    """Serves one client after the other until it is ended."""
    folder, port, options = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    number = 0
    with socket.create_server(("", port)) as server:
        if "narrow" in options:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _NARROW)
        print("listening on", port, flush=True)
        while True:
            connection, _ = server.accept()
            session = Session(connection, number)
            try:
                while True:
                    if "anew" in options and select.select([server], [], [], 0)[0]:
                        raise ConnectionError("the client has come again")
                    for text in session.messages():
                        print(text, flush=True)
                        answer(session, text)
                    if (folder / "send").exists():
                        play(session, folder / "send")
            except ConnectionError as error:
                print(error, flush=True)
            number = session.number if "keep" in options else 0


if __name__ == "__main__":
    main()
