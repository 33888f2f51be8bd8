# SPDX-License-Identifier: Apache-2.0
"""Makes the reference of tuning from the catalogue of knobs and the words of its outcomes."""

from fixaccel.tune.catalogue import CLASSES, KINDS, PROFILES, SCOPES, Knob, catalogue
from fixaccel.tune.measured.effect import FEWEST_PAIRS, WORDS
from fixaccel.tune.measured.figures import MEASURED
from fixaccel.tune.measured.scene import SETTINGS
from fixaccel.tune.measured.trials import FATES
from fixaccel.tune.trial import STAGES

_HEAD = """# Tuning

What [`fixaccel tune`](../howto/tune.md) knows, made from its catalogue. The order is the one in which knobs are set;
they are taken back last first. Places are files below `/`, or below `--root`; `ethtool/INTERFACE/...` is what the
driver of an interface is asked, `toml/TABLE.KEY` is a key of [the daemon's settings](daemon.md), `boot/OPTION` an
option of the kernel's boot line, `systemd/UNIT` whether a unit is active. Names in braces come from the
[plan](keys.md#tuning-plans); patterns stand for every file that they fit. `{cpuset}` is
`sys/fs/cgroup/fixaccel.slice`, or with control groups of version 1 `sys/fs/cgroup/cpuset/fixaccel`.

"""
_ENDS = """
## How a knob ends

| | |
| --- | --- |
| `set` | written, and read back as it was written |
| `clamped` | the kernel made another value of it |
| `already` | it was so before |
| `would set` | `plan` and `inspect`: `apply` would write it |
| `needs ...` | a right, or a file system that can be written, is missing |
| `not here` | hardware, driver or kernel lacks it; the detail names which |
| `refused` | it resets the link or takes cores away, and the daemon has a session |
| `owned by TuneD` | TuneD is active, and the machine's knobs are its |
| `at next boot` | an option of the boot line: `install` adds it, and the next boot has it |
| `firmware: change by hand` | seen, and never set |

Exit code 0: all that was asked is `set` or `already`; 3: some is left; 1: a write or the record failed; 2: the plan
has errors or cannot be read. With `--json` each knob is an object with `knob`, `scope`, `class`, `place`, `now`,
`wanted`, `outcome`, `says` (the outcome in words) and `detail`.

## Records

A run is a file `N.json` in `/var/lib/fixaccel/tune`, for a user who is not root in `~/.local/state/fixaccel/tune`, or
where `--state` says: knob, place, form, former value, wanted value, what was read back, and kernel, boot and network
namespace. What a new group holds is recorded once it is made, ahead of the first write into it. File and folder of the
record are on disk before the first write, and again before each further one. A record whose
places are not those of the catalogue is damaged, and nothing is done with it. `installed.json` beside them has the
files of `install`, each with its SHA-256.

Measurements are files in `measured` below it: `N.json` of `baseline`, `measure` and `verify --measure`, `run-N.json` of
the trials of run N, with machine, kernel, boot, time, pressure, steal, interrupts and switches in a second, and the
median and 99th percentile of each block. A run that tries is one record, `begun` until its end: what was there before
is in it ahead of each first write, and while values go to and fro it has them as set, so that `rollback` takes back
either.

`apply`, `verify`, `rollback`, `run` and `confirm` leave a verdict in `/run/fixaccel-tune.json`, which goes with the
boot that it is of: `{"format": 1, "run": "7", "drifted": 0, "time": 1772461867}`. The daemon reads it, and its status
says `verified 7`, `drifted: 2 of run 7` or `untuned`; with [`cpu.require`](daemon.md) it is armed on a verified machine
alone.

| after | `verify` says | `rollback` does |
| --- | --- | --- |
| a change by others | `drifted`, exit code 1 | leaves it and names it; `--force` writes |
| a boot | `lost at boot`, exit code 1 | has nothing to do but for the daemon's settings |
| the interface is gone | `gone`, exit code 1 | names it and goes on |
| in another network namespace | so, exit code 3 | names it: to be run there |
| `install`, until the next boot | `at next boot`, exit code 3 | is not asked: `uninstall` takes it away |
| a boot line that lost an option of it | `drifted`, exit code 1 | likewise |
| a process in the group of cores | - | leaves the group, and names it: once it has ended, `rollback N` |
| a kill in the middle | what was written so far | takes that back; the next `apply` does it by itself |
"""


