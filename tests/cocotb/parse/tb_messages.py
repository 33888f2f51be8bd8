# SPDX-License-Identifier: Apache-2.0
"""FIX messages: which prices are bid, ask and last, what is skipped, what is dropped, what loses the stream."""

import random
import string

import cocotb
from frames import SOH, fix
from rx_bench import RxBench, seed
from rx_model import ASK, BID, GE, LAST, LE, Instrument, Model, Rule, Tables, snapshot

ES, NQ = Instrument("ES"), Instrument("LONGSYMBOL12")
# Each price 1..99 units fires the rules up to it, so a hit's observed price tells which entry was taken.
CATCH_ALL = Tables(
    [ES, NQ],
    [Rule(index, source, GE, level) for index in (0, 1) for source in (BID, ASK, LAST) for level in range(1, 41)],
)


def raw(body: bytes, begin: bytes = b"FIX.4.4", length: bytes | None = None) -> bytes:
    """A message around ``body`` as it is, with a right CheckSum."""
    text = b"8=%s\x019=%s\x01%s" % (begin, b"%d" % len(body) if length is None else length, body)
    return text + b"10=%03d\x01" % (sum(text) % 256)


def snap(entries: bytes, head: bytes = b"", symbol: bytes = b"ES") -> bytes:
    return raw(b"35=W|".replace(b"|", SOH) + (head + b"55=" + symbol + b"|" + entries).replace(b"|", SOH))


async def observed(dut, messages: list[bytes], tables: Tables = CATCH_ALL) -> list[dict[int, int]]:
    """Sends the messages, each to a fresh fabric; the observed price by source of each."""
    found = []
    for message in messages:
        bench = await RxBench.start(dut, tables)
        bench.send(message)
        await bench.settle(700)
        prices: dict[int, set[int]] = {}
        for taken in bench.hits:
            prices.setdefault(taken.hit.source, set()).add(taken.hit.observed)
        assert all(len(values) == 1 for values in prices.values())
        found.append({source: values.pop() for source, values in prices.items()})
        bench.stop()
    return found


@cocotb.test
async def which_entry_counts(dut):
    cases = {
        b"269=0|270=0.11|": {BID: 11},
        b"269=1|270=0.12|": {ASK: 12},
        b"269=2|270=0.13|": {LAST: 13},
        b"269=2|270=0.13|269=1|270=0.12|269=0|270=0.11|": {BID: 11, ASK: 12, LAST: 13},
        # The first of a side, the last trade.
        b"269=0|270=0.11|269=0|270=0.12|269=1|270=0.13|269=1|270=0.14|269=2|270=0.15|269=2|270=0.16|": {
            BID: 11, ASK: 13, LAST: 16,
        },
        # 290=1 wins wherever it stands; the first of several wins; trades have no position.
        b"269=0|270=0.11|290=2|269=0|270=0.12|290=1|269=0|270=0.13|290=3|": {BID: 12},
        b"269=1|290=2|270=0.11|269=1|290=1|270=0.12|": {ASK: 12},
        b"269=1|270=0.11|290=2|269=1|270=0.12|271=5|290=0001|271=1|": {ASK: 12},
        b"269=0|270=0.11|290=1|269=0|270=0.12|290=1|": {BID: 11},
        b"269=0|270=0.11|290=2|269=0|270=0.12|290=11|269=0|270=0.13|290=21|": {BID: 11},
        b"269=2|270=0.11|290=1|269=2|270=0.12|290=2|": {LAST: 12},
        # A bid's position says nothing about the ask.
        b"269=0|270=0.11|290=1|269=1|270=0.21|290=7|269=1|270=0.22|290=1|": {BID: 11, ASK: 22},
        # Other types, also with prices and positions.
        b"269=4|270=0.31|290=1|269=A|270=0.32|269=00|270=0.33|269=|270=0.34|269=0|270=0.11|": {BID: 11},
        # An entry that counts but has no price leaves its field unknown.
        b"269=0|271=5|269=0|270=0.12|": {},
        b"269=0|270=0.11|290=2|269=0|290=1|271=4|": {},
        b"269=2|270=0.11|269=2|271=3|": {},
        # A price outside entries is nobody's.
        b"270=0.11|268=0|": {},
        # Tags whose digits contain those that count.
        b"269=0|270=0.11|2700=0.12|1270=0.13|27=0.14|70=0.15|100270=0.16|290=2|1290=1|12900=1|": {BID: 11},
    }  # fmt: skip
    found = await observed(dut, [snap(entries) for entries in cases])
    assert dict(zip(cases, found, strict=True)) == cases


