# SPDX-License-Identifier: Apache-2.0
"""Prepared orders made by hand: the template's bytes, the records, and the message that must leave."""

from dataclasses import dataclass

from frames import SOH, ones_sum

from fixaccel.hwmap.load import load_hwmap

CONST = {name: constant.value for name, constant in load_hwmap().constants.items()}
PATCH_WIDTHS = {
    "seq_num": CONST["seq_num_chars"],
    "time": CONST["time_chars"],
    "cl_ord_id": CONST["cl_ord_id_chars"],
    "checksum": CONST["checksum_chars"],
}
PATCH_SOURCES = {
    name: CONST[f"patch_{name}"] for name in ("seq_num", "time", "cl_ord_id", "checksum", "price", "qty", "symbol")
}
BASE36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class PreparedOrder:
    """A FIX message as a list of literal bytes and patched fields, made by hand: (name, width) or bytes."""

    parts: tuple[bytes | tuple[str, int], ...]
    price: str
    qty: str
    symbol: str = ""

    def _texts(self) -> dict[str, str]:
        return {"price": self.price, "qty": self.qty, "symbol": self.symbol}

    def stream(self) -> list[tuple[int, int]]:
        """(patch, value) of every template byte."""
        out: list[tuple[int, int]] = []
        for part in self.parts:
            if isinstance(part, bytes):
                out += [(0, byte) for byte in part]
            else:
                out += [(1, PATCH_SOURCES[part[0]] << 5 | i) for i in range(part[1])]
        return out

    def offsets(self) -> list[tuple[str, int]]:
        at, found = 0, []
        for part in self.parts:
            if isinstance(part, bytes):
                at += len(part)
            else:
                found.append((part[0], at))
                at += part[1]
        return found

    def _filled(self, values: dict[str, bytes]) -> bytes:
        out = b""
        for part in self.parts:
            if isinstance(part, bytes):
                out += part
            else:
                out += values[part[0]][: part[1]].ljust(part[1], b"\0")
        return out

    def message(self, seq_num: int, utc: str, cl_ord_id: str) -> bytes:
        """The message as it must leave."""
        values = {name: text.encode() for name, text in self._texts().items()}
        values |= {
            "seq_num": b"%08d" % seq_num,
            "time": utc.encode(),
            "cl_ord_id": cl_ord_id.encode(),
            "checksum": b"000",
        }
        whole = self._filled(values)
        values["checksum"] = b"%03d" % (sum(whole[: whole.rindex(b"10=")]) % 256)
        return self._filled(values)

    def order_record(self) -> dict[str, int]:
        values = {name: text.encode() for name, text in self._texts().items()}
        static = self._filled(values | dict.fromkeys(PATCH_WIDTHS, b""))
        return {
            "price": codes(self.price),
            "qty": codes(self.qty),
            "tcp_sum": ones_sum(static),
            "fix_sum": sum(static[: static.rindex(b"10=")]) % 256,
            "valid": 1,
        }

    def template_shape(self) -> dict[str, int]:
        at = self.offsets()
        times = [offset for name, offset in at if name == "time"]
        first = dict(reversed(at))
        return {
            "last_byte": len(self.stream()) - 1,
            "seq_num_odd": first["seq_num"] % 2,
            "sending_time_odd": times[0] % 2,
            "transact_time_odd": times[1] % 2,
            "cl_ord_id_odd": first["cl_ord_id"] % 2,
        }


def new_order(symbol: str = "ES", price: str = "0001180.25", qty: str = "000010", sender: str = "CPU") -> PreparedOrder:
    """A NewOrderSingle with every kind of patch."""
    body: list[bytes | tuple[str, int]] = [
        b"35=D" + SOH + b"34=", ("seq_num", 8), SOH + b"49=" + sender.encode() + SOH + b"52=", ("time", 21),
        SOH + b"56=EXCH" + SOH + b"11=", ("cl_ord_id", 20), SOH + b"21=1" + SOH + b"55=", ("symbol", len(symbol)),
        SOH + b"54=1" + SOH + b"60=", ("time", 21), SOH + b"38=", ("qty", len(qty)), SOH + b"40=2" + SOH + b"44=",
        ("price", len(price)), SOH + b"59=0" + SOH,
    ]  # fmt: skip
    length = sum(len(part) if isinstance(part, bytes) else part[1] for part in body)
    head = b"8=FIX.4.4" + SOH + b"9=%d" % length + SOH
    return PreparedOrder((head, *body, b"10=", ("checksum", 3), SOH), price, qty, symbol)


def codes(text: str) -> int:
    """Characters as an order record keeps them, four bits each."""
    return sum((ord(char) & 0xF) << 4 * i for i, char in enumerate(text))


def base36(value: int, width: int) -> str:
    digits = ""
    for _ in range(width):
        value, digit = divmod(value, 36)
        digits = BASE36[digit] + digits
    return digits
