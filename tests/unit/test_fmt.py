# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fmt`: every comment kept, no value touched, the same when done twice."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from fixaccel.cli.main import cli
from fixaccel.diagnostics.report import Report
from fixaccel.formatting import format as formatting
from fixaccel.formatting.format import LayoutError, format_source
from fixaccel.source import SourceFile

STRATEGIES = Path(__file__).parents[2] / "strategies"
# Scenarios are the exchange simulator's own, which reads and tests them.
SHIPPED = sorted(set(STRATEGIES.rglob("*.yaml")) - set((STRATEGIES / "scenarios").glob("*.yaml")))


def laid_out(text: str) -> str:
    report = Report()
    found = format_source(SourceFile.of("a.yaml", text), report)
    assert found is not None, [diagnostic.message for diagnostic in report]
    return found


def strategy(rules: str) -> str:
    return laid_out(f"fixaccel: 1\nvenue: v.yaml\nrules:\n{rules}").partition("rules:\n")[2]


def test_what_follows_fills_has_its_place() -> None:
    written = (
        "- {cancels: [entry], order: {type: market, qty: filled, side: sell}, at: 15:55,\n"
        "   armed_by: {on: first-fill, rule: entry}, limits: {collar_breach: ignore,  collar: 5%}, id: stop}\n"
    )
    assert strategy(written) == (
        "  - id: stop\n"
        "    at: 15:55\n"
        "    order: {side: sell, qty: filled, type: market}\n"
        "    armed_by: {rule: entry, on: first-fill}\n"
        "    cancels: [entry]\n"
        "    limits: {collar: 5%, collar_breach: ignore}\n"
    )


UGLY = """\
# head, as it is

venue:   v.yaml
fixaccel: 1
# about the limits
limits:
      order_qty:    500 # per order
      order_notional: 600000      # in money
rules:

    # first
    - when: last <= 1180   # the condition


      id: a
      # the order
      order: { type: limit,  side: sell ,qty: 2,price: 100.10}
      instrument: "7203"
      # left out: note: x
    - id:   b
      instrument: [ MSFT,ESZ6 ]
      when: 'last <= 0123'
      note: |
           two
             lines
      order: {side: buy, qty: -5, type: market}
# the end
"""
NEAT = """\
# head, as it is

fixaccel: 1
venue: v.yaml
# about the limits
limits:
  order_qty: 500          # per order
  order_notional: 600000  # in money
rules:
  # first
  - id: a
    instrument: "7203"
    when: last <= 1180  # the condition
    # the order
    order: {side: sell, qty: 2, type: limit, price: 100.10}
    # left out: note: x

  - id: b
    instrument: [MSFT, ESZ6]
    when: 'last <= 0123'
    order: {side: buy, qty: -5, type: market}
    note: |
      two
        lines

# the end
"""


def test_everything_at_once() -> None:
    assert laid_out(UGLY) == NEAT
    assert laid_out(NEAT) == NEAT


@pytest.mark.parametrize(
    "value",
    [
        "0123", "12:30", "100.10", '"7203"', "'7203'", "-0.25", "1e3", "~", "null", "yes", "ON", "0x1F", "1_000", ".5",
        '"a # b"', "a#b", "'it''s'", '"\\u00e9\\n"', '"a: b"', "&anchor text", "é",
    ],
)  # fmt: skip
def test_scalars_stay_as_they_are(value: str) -> None:
    text = f"  - id: a\n    note: {value}\n"
    assert strategy(text) == text
    assert strategy(f"  - {{note: {value},   id: a}}\n") == f"  - {{id: a, note: {value}}}\n"


def test_lists_on_one_line_stay_together_and_others_stand_apart() -> None:
    short = "  - {id: a}\n  - {id: b}\n"
    assert strategy(short) == short
    assert strategy("  - id: a\n  - id: b\n    enabled: false\n") == "  - id: a\n\n  - id: b\n    enabled: false\n"


def test_brackets_that_do_not_fit_become_blocks() -> None:
    note = "x" * 100
    assert strategy(f"  - {{id: abc, note: {note}, order: {{side: buy, qty: 1}}}}\n") == (
        f"  - id: abc\n    order: {{side: buy, qty: 1}}\n    note: {note}\n"
    )


def test_comments_inside_brackets_keep_the_brackets_as_they_are() -> None:
    text = "  - id: a\n    order: {side: buy,  # long\n      qty: 1,   # one\n      type: market}\n"
    assert strategy(text) == text


