# SPDX-License-Identifier: Apache-2.0
"""One key of the daemon's settings: what is written is what is meant, and taken back it is as it was."""

import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixaccel.tune.settings_text import SettingsError, changed, value_of, with_value

_LINES = st.lists(
    st.sampled_from([
        "# a comment", "", "a = 1", "[limits]", "poll_us = 500", "poll_us=0x1F4  # hexadecimal", "[cpu]", "core = 3",
        "[other]", "text = 'a # b'", "list = [1,", "  2]", "[limits.deep]", "x = [[1]]",
    ]),
    max_size=8,
)  # fmt: skip


@given(_LINES, st.booleans(), st.sampled_from(["limits.poll_us", "cpu.core"]), st.integers(0, 9))
def test_a_value_and_back(lines: list[str], ends: bool, name: str, value: int) -> None:
    text = "\n".join(lines) + ("\n" if ends and lines else "")
    try:
        before = tomllib.loads(text)
        made = with_value(text, name, str(value))
    except (tomllib.TOMLDecodeError, SettingsError):
        return
    table, key = name.split(".")
    wanted = {**before, table: {**before.get(table, {}), key: value}}
    assert tomllib.loads(made) == wanted
    assert value_of(made, name) == str(value)
    assert with_value(made, name, value_of(text, name)) == text


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_daemon_may_still_read_it(tmp_path: Path) -> None:
    path = tmp_path / "fixacceld.toml"
    path.write_text("[limits]\n")
    path.chmod(0o640)
    os.chown(path, 0, 1234)
    changed(path, "limits.poll_us", "0")
    assert path.read_text() == "[limits]\npoll_us = 0  # fixaccel tune\n"
    assert (path.stat().st_gid, path.stat().st_mode & 0o777) == (1234, 0o640)


@pytest.mark.parametrize(
    "text", ["limits = 5\n", "limits.poll_us = 3\n", "[limits]\npoll_us = '''\n1'''\n", "[limits\n", "limits = {}\n"]
)
def test_what_is_not_understood_is_left(text: str) -> None:
    with pytest.raises(SettingsError):
        with_value(text, "limits.poll_us", "0")
