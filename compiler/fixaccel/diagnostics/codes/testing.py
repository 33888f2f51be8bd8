# SPDX-License-Identifier: Apache-2.0
"""FX08: rule tests."""

from fixaccel.diagnostics.report import Code, Example, Severity

E, W = Severity.ERROR, Severity.WARNING

_HEAD = "strategy: strategy.yaml\ntests:\n  - name: fires\n"
_NO_FIRE = "    expect: []\n"

TEST_EVENT = Code(
    "FX0801", "test-event", E, "An event of a test has the wrong form",
    "An event is `SYMBOL [snapshot|update|gap|halt|open] [bid P] [ask P] [last P] [@TIME]`, with `*` for all "
    "instruments. `bid -` says that the side becomes unknown. What befell an own order is `fill RULE QTY [at PRICE]`, "
    "`done RULE` or `reject RULE`, with or without `@TIME`.",
    Example("test", f"{_HEAD}    events:\n      - MSFT last\n{_NO_FIRE}"),
)  # fmt: skip
TEST_TIME = Code(
    "FX0802", "test-time", E, "The time of an event has the wrong form, or lies before the event before it",
    "A time is `@HH:MM[:SS[.fff]]` on the venue's clock, `@+5s` after the event before it, or a date and time such as "
    "`@2026-01-05T10:00:00`, in the venue's zone unless it names another.",
    Example("test", f"{_HEAD}    events:\n      - MSFT last 49 @10:61\n{_NO_FIRE}"),
)  # fmt: skip
TEST_RULE = Code(
    "FX0803", "test-rule", E, "A test names a rule that the strategy does not have",
    "`rule` is the name of a part as reports show it: `ID`, `ID[n]` for a step of a ladder or a row of a table, "
    "`ID@SYMBOL` for a rule over a list of instruments. Rules that are not enabled are not there.",
    Example("test", f"{_HEAD}    events: [MSFT last 49]\n    expect:\n      - {{event: 1, rule: stpo}}\n"),
)  # fmt: skip
TEST_EVENT_NUMBER = Code(
    "FX0804", "test-event-number", E, "A test expects a fire at an event that cannot be the one",
    "`event` is the number of an entry of `events`, from 1. Fires come in the order of the events.",
    Example("test", f"{_HEAD}    events: [MSFT last 49]\n    expect:\n      - {{event: 2, rule: stop}}\n"),
)  # fmt: skip
TEST_NAME = Code(
    "FX0805", "test-name", E, "Two tests of a file have the same name",
    "Reports name a test by its file and its name.",
    Example("test", f"{_HEAD}    events: [MSFT last 51]\n{_NO_FIRE}"
            f"  - name: fires\n    events: [MSFT last 52]\n{_NO_FIRE}"),
)  # fmt: skip
NO_TESTS = Code(
    "FX0806", "no-tests", E, "A test file has no tests",
    "Nothing would be tested, and nobody would notice.",
    Example("test", "strategy: strategy.yaml\ntests: []\n"),
)  # fmt: skip
TEST_PRICE = Code(
    "FX0807", "test-price", W, "An event of a test has a price that no rule can see",
    "A price between two units of its instrument, or outside the instrument's `price_range`, is no observation: it "
    "only makes its side unknown. A test that expects no fire at it passes whatever the rules say.",
    Example("test", f"{_HEAD}    events: [MSFT last 49.005]\n{_NO_FIRE}"),
)  # fmt: skip
TEST_EXECUTION = Code(
    "FX0808", "test-execution", W, "A test tells of an own order that is not there",
    "`fill`, `done` and `reject` are about the oldest order of the rule that is not done. Where there is none they "
    "change nothing, and a test that waits for what they should bring about passes or fails for another reason.",
    Example("test", f"{_HEAD}    events: [fill stop 2]\n{_NO_FIRE}"),
)  # fmt: skip
