# SPDX-License-Identifier: Apache-2.0
"""Makes the page of the models from their heads, the list of runs and faults, and the figures of the last whole run."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

_HEAD = """# What is checked in every order of steps

Made from the heads of `models/*.pml` and from `scripts/model/models.yaml`;
[](../explanation/session-model.md) says what the model of a shared session is, and what it leaves out.
"""
_MODEL = """
## {title}

`models/{file}`

"""


def page(root: Path) -> str:
    """The page in Markdown, of the checkout at ``root``."""
    models = yaml.safe_load_all((root / "scripts/model/models.yaml").read_text(encoding="utf-8"))
    figures = json.loads((root / "docs/figures/model.json").read_text(encoding="utf-8"))
    return _HEAD + "".join(_of(root, model, figures) for model in models)


def _of(root: Path, model: dict[str, Any], figures: dict[str, Any]) -> str:
    head = (root / "models" / model["file"]).read_text(encoding="utf-8").split("\n\n")[0]
    said = re.sub(r"^// ?", "", head, flags=re.MULTILINE)
    rules = said[said.index("Rules, checked") :]
    return "\n".join(
        [
            _MODEL.format(**model) + "### Rules\n",
            re.sub(r"^ +(?=\d+\. )", "", _apart(rules), flags=re.MULTILINE),
            "\n### Runs\n\nEach goes through every state that its events lead to. Seconds are of one core.\n",
            "| run | what happens | states | depth | MiB | s |\n| --- | --- | --: | --: | --: | --: |",
            *(_run(name, entry, figures[name]) for name, entry in model["runs"].items()),
            "\n### Faults that have to be found\n\n| fault | run | rule that breaks |\n| --- | --- | --: |",
            *(f"| {entry['says']} | `{entry['in']}` | {entry['rule']} |" for entry in model["faults"]),
            "\n### What stands open\n",
            *(
                [
                    "Found by the model, of the product as it is.\n",
                    *(f"**{one['name'].capitalize()}** (rule {one['rule']}): {one['says']}\n" for one in model["open"]),
                ]
                if model["open"]
                else ["Nothing that the model finds.\n"]
            ),
        ]
    )


def _apart(text: str) -> str:
    """Lists with empty lines around them, as Markdown wants them."""
    return re.sub(r"(?m)^(?! +\d)(.*)\n(?= +\d)", r"\1\n\n", re.sub(r"(?m)^( +\d+\. .*)\n(?! +\d)", r"\1\n\n", text))


def _run(name: str, entry: dict[str, Any], figures: dict[str, int]) -> str:
    numbers = " | ".join(f"{figures[key]:,}" for key in ("states", "depth", "mib", "seconds"))
    return f"| `{name}` | {entry['says']} | {numbers} |"
