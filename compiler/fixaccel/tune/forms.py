# SPDX-License-Identifier: Apache-2.0
"""Forms of the kernel's values: how they are read, compared and written."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

_SELECTED = re.compile(r"\[([^\]\s]+)\]")
_MASK = re.compile(r"(?:0x)?[0-9a-fA-F]+(?:,[0-9a-fA-F]+)*\Z")
_LIST = re.compile(r"[0-9]{1,5}(?:-[0-9]{1,5})?(?:,[0-9]{1,5}(?:-[0-9]{1,5})?)*\Z")
_WORD_BITS = 32  # of a group of a mask


@dataclass(frozen=True)
class Form:
    """``plain`` gives equal texts for equal values; ``checks`` says whether a plan may have a text as a value."""

    words: str
    plain: Callable[[str], str]
    checks: Callable[[str], bool]


def selected(text: str) -> str:
    """The word in brackets of a list of choices; all of a text that has none."""
    found = _SELECTED.search(text)
    return found[1] if found else text.strip()


def parse_list(text: str) -> frozenset[int]:
    """Cores of `0-2,5`; none of a text that is no such list."""
    found: set[int] = set()
    for part in text.strip().split(",") if _LIST.match(text.strip()) else ():
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


def list_text(cores: Iterable[int]) -> str:
    """Cores as the kernel writes them: `0-2,5`."""
    parts: list[list[int]] = []
    for core in sorted(set(cores)):
        if parts and parts[-1][1] == core - 1:
            parts[-1][1] = core
        else:
            parts.append([core, core])
    return ",".join(f"{first}" if first == last else f"{first}-{last}" for first, last in parts)


def mask_text(cores: Iterable[int]) -> str:
    """Cores as a mask: groups of 32 bits, in hexadecimal."""
    bits = f"{sum(1 << core for core in set(cores)):x}"
    width = _WORD_BITS // 4
    head = len(bits) % width
    groups = [bits[:head]] if head else []
    return ",".join(groups + [bits[at : at + width] for at in range(head, len(bits), width)])


def _plain_number(text: str) -> str:
    return str(int(text)) if re.match(r"-?[0-9]{1,30}\s*\Z", text.strip()) else text.strip()


def _plain_mask(text: str) -> str:
    digits = text.strip().replace(",", "").lower().removeprefix("0x")
    return digits.lstrip("0") or "0"


def _plain_list(text: str) -> str:
    return list_text(parse_list(text)) if _LIST.match(text.strip()) else text.strip()


def _is_word(text: str) -> bool:
    return bool(re.match(r"[A-Za-z0-9][A-Za-z0-9_.:,-]{0,63}\Z", text))


# Of a group that is to be there.
MADE, MISSING = "made", "missing"

FORMS = {
    "folder": Form(f"`{MADE}`", str.strip, lambda text: text == MADE),
    "text": Form("a word", str.strip, _is_word),
    "numbers": Form(
        "whole numbers with blanks between them",
        lambda text: " ".join(map(_plain_number, text.split())),
        lambda text: bool(re.match(r"[0-9]{1,18}( [0-9]{1,18})*\Z", text)),
    ),
    "quoted": Form("a word", lambda text: text.strip().strip("\"'"), _is_word),
    "number": Form("a whole number", _plain_number, lambda text: bool(re.match(r"-?[0-9]{1,18}\Z", text))),
    "switch": Form("`on` or `off`", str.strip, lambda text: text in {"on", "off"}),
    "choice": Form("a word", selected, _is_word),
    "mask": Form("a mask of cores in hexadecimal", _plain_mask, lambda text: bool(_MASK.match(text))),
    "list": Form("a list of cores such as `0-2,5`", _plain_list, lambda text: bool(_LIST.match(text))),
}


def same(form: str, one: str, other: str) -> bool:
    """Whether two texts are one value."""
    plain = FORMS[form].plain
    return plain(one) == plain(other)


def stored(form: str, text: str) -> str:
    """What of a file's text has to be written to have the same again."""
    return selected(text) if form == "choice" else text.strip()


def as_kernel(form: str, before: str, value: str) -> str:
    """The text of a file that held ``before`` once the kernel has taken ``value``: for trees that nobody serves."""
    body = before.strip()
    if form == "choice" and _SELECTED.search(body):
        words = [word.strip("[]") for word in body.split()]
        body = " ".join(f"[{word}]" if word == value else word for word in words)
    elif form == "mask" and _MASK.match(body):
        wide = len(body.replace(",", ""))
        digits = _plain_mask(value).rjust(wide, "0")
        body = ",".join(digits[max(0, at - 8) : at] for at in range(len(digits), 0, -8)[::-1])
    else:
        body = value
    start = before[: len(before) - len(before.lstrip())] if before.strip() else ""
    return start + body + before[len(before.rstrip()) :]
