# SPDX-License-Identifier: Apache-2.0
"""Makes the page of proofs from their list, and their rules from the files that state them."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

_HEAD = """# What is proved of the fabric

Made from `scripts/prove/proofs.yaml` and the heads of `rtl/proofs`; [](../howto/prove.md) says how to run them.

*By induction* means in every state that can be reached, however long it has run. *The first cycles* means whatever the
inputs do in that many cycles after reset, and nothing beyond. *Faults* are deliberate ones, each of which has to be
found.

"""
_PROMISES = """## What the fabric promises

| promise | proved by | left to simulation |
| --- | --- | --- |
"""
_PROOFS = """
## Proofs

| proof | what | how far | faults |
| --- | --- | --- | --- |
"""


def page(root: Path) -> str:
    """The page in Markdown, of the checkout at ``root``."""
    proofs = yaml.safe_load((root / "scripts/prove/proofs.yaml").read_text(encoding="utf-8"))
    rows = [_row(name, proof) for name, proof in proofs.items()]
    promises = yaml.safe_load((root / "scripts/prove/promises.yaml").read_text(encoding="utf-8"))
    head = [_HEAD, _PROMISES, *(_promise(one) for one in promises), _PROOFS, *rows]
    return "".join(head) + "".join(_rules(root, name, proof) for name, proof in proofs.items())


def _promise(promise: Mapping[str, Any]) -> str:
    by = ", ".join(_link(name) for name in promise["by"])
    return f"| {promise['promise']} | {by} | {promise.get('left', '')} |\n"


def _link(name: str) -> str:
    return f"[`{name}`](#{name.replace('_', '-')})"


def _row(name: str, proof: Mapping[str, Any]) -> str:
    far = "by induction" if "induction" in proof else f"the first {proof['bounded']} cycles"
    far = proof.get("far", far)
    return f"| {_link(name)} | {proof['says']} | {far} | {len(proof['broken'])} |\n"


def _rules(root: Path, name: str, proof: Mapping[str, Any]) -> str:
    file = proof["files"][-1]
    head = re.match(r"(?://.*\n)+", (root / file).read_text(encoding="utf-8"))
    if head is None:
        raise ValueError(f"{file}: no head")
    said: list[str] = []
    for line in head[0].splitlines()[1:]:
        text = line.removeprefix("//").strip()
        if re.match(r"\d+\. ", text):  # a rule; what goes on with one stands further right
            said.append(f"\n{text}" if text.startswith("1. ") else text)
        else:
            said.append(f"   {text}" if line.startswith("//     ") else text)
    return f"\n## {name.replace('_', '-')}\n\n" + "\n".join(said) + f"\n\n`{file}`\n"
