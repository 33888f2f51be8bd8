# SPDX-License-Identifier: Apache-2.0
"""Which kind of file a tree is: each kind has a key of its own that carries the language version."""

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.keys.kinds import Choice
from fixaccel.language.keys.schema import clip
from fixaccel.source import MappingNode, Node, ScalarNode

VERSION_KIND = Choice({"1": 1})
VERSION_KEYS = {
    "strategy": "fixaccel",
    "venue": "fixaccel-venue",
    "board": "fixaccel-board",
    "tune": "fixaccel-tune",
    "bus": "fixaccel-bus",
}


def kind_of_file(root: Node) -> str | None:
    """strategy, venue, board, tune or bus, by the version key; None without one."""
    if not isinstance(root, MappingNode):
        return None
    present = {entry.key.text for entry in root.entries}
    return next((kind for kind, key in VERSION_KEYS.items() if key in present), None)


def check_version(root: Node, wanted: str, report: Report) -> bool:
    """Whether ``root`` is a file of kind ``wanted`` in a known version; reports otherwise."""
    seen, key = kind_of_file(root), VERSION_KEYS[wanted]
    place = root.entries[0].key.span if isinstance(root, MappingNode) and root.entries else root.span
    if seen is None:
        message = f"this is not a {wanted}: `{key}: 1` is missing"
        report.add(codes.WRONG_KIND, message, place, help=f"begin the file with `{key}: 1`")
        return False
    if seen != wanted:
        report.add(codes.WRONG_KIND, f"this is a {seen}, a {wanted} was expected", place)
        return False
    assert isinstance(root, MappingNode)
    version = next(entry.value for entry in root.entries if entry.key.text == key)
    if isinstance(version, ScalarNode) and version.text in VERSION_KIND.words:
        return True
    text = clip(version.text) if isinstance(version, ScalarNode) else "this"
    report.add(
        codes.UNKNOWN_VERSION,
        f"`{text}` is not a version that this compiler knows",
        version.span,
        help=f"write `{key}: 1`",
        instead=["1"] if isinstance(version, ScalarNode) else [],
    )
    return False
