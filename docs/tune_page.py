# SPDX-License-Identifier: Apache-2.0
"""Makes the reference of tuning from the catalogue of knobs and the words of its outcomes."""

from fixaccel.tune.catalogue import CLASSES, KINDS, PROFILES, SCOPES, Knob, catalogue

_HEAD = """# Tuning

What [`fixaccel tune`](../howto/tune.md) knows, made from its catalogue. The order is the one in which knobs are set;
they are taken back last first. Places are files below `/`, or below `--root`; `ethtool/INTERFACE/...` is what the
driver of an interface is asked, `toml/TABLE.KEY` is a key of [the daemon's settings](daemon.md), `boot/OPTION` an
option of the kernel's boot line. Names in braces come from the [plan](keys.md#tuning-plans); patterns stand for every
file that they fit.

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
| `refused` | it resets the link, and the daemon has a session |
| `owned by TuneD` | TuneD is active, and the machine's knobs are its |
| `at next boot` | an option of the boot line: `install` adds it, and the next boot has it |
| `firmware: change by hand` | seen, and never set |

Exit code 0: all that was asked is `set` or `already`; 3: some is left; 1: a write or the record failed; 2: the plan
has errors or cannot be read. With `--json` each knob is an object with `knob`, `scope`, `class`, `place`, `now`,
`wanted`, `outcome`, `says` (the outcome in words) and `detail`.

## Records

A run is a file `N.json` in `/var/lib/fixaccel/tune`, for a user who is not root in `~/.local/state/fixaccel/tune`, or
where `--state` says: knob, place, form, former value, wanted value, what was read back, and kernel, boot and network
namespace. File and folder are on disk before the first write, and again before each further one. A record whose
places are not those of the catalogue is damaged, and nothing is done with it. `installed.json` beside them has the
files of `install`, each with its SHA-256.

`apply`, `verify`, `rollback` and `confirm` leave a verdict in `/run/fixaccel-tune.json`, which goes with the boot that
it is of: `{"format": 1, "run": "7", "drifted": 0, "time": 1772461867}`. The daemon reads it, and its status says
`verified 7`, `drifted: 2 of run 7` or `untuned`; with [`cpu.require`](daemon.md) it is armed on a verified machine
alone.

| after | `verify` says | `rollback` does |
| --- | --- | --- |
| a change by others | `drifted`, exit code 1 | leaves it and names it; `--force` writes |
| a boot | `lost at boot`, exit code 1 | has nothing to do but for the daemon's settings |
| the interface is gone | `gone`, exit code 1 | names it and goes on |
| in another network namespace | so, exit code 3 | names it: to be run there |
| `install`, until the next boot | `at next boot`, exit code 3 | is not asked: `uninstall` takes it away |
| a boot line that lost an option of it | `drifted`, exit code 1 | likewise |
| a kill in the middle | what was written so far | takes that back; the next `apply` does it by itself |
"""


def page() -> str:
    """The page in Markdown."""
    parts = [_HEAD, _table("Profiles", "profile", PROFILES), _table("Classes", "class", CLASSES)]
    for scope, text in SCOPES.items():
        knobs = [knob for knob in catalogue().values() if knob.scope == scope]
        parts.append(f"## Scope {scope}\n\n{text[0].upper()}{text[1:]}.\n\n" + "".join(map(_knob, knobs)))
    return "".join(parts) + _ENDS


def _table(title: str, name: str, rows: dict[str, str]) -> str:
    lines = [f"| `{key}` | {text} |" for key, text in rows.items()]
    return "\n".join([f"## {title}\n", f"| {name} | |", "| --- | --- |", *lines, "", ""])


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
        "resets the link": "yes" if knob.cuts else "",
        "why": knob.why,
        "cost": knob.cost,
        "source": knob.source,
    }
    lines = [f"| {name} | {text.replace('|', chr(92) + '|')} |" for name, text in rows.items() if text]
    return "\n".join([f"### `{knob.id}`\n", "| | |", "| --- | --- |", *lines, "", ""])
