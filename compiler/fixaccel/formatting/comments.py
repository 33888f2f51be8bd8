# SPDX-License-Identifier: Apache-2.0
"""Comments: found in the text, and given to the elements that they are about."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from fixaccel.formatting.tree import Collection, Element, Node, Scalar, block_elements, flow_collections, pieces

# Elements that begin before a comment and can end in its line: its own, and those around it.
_NEAR = 40
_HASH = re.compile(r"(?:(?<=[\s])|^)#[^\n]*", re.MULTILINE)


@dataclass(frozen=True)
class Comment:
    """``alone``: nothing but blanks stands before it in its line."""

    text: str
    start: int
    line: int
    column: int
    alone: bool


def find_comments(text: str, root: Node) -> list[Comment]:
    """All comments; a `#` inside a text is none."""
    texts = list(pieces(root))
    starts = [piece.start for piece in texts]
    found = []
    position = line = counted = 0
    while match := _HASH.search(text, position):
        at = match.start()
        before = bisect_right(starts, at) - 1
        if before >= 0 and texts[before].start <= at < texts[before].end:
            position = max(texts[before].end, at + 1)
            continue
        line_start = text.rfind("\n", 0, at) + 1
        alone = not text[line_start:at].strip()
        line += text.count("\n", counted, at)
        counted = at
        found.append(Comment(match[0].rstrip(), at, line, at - line_start, alone))
        position = match.end()
    return found


def attach(text: str, root: Node, comments: list[Comment]) -> tuple[list[str], list[str]]:
    """Gives each comment to an element; returns those at the head and at the foot of the file."""
    lines = text.split("\n")
    texts = _texts_before(lines)
    elements = list(block_elements(root))
    starts = [element.start for element in elements]
    brackets = list(flow_collections(root))
    openings = [bracket.start for bracket in brackets]
    head: list[str] = []
    foot: list[str] = []
    open_at = 0  # line from which on blank lines before the next comment count
    for comment in comments:
        around = bisect_right(openings, comment.start) - 1
        if around >= 0 and comment.start < brackets[around].end:
            brackets[around].verbatim = True
            continue
        position = bisect_right(starts, comment.start)
        beside = None if comment.alone else _beside(elements[max(position - _NEAR, 0) : position], comment)
        if beside is not None and not beside.beside:
            beside.beside = comment.text
            continue
        target = _target(root, elements, position, comment, texts[comment.line], head, foot)
        blank = comment.line > 0 and not lines[comment.line - 1].strip() and comment.line > open_at
        if (blank and target and target[-1] != "") or (blank and target is not head):
            target.append("")
        target.append(comment.text)
    _mark_blanks(lines, elements)
    return head, foot


def _beside(elements: list[Element], comment: Comment) -> Element | None:
    """The element that ends in the comment's line, or whose key stands there with the value below it."""
    for element in reversed(elements):
        value, key = element.value, element.key
        if isinstance(value, Scalar) or value.flow:
            if value.end <= comment.start and value.last_line == comment.line:
                return element
            if key and key.last_line == comment.line and value.start > comment.start:
                return element
        elif key and key.last_line == comment.line:
            return element
    return None


def _target(
    root: Node,
    elements: list[Element],
    position: int,
    comment: Comment,
    text_before: str,
    head: list[str],
    foot: list[str],
) -> list[str]:
    if position == 0:
        return head
    following = elements[position] if position < len(elements) else None
    around = elements[position - 1]
    if around.key and comment.start < around.value.start and not _is_block(around.value):
        return around.before  # between a key and its text
    # Behind the dash of an item, in its line or below, it is about that item.
    if following is not None and (_is_dash(text_before) or _margin(following) >= comment.column):
        return following.before
    inner = _deepest(root, comment)
    if inner is not None and comment.column > 0:
        return inner.after
    return following.before if following is not None else foot


def _texts_before(lines: list[str]) -> list[str]:
    """For each line its text before a comment or, where there is none, that of the last line above that has one."""
    own = (line.partition("#")[0].strip() for line in lines)
    last = ""
    return [last := text or last for text in own]


def _is_dash(text: str) -> bool:
    return bool(text) and not text.strip("- ")


def _is_block(node: Node) -> bool:
    return isinstance(node, Collection) and not node.flow


def _margin(element: Element) -> int:
    """The column of an item's dash, or of a key."""
    return element.column if element.key else max(element.column - 2, 0)


def _deepest(root: Node, comment: Comment) -> Collection | None:
    """The innermost block that ends before the comment and is not indented further than it."""
    found: Collection | None = None
    node = root
    while isinstance(node, Collection) and not node.flow and node.elements:
        if _margin(node.elements[0]) > comment.column:
            break
        before = bisect_right(node.elements, comment.start, key=lambda element: element.start)
        if not before:
            return None  # above its first element, so that none of those around it ends here
        if before == len(node.elements):
            found = node
        node = node.elements[before - 1].value
    return found


def _mark_blanks(lines: list[str], elements: list[Element]) -> None:
    """A blank line above an element or above its comments belongs to it."""
    for element in elements:
        line = element.key.first_line if element.key else element.value.first_line
        above = line - 1
        if element.before:
            if lines[above].strip() == "" and element.before[-1] != "":
                element.before.append("")
            if element.before[0] == "":
                element.before.pop(0)
                element.blank = True
        elif above >= 0 and not lines[above].strip():
            element.blank = True
