# SPDX-License-Identifier: Apache-2.0
"""Templates and messages for the tests of FAST."""

from program_support import program_of, run, said, told

from fixaccel.diagnostics.report import Report
from fixaccel.fast.decoder import Datagram, Decoder
from fixaccel.fast.model import Templates
from fixaccel.fast.reader import read_templates
from fixaccel.source import SourceFile


def templates(text: str) -> Templates:
    """Those of a whole file, which is without fault."""
    report = Report()
    found = read_templates(SourceFile.of("templates.xml", text), report)
    assert not report.failed, list(report)
    assert found
    return found


def one(items: str, attributes: str = "") -> Templates:
    """A file of one template `T` with identifier 1."""
    return templates(f'<templates><template name="T" id="1" {attributes}>{items}</template></templates>')


def decode(found: Templates, stream: str) -> Datagram:
    """What a datagram of these hexadecimal digits says: to the reference decoder, and to the program alike."""
    data = bytes.fromhex(stream)
    reference = Decoder(found).datagram(data)
    program = program_of(found)
    assert said(told(found, program, run(program, data))) == said(reference)
    return reference
