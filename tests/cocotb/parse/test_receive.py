# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest
from runner import core_sources, simulate

pytestmark = pytest.mark.rtl
HERE = Path(__file__).resolve().parent
RECEIVE = [source for source in core_sources() if source.parent.name in {"gen", "common", "parse", "match"}]


@pytest.mark.parametrize(
    "bench",
    [
        "tb_stream",
        "tb_kernel",
        "tb_resync",
        "tb_busy",
        "tb_messages",
        "tb_entries",
        "tb_matching",
        "tb_links",
        "tb_rearms",
        "tb_again",
        "tb_windows",
        "tb_known",
        "tb_decide",
        "tb_confirm",
        "tb_latency",
    ],
)
def test_receive(bench):
    simulate(
        "receive_harness",
        bench,
        here=__file__,
        sources=[*RECEIVE, HERE / "receive_harness.sv"],
        parameters={"INSTRUMENTS": 16, "TRIGGERS": 256},
    )


def test_burst():
    simulate(
        "receive_harness",
        "tb_burst",
        here=__file__,
        sources=[*RECEIVE, HERE / "receive_harness.sv"],
        parameters={"INSTRUMENTS": 16, "TRIGGERS": 4096, "PARKED": 128},
    )


def test_updates():
    simulate(
        "receive_harness",
        "tb_updates",
        here=__file__,
        sources=[*RECEIVE, HERE / "receive_harness.sv"],
        parameters={"INSTRUMENTS": 32, "TRIGGERS": 256},
    )


def test_price():
    simulate("price_harness", "tb_price", here=__file__, sources=[*RECEIVE, HERE / "price_harness.sv"])
