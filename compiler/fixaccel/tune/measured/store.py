# SPDX-License-Identifier: Apache-2.0
"""Measurements and trials on disk, in a folder beside the records."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from fixaccel.files import write_atomically
from fixaccel.tune.measured.effect import Difference, Effect
from fixaccel.tune.measured.figures import FORMAT, Figure, Measurement
from fixaccel.tune.measured.noise import Noise
from fixaccel.tune.measured.trials import Trial, Trials
from fixaccel.tune.record import RecordError, Records

FOLDER = "measured"
_NAME = re.compile(r"([1-9][0-9]{0,8})\.json\Z")
T = TypeVar("T")


def keep(measurement: Measurement, records: Records) -> str:
    """Gives it the next number. The lock is held. Raises RecordError."""
    measurement.id = str(max((int(id_) for id_ in _ids(records)), default=0) + 1)
    _write(_folder(records) / f"{measurement.id}.json", asdict(measurement))
    return measurement.id


def keep_trials(trials: Trials, records: Records) -> None:
    """Beside the record of its run. The lock is held. Raises RecordError."""
    found = asdict(trials)
    for trial, object_ in zip(trials.trials, found["trials"], strict=True):
        object_["effect"] = trial.effect.value if trial.effect else None
    _write(_folder(records) / f"run-{trials.run}.json", found)


def last(records: Records, *kinds: str) -> Measurement | None:
    """The youngest of these kinds, None if there is none. Raises RecordError for one that is damaged."""
    for id_ in reversed(_ids(records)):
        found = _read(_folder(records) / f"{id_}.json", _measurement)
        if found and found.kind in kinds:
            return found
    return None


def trials_of(run: str, records: Records) -> Trials | None:
    """What `fixaccel tune run` found in a run; None for one that was only applied. Raises RecordError."""
    return _read(_folder(records) / f"run-{run}.json", _trials)


def _folder(records: Records) -> Path:
    return records.folder / FOLDER


def _ids(records: Records) -> list[str]:
    folder = _folder(records)
    try:
        found = [match[1] for path in folder.iterdir() if (match := _NAME.match(path.name))]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RecordError(f"{folder}: {error.strerror}") from error
    return sorted(found, key=int)


def _write(path: Path, found: dict[str, Any]) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        write_atomically(path, (json.dumps(found) + "\n").encode())
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from error


def _read(path: Path, made: Callable[[Any], T]) -> T | None:
    try:
        found = json.loads(path.read_bytes())
        if found["format"] != FORMAT:
            raise ValueError("it is of another version")
        return made(found)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"{path} is damaged: move it away, it is only to be shown ({error})") from error


def _measurement(found: dict[str, Any]) -> Measurement:
    figures = [Figure(**figure) for figure in found["figures"]]
    return Measurement(**found | {"figures": figures, "noise": Noise(**found["noise"])})


def _trials(found: dict[str, Any]) -> Trials:
    before, after = (_measurement(found[key]) if found[key] else None for key in ("before", "after"))
    return Trials(**found | {"trials": [_trial(trial) for trial in found["trials"]], "before": before, "after": after})


def _trial(found: dict[str, Any]) -> Trial:
    effect = Effect(found["effect"]) if found["effect"] is not None else None
    differences = [Difference(**one) for one in found["differences"]]
    return Trial(**found | {"effect": effect, "differences": differences, "noise": Noise(**found["noise"])})
