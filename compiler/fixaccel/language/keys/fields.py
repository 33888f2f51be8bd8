# SPDX-License-Identifier: Apache-2.0
"""`fields`: extra FIX fields of an order, and the tags that are not the trader's to set."""

import re
from dataclasses import dataclass

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.codes import strategy as strategy_codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.keys.kinds import MapOf, Text, pattern_of
from fixaccel.language.keys.schema import JsonSchema, Located, clip
from fixaccel.source import Node

_TAG = re.compile(r"[1-9][0-9]{0,5}\Z")

# Tag -> its name and who writes it.
OWNED = {
    **dict.fromkeys(
        (8, 9, 10, 34, 35, 43, 49, 52, 56, 89, 90, 91, 93, 97, 115, 116, 122, 128, 129, 212, 213, 347, 369),
        "the session",
    ),
    **dict.fromkeys((11, 60), "the fabric"),
    **dict.fromkeys((1, 38, 40, 44, 54, 55, 59), "the compiler"),
}
NAMES = {
    1: "Account", 8: "BeginString", 9: "BodyLength", 10: "CheckSum",
    11: "ClOrdID", 34: "MsgSeqNum", 35: "MsgType", 38: "OrderQty",
    40: "OrdType", 43: "PossDupFlag", 44: "Price", 49: "SenderCompID",
    52: "SendingTime", 54: "Side", 55: "Symbol", 56: "TargetCompID",
    59: "TimeInForce", 60: "TransactTime", 89: "Signature", 90: "SecureDataLen",
    91: "SecureData", 93: "SignatureLength", 97: "PossResend", 115: "OnBehalfOfCompID",
    116: "OnBehalfOfSubID", 122: "OrigSendingTime", 128: "DeliverToCompID", 129: "DeliverToSubID",
    212: "XmlDataLen", 213: "XmlData", 347: "MessageEncoding", 369: "LastMsgSeqNumProcessed",
}  # fmt: skip
_INSTEAD = {1: "account", 38: "qty", 40: "type", 44: "price", 54: "side", 55: "instrument", 59: "tif"}


@dataclass(frozen=True)
class FieldsKind:
    """`{tag: text}`."""

    form: str = 'FIX fields such as `{58: "text"}`'

    def json_schema(self) -> JsonSchema:
        """An object whose keys are tags that are free."""
        return {
            "type": "object",
            "patternProperties": {pattern_of(_TAG): Text(128).json_schema()},
            "propertyNames": {"not": {"enum": [str(tag) for tag in OWNED]}},
            "additionalProperties": False,
        }

    def read(self, node: Node, key: str, report: Report) -> dict[int, Located[str]] | None:
        """Texts by tag, in file order."""
        pairs = MapOf(Text(128), self.form).read(node, key, report)
        if pairs is None:
            return None
        found: dict[int, Located[str]] = {}
        for tag, text in pairs:
            if not _TAG.match(tag.text):
                report.add(
                    codes.BAD_NUMBER,
                    f"`{clip(tag.text)}` is not a FIX tag number",
                    tag.span,
                    help="write the number, as in `58: text`",
                )
                continue
            number = int(tag.text)
            owner = OWNED.get(number)
            if owner:
                instead = f"use the order's `{_INSTEAD[number]}`" if number in _INSTEAD else "leave it out"
                instead = "use the rule's `instrument`" if number == 55 else instead
                report.add(
                    strategy_codes.OWNED_FIELD,
                    f"{NAMES[number]}({number}) is written by {owner}",
                    tag.span,
                    help=instead,
                )
            elif text:
                found[number] = text
        return found
