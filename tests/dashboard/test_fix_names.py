# SPDX-License-Identifier: Apache-2.0
"""Names and meanings of FIX fields."""

from pathlib import Path

import pytest

from fixaccel.dashboard import fix_names
from fixaccel.dashboard.fix_names import FixNames

DICTIONARY = """<fix type="FIX" major="4" minor="4">
 <messages><message name="NewOrderSingle" msgtype="D" msgcat="app"/></messages>
 <fields>
  <field number="35" name="MsgType" type="STRING"><value enum="D" description="ORDER_SINGLE"/></field>
  <field number="59" name="TimeInForce" type="CHAR"><value enum="3" description="IMMEDIATE_OR_CANCEL"/></field>
  <field number="58" name="Text" type="STRING"/>
 </fields>
</fix>"""


@pytest.fixture
def dictionary(tmp_path: Path) -> Path:
    file = tmp_path / "FIX44.xml"
    file.write_text(DICTIONARY, encoding="utf-8")
    return file


def test_fields_have_names_and_values_meanings(dictionary: Path) -> None:
    assert FixNames.read(dictionary).decode("35=D|59=3|59=9|58=x|9999=y|") == [
        ["35", "MsgType", "D", "NewOrderSingle"],
        ["59", "TimeInForce", "3", "Immediate or cancel"],
        ["59", "TimeInForce", "9", ""],
        ["58", "Text", "x", ""],
        ["9999", "", "y", ""],
    ]


def test_without_a_dictionary_there_are_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fix_names, "folders", lambda: [tmp_path])
    assert fix_names.installed().decode("35=D|") == [["35", "", "D", ""]]


def test_the_dictionary_beside_the_program_is_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "fixaccel-exchange"
    program.parent.mkdir()
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    assert fix_names.folders()[:2] == [program.parent, tmp_path / "share" / "fixaccel"]
    monkeypatch.setenv("PATH", "")
    assert str(fix_names.folders()[0]).endswith("build/dictionary")


def test_the_installed_dictionary_is_found(dictionary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fix_names, "folders", lambda: [dictionary.parent / "none", dictionary.parent])
    assert fix_names.installed().decode("59=3|")[0][1] == "TimeInForce"


@pytest.mark.parametrize("text", ["<fix", "", '<!DOCTYPE x [<!ENTITY a "b">]><fix>&a;</fix>'])
def test_what_is_no_dictionary_is_refused_with_its_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / "wrong.xml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"wrong\.xml"):
        FixNames.read(file)
