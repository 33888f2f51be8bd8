# SPDX-License-Identifier: Apache-2.0
"""Bundles, pinned: the same files give the same bytes, wherever and whenever they are compiled.

After a wanted change: FIXACCEL_UPDATE_GOLDEN=1 pytest tests/golden, then read the difference.
"""

import json
import os
import shutil
import subprocess
import textwrap
from hashlib import sha256
from itertools import groupby
from pathlib import Path

import pytest

from fixaccel.data import data_path
from fixaccel.emit.bundle import write_bundle
from fixaccel.emit.rule_report import order_entry
from fixaccel.emit.rules import BundleRules
from fixaccel.events.columns import from_messages
from fixaccel.hwmap import load_hwmap
from fixaccel.image.layout import MEMORIES
from fixaccel.image.pack.pack import build_image
from fixaccel.image.software import safetensors
from fixaccel.image.software.table import read_software_table
from fixaccel.image.unpack.unpack import unpack
from fixaccel.language.forms import price_text
from fixaccel.language.placements import Placement
from fixaccel.language.terms import Source
from fixaccel.native.interpreter import TableInterpreter
from fixaccel.pipeline import load_board, load_strategy
from fixaccel.semantics.messages import Kind, Message

BUNDLES = Path(__file__).parent / "bundles"
CASES = sorted(path.parent.name for path in BUNDLES.glob("*/strategy.yaml"))
HWMAP = load_hwmap()


def compile_to(out, root=BUNDLES, case="stops"):
    loaded, target = load_strategy(root / case / "strategy.yaml"), load_board(root / "board.yaml")
    assert loaded.strategy is not None
    assert target.board is not None
    image = build_image(loaded.strategy, target.board, HWMAP)
    write_bundle(image, loaded.strategy, target.board, out, loaded.diagnostics)
    return out


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def wrapped(text):
    """Short records side by side, runs of equal ones counted."""
    runs = [(line, len(list(equal))) for line, equal in groupby(text.split())]
    words = [line if count == 1 else f"{line}*{count}" for line, count in runs]
    return "\n".join(textwrap.wrap(" ".join(words), 120)) + "\n"


def as_text(files):
    """The whole bundle in one text. Binary images are there by their hash in the manifest."""
    blocks = []
    for name, data in files.items():
        if name.endswith(".safetensors"):
            columns, metadata = safetensors.load(data)
            rows = {column: values.tolist() for column, values in columns.items()}
            blocks.append(
                "".join([f"=== {name}\n", *(f"{line}: {value}\n" for line, value in (metadata | rows).items())])
            )
        elif not name.endswith(".bin"):
            text = data.decode()
            if name == "manifest.json":
                # These change with every release and every new register; what follows from them is shown.
                body = json.loads(text) | {"fixaccel": "VERSION", "hwmap": "HASH"}
                text = json.dumps(body, indent=1) + "\n"
            if name.endswith(".mem"):
                text = wrapped(text)
            blocks.append(f"=== {name}\n{text}")
    return "".join(blocks)


@pytest.mark.parametrize("case", CASES)
def test_bundle_is_the_pinned_one(case, tmp_path):
    text = as_text(contents(compile_to(tmp_path / "out", case=case)))
    pinned = BUNDLES / case / "bundle.txt"
    if os.environ.get("FIXACCEL_UPDATE_GOLDEN"):
        pinned.write_text(text, encoding="utf-8")
    assert text == pinned.read_text(encoding="utf-8")


def test_same_bytes_from_another_folder(tmp_path, monkeypatch):
    first = contents(compile_to(tmp_path / "a" / "out"))
    shutil.copytree(BUNDLES, tmp_path / "elsewhere" / "deep")
    monkeypatch.chdir(tmp_path)
    second = contents(compile_to(Path("b"), root=Path("elsewhere/deep")))
    assert first == second


def test_an_older_bundle_is_replaced(tmp_path):
    fresh = contents(compile_to(tmp_path / "a", case="bare"))
    compile_to(tmp_path / "b", case="stops")
    assert contents(compile_to(tmp_path / "b", case="bare")) == fresh


def test_nothing_in_it_names_this_machine(tmp_path):
    for name, data in contents(compile_to(tmp_path / "out")).items():
        assert str(tmp_path).encode() not in data, name
        assert str(BUNDLES).encode() not in data, name


def test_manifest_names_every_file(tmp_path):
    files = contents(compile_to(tmp_path / "out"))
    manifest = json.loads(files.pop("manifest.json"))
    listed = {name: entry["sha256"] for name, entry in manifest["files"].items()}
    assert listed == {name: sha256(data).hexdigest() for name, data in files.items()}
    assert all(entry["bytes"] == len(files[name]) for name, entry in manifest["files"].items())
    for name, entry in manifest["memories"].items():
        assert len(files[entry["file"]]) == entry["records"] * HWMAP.memories[name].record.stride_bytes
    source = (BUNDLES / "stops" / "strategy.yaml").read_bytes()
    assert sha256(source).hexdigest() in manifest["inputs"].values()


def test_text_and_binary_images_are_the_same(tmp_path):
    files = contents(compile_to(tmp_path / "out"))
    for name in MEMORIES:
        stride = HWMAP.memories[name].record.stride_bytes
        values = [int(line, 16) for line in files[f"image/{name}.mem"].split()]
        assert b"".join(value.to_bytes(stride, "little") for value in values) == files[f"image/{name}.bin"]


