# SPDX-License-Identifier: Apache-2.0
"""What is raised where packed memories do not say what the fabric needs."""


class ImageReadError(ValueError):
    """The memories contradict themselves; the text says where."""


def require(holds: object, otherwise: str) -> None:
    """Raises ImageReadError unless ``holds`` is true."""
    if not holds:
        raise ImageReadError(otherwise)
