# SPDX-License-Identifier: Apache-2.0
"""What a venue says to a client, as the session's fuzzer takes it: a message a line, `|` between its fields."""

_W = "35=W|55={}|268=3|269=0|270={}|271=500|290=1|269=1|270={}|271=500|290=1|269=2|270={}|271=1"
_SNAPSHOTS = [_W.format("MSFT", *prices) for prices in (("1184.99", "1185.01", "1185"), ("1169", "1171", "1170.00"))]
_REPORT = "35=8|37=V{0}|11={1}|17=E{0}|150={2}|39={3}|55=MSFT|54=2|38=2|40=2|44=1100|14={4}|151={5}|6=1100"
# Of the strategy that make_corpus.py compiles: its epoch is of the second, so reports name no order that is there, but
# for what the fuzzer's own changes make of it.
_ORDER = "YFA80000000000000001"

CONVERSATIONS = {
    "snapshots": _SNAPSHOTS,
    "falls": [_W.format("MSFT", bid, bid + 2, bid + 1) for bid in range(1190, 1160, -4)],
    "increments": [
        "35=X|262=1|268=2|279=0|269=0|55=MSFT|270=1185.1|271=500|290=1|279=2|269=1|55=MSFT|290=1",
        "35=X|262=1|268=3|279=0|269=2|55=MSFT|270=1170|271=1|279=1|269=0|55=7203|270=3000.5|271=4|290=2|279=0|269=2|270=1",
    ],
    "reports": [
        _REPORT.format(1, _ORDER, "0", "0", "0", "2"),
        _REPORT.format(2, _ORDER, "F", "1", "1", "1"),
        _REPORT.format(3, _ORDER, "F", "2", "2", "0"),
        _REPORT.format(4, _ORDER, "4", "4", "0", "0") + "|41=Z1|58=cancelled",
        "35=3|45=2|371=11|372=D|373=5|58=Value is incorrect",
        "35=j|45=2|372=D|380=3|58=unsupported",
        "35=9|37=NONE|11=C1|41=Z1|39=8|434=1|58=too late",
        "35=Y|262=1|281=4|58=unsupported depth",
    ],
    "session": [
        "35=0",
        "35=1|112=PING",
        "35=2|7=1|16=0",
        *_SNAPSHOTS,
        "35=2|7=1|16=0",
        "35=4|36=9|123=Y|43=Y",
        "35=4|36=12",
        "35=5|58=end of day",
        "35=A|98=0|108=30",
        "35=A|98=0|108=30|141=Y",
    ],
    "numbers": [
        "35=0|34=7",
        "35=W|34=3|43=Y|122=20260302-14:31:07|55=MSFT|268=1|269=2|270=1170|271=1",
        "35=4|34=2|36=7|123=Y|43=Y",
        "35=0|34=1",
        "35=2|34=2147483647|7=0|16=2147483647",
    ],
    "stream": [
        "!8=FIX.4.4|9=5|35=0|10=161|",
        "!8=FIX.4.4|9=99999999|35=0|",
        "!8=8=8=FIX.4.4|9=x|8=FIX.4.4|9=00|10=000|",
        "35=B|148=news|95=3|96=a|b|33=1|58=text",
        "35=B|95=2147483647|96=a",
        "35=W|55=MSFT|268=1|269=2|270=1e5|271=1",
        "35=W|55=MSFT|268=1|269=2|270=-0.000000001|271=1",
        "35=W|55=MSFT|268=99999|269=0",
    ],
}
