# SPDX-License-Identifier: Apache-2.0
"""FIX messages: which prices are bid, ask and last, what is skipped, what is dropped, what loses the stream."""

import random
import string

import cocotb
from frames import SOH
from rx_bench import RxBench, seed
from rx_messages import framed, message, numbered, snapshot
from rx_model import Model
from rx_tables import ASK, BID, GE, LAST, LE, Instrument, Rule, Tables

ES, NQ = Instrument("ES"), Instrument("LONGSYMBOL12")
# Each price 1..99 units fires the rules up to it, so a hit's observed price tells which entry was taken.
CATCH_ALL = Tables(
    [ES, NQ],
    [Rule(index, source, GE, level) for index in (0, 1) for source in (BID, ASK, LAST) for level in range(1, 41)],
)


HEAD = b"35=W|49=EXCH|56=CPU|34=1|52=20250314-12:00:00|"
PRICE = b"269=0|270=0.11|"


def raw(text: bytes, **options: bytes) -> bytes:
    """A message with this body, `|` for SOH."""
    return framed(text.replace(b"|", SOH), **options)


def snap(entries: bytes, head: bytes = b"", symbol: bytes = b"ES") -> bytes:
    return raw(HEAD + head + b"55=" + symbol + b"|" + entries)


def incremental(entries: bytes, head: bytes = b"") -> bytes:
    return raw(HEAD.replace(b"35=W", b"35=X") + head + entries)


async def observed(dut, messages: list[bytes], tables: Tables = CATCH_ALL) -> list[dict[int, int]]:
    """Sends the messages, each to a fresh fabric; the observed price by source of each."""
    found = []
    for one in messages:
        bench = await RxBench.start(dut, tables)
        bench.send(one)
        await bench.settle(1500)
        prices: dict[int, set[int]] = {}
        for taken in bench.hits:
            prices.setdefault(taken.hit.source, set()).add(taken.hit.observed)
        assert all(len(values) == 1 for values in prices.values())
        found.append({source: values.pop() for source, values in prices.items()})
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
        b"269=4|270=0.31|290=1|269=A|270=0.32|269=00|270=0.33|269=0|270=0.11|": {BID: 11},
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
    assert not {case: (seen, cases[case]) for case, seen in zip(cases, found, strict=True) if seen != cases[case]}


@cocotb.test
async def which_messages_count(dut):
    cases = {
        snap(PRICE): {BID: 11},
        snap(PRICE, symbol=b"LONGSYMBOL12"): {BID: 11},
        snap(PRICE, symbol=b"LONGSYMBOL123"): {},
        snap(PRICE, symbol=b"LONGSYMBOL1"): {},
        snap(PRICE, symbol=b"E"): {},
        snap(PRICE, symbol=b"XX"): {},
        snap(PRICE, symbol=b"SE"): {},
        # Padding of the key is no character.
        snap(PRICE, symbol=b"ES\0"): {},
        snap(PRICE, symbol=b"ES" + bytes(10)): {},
        snap(PRICE, symbol=b"\0ES"): {},
        snap(PRICE, head=b"43=N|"): {BID: 11},
        snap(PRICE, head=b"43=Y|"): {},
        snap(PRICE, head=b"143=Y|"): {BID: 11},
        snap(PRICE, head=b"50=a|57=b|97=N|122=x|369=7|"): {BID: 11},
        # The symbol may come late and again, but there is one.
        raw(HEAD + b"269=0|270=0.17|55=ES|"): {BID: 17},
        raw(HEAD + b"269=0|270=0.21|269=1|270=0.22|269=2|270=0.23|58=text|55=ES|"): {BID: 21, ASK: 22, LAST: 23},
        raw(HEAD + b"269=0|270=0.21|55=ES|269=1|270=0.22|269=2|270=0.23|58=text|"): {BID: 21, ASK: 22, LAST: 23},
        raw(HEAD + b"55=ES|269=0|270=0.11|55=ES|"): {BID: 11},
        raw(HEAD + b"55=XX|55=ES|269=0|270=0.11|"): {},
        raw(HEAD + b"55=ES|269=0|270=0.11|55=XX|"): {},
        raw(HEAD + b"269=0|270=0.11|"): {},
        raw(HEAD.replace(b"35=W", b"35=WW") + b"55=ES|269=0|270=0.11|"): {},
        raw(HEAD.replace(b"35=W", b"35=AW") + b"55=ES|269=0|270=0.11|"): {},
        raw(HEAD.replace(b"35=W", b"35=8") + b"55=ES|269=0|270=0.11|"): {},
        raw(HEAD + b"55=ES|" + PRICE, length=b"00000%d" % len(HEAD + b"55=ES|" + PRICE)): {BID: 11},
        # SOH ends a field whatever the field is, as it does for QuickFIX without a dictionary.
        snap(b"354=9|355=a|269=0|270=0.17|" + PRICE): {BID: 17},
        snap(b"95=5|96=a=b|" + PRICE): {BID: 11},
    }  # fmt: skip
    found = await observed(dut, list(cases))
    assert not {case: (seen, cases[case]) for case, seen in zip(cases, found, strict=True) if seen != cases[case]}


