# SPDX-License-Identifier: Apache-2.0
"""Whole files around the smallest wrong inputs of the table of diagnostics, and what the compiler says of them."""

import json
import tempfile
from io import BytesIO
from pathlib import Path
from zoneinfo import ZoneInfo

import click
import pyarrow as pa
import pyarrow.parquet as pq

from fixaccel.bus.site_file import read_site
from fixaccel.cli.together import check_together
from fixaccel.diagnostics import Code
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.render import render
from fixaccel.diagnostics.report import Report
from fixaccel.events.file import load_events
from fixaccel.events.part_book import PartBook
from fixaccel.events.unmatched import unmatched_warnings
from fixaccel.fast.program.assembler import load_program_text
from fixaccel.fast.program.interest import Interest, everything
from fixaccel.fast.program.load import load_program
from fixaccel.fast.program.program import Limits
from fixaccel.hwmap import load_hwmap
from fixaccel.image.image import ImageError
from fixaccel.image.pack.pack import build_image
from fixaccel.order_list.load import Wish, import_orders
from fixaccel.pipeline import load_board, load_strategy
from fixaccel.simulate.convert import FORMATS, Input
from fixaccel.simulate.engines import RulesEngine
from fixaccel.testing.load import Strategies, load_suite
from fixaccel.tune.bind import bind
from fixaccel.tune.host import Tree
from fixaccel.tune.plan_file import read_plan

EXPECTED = Path(__file__).parent / "expected"

VENUE = {
    "fixaccel-venue": "fixaccel-venue: 1\n",
    "name": "name: simulator\n",
    "time_zone": "time_zone: UTC\n",
    "session": "session: {begin_string: FIX.4.4, sender_comp_id: CLIENT1, target_comp_id: SIMULATOR, "
    "connect: 10.77.0.1:9878, heartbeat: 30s}\n",
    "market_data": "market_data: {message: snapshot}\n",
    "instruments": "instruments:\n"
    "  MSFT: {tick: 0.01, lot: 1, price_range: 0.01..10000}\n"
    '  "7203": {tick: {0: 0.1, 1000: 0.5, 5000: 1}, lot: 100, price_range: 0.1..100000}\n',
}
BOARD = {
    "fixaccel-board": "fixaccel-board: 1\n",
    "name": "name: pynq-z1\n",
    "part": "part: xc7z020clg400-1\n",
    "clock": "clock: 125MHz\n",
    "interface": "interface: wire\n",
    "bytes_per_beat": "bytes_per_beat: 1\n",
    "capacity": "capacity: {instruments: 1024, triggers: 16384, intervals: 4096, orders: 4096, templates: 64, "
    "groups: 1024}\n",
}
HEAD = "fixaccel: 1\nvenue: simulator.yaml\nrules:\n"
ORDER = "{side: sell, qty: 2, type: limit, price: trigger}"
STOP = f"  - {{id: stop, instrument: INSTRUMENT, when: last <= 50, order: {ORDER}}}\n"


def write(code: Code, folder: Path) -> None:
    """Writes strategy.yaml, simulator.yaml, board.yaml, events.csv and strategy.test.yaml, one of them wrong."""
    kind = code.example.kind
    content = code.example.data() if code.example.data else code.example.text.encode()
    files = {
        "strategy.yaml": (HEAD + STOP.replace("INSTRUMENT", "MSFT")).encode(),
        "simulator.yaml": "".join(VENUE.values()).encode(),
        "board.yaml": "".join(BOARD.values()).encode(),
    }
    if kind in {"strategy", "desk"}:
        files["strategy.yaml"] = content
    elif kind == "rule":
        files["strategy.yaml"] = (HEAD + indent(content.decode())).encode()
    elif kind == "instrument":
        lines = content.decode().splitlines(keepends=True)
        files["simulator.yaml"] += "".join("  " + line for line in lines).encode()
        symbols = ", ".join(line.partition(":")[0] for line in lines)
        files["strategy.yaml"] = (HEAD + STOP.replace("INSTRUMENT", f"[MSFT, {symbols}]")).encode()
    elif kind in {"venue", "board"}:
        text = content.decode()
        blocks = {"venue": VENUE, "board": BOARD}[kind] | {text.partition(":")[0]: text}
        files[{"venue": "simulator.yaml", "board": "board.yaml"}[kind]] = "".join(blocks.values()).encode()
    elif kind == "test":
        files["strategy.test.yaml"] = content
    elif kind == "parquet":
        files["events.parquet"] = parquet(content)
    elif kind == "orders":
        files["orders.csv"] = content
    elif kind == "fast":
        files["templates.xml"] = content
    elif kind == "program":
        files["program.txt"] = content
    elif kind == "tune":
        files["plan.yaml"] = content
    elif kind == "bus":
        files["bus.yaml"] = content
    elif kind == "prints":
        files["prints.csv"] = content
    else:
        assert kind == "events", kind
        files["events.csv"] = content
    files |= {name: more.encode() if isinstance(more, str) else more() for name, more in code.example.files}
    for name, data in files.items():
        (folder / name).write_bytes(data)


