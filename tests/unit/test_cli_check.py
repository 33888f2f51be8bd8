# SPDX-License-Identifier: Apache-2.0
"""Commands around strategies: exit codes, formats, and no traceback whatever is asked."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fixaccel.cli.main import COMMANDS, cli
from fixaccel.diagnostics import CODES

STRATEGIES = Path(__file__).parents[2] / "strategies"
STOP = str(STRATEGIES / "stop-loss.yaml")  # nothing is wrong with it, warnings included
WRONG = "fixaccel: 1\nvenue: nowhere.yaml\nrules: []\nextra: \x1b\n".replace("\x1b", '"\\e[31m"')


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def command(*arguments: str | Path, **options: object) -> "subprocess.CompletedProcess[str]":
    line = [sys.executable, "-c", "from fixaccel.cli.main import main; main()", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False, **options)


def test_check_says_that_nothing_is_wrong() -> None:
    result = run("check", STOP, STRATEGIES / "venues" / "simulator.yaml", STRATEGIES / "boards" / "pynq-z1.yaml")
    assert (result.exit_code, result.output) == (0, "3 files checked, nothing wrong\n")


def test_check_counts_errors(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG)
    result = run("check", path, "--format", "concise")
    assert result.exit_code == 1
    assert [line.split(" ")[2] for line in result.output.splitlines()] == ["FX0101", "FX0203"]
    assert "\x1b" not in result.output


def test_check_of_warnings_is_a_success(tmp_path: Path) -> None:
    path = tmp_path / "empty.yaml"
    path.write_text(f"fixaccel: 1\nvenue: {STRATEGIES / 'venues' / 'simulator.yaml'}\nrules: []\n")
    result = run("check", path)
    assert result.exit_code == 0
    assert "warning[FX0404]" in result.output


def test_json_is_one_document_whatever_happens(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG)
    found = json.loads(run("check", path, "--format", "json").output)
    assert [entry["code"] for entry in found["diagnostics"]] == ["FX0101", "FX0203"]
    assert found["diagnostics"][0]["line"] == 2
    assert json.loads(run("check", STOP, "--format", "json").output) == {"diagnostics": [], "dropped": 0}


def test_github_format_escapes(tmp_path: Path) -> None:
    path = tmp_path / "a,b.yaml"
    path.write_text("fixaccel: 1\nvenue: x\nrules: []\n100%: 5\n")
    lines = run("check", path, "--format", "github").output.splitlines()
    assert all(line.startswith("::error file=") for line in lines)
    assert "a%2Cb.yaml" in lines[0]
    assert "100%25" in lines[1]


@pytest.mark.parametrize("path", ["nowhere.yaml", "/dev/null", "x" * 5000, "a\nb"])
def test_files_that_are_not_there(path: str) -> None:
    result = run("check", path)
    assert result.exit_code == 2
    assert result.output.startswith("error[FX0101]: cannot read")


def test_compile_is_deterministic_and_replaces_only_bundles(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "bundle"
    result = run("compile", STOP, "-o", out)
    assert (result.exit_code, "can be loaded, and followed, while armed" in result.output) == (0, True)
    first = {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert run("compile", STRATEGIES / "bracket.yaml", "-o", out).exit_code == 0
    assert run("compile", STOP, "-o", out).exit_code == 0
    assert {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()} == first
    assert [path.name for path in out.parent.iterdir()] == ["bundle"], "no scratch folder is left"
    assert out.stat().st_mode & 0o777 == 0o777 & ~_umask()

    letters = tmp_path / "letters"
    letters.mkdir()
    (letters / "dear.txt").write_text("do not lose this")
    result = run("compile", STOP, "-o", letters)
    assert result.exit_code == 2
    assert "not a bundle" in result.output
    assert (letters / "dear.txt").exists()
    assert "not a folder" in run("compile", STOP, "-o", letters / "dear.txt").output


def _umask() -> int:
    old = os.umask(0)
    os.umask(old)
    return old


def test_compile_of_a_wrong_strategy_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(Path(STOP).read_text().replace("venues/", f"{STRATEGIES}/venues/").replace("1180", "1180.001"))
    result = run("compile", path, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "error[FX0302]" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    readable = tmp_path / "file"
    readable.write_text("")
    result = command("compile", STOP, "-o", readable / "below")
    assert result.returncode == 2
    assert result.stderr.startswith("Error: ")
    assert "Traceback" not in result.stderr


def test_a_closed_pipe_is_silent() -> None:
    line = [sys.executable, "-c", "from fixaccel.cli.main import main; main()", "explain"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == ""


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.number)
def test_every_code_is_explained(code) -> None:
    result = run("explain", code.number.lower())
    assert result.exit_code == 0
    assert code.title in result.output
    assert run("explain", code.slug).output == result.output
    assert all(character.isprintable() or character == "\n" for character in result.output)


def test_explain_lists_and_suggests() -> None:
    assert len(run("explain").output.splitlines()) == len(CODES)
    result = run("explain", "bad-conditoin")
    assert result.exit_code == 2
    assert "did you mean bad-condition?" in result.output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    assert "_FIXACCEL_COMPLETE" in run("completion", shell).output


def test_help_and_version() -> None:
    shown = run("--help").output
    assert all(f"  {name} " in shown for name in COMMANDS)
    assert "Examples:" in shown
    assert run("--version").output.startswith("fixaccel, version ")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    if "COMMAND [ARGS]" not in result.output:  # the commands of a group have their own
        assert f"fixaccel {name}" in result.output.partition("Example")[2]


def test_passes_are_listed() -> None:
    assert "read " in run("compile", "--explain-passes").output


def test_help_imports_no_compiler() -> None:
    """The lazy group: listing commands must stay quick."""
    use = "from fixaccel.cli.main import cli; cli(['--help'], standalone_mode=False)"
    program = f"import sys; {use}; print('yaml' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.endswith("False\n")