REFUSED = {
    "number ahead": HEAD.replace(b"34=1|", b"34=2|"),
    "number ahead, sent again": HEAD.replace(b"34=1|", b"34=2|43=Y|"),
    "number behind": HEAD.replace(b"34=1|", b"34=0|"),
    "number missing": HEAD.replace(b"34=1|", b""),
    "number twice": HEAD.replace(b"34=1|", b"34=1|34=1|"),
    "number no number": HEAD.replace(b"34=1|", b"34=1x|"),
    "number negative": HEAD.replace(b"34=1|", b"34=-1|"),
    "number long": HEAD.replace(b"34=1|", b"34=100000001|"),
    "sender": HEAD.replace(b"EXCH", b"EXCG"),
    "sender cut": HEAD.replace(b"EXCH", b"EXC"),
    "sender missing": HEAD.replace(b"49=EXCH|", b""),
    "sender twice": HEAD.replace(b"49=EXCH|", b"49=EXCH|49=EXCH|"),
    "target": HEAD.replace(b"CPU", b"CPV"),
    "target missing": HEAD.replace(b"56=CPU|", b""),
    "comp ids swapped": HEAD.replace(b"49=EXCH|56=CPU|", b"49=CPU|56=EXCH|"),
    "time missing": HEAD.replace(b"52=20250314-12:00:00|", b""),
    "time empty": HEAD.replace(b"52=20250314-12:00:00|", b"52=|"),
    "flag": HEAD + b"43=y|",
    "flag long": HEAD + b"43=YY|",
    "flag twice": HEAD + b"43=N|43=Y|",
    "type twice": HEAD + b"35=W|",
    "type second": b"49=EXCH|35=W|56=CPU|34=1|52=x|",
    "type empty": HEAD.replace(b"35=W", b"35="),
    "type missing": b"49=EXCH|56=CPU|34=1|52=x|",
    "length again": HEAD + b"9=5|",
    "check again": HEAD + b"10=000|",
    "begin again": HEAD + b"8=FIX.4.4|",
    "header behind body": b"35=W|49=EXCH|56=CPU|34=1|58=a|52=20250314-12:00:00|",
    "routing behind body": HEAD + b"58=a|57=b|",
    "body behind trailer": HEAD + b"93=1|89=a|",
    "empty": HEAD + b"58=|",
    "stray": HEAD + b"x|",
    "nothing": HEAD + b"|",
    "no tag": HEAD + b"=5|",
    "tag no number": HEAD + b"5a=5|",
    "no equals": HEAD + b"58|",
    "logon": HEAD.replace(b"35=W", b"35=A"),
    "logout": HEAD.replace(b"35=W", b"35=5"),
    "sequence reset": HEAD.replace(b"35=W", b"35=4"),
    "gap fill": HEAD.replace(b"35=W", b"35=4").replace(b"34=1|", b"34=1|43=Y|") + b"123=Y|36=9|",
}