@cocotb.test
async def which_messages_count(dut):
    price = b"269=0|270=0.11|"
    cases = {
        snap(price): {BID: 11},
        snap(price, symbol=b"LONGSYMBOL12"): {BID: 11},
        snap(price, symbol=b"LONGSYMBOL123"): {},
        snap(price, symbol=b"LONGSYMBOL1"): {},
        snap(price, symbol=b"E"): {},
        snap(price, symbol=b""): {},
        snap(price, symbol=b"XX"): {},
        snap(price, symbol=b"SE"): {},
        snap(price, head=b"49=X|56=Y|34=7|52=20250314-12:00:00|"): {BID: 11},
        snap(price, head=b"43=N|"): {BID: 11},
        snap(price, head=b"43=Y|"): {},
        snap(price, head=b"143=Y|"): {BID: 11},
        # The symbol may come late, the last one counts.
        raw(b"35=W|269=0|270=0.17|55=ES|".replace(b"|", SOH)): {BID: 17},
        raw(b"35=W|269=0|270=0.21|269=1|270=0.22|269=2|270=0.23|58=text|55=ES|".replace(b"|", SOH)): {
            BID: 21,
            ASK: 22,
            LAST: 23,
        },
        raw(b"35=W|55=XX|55=ES|269=0|270=0.11|".replace(b"|", SOH)): {BID: 11},
        raw(b"35=W|55=ES|269=0|270=0.11|55=XX|".replace(b"|", SOH)): {},
        raw(b"35=W|269=0|270=0.11|".replace(b"|", SOH)): {},
        # MsgType is the first field of the body, one character.
        raw(b"35=X|55=ES|269=0|270=0.11|".replace(b"|", SOH)): {},
        raw(b"35=WW|55=ES|269=0|270=0.11|".replace(b"|", SOH)): {},
        raw(b"35=|55=ES|269=0|270=0.11|".replace(b"|", SOH)): {},
        raw(b"35=8|35=W|55=ES|269=0|270=0.11|".replace(b"|", SOH)): {},
        raw(b"49=A|35=W|55=ES|269=0|270=0.11|".replace(b"|", SOH)): {},
        # Fields that are no `tag=value` spoil the message.
        raw(b"35=W|55=ES|269=0|270=0.11|x|".replace(b"|", SOH)): {},
        raw(b"35=W|55=ES|269=0|270=0.11||".replace(b"|", SOH)): {},
        raw(b"35=W|55=ES|269=0|270=0.11|=5|".replace(b"|", SOH)): {},
        raw(b"35=W|55=ES|269=0|270=0.11|5a=5|".replace(b"|", SOH)): {},
        raw(b"35=W|55=ES|58|269=0|270=0.11|".replace(b"|", SOH)): {},
        raw(b"35=W|55=ES|269=0|270=0.11|".replace(b"|", SOH), begin=b"FIXT.1.1"): {BID: 11},
        raw(b"35=W|55=ES|269=0|270=0.11|".replace(b"|", SOH), length=b"0000026"): {BID: 11},
    }  # fmt: skip
    found = await observed(dut, list(cases))
    assert dict(zip(cases, found, strict=True)) == cases


@cocotb.test
async def raw_data_is_skipped(dut):
    fake = b"x|55=XX|269=0|270=0.39|43=Y|10=000|8=FIX.4.4|9=5|35=W|"
    n = len(fake)
    cases = {
        b"95=%d|96=%s|" % (n, fake): {BID: 11},
        b"354=%d|355=%s|" % (n, fake): {BID: 11},
        b"93=%d|89=%s|" % (n, fake): {BID: 11},
        b"90=%d|91=%s|" % (n, fake): {BID: 11},
        b"212=%d|213=%s|" % (n, fake): {BID: 11},
        b"618=%d|619=%s|" % (n, fake): {BID: 11},
        b"95=000%d|96=%s|" % (n, fake): {BID: 11},
        b"95=0|96=|": {BID: 11},
        b"95=1|96=||": {BID: 11},
        b"95=3|96=|=||": {BID: 11},
        # Only the announced field, and only right behind its length.
        b"95=3|58=a|96=b|": {BID: 11},
        b"95=3|355=b|": {BID: 11},
        b"355=b|": {BID: 11},
        # Lengths that do not fit spoil the message.
        b"95=2|96=abc|": {},
        b"95=4|96=abc|": {},
        b"95=400|96=abc|": {},
        b"95=16777216|96=|": {},
        b"95=x|96=|": {},
        b"95=-1|96=|": {},
    }
    price = b"269=0|270=0.11|"
    found = await observed(dut, [snap(field + price) for field in cases])
    assert dict(zip(cases, found, strict=True)) == cases
    # And behind the entries.
    found = await observed(dut, [snap(price + field) for field in cases])
    assert dict(zip(cases, found, strict=True)) == cases


