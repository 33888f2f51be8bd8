# SPDX-License-Identifier: Apache-2.0
"""Makes what README and first page show in figures: a picture of a byte's way, and a table beside what others have.

Ours come from the cycle table that a test holds, the board file, and what `bench/run.py --publish` has written. Theirs
stand below as published, with what they are of. `python docs/front_page.py` writes both into the checkout; a test looks
whether they are what it would write.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import yaml
from svg import Picture

from fixaccel.language.terms import Board
from fixaccel.latency.cycles import latency_of, nanoseconds, shapes
from fixaccel.pipeline import load_board

ROOT = Path(__file__).resolve().parents[1]
PICTURE = Path("docs/_static/path.svg")
README = Path("README.md")
BEGIN, END = "<!-- figures: docs/front_page.py -->\n", "<!-- end of figures -->\n"

# What each figure of ours is of, and what others have published, which is of their own.
_ROWS = {
    "an order of the fabric": (
        """last byte of the message's frame to the first byte of the order, by how near to its end the price stands;
        {slowest} cycles where the symbol comes last: cycles of the RTL in simulation, at the board file's {mhz} MHz""",
        """640 ns mean, 780 ns at most, from buffer to buffer at 50 MHz on a Zynq board (Kobayashi and Tanaka 2018, the
        design that this one began with); 176 ns, end of packet to end of packet, 10 Gbit/s (Argon Design
        2013); 389 ns, start of packet to start of packet, 10 Gbit/s (Exegy nxAccess)""",
    ),
    "triggers on one board": ("loaded while armed, without synthesis", "16,384 (Exegy nxAccess)"),
    "an order of the runtime": (
        """segment with the price on the client's interface to the segment with the order, no FPGA, at 50 orders a
        second, a daemon that never rests, its journal in memory; with that on disk {durable:.0f} us""",
        """684 us in software on a PC, seen at the server (Kobayashi and Tanaka 2018); 27 us mean inside a futures
        desk's system, both directions together, without a journal""",
    ),
    "kill switch": ("command to the board's registers, virtual board", ""),
    "one price of 16,384 changed": (
        "command to the first message that the new table judges, no FPGA, armed all the while",
        "",
    ),
}
_SAID = """\
Cycles are simulation, not silicon: the RTL under Verilator, the same that is synthesised. Open place and route of the
whole core reaches {reached} MHz on another FPGA family; nobody has run it on a board yet. What is in us and ms was
measured on two cores of a shared virtual machine: expect better of your own. What others have published is of other
hardware and other definitions, so read the definitions before the figures.
"""
_BELOW = (
    "Every frame goes on to the CPU, and the CPU's frames to the exchange. What the fabric has sent is",
    "given to kernel, FIX store and journal before anything else leaves: they go on as if they had sent it.",
    "Cycles of the RTL in simulation, at the clock of the board file.",
)


def _figures(root: Path, name: str) -> dict[str, dict[str, Any]]:
    content = json.loads((root / "docs" / "figures" / f"bench-{name}.json").read_text(encoding="utf-8"))
    return {figure["name"].strip(): figure for figure in content["figures"]}


def _at_a_desks_rate(path: dict[str, dict[str, Any]], place: str) -> dict[str, Any]:
    """Of a daemon that never rests, from wire to wire: its name has the rate that was reached, the slower one first."""
    return next(
        figure
        for name, figure in path.items()
        if name.startswith(f"{place}, never rests, ") and name.endswith(" orders/s")
    )


def _by_shape() -> list[int]:
    """Cycles to an order by the shape of a snapshot, rising.

    Behind another message, with its price well ahead, with that at its end, with its symbol at its end.
    """
    return sorted(shapes(latency_of("snapshot", unlimited_orders=True)).values())


def reached(root: Path) -> int:
    """MHz that open place and route holds the whole core to, on another family."""
    ratchet = yaml.safe_load((root / "scripts" / "synth" / "ratchet.yaml").read_text(encoding="utf-8"))
    goal = yaml.safe_load((root / "scripts" / "synth" / "goal.yaml").read_text(encoding="utf-8"))
    return int(ratchet["modules"].get("fixaccel_core", goal)["fmax"])


