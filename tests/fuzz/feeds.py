# SPDX-License-Identifier: Apache-2.0
"""Programs of feeds and datagrams, for the fuzzer of their interpreter: each kind of field, operator and block."""

from fixaccel.diagnostics.report import Report
from fixaccel.fast.program.compiler import compile_program
from fixaccel.fast.program.image import to_bytes
from fixaccel.fast.program.interest import Interest, everything, nothing
from fixaccel.fast.program.program import Limits
from fixaccel.fast.program.words import Kind
from fixaccel.fast.reader import read_templates
from fixaccel.source import SourceFile

_FIELDS = """\
<templates>
  <template name="T" id="1">
    <uInt32 name="A"><increment/></uInt32>
    <int64 name="B" presence="optional"><delta/></int64>
    <string name="C"><tail value="abc"/></string>
    <string name="D" presence="optional"><delta/></string>
    <byteVector name="E"><copy value="00"/></byteVector>
    <decimal name="F"><copy/></decimal>
  </template>
</templates>
"""
_BLOCKS = """\
<templates>
  <template name="T" id="1">
    <sequence name="S">
      <length name="N"/>
      <uInt32 name="A" id="48"><copy/></uInt32>
      <decimal name="P" presence="optional">
        <exponent><default value="-2"/></exponent><mantissa><delta/></mantissa>
      </decimal>
      <group name="G" presence="optional"><int32 name="B"/></group>
    </sequence>
    <templateRef/>
  </template>
  <template name="U" id="2">
    <sequence name="V" presence="optional"><int32 name="W"/></sequence>
  </template>
</templates>
"""
_DATAGRAMS = {
    _FIELDS: "f8 81 85 82 c1 81 81 c2 81 41 fe 85 e0",
    _BLOCKS: "c0 81 82 e0 85 83 d0 85 84 c0 82 83 81 82",
}


def feeds() -> list[bytes]:
    """Programs, each behind its length in two bytes, the highest first, and a datagram behind it."""
    found = []
    for text, stream in _DATAGRAMS.items():
        report = Report()
        read = read_templates(SourceFile.of("templates.xml", text), report)
        assert read
        for tagged in (everything, nothing):
            program, _ = compile_program(read, Interest(tagged=tagged, kinds={1: Kind.UPDATE}), Limits(), report)
            assert not report.failed, list(report)
            image = to_bytes(program)
            found.append(len(image).to_bytes(2, "big") + image + bytes.fromhex(stream))
    return found
