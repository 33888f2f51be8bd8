# SPDX-License-Identifier: Apache-2.0
"""What a schema's kind says about the values inside a value."""

from fixaccel.language.keys.schema import Shape


def shape_of(kind: object) -> Shape | None:
    """The keys of a mapping of this kind; None where keys are data, or nothing is known."""
    shape = getattr(kind, "shape", kind)
    return shape if isinstance(shape, Shape) else None


def inner(kind: object, name: str = "") -> object:
    """The kind of what stands at the key ``name``, or in a list; None where nothing is known about it."""
    shape = shape_of(kind)
    if shape is not None:
        return shape.keys[name].kind if name in shape.keys else None
    found: object = getattr(kind, "kind", None)
    return found