def table(root: Path, board: Board) -> str:
    """A row for each figure: here, of what, and what others have."""
    _, quickest, usual, slowest = _by_shape()
    least, most = (nanoseconds(cycles, board.clock_hz) for cycles in (quickest, usual))
    path, kill, loads = (_figures(root, name) for name in ("path", "kill", "loads"))
    quick, durable = (_at_a_desks_rate(path, place) for place in ("tmpfs", "disk"))
    load = loads["16,384 rules, no board, memory: effect"]["median"]
    here = {
        "an order of the fabric": f"**{quickest} to {usual} cycles, {least} to {most} ns**",
        "triggers on one board": f"{board.capacity['triggers']:,}",
        "an order of the runtime": f"**{quick['median']:.0f} us**, p99 {quick['p99']:.0f} us",
        "kill switch": f"{kill['armed, nothing else']['median']:.2g} ms",
        "one price of 16,384 changed": f"{load:.2g} ms",
    }
    lines = ["| | here | what it is of | published by others |\n", "| --- | --- | --- | --- |\n"]
    for name, (what, others) in _ROWS.items():
        of = " ".join(what.format(slowest=slowest, mhz=board.clock_hz // 10**6, durable=durable["median"]).split())
        lines.append(f"| {name} | {here[name]} | {of} | {' '.join(others.split())} |\n")
    return "".join(lines)


def block(root: Path, board: Board) -> str:
    """The table, and what it is not."""
    return f"{table(root, board)}\n{_SAID.format(reached=reached(root))}"


def picture(board: Board) -> str:
    """The way of a byte from the exchange to the order, with cycles on it, as SVG."""
    _, quickest, usual, _ = _by_shape()
    drawn = Picture("From a price to an order: the fabric in the wire", 940, 330)
    drawn.box("box", 20, 60, 150, 90, "Exchange", ["market data,", "orders, reports"])
    drawn.rect("box", 230, 30, 480, 190)
    drawn.text(240, 50, "FPGA, in the wire", small=False)
    drawn.box("hot", 250, 66, 130, 74, "FIX parser", ["a byte a cycle,", "as it arrives"])
    drawn.box("hot", 410, 66, 130, 74, "Triggers", [f"{board.capacity['triggers']:,}, compared", "while it ends"])
    drawn.box("hot", 570, 66, 120, 74, "Order", ["patched, checked,", "sent"])
    drawn.text(250, 172, f"{quickest} to {usual} cycles from the frame's last byte to the order's first")
    drawn.text(250, 192, "limits, kill switch, lease and watchdog judge every order on its way")
    drawn.box("box", 770, 60, 150, 90, "Linux", ["kernel TCP,", "fixacceld, QuickFIX"])
    drawn.arrow((172, 92), (248, 92))
    drawn.arrow((382, 103), (408, 103))
    drawn.arrow((542, 103), (568, 103))
    drawn.arrow((680, 142), (680, 206), (95, 206), (95, 152))
    drawn.text(240, 240, "the order: same TCP connection, same FIX session, next MsgSeqNum")
    drawn.arrow((712, 92), (768, 92))
    drawn.arrow((768, 122), (712, 122))
    for number, line in enumerate(_BELOW):
        drawn.text(20, 270 + 20 * number, line)
    return drawn.svg()


def _board() -> Board:
    board = load_board().board
    if board is None:
        raise ValueError("the default board file has errors")
    return board


def pages(root: Path) -> dict[str, str]:
    """The part with the figures, for the first page."""
    return {"front.md": block(root, _board())}


def files(root: Path) -> dict[Path, str]:
    """README and picture as they should be. Raises ValueError if README has no place for the table."""
    board = _board()
    text = (root / README).read_text(encoding="utf-8")
    place = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    if len(place.findall(text)) != 1:
        raise ValueError(f"{README} is to have `{BEGIN.strip()}` and `{END.strip()}` once")
    readme = place.sub(lambda _: f"{BEGIN}\n{block(root, board)}\n{END}", text)
    return {README: readme, PICTURE: picture(board)}


if __name__ == "__main__":
    for name, content in files(ROOT).items():
        (ROOT / name).write_text(content, encoding="utf-8")
        sys.stdout.write(f"{name}\n")
