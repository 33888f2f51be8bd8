# SPDX-License-Identifier: Apache-2.0
"""FX01: reading a file, before its content means anything."""

from fixaccel.diagnostics.report import Code, Example, Severity

E, W = Severity.ERROR, Severity.WARNING

CANNOT_READ = Code(
    "FX0101",
    "cannot-read",
    E,
    "A file cannot be read",
    "The file is missing, is a folder or a device, or may not be read by this user. A venue's path counts from the "
    "folder of the strategy that names it.",
    Example("strategy", "fixaccel: 1\nvenue: venues/nowhere.yaml\nrules: []\n"),
)
TOO_LARGE = Code(
    "FX0102",
    "too-large",
    E,
    "A file is larger than the bound",
    "Files written by hand stay far below the bound. Put many triggers into a table file, not into YAML.",
    Example("strategy", "# more than 4 MiB of text", lambda: b"# " + b"x" * (4 << 20)),
)
NOT_UTF8 = Code(
    "FX0103",
    "not-utf-8",
    E,
    "A file is not UTF-8 text",
    "Files are read as UTF-8. UTF-16 (as some editors on Windows write it), Latin-1 and binary files are refused.",
    Example("strategy", "fixaccel: 1  # saved as UTF-16", lambda: b"\xff\xfe" + "fixaccel: 1\n".encode("utf-16-le")),
)
BAD_CHARACTER = Code(
    "FX0104",
    "bad-character",
    E,
    "A character that must not stand in a file",
    "Control characters (NUL among them), line ends of other systems and marks that change the direction of text make "
    "a file read differently from how it looks.",
    Example("strategy", "fixaccel: 1\nvenue: simulator.yaml\0\n", lambda: b"fixaccel: 1\nvenue: simulator.yaml\0\n"),
)
BYTE_ORDER_MARK = Code(
    "FX0105",
    "byte-order-mark",
    W,
    "A file begins with a byte order mark",
    "The mark is skipped. Other programs that read the file may stumble over it: save it as UTF-8 without mark.",
    Example(
        "strategy",
        "\ufefffixaccel: 1",
        lambda: (
            b"\xef\xbb\xbffixaccel: 1\nvenue: simulator.yaml\nrules:\n  - {id: stop, instrument: MSFT, when: last "
            b"<= 1180, order: {side: sell, qty: 2, type: market}}\n"
        ),
    ),
)
TAB = Code(
    "FX0106",
    "tab",
    E,
    "A tab where YAML wants spaces",
    "YAML forbids tabs in indentation, because their width differs from editor to editor.",
    Example("strategy", "fixaccel: 1\nvenue: simulator.yaml\nrules:\n\t- id: stop\n"),
)
INDENTATION = Code(
    "FX0107",
    "indentation",
    E,
    "A line does not line up with its neighbours",
    "Keys of one mapping, and dashes of one list, begin in the same column.",
    Example("strategy", "fixaccel: 1\nvenue: simulator.yaml\nrules:\n  - id: stop\n   instrument: MSFT\n"),
)
NOT_YAML = Code(
    "FX0108",
    "not-yaml",
    E,
    "The text is not YAML",
    "YAML gives up here, for a reason that has no message of its own.",
    Example("rule", 'id: stop\nnote: "tab is \\q"\n'),
)
UNCLOSED_QUOTE = Code(
    "FX0109",
    "unclosed-quote",
    E,
    "A quote is never closed",
    "The text from this quote on runs to the end of the file.",
    Example("rule", 'id: stop\nwhen: "last <= 1180\n'),
)
UNCLOSED_BRACKET = Code(
    "FX0110",
    "unclosed-bracket",
    E,
    "A bracket is not closed where it should be",
    "A `{...}` or `[...]` needs its closing bracket, and commas between its entries.",
    Example("rule", "id: stop\norder: {side: sell, qty: 2\n"),
)
BLOCK_SCALAR = Code(
    "FX0111",
    "block-scalar",
    E,
    "YAML reads `>` or `|` as the start of a text block",
    "A value that begins with `>` or `|` announces lines of text to YAML. A condition names its price source first.",
    Example("rule", "id: stop\nwhen: >= 1180\n"),
)
FLOW_INDICATOR = Code(
    "FX0112",
    "flow-indicator",
    E,
    "YAML reads a bracket or comma inside a text as its own",
    "Inside `{...}` and `[...]` the characters `[ ] { } ,` belong to YAML, and at the start of a value everywhere. "
    "Text that contains them is quoted.",
    Example("rule", "{id: child, armed_by: scale-in[1]}\n"),
)
COLON_IN_TEXT = Code(
    "FX0113",
    "colon-in-text",
    E,
    "YAML reads a colon inside a text as the end of a key",
    "A colon followed by a space ends a key. Text that contains one is quoted.",
    Example("rule", "id: stop\nnote: stop: x\n"),
)
RESERVED_START = Code(
    "FX0114",
    "reserved-start",
    E,
    "A text begins with a character that YAML reserves",
    "No plain text may begin with `@`, `` ` `` or `%`. Quoted text may.",
    Example("rule", "id: stop\nnote: @desk call me\n"),
)
KEY_WITHOUT_VALUE = Code(
    "FX0115",
    "key-without-value",
    E,
    "A key without a value",
    "YAML wants a space after the colon: `{0:0.1}` is one key called `0:0.1` with nothing behind it.",
    Example("instrument", "ABC: {tick: {0:0.1}, lot: 1, price_range: 0.1..100}\n"),
)
MISSING_COLON = Code(
    "FX0116",
    "missing-colon",
    E,
    "A line is neither a key with a value nor part of a text",
    "Each line of a mapping is `key: value`, with a space after the colon.",
    Example("rule", "id: stop\ninstrument MSFT\nwhen: last <= 1180\n"),
)
DUPLICATE_KEY = Code(
    "FX0117",
    "duplicate-key",
    E,
    "A key stands twice in one mapping",
    "YAML readers differ in which of the two they keep, so neither is taken.",
    Example(
        "rule",
        "id: stop\ninstrument: MSFT\nwhen: last <= 1180\nwhen: last <= 1170\n"
        "order: {side: sell, qty: 2, type: market}\n",
    ),
)
KEY_NOT_TEXT = Code(
    "FX0118",
    "key-not-text",
    E,
    "A key is not a plain text",
    "Keys are names or numbers, not lists or mappings.",
    Example(
        "rule",
        "id: stop\n? [a, b]\n: c\ninstrument: MSFT\nwhen: last <= 1180\norder: {side: sell, qty: 2, type: market}\n",
    ),
)
SEVERAL_DOCUMENTS = Code(
    "FX0119",
    "several-documents",
    E,
    "More than one document in a file",
    "`---` begins another document. A file holds one.",
    Example("strategy", "fixaccel: 1\nvenue: simulator.yaml\nrules: []\n---\nrules: []\n"),
)
EMPTY_FILE = Code(
    "FX0120",
    "empty-file",
    E,
    "The file holds nothing",
    "There is no key in the file, only comments or blank lines.",
    Example("strategy", "# nothing yet\n"),
)
TOO_DEEP = Code(
    "FX0121",
    "too-deep",
    E,
    "Brackets or lists are nested too deeply",
    "No form of the language nests more than a few levels.",
    Example("strategy", "a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n"),
)
TOO_MANY_VALUES = Code(
    "FX0122",
    "too-many-values",
    E,
    "The file holds more values than the bound, aliases counted as often as they are used",
    "The bound keeps time and memory small. Put many triggers into a table file; a few aliases can stand for billions "
    "of values, and such a file is refused before they are built.",
    Example(
        "strategy",
        "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"{n}: &{n} [{', '.join(['*' + p] * 10)}]\n" for p, n in zip("abcde", "bcdef", strict=True)),
    ),
)
TOO_MANY_ANCHORS = Code(
    "FX0123",
    "too-many-anchors",
    E,
    "The file holds more anchors than the bound",
    "`&name` marks a value for reuse. Use `defaults` for what all orders share.",
    Example(
        "strategy",
        "a: [&a1 x, &a2 x, &a3 x, ... &a1001 x]",
        lambda: b"a: [\n" + b"".join(b"&a%d x,\n" % n for n in range(1001)) + b"]\n",
    ),
)
UNKNOWN_ALIAS = Code(
    "FX0124",
    "unknown-alias",
    E,
    "An alias to nothing",
    "`*name` stands for the value marked `&name` before it. A text that begins with `*` is quoted.",
    Example("rule", "id: stop\nnote: *urgent*\n"),
)
ALIAS_LOOP = Code(
    "FX0125",
    "alias-loop",
    E,
    "An alias stands inside the value that it names",
    "Such a value would contain itself.",
    Example("rule", "&rule\nid: stop\norder: *rule\n"),
)
TAG = Code(
    "FX0126",
    "tag",
    E,
    "A YAML tag",
    "`!name` asks YAML for a type. Types come from the language here, so tags are refused. A text that begins with `!` "
    "is quoted.",
    Example(
        "rule", "id: !!str stop\ninstrument: MSFT\nwhen: last <= 1180\norder: {side: sell, qty: 2, type: market}\n"
    ),
)
DIRECTIVE = Code(
    "FX0127",
    "directive",
    E,
    "A YAML directive",
    "Lines such as `%YAML 1.2` or `%TAG` are not needed and refused.",
    Example("strategy", "%YAML 1.2\n---\nfixaccel: 1\n"),
)
SWALLOWED_COMMENT = Code(
    "FX0128",
    "swallowed-comment",
    W,
    "A note ends at a `#`",
    "` #` begins a comment, so the rest of the line is not part of the note.",
    Example(
        "rule",
        "id: stop\ninstrument: MSFT\nwhen: last <= 1180\nnote: desk # 4\norder: {side: sell, qty: 2, type: market}\n",
    ),
)
TEXT_AFTER_QUOTE = Code(
    "FX0129",
    "text-after-quote",
    E,
    "Text behind a closing quote",
    "A value that begins with a quote ends at the next one. Quote the whole value; a single quote inside single quotes "
    "is written twice.",
    Example("rule", "id: stop\nwhen: 'last' <= 1180\n"),
)