def test_a_bundle_on_disk_runs(tmp_path):
    files = contents(compile_to(tmp_path / "out"))
    memories = {name: files[f"image/{name}.bin"] for name in MEMORIES}
    manifest = json.loads(files["manifest.json"])
    rules = BundleRules(manifest, files.__getitem__)
    software = read_software_table(files[manifest["software"]["file"]])
    columns = software.join(unpack(manifest, memories, rules.columns["hash"], HWMAP, software))
    message = Message(1, 0, "MSFT", Kind.SNAPSHOT, {Source.LAST: "1174.99"}, {})
    fires = TableInterpreter(columns).run(from_messages([message], ["MSFT"]))
    assert [(rules[part].id, price) for part, price in zip(fires.part, fires.price.tolist(), strict=True)] == [
        ("low", 117_990),
        ("lower", 110_000),
    ]


@pytest.mark.parametrize("case", CASES)
def test_rules_read_back_are_those_of_the_strategy(case, tmp_path):
    out = compile_to(tmp_path, case=case)
    strategy = load_strategy(BUNDLES / case / "strategy.yaml").strategy
    manifest = json.loads((out / "manifest.json").read_text())
    found = list(BundleRules(manifest, lambda name: (out / name).read_bytes()))
    assert [rule.id for rule in found] == [rule.id for rule in strategy.rules]
    for seen, rule in zip(found, strategy.rules, strict=True):
        assert (seen.instrument, seen.source) == (rule.instrument.symbol, rule.source.value)
        if seen.form == "threshold":
            threshold = price_text(rule.condition.threshold, rule.source, rule.instrument)
            assert (seen.direction, seen.threshold) == (rule.condition.direction.value, threshold)
        assert seen.order == (None if seen.form == "decide" else without_ticks(order_entry(rule.order, rule)))
        assert (seen.trigger >= 0) == (strategy.placed(rule.index) is Placement.FABRIC)


def without_ticks(order):
    """A limit price that follows a trail stands in the software table."""
    return {key: value for key, value in order.items() if not str(value).startswith("trigger")}


def test_a_note_is_no_part_of_the_meaning(tmp_path):
    shutil.copytree(BUNDLES, tmp_path / "copy")
    path = tmp_path / "copy" / "stops" / "strategy.yaml"
    path.write_text(path.read_text().replace("breakout | a note", "other words").replace("qty: 3", "qty: 4"))

    def hashes(folder):
        manifest = json.loads((folder / "manifest.json").read_text())
        return {rule.id: rule.hash for rule in BundleRules(manifest, lambda name: (folder / name).read_bytes())}

    before = hashes(compile_to(tmp_path / "a"))
    after = hashes(compile_to(tmp_path / "b", root=tmp_path / "copy"))
    assert {name for name in before if before[name] != after[name]} == {"lower"}


def test_report_shows_the_worst_case(tmp_path):
    report = json.loads((compile_to(tmp_path / "out") / "report.json").read_text())
    exposure = {(row["instrument"], row["side"]): row for row in report["worst_case"]["entries"]}
    sell = exposure["MSFT", "sell"]
    # 2 x 1179.90 + 3 x 1100
    assert (sell["orders"], sell["qty"], sell["limit_notional"], sell["market_orders"]) == (2, 5, "5659.8", 0)
    oil = exposure["CLZ6", "sell"]
    assert oil["limit_notional"] == "1350"  # 1 x abs(-1.35) x 1000
    assert exposure["MSFT", "buy"]["market_notional_at_threshold"] == "6000"


STUBS = """
foreach command {read_xdc synth_design write_checkpoint opt_design place_design phys_opt_design route_design
                 report_utilization report_timing_summary} {
  proc $command args [list puts -nonewline "$command "]
}
proc read_verilog {option file} { if {![file isfile $file]} { error "no $file" }; puts "source $file" }
set argv [list RTL OUT]
set argc 2
"""


def test_build_script_reads_every_source(tmp_path):
    """Vivado is not here; its commands are stood in for, the script and the file list are real."""
    script = compile_to(tmp_path / "bundle") / "design" / "build.tcl"
    rtl = data_path("rtl")
    stubs = STUBS.replace("RTL", str(rtl)).replace("OUT", str(tmp_path / "out"))
    run = subprocess.run(["tclsh"], input=f"{stubs}\nsource {script}\n", capture_output=True, text=True, check=False)
    assert run.stderr == ""
    read = [line.split()[1] for line in run.stdout.splitlines() if line.startswith("source")]
    # Properties are for simulations only, proofs for `make prove`.
    sources = {str(path) for path in rtl.rglob("*.sv") if not path.stem.endswith("_properties")}
    sources -= {str(path) for path in (rtl / "proofs").glob("*.sv")}
    # A board whose wire is the processing system's controller has more; no script is made for it yet.
    gem = (rtl / "files_gem.f").read_text(encoding="utf-8").splitlines()
    # Nor for one that receives a feed, or is linked to another.
    feed, link = ((rtl / name).read_text(encoding="utf-8").splitlines() for name in ("files_feed.f", "files_link.f"))
    sources -= {str(rtl / line) for line in (*gem, *feed, *link) if line.endswith(".sv")}
    assert {name for name in read if not name.endswith("_properties.sv")} == sources
    assert "route_design report_utilization report_timing_summary write_checkpoint" in run.stdout
