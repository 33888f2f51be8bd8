# SPDX-License-Identifier: Apache-2.0
"""Files of templates: what scopes hand down, and files that are no good at all."""

import random

import pytest
from fast_support import templates

from fixaccel.diagnostics.codes import fast as codes
from fixaccel.diagnostics.render import render
from fixaccel.diagnostics.report import Report
from fixaccel.fast.model import Key, Name, Scalar, Template
from fixaccel.fast.reader import INSTRUCTIONS, read_templates
from fixaccel.source import SourceFile

_TD = "http://www.fixprotocol.org/ns/fast/td/1.1"


def read(text: str) -> Report:
    report = Report()
    read_templates(SourceFile.of("templates.xml", text), report)
    return report


def keys(template: Template) -> list[Key | None]:
    return [item.key for item in template.items if isinstance(item, Scalar)]


def test_what_elements_around_say_holds_inside() -> None:
    found = templates(
        f'<td:templates xmlns:td="{_TD}" ns="fields" dictionary="outer">'
        '<td:template name="T" id="1">'
        '<td:uInt32 name="A"><td:copy/></td:uInt32>'
        '<td:uInt32 name="B" ns="mine"><td:copy dictionary="template"/></td:uInt32>'
        '<td:uInt32 name="C"><td:copy key="A" dictionary="outer"/></td:uInt32>'
        '<td:uInt32 name="D"><td:copy dictionary="type"/></td:uInt32>'
        "</td:template>"
        '<td:template name="U" id="2" dictionary="global"><td:typeRef name="Quote"/>'
        '<td:uInt32 name="A"><td:copy/></td:uInt32><td:uInt32 name="D"><td:copy dictionary="type"/></td:uInt32>'
        "</td:template></td:templates>"
    )
    assert keys(found.all[0]) == [
        Key("named", Name("outer"), Name("A", "fields")),
        Key("template", Name("T"), Name("B", "mine")),
        Key("named", Name("outer"), Name("A", "fields")),
        Key("type", Name("any"), Name("D", "fields")),
    ]
    assert keys(found.all[1]) == [
        Key("global", Name(""), Name("A", "fields")),
        Key("type", Name("Quote", "fields"), Name("D", "fields")),
    ]


def test_a_static_reference_has_the_dictionary_of_what_it_names() -> None:
    found = templates(
        '<templates><template name="T" id="1"><templateRef name="Part"/></template>'
        '<template name="Part" dictionary="template"><uInt32 name="A"><copy/></uInt32></template></templates>'
    )
    assert keys(found.all[0]) == [Key("template", Name("Part"), Name("A"))]


def test_names_that_come_again_are_told_apart() -> None:
    found = templates(
        '<template name="T" id="1"><uInt32 name="A"/><templateRef/><uInt32 name="A"/><templateRef/></template>'
    )
    assert [item.label for item in found.all[0].items] == ["A", "templateRef", "A#2", "templateRef#2"]


def test_other_namespaces_are_passed_over() -> None:
    found = templates(
        f'<templates xmlns="{_TD}" xmlns:x="urn:x"><template name="T" id="1" x:note="1">'
        '<x:doc><uInt32 name="A"/></x:doc><uInt32 name="B" x:note="2"/></template></templates>'
    )
    assert [item.label for item in found.all[0].items] == ["B"]


def test_few_references_cannot_stand_for_very_many() -> None:
    doubled = "".join(
        f'<template name="T{n + 1}"><templateRef name="T{n}"/><templateRef name="T{n}"/></template>' for n in range(40)
    )
    report = read(f'<templates><template name="T0"><uInt32 name="A"/></template>{doubled}</templates>')
    assert [one.code for one in report] == [codes.TEMPLATE_DEPTH]
    assert f"{INSTRUCTIONS:,}" in next(iter(report)).message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<",
        "x",
        '<!DOCTYPE a [<!ENTITY e "x">]><templates/>',
        "<templates>&e;</templates>",
        "<a" * 40 + "/>",
        "<b/>",
    ],
)
def test_what_is_no_file_of_templates(text: str) -> None:
    assert read(text).failed


def test_damaged_files_are_faults_with_places() -> None:
    whole = (
        f'<templates xmlns="{_TD}"><template name="T" id="1"><string name="A" charset="unicode"><length name="L"/>'
        '<tail value="é"/></string><sequence name="S"><length name="N"><copy/></length><decimal name="P">'
        '<exponent><default value="-2"/></exponent><mantissa><delta/></mantissa></decimal></sequence>'
        "</template></templates>"
    )
    pieces = ["<", ">", '"', "é", "&x;", "\n", ' xmlnsé="1"', ' xmlns:q="u"', ' ns="q"', "<copy/>", "<group/>", "]]>"]
    chance = random.Random(5)
    for _ in range(400):
        text = whole
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(text))
            until = min(len(text), at + chance.randrange(9))
            text = text[:at] + (chance.choice(pieces) if chance.random() < 0.5 else "") + text[until:]
        report = Report()
        source = SourceFile.of("templates.xml", text)
        assert read_templates(source, report) is not None or report.failed
        render(list(report), {source.name: source})
        for one in report:
            assert 1 <= one.span.line <= len(source.lines) + 1
