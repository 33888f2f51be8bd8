# SPDX-License-Identifier: Apache-2.0
"""FX11: templates of FAST 1.1. Where the standard has a code for it, the text names it."""

from fixaccel.diagnostics.report import Code, Example, Severity

E, W = Severity.ERROR, Severity.WARNING


def _template(items: str, more: str = "") -> Example:
    text = f'<templates>\n  <template name="Quote" id="1">\n    {items}\n  </template>\n{more}</templates>\n'
    return Example("fast", text)


TEMPLATE_XML = Code(
    "FX1101", "template-xml", E, "Templates that are not XML, or XML that may do more than be read",
    "Templates are plain XML. Document types and entities are refused: they can make a small file large, and no "
    "template needs them. Elements stand at most 32 deep.",
    Example("fast", '<templates>\n  <template name="Quote" id="1">\n    <uInt32 name="Bid" id="270">\n  </template>\n'),
)  # fmt: skip
TEMPLATE_FORM = Code(
    "FX1102", "template-form", E, "An element or attribute that is not the standard's (S1)",
    "What stands where is fixed by the standard's schema: instructions in a template, at most one operator in a field, "
    "a length ahead of a sequence's instructions. Elements and attributes of other namespaces are passed over.",
    _template('<uInt32 name="Bid" identifier="270"/>'),
)  # fmt: skip
TEMPLATE_OPERATOR = Code(
    "FX1103", "template-operator", E, "An operator that does not go with the field's type (S2)",
    "`increment` is for integers, `tail` for strings and byte vectors; a decimal takes one operator for the whole, or "
    "one for each of its parts.",
    _template('<decimal name="Bid" id="270"><increment/></decimal>'),
)  # fmt: skip
TEMPLATE_INITIAL = Code(
    "FX1104", "template-initial", E, "An initial value that is missing or does not fit the field (S3, S4, S5)",
    "`constant` has a value, and so has `default` of a mandatory field. The value is written as the field's type has "
    "it: digits, a decimal, text, or pairs of hexadecimal digits for a byte vector.",
    _template('<uInt32 name="Size" id="271"><default value="4294967296"/></uInt32>'),
)  # fmt: skip
TEMPLATE_TWICE = Code(
    "FX1105", "template-twice", E, "Two templates of one name, or of one identifier",
    "A reference goes by name, a message by identifier: both must tell templates apart. Identifiers are whole numbers "
    "from 0 to 4294967295.",
    _template("", '  <template name="Trade" id="1"/>\n'),
)  # fmt: skip
TEMPLATE_REFERENCE = Code(
    "FX1106", "template-reference", E, "A static reference that leads nowhere, or round in a circle (D8)",
    "`templateRef` with a name stands for the instructions of that template, which must be in the same file. It may "
    "not contain itself, directly or through others.",
    _template('<templateRef name="Haeder"/>', '  <template name="Header"/>\n'),
)  # fmt: skip
TEMPLATE_ENTRY = Code(
    "FX1107", "template-entry", E, "Fields of different types that share a previous value (D4)",
    "Operators with the same key in the same dictionary use one previous value, so their fields must have one type. "
    "The key is the field's name unless the operator names another.",
    _template('<uInt32 name="Bid" id="270"><copy/></uInt32>\n    <int64 name="Bid" id="270"><delta/></int64>'),
)  # fmt: skip
TEMPLATE_DICTIONARY = Code(
    "FX1108", "template-dictionary", W, "The dictionary `template` inside a template that others refer to",
    "The standard gives what is referred to its own dictionary, some implementations that of the template which "
    "refers. Where both occur in one stream, previous values differ. Ask the venue, or use `global` or a name.",
    _template(
        '<templateRef name="Header"/>',
        '  <template name="Header">\n'
        '    <uInt32 name="SeqNum" id="34"><increment dictionary="template"/></uInt32>\n  </template>\n',
    ),
)  # fmt: skip
TEMPLATE_DEPTH = Code(
    "FX1109", "template-depth", E, "Templates of more than can be held",
    "Groups and sequences stand in each other at most 4 deep, a file has at most 65,536 instructions once references "
    "are replaced by what they name, and each element of a sequence takes a byte at the least.",
    _template(
        "".join(f'<group name="G{n}">' for n in range(5)) + '<uInt32 name="Bid" id="270"/>' + "</group>" * 5,
    ),
)  # fmt: skip
PROGRAM_CAPACITY = Code(
    "FX1110", "program-capacity", E, "Templates that the engine of the fabric has no room for",
    "A program has so many words, slots for previous and initial values, tags, and templates with an identifier as the "
    "board's `feed` and the engine's layout say; `fixaccel fast list` shows how many it takes. A string that is a "
    "previous or an initial value has 32 bytes at most. What nobody wants takes hardly anything.",
    _template('<string name="Text" id="58"><default value="a text of more than thirty-two bytes"/></string>'),
)  # fmt: skip
PROGRAM_TEXT = Code(
    "FX1111", "program-text", E, "The text of a program that is none",
    "`fixaccel fast list` shows a program as text, a line a word, and `fixaccel fast assemble` reads such text. Words "
    "are numbered from 0; a note stands behind `;`. Beyond the form it checks what the engine takes for granted: jumps "
    "stay inside their routine, blocks close in the order in which they open, and each element of a sequence takes a "
    "byte.",
    Example(
        "program",
        "fixaccel-program: 1\nmultiplier 1\nnumbers 0\nstrings 0\n   0 end\n   1 field uInt32 nome\n   2 end\n",
    ),
)  # fmt: skip
