# SPDX-License-Identifier: Apache-2.0
"""A program that a sanitizer reports makes its run fail, also one that the run did not start itself."""

import os
import subprocess
from pathlib import Path

import pytest

from fixaccel.lab.namespaces import LabError
from lab.sanitizers import Reports

_PROGRAMS = {
    "address": "int main(int n, char** a) { (void)a; char* p = malloc(n); free(p); return p[0]; }",
    "undefined": "int main(int n, char** a) { (void)a; return (2147483647 + n) != 0; }",
}
_SAYS = {"address": "heap-use-after-free", "undefined": "signed integer overflow"}


def built(folder: Path, tool: str) -> Path:
    source = folder / "fault.c"
    source.write_text(f"#include <stdlib.h>\n{_PROGRAMS[tool]}\n", encoding="ascii")
    flags = [f"-fsanitize={tool}", "-fno-sanitize-recover=all", "-w"]
    subprocess.run(["cc", *flags, "-o", folder / "fault", source], check=True)
    return folder / "fault"


@pytest.mark.parametrize("tool", _PROGRAMS)
def test_a_report_is_a_failure(tmp_path: Path, tool: str) -> None:
    before = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
    reports = Reports(tmp_path)
    reports.open()
    done = subprocess.run([built(tmp_path, tool)], capture_output=True, check=False)
    assert done.returncode != 0
    with pytest.raises(LabError, match=_SAYS[tool]):
        reports.close()
    assert {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")} == before


def test_nothing_reported_is_no_failure(tmp_path: Path) -> None:
    for _ in range(2):  # the folder of a run may be there from the run before
        reports = Reports(tmp_path)
        reports.open()
        reports.close()
