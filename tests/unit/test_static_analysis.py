# SPDX-License-Identifier: Apache-2.0
"""A file that clang-tidy found clean is looked at again when something that it is made of changes, and only then."""

import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

import static_analysis

LISTED = """\
a.cpp.o: #deps 3, deps mtime 1 (VALID)
    ../a.cpp
    ../a.hpp
    {system}

b.cpp.o: #deps 1, deps mtime 1 (VALID)
    ../b.cpp

old.cpp.o: #deps 1, deps mtime 1 (STALE)
    ../b.cpp

"""


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    root = tmp_path / "root"
    (root / "build").mkdir(parents=True)
    monkeypatch.setattr(static_analysis, "ROOT", root)
    for name in ("a.cpp", "a.hpp", "b.cpp"):
        (root / name).write_text(name)
    system = tmp_path / "system.h"
    system.write_text("")

    def now(command: str = "c++", common: str = "14") -> dict[str, str]:
        read = static_analysis.read_by_compiler(LISTED.format(system=system), root / "build")
        return {name: static_analysis.key(command, files, common) for name, files in read.items()}

    return now


def test_only_what_was_read_counts(keys, tmp_path: Path) -> None:
    before = keys()
    assert before.keys() == {"a.cpp.o", "b.cpp.o"}
    for name in ("a.cpp", "a.hpp"):
        (tmp_path / "root" / name).write_text(name + " changed")
        after = keys()
        assert after["a.cpp.o"] != before["a.cpp.o"]
        assert after["b.cpp.o"] == before["b.cpp.o"]
        before = after
    os.utime(tmp_path / "root" / "a.hpp", (1, 1))  # the same text, as a new checkout has it
    assert keys() == before
    os.utime(tmp_path / "system.h", (1, 1))
    assert keys()["a.cpp.o"] != before["a.cpp.o"]


def test_command_line_and_settings_count(keys) -> None:
    assert keys("c++ -O2")["b.cpp.o"] != keys()["b.cpp.o"]
    assert keys(common="15")["b.cpp.o"] != keys()["b.cpp.o"]


def test_a_batch_stands_for_what_is_in_it_and_nothing_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = tmp_path / "build"
    build.mkdir()
    batch = build / "Unity" / "unity_0_cxx.cxx"
    ours = [tmp_path / name for name in ("a.cpp", "b.cpp", "c.cpp", "d.cpp")]
    for file in (*ours, tmp_path / ".clang-tidy"):
        file.write_text(file.name)
    objects = {"batch.o": (batch, ours[:2]), "c.o": (ours[2], ours[2:3]), "test.o": (tmp_path / "test.cpp", ours[:1])}
    entries = [{"file": str(file), "command": f"c++ -o {name} -c {file}"} for name, (file, _) in objects.items()]
    (build / "compile_commands.json").write_text(json.dumps(entries))
    deps = "\n".join(
        f"{name}: #deps 1, deps mtime 1 (VALID)\n" + "".join(f"    {file}\n" for file in files)
        for name, (_, files) in objects.items()
    )
    monkeypatch.setattr(static_analysis, "ROOT", tmp_path)
    monkeypatch.setattr(static_analysis, "BUILD", build)
    monkeypatch.setattr(static_analysis.subprocess, "run", lambda *_, **__: SimpleNamespace(stdout=deps))
    keys = static_analysis.current_keys({str(file) for file in ours}, "clang-tidy", "shallow")
    assert keys.keys() == {str(batch), str(ours[2]), str(ours[3])}
    assert [bool(keys[str(file)]) for file in (batch, ours[2], ours[3])] == [True, True, False]
