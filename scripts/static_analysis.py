# SPDX-License-Identifier: Apache-2.0
"""Static analysis of C++ files on all cores. A file that was clean is skipped until something in it changes.

That is its command line, the settings, the tool, or a file that the compiler read for it, as Ninja recorded.
"""

import json
import os
import shlex
import subprocess
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "release"
CLEAN = ROOT / "build" / "stamps" / "clang-tidy"  # keys, a line each; those of other branches stay


def _identity(file: Path) -> str:
    """Our files by their text; those of the system, which are many, by their time and size."""
    if file.is_relative_to(ROOT) and not file.is_relative_to(ROOT / ".venv"):
        return sha256(file.read_bytes()).hexdigest()
    stat = file.stat()
    return f"{file} {stat.st_mtime_ns} {stat.st_size}"


def read_by_compiler(listed: str, folder: Path) -> dict[str, list[Path]]:
    """Object to what it is made of, from what ``ninja -t deps`` printed in ``folder``; stale ones left out."""
    found: dict[str, list[Path]] = {}
    files: list[Path] = []
    for line in listed.splitlines():
        if line.startswith("    "):
            files.append(Path(os.path.normpath(folder / line.strip())))
        elif line.endswith("(VALID)"):
            files = found.setdefault(line.split(": #deps")[0], [])
        else:
            files = []
    return found


def key(command: str, files: list[Path], common: str) -> str:
    """What decides about the findings in one file."""
    identities = [_identity(file) for file in files if file.is_file()]
    return sha256("\0".join((common, command, *identities)).encode()).hexdigest()


def examine(sources: Iterable[Path], tool: str, run: Callable[..., str], depth: str) -> str:
    """What ``tool`` finds in ``sources``; nothing if they are clean. ``run`` gives a command's output if it fails.

    ``depth``, deep or shallow, is how far the analyzer follows calls: a third of all the time is the difference.
    """
    if not (BUILD / "compile_commands.json").exists():
        return "build/release is not configured: run scripts/build"
    depth_option = [f"--extra-arg={part}" for part in ("-Xclang", "-analyzer-config", "-Xclang", f"mode={depth}")]
    command = [tool, "-p", BUILD, "--quiet", *depth_option]
    keys = current_keys({str(source) for source in sources}, tool, depth)
    clean = set(CLEAN.read_text().split()) if CLEAN.exists() else set[str]()
    todo = [file for file, key in keys.items() if key not in clean]
    found = []
    CLEAN.parent.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool, CLEAN.open("a") as clean_now:
        for file, text in zip(todo, pool.map(lambda file: run(*command, file), todo), strict=True):
            if text:
                found.append(text)
            elif keys[file]:
                print(keys[file], file=clean_now, flush=True)  # at once: an interrupted run has not run for nothing
    return "\n".join(found)


def current_keys(sources: set[str], tool: str, depth: str) -> dict[str, str]:
    """The key of each of ``sources``, or of the batch that it is in; empty if it is not built."""
    said = subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    read = read_by_compiler(said, BUILD)
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    common = (ROOT / ".clang-tidy").read_text() + version + depth
    keys: dict[str, str] = {}
    seen = set[str]()
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        command = shlex.split(entry["command"])
        files = read.get(command[command.index("-o") + 1], [])
        # A batch, which CMake writes, counts by what is in it.
        batch = sources.intersection(map(str, files)) if "Unity" in Path(entry["file"]).parts else set[str]()
        if entry["file"] in sources or batch:
            keys[entry["file"]] = key(entry["command"], files, common) if files else ""
            seen |= batch | {entry["file"]}
    return keys | dict.fromkeys(sorted(sources - seen), "")  # none is left out
