# SPDX-License-Identifier: Apache-2.0
"""The page of the daemon's settings names every key that the daemon knows, and no other."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_SECTION = re.compile(r'\{"(\w+)",\s*section\(\{(.*?)\}\)\}', re.DOTALL)
_KEY = re.compile(r'\{"(\w+)",')
_ROW = re.compile(r"^\| `([\w.]+)` \|", re.MULTILINE)


def test_every_key_has_its_line() -> None:
    text = (ROOT / "runtime" / "daemon" / "config.cpp").read_text(encoding="utf-8")
    table = text[text.index("const Setters root{") :]
    sections = dict(_SECTION.findall(table))
    known = [f"{section}.{key}" for section, keys in sections.items() for key in _KEY.findall(keys)]
    known += _KEY.findall(_SECTION.sub("", table))
    page = (ROOT / "docs" / "reference" / "daemon.md").read_text(encoding="utf-8")
    assert sorted(known) == sorted(_ROW.findall(page.partition("## What is checked")[0]))
    assert "limits.poll_us" in known


def test_every_key_of_tls_has_its_line() -> None:
    text = (ROOT / "runtime" / "daemon" / "config_tls.cpp").read_text(encoding="utf-8")
    known = _KEY.findall(text.partition("*node.as_table(),")[2])
    page = (ROOT / "docs" / "reference" / "daemon.md").read_text(encoding="utf-8")
    table = page.partition("| key of `control.tls` |")[2].partition("\n\n")[0]
    assert sorted(known) == sorted(_ROW.findall(table))
    assert "client_ca" in known


def test_every_key_of_the_bus_has_its_line() -> None:
    text = (ROOT / "runtime" / "daemon" / "config_bus.cpp").read_text(encoding="utf-8")
    known = _KEY.findall(text.partition("*node.as_table(),")[2])
    page = (ROOT / "docs" / "reference" / "daemon.md").read_text(encoding="utf-8")
    table = page.partition("| key of `bus` |")[2].partition("\n\n")[0]
    assert sorted(known) == sorted(_ROW.findall(table))
    assert "ring_file" in known
