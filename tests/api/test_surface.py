# SPDX-License-Identifier: Apache-2.0
"""`import fixaccel` costs nothing, names what there is, and says errors as the commands do."""

import pickle
import subprocess
import sys
from importlib.metadata import version

import pytest
from click.testing import CliRunner

import fixaccel
from fixaccel.cli.main import cli
from fixaccel.data import data_path

QUICKSTART = data_path("strategies/quickstart.yaml")


def said(*arguments):
    return CliRunner().invoke(cli, [*map(str, arguments)])


def test_import_imports_nothing_else():
    code = "import sys, fixaccel; print([m for m in sys.modules if m.startswith(('fixaccel.', 'numpy', 'pyarrow'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_pandas_is_imported_only_where_it_is_asked_for():
    code = "import sys, fixaccel; fixaccel.Strategy, fixaccel.load; print('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_all_names_are_there():
    assert {*fixaccel.__all__} <= {*dir(fixaccel)}
    for name in fixaccel.__all__:
        assert getattr(fixaccel, name) is not None
    assert fixaccel.__version__ == version("fixaccel")
    with pytest.raises(AttributeError, match="it has Bundle"):
        fixaccel.simulate_all  # noqa: B018
    assert data_path("compiler/fixaccel/py.typed").exists()


def test_load():
    strategy = fixaccel.load(QUICKSTART)
    assert (strategy.name, strategy.venue, strategy.path) == ("quickstart", "simulator", QUICKSTART)
    assert strategy.rules[0] == "protect-msft"
    assert [str(strategy.instruments["7203"].tick(price)) for price in (999, 1000)] == ["0.1", "0.5"]
    assert not strategy.diagnostics.errors
    assert "FX0406" in strategy._repr_html_()
    assert repr(strategy) == "<Strategy quickstart: 7 rules at simulator>"


def test_text_in_place_of_a_file(tmp_path):
    text = QUICKSTART.read_text().replace("last <= 1180", "last <= 1181")
    strategy = fixaccel.load(QUICKSTART, text=text)
    assert "last <= 1181" in str(strategy.explain("protect-msft"))
    assert fixaccel.check(tmp_path / "new.yaml", text="fixaccel: 1\n").errors[0].code.number == "FX0204"


def test_check_says_what_the_command_says():
    found = fixaccel.check(QUICKSTART)
    assert found.ok
    assert [diagnostic.code.number for diagnostic in found] == ["FX0406"]
    assert said("check", QUICKSTART).stdout.rstrip("\n") == str(found)
    assert found.render("concise") == said("check", QUICKSTART, "--format", "concise").stdout.rstrip("\n")
    assert "color:#b7791f" in found._repr_html_()
    assert "\x1b" not in found._repr_html_() + str(found)
    assert repr(found) == "<Diagnostics: 1 warning>"


def test_nothing_wrong():
    found = fixaccel.check(data_path("strategies/venues/simulator.yaml"))
    assert not found
    assert (str(found), found._repr_html_()) == ("nothing wrong", "<div>nothing wrong</div>")


@pytest.fixture
def failure(tmp_path):
    with pytest.raises(fixaccel.FixaccelError) as raised:
        fixaccel.load(tmp_path / "wrong.yaml", text="fixaccel: 1\nrules: <3>\n")
    return raised.value


def test_errors_render(failure):
    assert str(failure).startswith(f"{failure.diagnostics[0].span.file}: 2 errors\n\nerror[FX0204]")
    assert "= help: write a list" in str(failure)
    assert "&lt;3&gt;" in failure.diagnostics._repr_html_()
    again = pickle.loads(pickle.dumps(failure))
    assert str(again) == str(failure)
    assert type(again).__module__ == "fixaccel"


def test_a_notebook_shows_the_asking_line_and_no_traceback(failure):
    lines = "\n".join(failure._render_traceback_()).splitlines()
    assert "fixaccel.load(tmp_path" in lines[0]
    assert not any("pipeline" in line or "Traceback" in line for line in lines)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(fixaccel.FixaccelError, match="FX0101"):
        fixaccel.load(tmp_path / "none.yaml")
    with pytest.raises(fixaccel.FixaccelError, match=r"board\.yaml: 1 error"):
        fixaccel.load(QUICKSTART).compile(tmp_path / "out", board=tmp_path / "board.yaml")