@cocotb.test
async def what_the_session_refuses(dut):
    """It does not fire, and nothing behind it does, until the runtime says where the stream stands."""
    for name, head in REFUSED.items():
        bench = await RxBench.start(dut, CATCH_ALL)
        refused = raw(head + b"55=ES|" + PRICE)
        bench.send(refused + snap(b"269=0|270=0.22|"))
        bench.send(snapshot("ES", [("0", "0.33")], number=2))
        await bench.settle(300)
        assert bench.taken() == [], name
        assert bench.counts() == {"refused": 1, "desync": 1}, name
        assert bench.value("gap"), name
        assert Model(CATCH_ALL).message(refused) == [], name
        assert await bench.resync(bench.value("rcv_nxt"), 7)
        bench.send(snapshot("ES", [("1", "0.07")], number=7))
        await bench.settle(300)
        assert {(taken.hit.source, taken.hit.observed) for taken in bench.hits} == {(ASK, 7)}, name


@cocotb.test
async def numbers_count_on(dut):
    """MsgSeqNum over admin messages, resends and all carries; BCD to its last number."""
    for first, zeros in ((1, ""), (98, "0"), (9_999_995, "000"), (99_999_995, "")):
        bench = await RxBench.start(dut, CATCH_ALL)
        assert await bench.resync(bench.seq, first)
        number = first
        model = Model(CATCH_ALL, first)
        sent = []
        for step in range(4):
            sent += [
                message("0", [], number),
                snapshot("ES", [("0", "0.40")], extra=((43, "Y"),), number=max(number - 1, 1)),  # once more
                snapshot("ES", [("0", f"0.0{step + 1}")], number=number + 1).replace(b"34=", b"34=" + zeros.encode()),
            ]
            if zeros:
                sent[-1] = framed(sent[-1][sent[-1].index(b"35=") : -7])
            number += 2
            if number == 99_999_999:
                break
        for one in sent:
            bench.send(one)
        await bench.settle(400)
        bench.expect(model, sent)
        assert not bench.value("gap")
        if first > 90_000_000:
            # 100000000 has nine digits: nothing comes after 99999999.
            assert number == 99_999_999
            last = [snapshot("ES", [("0", "0.05")], number=99_999_999), snapshot("ES", [("0", "0.06")], number=0)]
            for one in last:
                bench.send(one)
            await bench.settle(400)
            assert bench.value("gap")
            assert {taken.hit.observed for taken in bench.hits} == {1, 2, 5}


@cocotb.test
async def behind_a_logout_nothing_fires(dut):
    bench = await RxBench.start(dut, CATCH_ALL)
    bench.send(snapshot("ES", [("0", "0.01")], number=1) + message("5", [(58, "bye")], 2))
    bench.send(snapshot("ES", [("0", "0.11")], number=3))
    await bench.settle(300)
    assert {taken.hit.observed for taken in bench.hits} == {1}
    assert bench.value("gap")


