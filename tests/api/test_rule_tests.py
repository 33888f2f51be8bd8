# SPDX-License-Identifier: Apache-2.0
"""Rule tests from Python."""

import pytest
from click.testing import CliRunner

import fixaccel
from fixaccel.cli.main import cli
from fixaccel.data import data_path

TESTS = data_path("strategies/bracket.test.yaml")


def test_run():
    run = fixaccel.run_tests(TESTS)
    assert run.ok
    assert not run.failed
    assert {result.outcome for result in run} == {"passed"}
    assert str(run) == CliRunner().invoke(cli, ["test", str(TESTS), "--coverage"]).stdout.rstrip("\n")
    assert repr(run) == f"<RuleTestRun: {len(run)} passed, 0 failed>"
    assert len(fixaccel.run_tests([TESTS], engine="image")) == len(run)
    assert run.coverage[0].percent == 100


def test_a_failure(tmp_path):
    text = TESTS.read_text().replace("bracket.yaml", str(data_path("strategies/bracket.yaml")))
    path = tmp_path / "odd.test.yaml"
    path.write_text(text + "\n  - name: never\n    events:\n      - MSFT last 1200\n    expect:\n      - rule: stop\n")
    run = fixaccel.run_tests(path, pattern="never")
    assert not run.ok
    assert [result.case.name for result in run.failed] == ["never"]
    assert run.failed[0].reasons
    assert "FAILED" in str(run)
    assert "color:#e5484d" in run._repr_html_()


def test_no_tests(tmp_path):
    with pytest.raises(fixaccel.FixaccelError, match=r"there is no \*\.test\.yaml file in"):
        fixaccel.run_tests(tmp_path)
    with pytest.raises(fixaccel.FixaccelError, match="no test matches `xyz`"):
        fixaccel.run_tests(TESTS, pattern="xyz")
    (tmp_path / "a.test.yaml").write_text("strategy: none.yaml\ntests: []\n")
    with pytest.raises(fixaccel.FixaccelError) as raised:
        fixaccel.run_tests(tmp_path)
    assert raised.value.diagnostics.errors
