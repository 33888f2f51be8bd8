# SPDX-License-Identifier: Apache-2.0
"""Why an expected rule did not fire, in words."""

from fixaccel.semantics.recorder import Recorder
from fixaccel.testing.load import Case, Expected, Suite


def why_not(suite: Suite, case: Case, expected: Expected) -> str:
    """One sentence: what held the rule back up to the event at which it was expected, by the rules themselves."""
    name, event = expected.values.get("rule"), expected.values.get("event")
    if not isinstance(name, str):
        return "an expected fire that names no rule did not come"
    last = event if isinstance(event, int) else len(case.messages)
    recorder = Recorder(suite.strategy)
    fired = [fire.rule for message in case.messages[:last] for fire in recorder.process(message)]
    again = " again" if name in fired else ""
    where = f" at event {event}" if event else ""
    return f"{name} did not fire{again}{where}: {recorder.held_back(name)}"
