# SPDX-License-Identifier: Apache-2.0
"""Templates and messages for the tests of FAST."""

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
    """What a datagram of these hexadecimal digits says."""
    return Decoder(found).datagram(bytes.fromhex(stream))