@cocotb.test
async def framing(dut):
    """A wrong CheckSum drops the message; anything else that is not FIX loses the stream and says so."""
    good = snap(PRICE)
    other = snap(b"269=0|270=0.39|")
    check = good[-4:-1]
    wrong = b"%03d" % ((int(check) + 1) % 256)
    dropped = [
        good[:-4] + wrong + SOH,
        good[:-4] + b"999" + SOH,
        good[:-4] + b"%03d" % (int(check) + 256) + SOH,
        good.replace(b"0.11", b"0.39"),
    ]
    for broken in dropped:
        bench = await RxBench.start(dut, CATCH_ALL)
        # It has used up no number, for QuickFIX neither.
        bench.send(broken + good)
        await bench.settle(700)
        assert {taken.hit.observed for taken in bench.hits} == {11}, broken
        assert {taken.hit.message for taken in bench.hits} == {1}, broken
        assert bench.counts() == {"bad_checksum": 1}, broken
        assert bench.value("messages") == 1
        assert bench.value("synced")
    body = good.split(SOH, 2)[2][:-7]
    lost = [
        b"9" + good[1:],
        b"8:" + good[2:],
        good.replace(b"FIX.4.4", b"FIX.44"),
        good.replace(b"FIX.4.4", b"FOX.4.4"),
        framed(body, begin=b"FIXT.1.1"),
        framed(body, begin=b"FIX.4.2"),
        framed(body, begin=b"FIX.4.4 "),
        good.replace(b"\x019=", b"\x018="),
        good.replace(b"\x019=", b"\x0199="),
        framed(body, length=b""),
        framed(body, length=b"0"),
        framed(body, length=b"7"),
        framed(body, length=b"-%d" % len(body)),
        framed(body, length=b"%dx" % len(body)),
        framed(body, length=b"%08d" % len(body)),
        framed(body, length=b"%d" % (len(body) - 1)),
        framed(body, length=b"%d" % (len(body) + 1)),
        framed(body, length=b"%d0" % len(body)),
        good[:-8] + b"x" + good[-7:],
        good[:-7] + b"1:=" + good[-4:],
        good[:-7] + b"11=" + good[-4:],
        good[:-7] + b"20=" + good[-4:],
        good[:-2] + SOH,
        good[:-1] + b"0" + SOH,
        good[:-2] + b"x" + SOH,
        good + b"\n",
    ]
    for broken in lost:
        bench = await RxBench.start(dut, CATCH_ALL)
        bench.send(broken)
        bench.send(other * 8)
        await bench.settle(700)
        assert bench.counts() == {"desync": 1}, broken
        assert bench.value("gap"), broken
        assert {taken.hit.observed for taken in bench.hits} <= {11}, broken
        # It comes back at the next boundary that the runtime names.
        bench.hits.clear()
        assert await bench.resync(bench.value("rcv_nxt"))
        bench.send(snap(b"269=1|270=0.07|"))
        await bench.settle(700)
        assert {(taken.hit.source, taken.hit.observed) for taken in bench.hits} == {(ASK, 7)}, broken
        assert {taken.hit.message for taken in bench.hits} == {1}


@cocotb.test
async def counts_only_what_stays(dut):
    """A damaged frame counts nothing; its retransmission counts once."""
    bench = await RxBench.start(dut, CATCH_ALL)
    good = snap(PRICE)
    invalid = snap(b"269=0|270=x|269=1|270=0.005|269=2|270=99999999|269=2|270=-99999999|")
    counted = numbered([snap(b"269=0|270=0.12|", head=b"43=Y|"), invalid, message("0", []), raw(HEAD + PRICE)])
    payload = good[:-4] + b"000" + SOH + b"".join(counted)
    frame = bench.segment(payload)
    for _ in range(3):
        bench.frame(frame[:-1] + bytes([frame[-1] ^ 1]))
    await bench.settle()
    assert bench.counts() == {}
    assert bench.value("messages") == 0
    bench.frame(frame)
    await bench.settle()
    assert bench.counts() == {"bad_checksum": 1, "poss_dup": 1, "unread": 1, "price_invalid": 3}
    assert bench.value("messages") == 4
    assert bench.taken() == []


@cocotb.test
async def long_messages(dut):
    """No limit on length, entries or foreign tags."""
    rng = random.Random(seed())
    bench = await RxBench.start(dut, CATCH_ALL)
    text = "".join(rng.choice(string.printable[:90]) for _ in range(3000)).replace("\x01", "")
    entries = [(rng.choice("012"), f"0.{rng.randrange(1, 41):02d}") for _ in range(400)]
    long = snapshot("ES", entries, positions=True, extra=((58, text),))
    for at in range(0, len(long), 1400):
        bench.send(long[at : at + 1400])
    await bench.settle(3000)
    bench.expect(Model(CATCH_ALL), [long])
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
        strangers = (
            {symbol[:-1], symbol + "A", symbol[::-1], symbol.swapcase(), "\0" + symbol, symbol + "\0"} - symbols - {""}
        )
        messages += [snapshot(stranger, [("2", "0.01")]) for stranger in sorted(strangers)]
        messages.append(snapshot(symbol, [("2", "9.85")]))
    rng.shuffle(messages)
    messages = numbered(messages)
    for one in messages:
        bench.send(one)
    await bench.settle()
    bench.expect(Model(tables), messages)
    assert len(bench.hits) == 16
