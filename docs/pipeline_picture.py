# SPDX-License-Identifier: Apache-2.0
"""Draws the fabric's pipeline: which module lies where on a byte's way. Every module has its place."""

from collections.abc import Mapping
from pathlib import Path

from rtl_sources import sources
from svg import LINE, Picture

# Stage -> its modules.
_STAGES = {
    "Frame and TCP": "frame_check frame_headers ones_sum tcp_order segment_judge resync_point rollback_delay",
    "FIX": "fix_parser fix_framing fix_fields value_digest session_check message_bank frame_counts",
    "Instrument, price": "symbol_key instrument_lookup price_text exact_divide market_data entry_table "
    "entry_update message_end observations",
    "Queue": "message_queue known_values collar_distance bank_flip",
    "Match": "matcher chain_heads live_bits links rearms interval_search parked_messages",
    "Gate": "gate limits order_bucket quantity_left resting_orders",
    "Order": "order_path order_control order_tables order_builder order_text order_sums base36 payload_fetch",
    "Egress": "arbiter",
    "Path of the CPU": "cpu_path rx_gate header_walk cpu_ingress cpu_guard cpu_sender lease",
    "Host": "host_side axil_slave registers counters arming table_lock utc_clock windows event_ring flow_state "
    "market_flow",
}
# What is around stages, what stages are made of, and what watches them.
_AROUND = {"fixaccel_core", "fixaccel_gem", "receive"}
_ELSEWHERE = {"common", "gem", "feed", "link", "proofs"}

_WIDE, _BETWEEN, _LEFT = 178, 22, 20
_TOP, _SECOND = 50, 270
_ROWS = {"Frame and TCP": 0, "FIX": 1, "Instrument, price": 2, "Queue": 3, "Match": 4}
_BACK = {"Path of the CPU": 1, "Egress": 2, "Order": 3, "Gate": 4}


def stages(rtl: Path) -> Mapping[str, tuple[str, ...]]:
    """Modules by stage. Raises ValueError if one of the fabric's modules is in none of them, or in two."""
    placed = [name for names in _STAGES.values() for name in names.split()]
    there = {
        source.name
        for source in sources(rtl)
        if not source.is_package and source.folder not in _ELSEWHERE and not source.name.endswith("_properties")
    }
    if wrong := {name for name in placed if placed.count(name) > 1} | (set(placed) | _AROUND) ^ there:
        raise ValueError(f"the picture of the pipeline and rtl differ in {', '.join(sorted(wrong))}")
    return {stage: tuple(names.split()) for stage, names in _STAGES.items()}


def picture(rtl: Path) -> str:
    """The picture as SVG. Raises ValueError as `stages` does."""
    modules = stages(rtl)
    places = {stage: (_across(column), _TOP) for stage, column in _ROWS.items()}
    places |= {stage: (_across(column), _SECOND) for stage, column in _BACK.items()}
    host = _SECOND + 220
    drawn = Picture("From a frame of the exchange to an order", _across(5) - _BETWEEN + _LEFT, host + 74)
    drawn.text(_LEFT, 26, "from the exchange, a byte a cycle")
    drawn.arrow((_LEFT + 60, 32), (_LEFT + 60, _TOP - 2))
    for stage, (x, y) in places.items():
        kind = "hot" if stage in ("Match", "Gate", "Order") else "box"
        drawn.box(kind, x, y, _WIDE, _high(modules[stage]), stage, modules[stage])
    for first, second in zip(list(_ROWS)[:-1], list(_ROWS)[1:], strict=True):
        (x, y), (to, _) = places[first], places[second]
        drawn.arrow((x + _WIDE, y + 60), (to - 2, y + 60))
    (match, _), (gate, _), (order, _), (egress, _), (cpu, _) = (
        places[stage] for stage in ("Match", "Gate", "Order", "Egress", "Path of the CPU")
    )
    drawn.arrow((match + 60, _TOP + _high(modules["Match"])), (match + 60, _SECOND - 2))
    drawn.text(match + 68, _SECOND - 30, "a hit")
    drawn.arrow((gate, _SECOND + 50), (order + _WIDE + 2, _SECOND + 50))
    drawn.arrow((order, _SECOND + 50), (egress + _WIDE + 2, _SECOND + 50))
    drawn.arrow((cpu + _WIDE, _SECOND + 50), (egress - 2, _SECOND + 50))
    drawn.arrow((egress + 60, _SECOND + _high(modules["Egress"])), (egress + 60, _SECOND + 110))
    drawn.text(egress + 10, _SECOND + 126, "to the exchange: orders first")
    frames = places["Frame and TCP"][0] + 60
    drawn.arrow((frames, _TOP + _high(modules["Frame and TCP"])), (frames, _SECOND + 70), (cpu - 2, _SECOND + 70))
    drawn.text(_LEFT, _SECOND + 90, "every frame goes on")
    drawn.arrow((_LEFT + 80, _SECOND + 130), (cpu - 2, _SECOND + 130))
    drawn.arrow((cpu - 2, _SECOND + 140), (_LEFT + 80, _SECOND + 140))
    drawn.text(_LEFT, _SECOND + 139, "CPU")
    drawn.rect("box", _LEFT, host, _across(5) - _BETWEEN - _LEFT, 54)
    drawn.text(_LEFT + 10, host + 20, "Host: registers, tables and records over AXI", small=False)
    drawn.text(_LEFT + 10, host + 40, ", ".join(modules["Host"]))
    return drawn.svg()


def _across(column: int) -> int:
    return _LEFT + column * (_WIDE + _BETWEEN)


def _high(lines: tuple[str, ...]) -> int:
    return 36 + LINE * len(lines)