@pytest.mark.parametrize(
    "rules",
    [
        "  # only a comment\n  - id: a\n",
        "  - id: a  # beside\n    # below\n\n  # above the next\n  - id: b\n",
        "  - id: a\n    # tail of a\n\n  - id: b\n    # tail of b\n",
        "  - id: a\n    during:\n      - 09:30-10:00  # first\n      # between\n      - 10:00-11:00\n",
        "  - id: a\n    order:  # what to send\n      side: buy\n      # how many\n      qty: 1\n",
        "  - &base {id: a, note: x}\n  - *base\n",
        "  - id: a\n    order: &shared {side: buy}\n\n  - id: b\n    order: *shared\n",
        "  - id: a\n    # one\n\n    # two\n    when: last <= 5\n",
    ],
)
def test_layouts_that_are_right_stay(rules: str) -> None:
    assert strategy(rules) == rules


def test_comments_of_the_first_key_go_with_it() -> None:
    assert (
        strategy("  - when: last <= 5\n    # the name\n    id: a\n") == "  # the name\n  - id: a\n    when: last <= 5\n"
    )


def test_long_texts_keep_their_lines() -> None:
    text = '  - id: a\n    note: one\n       two\n\n       three\n    when: "last\n     <= 5"\n'
    found = strategy(text)
    assert found == '  - id: a\n    when: "last\n      <= 5"\n    note: one\n      two\n\n      three\n'


def test_order_that_has_meaning_is_kept() -> None:
    text = (
        "fixaccel-venue: 1\nname: v\ntime_zone: UTC\ninstruments:\n"
        "  ZZZ: {tick: {1000: 0.5, 0: 0.1}, lot: 1}\n  AAA: {tick: 1, lot: 1}\n"
    )
    assert laid_out(text) == text


def test_test_files() -> None:
    text = (
        "strategy: a.yaml\ntests:\n  - name: x\n    events:\n      - MSFT last 5  # five\n    expect: []\n\n"
        '  - name: y\n    events: ["* halt", MSFT last 5 @+5s]\n    expect:\n      - {event: 1, rule: a}\n'
    )
    assert laid_out(text) == text
    assert laid_out(text.replace("\n\n", "\n")) == text


