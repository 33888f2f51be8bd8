# SPDX-License-Identifier: Apache-2.0
"""What an instruction takes from the elements around it, and how fields are told apart."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from fixaccel.fast.model import Item, Key, Name, Reference
from fixaccel.fast.xml_tree import Element

GLOBAL = "global"
_ANY, _NONE = Name("any"), Name("")


@dataclass(frozen=True)
class Scope:
    """The instruction context: namespaces, dictionary, application type and template.

    ``referred``: a static reference leads here, so what `template` means differs among implementations.
    """

    ns: str = ""
    template_ns: str = ""
    dictionary: str = GLOBAL
    type: Name = _ANY
    template: Name = _NONE
    referred: bool = False

    def inside(self, element: Element) -> "Scope":
        """The context of what stands in ``element``."""
        given = element.attributes
        return replace(
            self,
            ns=given["ns"].value if "ns" in given else self.ns,
            template_ns=given["templateNs"].value if "templateNs" in given else self.template_ns,
            dictionary=given["dictionary"].value.strip() if "dictionary" in given else self.dictionary,
        )

    def typed(self, element: Element) -> "Scope":
        """With the application type that ``element`` names, if it names one."""
        for child in element.children:
            if child.tag == "typeRef" and "name" in child.attributes:
                return replace(self, type=Name(child.attributes["name"].value.strip(), self.inside(child).ns))
        return self

    def field_name(self, element: Element) -> Name | None:
        """The name of a field, None where it has none."""
        if "name" not in element.attributes:
            return None
        return Name(element.attributes["name"].value.strip(), self.inside(element).ns)

    def template_name(self, element: Element) -> Name:
        """The name of a template, or that by which a reference asks for it."""
        given = element.attributes
        space = given["templateNs"].value if "templateNs" in given else self.template_ns
        return Name(given["name"].value.strip(), space)

    def key(self, operator: Element, name: Name, part: str) -> Key:
        """The entry that an operator uses whose field is ``name``; ``part`` for generated names."""
        scope = self.inside(operator)
        if "key" in operator.attributes:
            name, part = Name(operator.attributes["key"].value.strip(), scope.ns), ""
        match scope.dictionary:
            case "template":
                return Key("template", self.template, name, part)
            case "type":
                return Key("type", self.type, name, part)
            case "global":
                return Key(GLOBAL, Name(""), name, part)
            case other:
                return Key("named", Name(other), name, part)


def labels(items: Iterable[Item]) -> list[Item]:
    """With a number behind each name that occurs again on this level, so that output can tell them apart."""
    seen: Counter[str] = Counter()
    found: list[Item] = []
    for item in items:
        name = item.label if isinstance(item, Reference) else item.name.local
        seen[name] += 1
        found.append(replace(item, label=name if seen[name] == 1 else f"{name}#{seen[name]}"))
    return found
