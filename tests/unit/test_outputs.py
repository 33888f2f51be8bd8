# SPDX-License-Identifier: Apache-2.0
"""What commands write: never over what they read, and there whole or not at all."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fixaccel.cli.main import cli
from fixaccel.data import data_path
from fixaccel.events.row_reader import COLUMNS
from fixaccel.files import replacing, write_atomically
from fixaccel.start import starting_files

EVENTS = f"{','.join(COLUMNS)}\n1,MSFT,snapshot,,,,,1181,1\n2,MSFT,snapshot,,,,,1174,1\n"


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A strategy of a table, with its venue, its tests and a day of events."""
    for name, data in starting_files("grid", "grid").items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "day.csv").write_text(EVENTS)
    (tmp_path / "board.yaml").write_bytes(data_path("strategies/boards/pynq-z1.yaml").read_bytes())
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def as_it_is(path: Path) -> Path:
    return path


def by_link(path: Path) -> Path:
    link = path.with_name("link")
    link.symlink_to(path.name)
    return link


def by_hard_link(path: Path) -> Path:
    link = path.with_name("hard")
    link.hardlink_to(path)
    return link


def by_other_way(path: Path) -> Path:
    return path.parent / ".." / path.parent.name / path.name


WAYS = [as_it_is, by_link, by_hard_link, by_other_way]
COMMANDS = {
    "simulate": ["simulate", "grid.yaml", "-e", "day.csv", "--board", "board.yaml", "--engine", "image", "-o"],
    "junit": ["test", ".", "--board", "board.yaml", "--engine", "image", "--junit"],
    "picture": ["explain", "grid.yaml", "--board", "board.yaml", "--picture", "svg", "-o"],
}
TABLE = next(name for name in starting_files("grid", "grid") if name.endswith(".csv"))
INPUTS = {
    "simulate": ["grid.yaml", TABLE, "venues/simulator.yaml", "board.yaml", "day.csv"],
    "junit": ["grid.yaml", TABLE, "venues/simulator.yaml", "board.yaml", "grid.test.yaml"],
    "picture": ["grid.yaml", TABLE, "venues/simulator.yaml", "board.yaml"],
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("command", "name"), [(command, name) for command in INPUTS for name in INPUTS[command]])
def test_no_input_is_written_over(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, name: str, way: Callable[[Path], Path]
) -> None:
    monkeypatch.chdir(folder)
    output = way(folder / name)
    before = contents(folder)
    result = run(*COMMANDS[command], output)
    assert (result.exit_code, contents(folder)) == (2, before), result.output
    assert f"{output} is an input" in " ".join(result.output.split())


def test_nor_is_the_recording_that_is_converted(folder: Path) -> None:
    source = folder / "ticks.csv"
    source.write_text("anything")
    result = run("convert", "prints", source, "--instrument", "MSFT", "-o", by_hard_link(source))
    assert (result.exit_code, source.read_text()) == (2, "anything")
    assert "is an input" in " ".join(result.output.split())


def test_nor_a_file_of_the_journal_that_is_exported(folder: Path) -> None:
    journal = folder / "journal"
    journal.mkdir()
    part = journal / "journal-000000000001.log"
    part.write_bytes(b"")
    result = run("audit", "export", journal, "-o", by_link(part))
    assert (result.exit_code, part.read_bytes()) == (2, b"")
    assert "is an input" in " ".join(result.output.split())


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_fires_replace_older_ones_in_a_new_file(folder: Path, suffix: str) -> None:
    out = folder / f"fires.{suffix}"
    out.write_text("old")
    out.chmod(0o640)
    older = out.stat().st_ino
    with out.open("rb") as reader:
        assert run("simulate", folder / "grid.yaml", "-e", folder / "day.csv", "-o", out).exit_code == 0
        assert reader.read() == b"old", "who reads the older one reads it to its end"
    assert (out.stat().st_ino != older, stat.S_IMODE(out.stat().st_mode)) == (True, 0o640)


def test_what_is_left_off_half_way_leaves_the_older_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("old")

    def half() -> None:
        with replacing(out) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half()
    assert contents(tmp_path) == {"out": b"old"}


def test_a_device_is_written_to(tmp_path: Path) -> None:
    write_atomically(Path(os.devnull), b"gone")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(pipe, b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)


@pytest.mark.parametrize("name", ["nowhere/out", "folder", "x" * 300])
def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=str(tmp_path / name)):
        write_atomically(tmp_path / name, b"")


def test_a_long_name_is_written(tmp_path: Path) -> None:
    write_atomically(tmp_path / ("x" * 255), b"whole")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"whole"]


@pytest.mark.parametrize("name", ["notes.txt", "image/notes.txt", "client/deep/notes.txt"])
def test_a_bundle_with_foreign_files_is_not_replaced(folder: Path, name: str) -> None:
    out = folder / "bundle"
    assert run("compile", folder / "grid.yaml", "-o", out).exit_code == 0
    (out / name).parent.mkdir(exist_ok=True)
    (out / name).write_text("do not lose this")
    before = contents(folder)
    result = run("compile", folder / "grid.yaml", "-o", out)
    assert (result.exit_code, contents(folder)) == (2, before)
    assert name in result.output
    (out / name).unlink()
    assert run("compile", folder / "grid.yaml", "-o", out).exit_code == 0


def test_nor_one_whose_file_was_edited(folder: Path) -> None:
    out = folder / "bundle"
    assert run("compile", folder / "grid.yaml", "-o", out).exit_code == 0
    settings = out / "client" / "fixacceld.toml"
    settings.write_text(settings.read_text() + "# what this desk needs\n")
    before = contents(folder)
    result = run("compile", folder / "grid.yaml", "-o", out)
    assert (result.exit_code, contents(folder)) == (2, before)
    assert "client/fixacceld.toml" in result.output


def test_an_older_bundle_stays_if_the_new_one_cannot_take_its_place(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = folder / "bundle"
    assert run("compile", folder / "grid.yaml", "-o", out).exit_code == 0
    before = contents(folder)
    rename = Path.rename

    def fails(path: Path, target: Path) -> Path:
        if path.name == "new":
            raise OSError(28, "No space left on device")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fails)
    result = CliRunner().invoke(cli, ["compile", str(folder / "grid.yaml"), "-o", str(out)])
    assert isinstance(result.exception, OSError)
    assert contents(folder) == before


@pytest.mark.parametrize("name", ["notes.txt", "bundle/notes.txt"])
def test_files_of_a_simulation_do_not_go_among_others(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("FIXACCEL_RTLSIM", "/bin/true")  # is not run
    kept = folder / "kept"
    (kept / name).parent.mkdir(parents=True)
    (kept / name).write_text("do not lose this")
    rtl = ("--engine", "rtl", "--rtl-files", kept)
    result = run("simulate", folder / "grid.yaml", "-e", folder / "day.csv", *rtl)
    assert (result.exit_code, (kept / name).read_text()) == (2, "do not lose this")
    assert "not of such a run" in " ".join(result.output.split())
