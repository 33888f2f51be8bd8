# SPDX-License-Identifier: Apache-2.0
"""The hardware map: loading, its faults, packing, freshness of the generated views."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixaccel.data import data_path
from fixaccel.hwmap import WINDOWS, HwmapError, Record, load_hwmap, load_window
from fixaccel.hwmap.generate import VIEWS, stale, views, write

HWMAP = load_hwmap()
SOURCE = data_path("rtl/hwmap/fixaccel.yaml").read_text(encoding="utf-8")


def _edited(tmp_path: Path, old: str, new: str) -> Path:
    assert old in SOURCE
    path = tmp_path / "map.yaml"
    path.write_text(SOURCE.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{name: last, bits: 20", "{name: end, bits: 20", "end: a keyword of SystemVerilog"),
        ("{name: last, bits: 20", "{name: template, bits: 20", "template: a keyword of C++"),
        ("{name: last, bits: 20", "{name: lambda, bits: 20", "lambda: a keyword of Python"),
        ("{name: last, bits: 20", "{name: first, bits: 20", "chain.first: declared twice"),
        ("{name: last, bits: 20", "{name: Tail, bits: 20", "Tail: not a lower-case identifier"),
        ("{name: remote_port, bits: 16", "{name: remote_port, bits: 17", "flow_ports: fields take more than 32 bits"),
        ("base: 0x400000", "base: 0x240000", "displacement: window at 0x240000 overlaps"),
        ("base: 0x400000", "base: 0x400001", "displacement: base 0x400001 is not a multiple of its stride"),
        ("base: 0x8000000", "base: 0x8000004", "beyond the 28-bit address space"),
        ("depth: 2 * instruments", "depth: 2 ** instruments", "is not a product"),
        ("{name: magic, access: ro", "{name: magic, access: maybe", "magic: access maybe"),
    ],
)
def test_faults_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(HwmapError) as raised:
        load_hwmap(_edited(tmp_path, old, new))
    assert message in str(raised.value)


def test_all_faults_in_one_run(tmp_path: Path) -> None:
    path = _edited(tmp_path, "{name: last, bits: 20", "{name: end, bits: 20")
    path.write_text(path.read_text(encoding="utf-8").replace("{name: magic, access: ro", "{name: magic, access: x"))
    with pytest.raises(HwmapError) as raised:
        load_hwmap(path)
    assert len(str(raised.value).splitlines()) == 2


@st.composite
def _records(draw: st.DrawFn) -> tuple[Record, dict[str, int]]:
    record = draw(st.sampled_from(list(HWMAP.records.values())))
    return record, {f.name: draw(st.integers(f.low, f.high)) for f in record.fields}


@given(_records())
def test_unpack_undoes_pack(case: tuple[Record, dict[str, int]]) -> None:
    record, values = case
    assert record.unpack(record.pack(values)) == values


@given(_records(), st.data())
def test_a_value_that_does_not_fit_is_refused(case: tuple[Record, dict[str, int]], data: st.DataObject) -> None:
    record, values = case
    name = data.draw(st.sampled_from(sorted(values)))
    with pytest.raises(OverflowError, match=name):
        record.pack(values | {name: record.field(name).high + 1})


def test_unknown_field_is_refused() -> None:
    with pytest.raises(KeyError, match="no field colour"):
        HWMAP.records["chain"].pack({"colour": 1})


def test_depth_follows_the_capacity_and_the_window() -> None:
    assert HWMAP.depth("chain", {"instruments": 8}) == 64
    with pytest.raises(ValueError, match="window has room for"):
        HWMAP.depth("chain", {"instruments": 100_000})


def test_committed_views_are_fresh() -> None:
    root = Path(__file__).resolve().parents[2]
    assert stale(HWMAP, root) == []


@pytest.mark.parametrize("name", WINDOWS)
def test_committed_views_of_the_ethernet_controllers_path_are_fresh(name: str, tmp_path: Path) -> None:
    hwmap = load_window(name)
    assert stale(hwmap, Path(__file__).resolve().parents[2]) == []
    assert set(write(hwmap, tmp_path)) == set(views(hwmap).values())


def test_somebody_elses_registers_have_holes(tmp_path: Path) -> None:
    gem = load_window("zynq_gem")
    assert gem.registers["module_id"].address == 0xFC
    assert gem.registers["net_ctrl"].fields[-1].lsb == 10
    assert gem.records["transmit_descriptor"].pack({"used": 1})[7] == 0x80
    text = data_path("rtl/hwmap/zynq_gem.yaml").read_text(encoding="utf-8")
    path = tmp_path / "map.yaml"
    path.write_text(text.replace("at: 0x0FC", "at: 0x008").replace("{name: start_tx, at: 9", "{name: start_tx, at: 5"))
    with pytest.raises(HwmapError) as raised:
        load_hwmap(path)
    assert "net_ctrl.start_tx: bit 5 belongs to the field before it" in str(raised.value)
    assert "module_id: address 0x8 is not beyond the register before it" in str(raised.value)


def test_a_changed_map_makes_views_stale(tmp_path: Path) -> None:
    assert len(write(HWMAP, tmp_path)) == len(VIEWS)
    changed = load_hwmap(_edited(tmp_path, "{name: last, bits: 20", "{name: tail, bits: 19"))
    assert set(stale(changed, tmp_path)) == set(VIEWS.values())
