# SPDX-License-Identifier: Apache-2.0
"""A key as the reference tells of it."""

from typing import Any

from fixaccel.language.keys.schema import Key, Shape


def form_of(key: Key[Any]) -> str:
    """Its value in words."""
    return "a mapping" if isinstance(key.kind, Shape) else key.kind.form


def key_text(key: Key[Any]) -> str:
    """Markdown: the key, its value and its meaning."""
    needed = " Required." if key.required else ""
    return f"**`{key.name}`**: {form_of(key)}\n\n{key.doc}{needed}"