@cocotb.test
async def framing(dut):
    """A wrong CheckSum drops the message; anything else that is not FIX loses the stream and says so."""
    good = snap(b"269=0|270=0.11|")
    other = snap(b"269=0|270=0.39|")
    check = good[-4:-1]
    wrong = b"%03d" % ((int(check) + 1) % 256)
    dropped = [
        good[:-4] + wrong + SOH,
        good[:-4] + b"999" + SOH,
        good[:-4] + b"%03d" % (int(check) + 256) + SOH,
        good.replace(b"0.11", b"0.39"),
    ]
    for message in dropped:
        bench = await RxBench.start(dut, CATCH_ALL)
        bench.send(message + good)
        await bench.settle(700)
        assert {taken.hit.observed for taken in bench.hits} == {11}, message
        assert {taken.hit.message for taken in bench.hits} == {1}, message
        assert bench.counts() == {"bad_checksum": 1}, message
        assert bench.value("messages") == 1
        assert bench.value("synced")
        bench.stop()
    body = good.split(SOH, 2)[2][:-7]
    lost = [
        b"9" + good[1:],
        b"8:" + good[2:],
        good.replace(b"FIX.4.4", b"FIX.44"),
        good.replace(b"FIX.4.4", b"FOX.4.4"),
        good.replace(b"FIX.4.4", b"FIX.4.4-and-more-x"),
        good.replace(b"\x019=", b"\x018="),
        good.replace(b"\x019=", b"\x0199="),
        raw(body, length=b""),
        raw(body, length=b"0"),
        raw(body, length=b"-26"),
        raw(body, length=b"26x"),
        raw(body, length=b"00000026"),
        raw(body, length=b"25"),
        raw(body, length=b"27"),
        raw(body, length=b"260"),
        good[:-8] + b"x" + good[-7:],
        good[:-7] + b"1:=" + good[-4:],
        good[:-7] + b"11=" + good[-4:],
        good[:-7] + b"20=" + good[-4:],
        good[:-2] + SOH,
        good[:-1] + b"0" + SOH,
        good[:-2] + b"x" + SOH,
        good + b"\n",
    ]
    for message in lost:
        bench = await RxBench.start(dut, CATCH_ALL)
        bench.send(message)
        bench.send(other * 8)
        await bench.settle(700)
        assert bench.counts() == {"desync": 1}, message
        assert bench.value("gap"), message
        assert {taken.hit.observed for taken in bench.hits} <= {11}, message
        # It comes back at the next boundary that the runtime names.
        bench.hits.clear()
        assert await bench.resync(bench.value("wire_nxt"))
        bench.send(snap(b"269=1|270=0.07|"))
        await bench.settle(700)
        assert {(taken.hit.source, taken.hit.observed) for taken in bench.hits} == {(ASK, 7)}, message
        assert {taken.hit.message for taken in bench.hits} == {1}
        bench.stop()


@cocotb.test
async def counts_only_what_stays(dut):
    """A damaged frame counts nothing; its retransmission counts once."""
    bench = await RxBench.start(dut, CATCH_ALL)
    good = snap(b"269=0|270=0.11|")
    invalid = snap(b"269=0|270=x|269=1|270=0.005|269=2|270=99999999|269=2|270=-99999999|")
    payload = good[:-4] + b"000" + SOH + snap(b"269=0|270=0.12|", head=b"43=Y|") + invalid + fix([(35, "0"), (34, "5")])
    frame = bench.segment(payload)
    for _ in range(3):
        bench.frame(frame[:-1] + bytes([frame[-1] ^ 1]))
    await bench.settle()
    assert bench.counts() == {}
    assert bench.value("messages") == 0
    bench.frame(frame)
    await bench.settle()
    assert bench.counts() == {"bad_checksum": 1, "poss_dup": 1, "price_invalid": 3}
    assert bench.value("messages") == 3
    assert bench.taken() == []


@cocotb.test
async def long_messages(dut):
    """No limit on length, entries or foreign tags."""
    rng = random.Random(seed())
    bench = await RxBench.start(dut, CATCH_ALL)
    text = "".join(rng.choice(string.printable[:90]) for _ in range(3000)).replace("\x01", "")
    entries = [(rng.choice("012"), f"0.{rng.randrange(1, 41):02d}") for _ in range(400)]
    message = snapshot("ES", entries, positions=True, extra=((34, "1"), (58, text)))
    for at in range(0, len(message), 1400):
        bench.send(message[at : at + 1400])
    await bench.settle(3000)
    bench.expect(Model(CATCH_ALL), [message])
    assert bench.hits


@cocotb.test
async def all_symbols_are_found(dut):
    """A full directory: every instrument by its own symbol, no other symbol by accident."""
    rng = random.Random(seed())
    characters = string.ascii_letters + string.digits + ".-/_"
    symbols: set[str] = set()
    while len(symbols) < 16:
        symbols.add("".join(rng.choice(characters) for _ in range(rng.randrange(1, 13))))
    tables = Tables(
        [Instrument(symbol) for symbol in sorted(symbols)], [Rule(i, LAST, LE, 1000 - i) for i in range(16)]
    )
    bench = await RxBench.start(dut, tables)
    messages = []
    for instrument in tables.instruments:
        symbol = instrument.symbol
        strangers = {symbol[:-1], symbol + "A", symbol[::-1], symbol.swapcase(), "\0" + symbol} - symbols
        messages += [snapshot(stranger, [("2", "0.01")]) for stranger in sorted(strangers)]
        messages.append(snapshot(symbol, [("2", "9.85")]))
    rng.shuffle(messages)
    for message in messages:
        bench.send(message)
    await bench.settle()
    bench.expect(Model(tables), messages)
    assert len(bench.hits) == 16
