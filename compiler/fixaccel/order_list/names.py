# SPDX-License-Identifier: Apache-2.0
"""Legal and unique names of rules and groups for whatever a list calls them."""

import re

from fixaccel.language.patterns import RULE_ID

MOST = 32


class Names:
    """Gives each text a name of its own, as like it as the language allows."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, text: str) -> str:
        """A new name."""
        base = re.sub(r"[^a-z0-9_.-]+", "-", text.lower()).strip("-._")[:MOST].rstrip("-") or "order"
        name, number = base, 1
        while name in self._taken:
            number += 1
            tail = f"-{number}"
            name = base[: MOST - len(tail)].rstrip("-") + tail
        assert RULE_ID.match(name), name
        self._taken.add(name)
        return name
