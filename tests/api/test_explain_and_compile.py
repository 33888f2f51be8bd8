# SPDX-License-Identifier: Apache-2.0
"""Explanations and bundles from Python are those of the commands."""

import base64
import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

import fixaccel
from fixaccel.api.html import terminal_html
from fixaccel.cli.main import cli
from fixaccel.data import data_path

BRACKET = data_path("strategies/bracket.yaml")
VOID = {"img"}


class Balance(HTMLParser):
    """Which elements are open."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def balanced(html):
    parser = Balance()
    parser.feed(html)
    return not parser.open


def test_explain_prints_what_the_command_prints():
    explanation = fixaccel.load(BRACKET).explain()
    assert CliRunner().invoke(cli, ["explain", str(BRACKET)]).stdout.rstrip("\n") == str(explanation)
    assert [told.id for told in explanation.rules] == ["entry", "take-profit", "stop"]
    assert explanation.worst_case[0].startswith("MSFT buy")
    one = fixaccel.load(BRACKET).explain("stop")
    assert CliRunner().invoke(cli, ["explain", str(BRACKET), "stop"]).stdout.rstrip("\n") == str(one)
    assert one.worst_case == ()


def test_explain_in_a_notebook():
    explanation = fixaccel.load(BRACKET).explain()
    bundle = explanation._repr_mimebundle_()
    html = bundle["text/html"]
    assert bundle["text/plain"] == str(explanation)
    assert html.count("<details>") == 3
    assert balanced(html)
    picture = re.search('src="data:image/svg[+]xml;base64,([^"]+)"', html)
    assert base64.b64decode(picture[1]).decode() == explanation.svg
    assert ET.fromstring(explanation.svg.encode()).tag.endswith("svg")
    # The picture's styles would hold for the whole page.
    assert "<style" not in html
    assert fixaccel.load(BRACKET).explain("stop")._repr_html_().count("<details open>") == 1


def test_a_rule_that_is_not_there():
    with pytest.raises(fixaccel.FixaccelError, match="no rule `stpo`; did you mean `stop`"):
        fixaccel.load(BRACKET).explain("stpo")


def test_texts_are_escaped():
    html = terminal_html("\x1b[31m\x1b[1m<b>\x1b[0m & \x1b[2mrest")
    assert balanced(html)
    assert "&lt;b&gt;</span></span> &amp; <span" in html


def test_compile(tmp_path):
    strategy = fixaccel.load(BRACKET)
    bundle = strategy.compile(tmp_path / "bundle")
    assert CliRunner().invoke(cli, ["compile", str(BRACKET), "-o", str(tmp_path / "other")]).exit_code == 0
    there = {path.relative_to(tmp_path / "other").as_posix() for path in (tmp_path / "other").rglob("*.*")}
    assert {*bundle.files} == there
    for name in bundle.files:
        assert (bundle.path / name).read_bytes() == (tmp_path / "other" / name).read_bytes()
    assert (bundle.fabric, bundle.runtime) == (3, 0)
    assert bundle.capacity["triggers"] == (3, 16384)
    assert bundle.report["strategy"] == "bracket"
    assert "triggers" in bundle._repr_html_()
    assert balanced(bundle._repr_html_())
    strategy.compile(tmp_path / "bundle")


def test_compile_replaces_no_foreign_files(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(fixaccel.FixaccelError, match="not a bundle; choose another folder"):
        fixaccel.load(BRACKET).compile(tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_strategy_that_does_not_fit_the_board(tmp_path):
    board = tmp_path / "board.yaml"
    text = data_path("strategies/boards/pynq-z1.yaml").read_text()
    board.write_text(re.sub("triggers: [0-9]+", "triggers: 2", text))
    strategy = fixaccel.load(BRACKET)
    for call in (
        lambda: strategy.compile(tmp_path / "bundle", board=board),
        lambda: strategy.simulate(tmp_path / "day.csv", engine="image", board=board),
    ):
        with pytest.raises(fixaccel.FixaccelError) as raised:
            call()
        assert raised.value.diagnostics.errors
    assert not (tmp_path / "bundle").exists()
