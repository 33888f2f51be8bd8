# SPDX-License-Identifier: Apache-2.0
"""The software bill of materials of the wheel, CycloneDX 1.6: what is in it, and what it asks pip for.

In it are, beside ours, what the compiler links into the image engine's library and what the page is built with. What it
asks for stands in the versions that the tests run with, from scripts/constraints.txt; what only extras ask for is
optional.
"""

import json
import re
import tomllib
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from packages import ROOT, run, source_date

_TOOLS = {"bench", "dev", "docs"}  # extras of those who build it
_ON_PAGE = ("svelte", "uplot", "esm-env")  # what runs in the browser; the rest of dashboard/package.json builds it
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def sbom(*, library: bool, page: bool) -> str:
    """It as JSON, of a wheel with the library and the page or without; always the same text. Raises PackagingError."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ours = Component(
        name=project["name"],
        version=project["version"],
        type=ComponentType.APPLICATION,
        description=project["description"],
        licenses=[LicenseExpression(project["license"])],
        purl=PackageURL("pypi", None, project["name"], project["version"]),
        bom_ref=project["name"],
    )
    parts = [*_asked_for(project), *(_compiled_in() if library else ()), *(_page() if page else ())]
    bom = Bom(components=parts, dependencies=[Dependency(ours.bom_ref, [Dependency(part.bom_ref) for part in parts])])
    bom.metadata.component = ours
    bom.metadata.timestamp = datetime.fromtimestamp(int(source_date()), UTC)
    bom.serial_number = uuid.UUID(int=0)
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, JsonV1Dot6(bom).output_as_string())
    return JsonV1Dot6(bom).output_as_string(indent=1) + "\n"


def _asked_for(project: dict[str, Any]) -> Iterator[Component]:
    pins = dict(line.split("==") for line in (ROOT / "scripts" / "constraints.txt").read_text().split() if "==" in line)
    pins = {_normal(name): version for name, version in pins.items()}
    extras = (one for extra, ones in project["optional-dependencies"].items() if extra not in _TOOLS for one in ones)
    asked = dict.fromkeys(map(_named, extras), ComponentScope.OPTIONAL)
    asked |= dict.fromkeys(map(_named, project["dependencies"]), ComponentScope.REQUIRED)
    for name, scope in sorted(asked.items()):
        version = pins.get(name)
        purl = PackageURL("pypi", None, name, version)
        yield Component(name=name, version=version, scope=scope, purl=purl, bom_ref=f"pypi:{name}")


def _named(requirement: str) -> str:
    found = _NAME.match(requirement)
    assert found is not None, requirement
    return _normal(found[0])


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _compiled_in() -> Iterator[Component]:
    version = run("g++", "-dumpfullversion").strip()
    for name in ("libstdc++", "libgcc"):
        yield Component(
            name=name,
            version=version,
            scope=ComponentScope.REQUIRED,
            licenses=[LicenseExpression("GPL-3.0-or-later WITH GCC-exception-3.1")],
            bom_ref=f"gcc:{name}",
        )


def _page() -> Iterator[Component]:
    locked = json.loads((ROOT / "dashboard" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name in _ON_PAGE:
        entry = locked[f"node_modules/{name}"]
        yield Component(
            name=name,
            version=entry["version"],
            scope=ComponentScope.REQUIRED,
            licenses=[DisjunctiveLicense(id=entry["license"])],
            purl=PackageURL("npm", None, name, entry["version"]),
            bom_ref=f"npm:{name}",
        )