def bus_site(path: Path) -> Checked:
    """What is said of a site of the bus."""
    report, sources = Report(), {}
    read_site(path, report, sources)
    return Checked(report.sorted(), sources, report.dropped)


def tuning_plan(path: Path) -> Checked:
    """What is said of a plan on a machine with four cores, the last of which is a sibling of the one before it."""
    report, sources = Report(), {}
    with tempfile.TemporaryDirectory() as folder:
        for place, text in _MACHINE.items():
            file = Path(folder) / place
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        plan = read_plan(path, report, sources)
        online = Path(folder) / "sys/devices/system/cpu/online"
        if "low-latency" in path.read_text():
            online.write_text("0-1\n")
        if plan is not None:
            bind(plan, Tree(Path(folder)), None, report)
    return Checked(report.sorted(), sources, report.dropped)


_MACHINE = {
    "sys/devices/system/cpu/online": "0-3\n",
    "sys/devices/system/cpu/cpu1/topology/thread_siblings_list": "1,3\n",
    "sys/devices/system/cpu/cpu3/topology/thread_siblings_list": "1,3\n",
    "sys/class/net/eth0/type": "1\n",
    "sys/class/net/veth0/type": "1\n",
    "proc/net/route": "Iface Destination\neth0 00000000 010200C0 0003 0 0 0 00000000 0 0 0\n",
    "proc/sys/kernel/sched_rt_runtime_us": "950000\n",
    "run/irqbalance/irqbalance77.sock": "",
}


def parquet(content: bytes) -> bytes:
    """The columns of a JSON object as a file; anything else as it is."""
    if not content.startswith(b"{"):
        return content
    file = BytesIO()
    pq.write_table(pa.table(json.loads(content)), file)
    return file.getvalue()


def indent(text: str) -> str:
    """Rules as entries of a list: as they are if they have dashes, else one entry."""
    lines = text.splitlines(keepends=True)
    if text.startswith("- "):
        return "".join("  " + line for line in lines)
    return "".join(("  - " if number == 0 else "    ") + line for number, line in enumerate(lines))


def check(folder: Path) -> Checked:
    """All that the compiler finds in the files that `write` wrote. The working folder is ``folder``."""
    loaded, board = load_strategy(Path("strategy.yaml")), load_board(Path("board.yaml"))
    if (folder / "second.yaml").exists():
        return check_together([loaded, load_strategy(Path("second.yaml"))], Path("board.yaml"))[0]
    found = Checked.merge([loaded, board])
    if loaded.strategy and board.board:
        try:
            build_image(loaded.strategy, board.board, load_hwmap())
        except ImageError as error:
            found = found.plus(error.diagnostics)
    for name in ("events.csv", "events.parquet"):
        if (folder / name).exists():
            parts = PartBook(loaded.strategy) if loaded.strategy else None
            events = load_events(Path(name), ["MSFT", "7203"], parts)
            found = Checked.merge([found, events])
            if loaded.strategy and not events.failed:
                engine = RulesEngine(loaded.strategy)
                engine.run(events.messages, lambda _: None)
                found = found.plus(unmatched_warnings(Path(name), engine.unmatched))
    if (folder / "prints.csv").exists():
        source = Input(Path("prints.csv"), "MSFT", ZoneInfo("UTC"))
        list(FORMATS["prints"].read(source))
        found = Checked.merge([found, source.checked()])
    if (folder / "orders.csv").exists():
        found = Checked.merge([found, import_orders(Path("orders.csv"), Path("simulator.yaml"), None, Wish())])
    if (folder / "templates.xml").exists() and "templates.xml" not in found.sources:
        found = Checked.merge([found, load_program(Path("templates.xml"), Interest(tagged=everything), Limits())])
    if (folder / "plan.yaml").exists():
        found = Checked.merge([found, tuning_plan(Path("plan.yaml"))])
    if (folder / "bus.yaml").exists():
        found = Checked.merge([found, bus_site(Path("bus.yaml"))])
    if (folder / "program.txt").exists():
        found = Checked.merge([found, load_program_text(Path("program.txt"))])
    if (folder / "strategy.test.yaml").exists():
        found = Checked.merge([found, load_suite(Path("strategy.test.yaml"), Strategies())])
    return found


def rendering(found: Checked) -> str:
    """As it is pinned: without colour."""
    lines = click.unstyle(render(found.diagnostics, found.sources, "full", found.dropped)).split("\n")
    if len(lines) > 60:
        lines = [*lines[:20], f"[{len(lines) - 40} more lines]", *lines[-20:]]
    return "\n".join(lines) + "\n"
