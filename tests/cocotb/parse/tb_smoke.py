# SPDX-License-Identifier: Apache-2.0
"""One message, one fire: the cycle in which it stands."""

import cocotb
from rx_bench import RxBench
from rx_model import ASK, BID, GE, LAST, LE, Instrument, Model, Rule, Tables, snapshot


@cocotb.test
async def one_fire(dut):
    tables = Tables([Instrument("ES"), Instrument("NQ")], [Rule(0, LAST, LE, 118000), Rule(1, BID, GE, 5), Rule(0, ASK, GE, 9)])
    bench = await RxBench.start(dut, tables)
    messages = [snapshot("ES", [("2", "1180.01")]), snapshot("ES", [("2", "1180.00")]), snapshot("ES", [("2", "1170.00")])]
    for message in messages:
        bench.send(message)
    await bench.settle()
    bench.expect(Model(tables), messages)
    [taken] = bench.hits
    assert taken.seen - taken.frame_end_cycle == 1
    assert taken.message_end_cycle == taken.frame_end_cycle - 4
