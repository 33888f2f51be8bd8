# SPDX-License-Identifier: Apache-2.0
"""The quickstart on a session that takes it more calmly than the demo's."""

from pathlib import Path

from fixaccel.lab.desk import VENUE, fixaccel
from lab.desk import ROOT


def quickstart(folder: Path, heartbeat: str, limits: str = "{}") -> Path:
    """Bundle of the quickstart, with other heartbeats such as `4s`, and ``limits``."""
    venue, strategy, bundle = (folder / name for name in ("venue.yaml", "quickstart.yaml", "calm"))
    venue.write_text(VENUE.read_text(encoding="utf-8").replace("heartbeat: 2s", f"heartbeat: {heartbeat}"), "utf-8")
    text = (ROOT / "strategies" / "quickstart.yaml").read_text(encoding="utf-8")
    strategy.write_text(
        text.replace("venue: venues/simulator.yaml", f"venue: {venue}\n\nlimits: {limits}"), encoding="utf-8"
    )
    fixaccel("compile", str(strategy), "-o", str(bundle))
    return bundle
