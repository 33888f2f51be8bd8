# SPDX-License-Identifier: Apache-2.0
"""A venue that says what no venue should. A program for the exchange's namespace: hostile_venue.py FOLDER PORT

It logs the client on and answers subscriptions with a quiet market. When `FOLDER/send` appears it plays its lines:

    good MSGTYPE FIELDS    a good message with the venue's next MsgSeqNum; fields end with `|` for SOH
    bytes HEX              bytes into the session, which take no MsgSeqNum
    frame HEX              an Ethernet frame onto the wire
    reset                  a Logon with ResetSeqNumFlag=Y, number 1; the client's answer to it needs none

What the client sends goes to standard output, a line a message.
"""

import re
import socket
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

_POLL_S = 0.02
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

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._number = 0
        self._buffer = b""
        self._resets = 0
        connection.settimeout(_POLL_S)

    def send(self, kind: str, fields: str) -> None:
        """A good message with the next number."""
        self._number += 1
        self.write(message(header(kind, self._number) + fields))

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

    def write(self, data: bytes) -> None:
        self._connection.sendall(data)

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
            session.send("5", "")


def play(session: Session, script: Path) -> None:
    """Plays the lines of ``script``, with a breath between them."""
    raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    raw.bind(("ex0", 0))
    for line in script.read_text(encoding="ascii").splitlines():
        what, _, text = line.partition(" ")
        match what:
            case "frame":
                raw.send(bytes.fromhex(text))
            case "reset":
                session.reset()
            case "bytes":
                session.write(bytes.fromhex(text))
            case "good":
                kind, _, fields = text.partition(" ")
                session.send(kind, fields)
            case _:
                raise ValueError(line)
        time.sleep(_POLL_S)
    script.unlink()


def main() -> None:
    """Serves one client after the other until it is ended."""
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    with socket.create_server(("", port)) as server:
        print("listening on", port, flush=True)
        while True:
            connection, _ = server.accept()
            session = Session(connection)
            try:
                while True:
                    for text in session.messages():
                        print(text, flush=True)
                        answer(session, text)
                    if (folder / "send").exists():
                        play(session, folder / "send")
            except ConnectionError as error:
                print(error, flush=True)


if __name__ == "__main__":
    main()