_MEASURED = """## What is measured

By `baseline`, `measure`, `verify --measure` and `run`; all in microseconds. Round trips go between two network
namespaces that are made for it, joined by a veth on which the namespace's knobs are as on this machine, and those of
the interface where that is a veth too. A program stands for the daemon; it takes {settings} of the daemon's settings.
Where namespaces are not allowed it is loopback, and said so; with `--peer ADDRESS:PORT` it is the network, to a host
that runs `fixaccel tune echo`.

"""
_VERDICTS = f"""A verdict is about the median and the 99th percentile of either pace, of {FEWEST_PAIRS} pairs or more of
blocks, one with and one without the change. The difference is taken as a ratio in each pair; the interval is a
bootstrap over the pairs, its deviation stretched by Student's distribution, and all intervals of a verdict hold
together at 95 %.

"""


def _measured() -> str:
    stages = {name: f"knobs of scope {', '.join(f'`{one}`' for one in scopes)}" for name, scopes in STAGES.items()}
    parts = [
        _MEASURED.format(settings=", ".join(f"`{name}`" for name in SETTINGS)),
        _rows("figure", MEASURED),
        _table("Stages of `run`", "stage, in their order", stages),
        f"## Verdicts\n\n{_VERDICTS}",
        _rows("verdict", WORDS),
        _rows("what became of it", FATES),
    ]
    return "".join(parts)


def page() -> str:
    """The page in Markdown."""
    parts = [_HEAD, _table("Profiles", "profile", PROFILES), _table("Classes", "class", CLASSES)]
    for scope, text in SCOPES.items():
        knobs = [knob for knob in catalogue().values() if knob.scope == scope]
        parts.append(f"## Scope {scope}\n\n{text[0].upper()}{text[1:]}.\n\n" + "".join(map(_knob, knobs)))
    return "".join(parts) + _measured() + _ENDS.removeprefix("\n")


def _table(title: str, name: str, rows: dict[str, str]) -> str:
    return f"## {title}\n\n" + _rows(name, rows)


def _rows(name: str, rows: dict[str, str]) -> str:
    lines = [f"| `{key}` | {text} |" for key, text in rows.items()]
    return "\n".join([f"| {name} | |", "| --- | --- |", *lines, "", ""])


def _knob(knob: Knob) -> str:
    wanted = [f"`{knob.wanted}`"] if knob.wanted is not None else []
    if knob.paper is not None:
        wanted.append(f"paper: `{knob.paper}`" if knob.paper else "paper: given")
    rows = {
        "place": f"`{knob.where}`",
        "wanted": ", ".join(wanted) or "nothing: set by name alone" if knob.cls != "told" else ", ".join(wanted),
        "class": knob.cls,
        "needs": knob.needs,
        "on": ", ".join(sorted(knob.kinds)) if len(knob.kinds) < len(KINDS) else "",
        "set": f"with `{knob.follows}`" if knob.follows else "",
        "control groups": f"version {knob.cgroup}" if knob.cgroup else "",
        "cuts a session": "yes: refused while the daemon has one" if knob.cuts else "",
        "why": knob.why,
        "cost": knob.cost,
        "source": knob.source,
    }
    lines = [f"| {name} | {text.replace('|', chr(92) + '|')} |" for name, text in rows.items() if text]
    return "\n".join([f"### `{knob.id}`\n", "| | |", "| --- | --- |", *lines, "", ""])