def test_line_ends_and_document_marks() -> None:
    assert (
        laid_out("---\r\nfixaccel: 1\r\nvenue: v.yaml  \r\nrules: []\r\n") == "fixaccel: 1\nvenue: v.yaml\nrules: []\n"
    )


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_what_ships_is_laid_out(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert laid_out(text) == text, "run `fixaccel fmt strategies`"


def test_a_layout_that_would_lose_something_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    original = formatting._laid_out
    for broken in (
        lambda text, shape: original(text, shape).replace("1180", "1181"),
        lambda text, shape: original(text, shape).replace("# first", ""),
        lambda text, shape: original(text, shape) + "\n" * (text == NEAT),
        lambda text, shape: original(text, shape).replace("7203", "'7203'"),
    ):
        monkeypatch.setattr(formatting, "_laid_out", broken)
        with pytest.raises(LayoutError):
            laid_out(UGLY)


def run(*arguments: object, **options: object) -> Result:
    result = CliRunner().invoke(cli, ["fmt", *map(str, arguments)], **options)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(UGLY)
    path.chmod(0o640)
    (tmp_path / "other.yaml").write_text("not: ours\n")
    assert run("--check", tmp_path).output == f"would change: {path}\n"
    assert run("--check", tmp_path).exit_code == 1
    result = run("--diff", path)
    assert result.exit_code == 1
    assert "+  order_qty: 500          # per order" in result.output
    assert path.read_text() == UGLY
    assert run(tmp_path).output == "1 of 1 file changed\n"
    assert path.read_text() == NEAT
    assert path.stat().st_mode & 0o777 == 0o640
    assert run("--check", tmp_path).exit_code == 0
    assert (tmp_path / "other.yaml").read_text() == "not: ours\n"
    assert sorted(x.name for x in tmp_path.iterdir()) == ["a.yaml", "other.yaml"]


def test_standard_input() -> None:
    assert run("-", input=UGLY).output == NEAT
    broken = run("-", input="rules: [")
    assert broken.exit_code == 1
    assert broken.stdout == ""
    assert "<stdin>:2:1" in broken.stderr


@pytest.mark.parametrize(
    ("content", "code", "exit_code"),
    [
        (b"fixaccel: 1\nrules: [\n", "FX0108", 1),
        (b"fixaccel: 1\nfixaccel: 1\n", "FX0117", 1),
        (b"fixaccel: 1\nnote: a\0b\n", "FX0104", 1),
        (b"\x80\x81", "FX0103", 1),
        (b"a: 1\n", "FX0201", 1),
        (b"- a\n", "FX0201", 1),
        (b"", "FX0120", 1),
        (b"x: " + b"[" * 5000, "FX0121", 1),
        (b"#" * (5 << 20), "FX0102", 1),
        (None, "FX0101", 2),
    ],
)
def test_files_that_cannot_be_laid_out(tmp_path: Path, content: bytes | None, code: str, exit_code: int) -> None:
    path = tmp_path / "a.yaml"
    if content is not None:
        path.write_bytes(content)
    result = run(path, "--format", "concise")
    assert (result.exit_code, code in result.stderr) == (exit_code, True)
    assert content is None or path.read_bytes() == content


def test_folders_and_links(tmp_path: Path) -> None:
    assert run(tmp_path).exit_code == 2
    (tmp_path / "real").write_text(UGLY)
    (tmp_path / "link.yaml").symlink_to(tmp_path / "real")
    assert run(tmp_path / "link.yaml").exit_code == 0
    assert (tmp_path / "link.yaml").is_symlink()
    assert (tmp_path / "real").read_text() == NEAT


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """In a program of its own, as `main` words the fault."""
    path = Path("/proc/self/nothing.yaml")
    line = [sys.executable, "-c", "from fixaccel.cli.main import main; main()", "fmt", str(path)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


_CHANGES = (
    lambda line, n: [f"{' ' * (n % 9)}# note {n}", line],
    lambda line, n: ["", line],
    lambda line, n: [f"{line}   # beside {n}"],
    lambda line, n: [line.replace(", ", ",\n      ", 1)],
    lambda line, n: [line.replace(", ", ",  # inside\n      ", 1)],
    lambda line, n: [line.replace("{", "{ ", 1).replace("}", " }")],
    lambda line, n: [line.replace(": ", ":   ", 1)],
    lambda line, n: [line.replace("- ", "-\n        ", 1)],
    lambda line, n: [],
)


@given(
    path=st.sampled_from(SHIPPED),
    places=st.lists(st.tuples(st.integers(0, 60), st.sampled_from(_CHANGES), st.integers(0, 99)), max_size=6),
)
@settings(max_examples=150, deadline=None)
def test_whatever_people_did_to_a_file_it_settles(path: Path, places: list) -> None:
    """Values and comments are compared inside; here that nothing is refused, and that a second time changes nothing."""
    lines = path.read_text(encoding="utf-8").split("\n")
    for place, change, number in places:
        at = place % len(lines)
        lines[at : at + 1] = "\n".join(change(lines[at], number)).split("\n") if change(lines[at], number) else []
        lines = lines or [""]
    report = Report()
    found = format_source(SourceFile.of("a.yaml", "\n".join(lines)), report)
    assert (found is None) == any(diagnostic.is_error for diagnostic in report)
    assert found is None or laid_out(found) == found


def test_a_comment_further_in_than_what_it_is_above_stays_above_it() -> None:
    assert laid_out("fixaccel: 1\n   # note\nvenue: v.yaml\nrules: []\n") == (
        "fixaccel: 1\n# note\nvenue: v.yaml\nrules: []\n"
    )


RULE = "instrument: MSFT\n    when: last <= 1180\n    order: {side: sell, qty: 1, type: market}\n"


@pytest.mark.parametrize("indent", [1, 2, 4, 6, 9])
def test_a_comment_above_an_indented_first_item_stays_there(indent: int) -> None:
    found = strategy(f"{' ' * indent}# about a\n    - id: a\n      when: last <= 1\n")
    assert found.startswith("  # about a\n  - id: a\n")


@pytest.mark.parametrize("dash", ["-   # about b\n    ", "- # about b\n    ", "-\n    # about b\n    "])
def test_a_comment_on_the_line_of_a_dash_stays_with_its_item(dash: str) -> None:
    found = strategy(f"  - id: a\n    {RULE}  {dash}id: b\n    {RULE}")
    assert found == f"  - id: a\n    {RULE}\n  # about b\n  - id: b\n    {RULE}"


def test_a_comment_on_the_line_of_the_first_dash() -> None:
    assert strategy(f"  -   # about a\n    id: a\n    {RULE}") == f"  # about a\n  - id: a\n    {RULE}"


def test_a_comment_between_a_key_and_its_text_stays_at_the_key() -> None:
    found = strategy("  - id: a\n    when:\n      # why\n      last <= 1180\n    note: b\n")
    assert found == "  - id: a\n    # why\n    when: last <= 1180\n    note: b\n"
