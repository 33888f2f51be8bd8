# SPDX-License-Identifier: Apache-2.0
"""Makes the references of FAST from the code: what can be wrong in a stream, what is bounded, what a program is."""

from collections.abc import Iterable, Iterator

from fixaccel.fast.errors import Fault
from fixaccel.fast.layout import ENTITY_BYTES, FEED, KEPT_BYTES, MESSAGE_INSTRUMENTS, NESTING, REFERENCES
from fixaccel.fast.model import Operator
from fixaccel.fast.program.interest import USUAL
from fixaccel.fast.program.program import Limits
from fixaccel.fast.program.skipping import MOST_BITS, MOST_ENTITIES
from fixaccel.fast.program.words import Op, Role, Type
from fixaccel.fast.reader import INSTRUCTIONS

_HEAD = """# FAST

Feeds in FAST 1.1 (FIX Adapted for STreaming, version 1.x.1 of 2006) as [`fixaccel fast`](../howto/fast.md) reads them.
Faults of templates are [diagnostics](diagnostics.md), FX1101 and on; this page is about streams.

## Faults of a stream

A datagram counts whole or not at all: a fatal fault takes back all its messages. The others are counted, and decoding
goes on with what stands there. Codes with D and R are the standard's, those with U our own.

| code | what is wrong | |
| --- | --- | --- |
"""
_TAIL = f"""
## What is fixed here

Where the standard leaves room, or implementations differ:

- Previous values, and the template identifier with them, are forgotten at each datagram, or at each message with
  `--reset message`. A template with `reset` of the session control protocol forgets them too; the identifier that asked
  for it stays.
- In a static reference the dictionary `template` is that of the template which is referred to, as the standard says.
  Not all implementations do that, so relying on it is a warning ([FX1108](diagnostics/FX1108.md)).
- A null that is longer than it need be is a null, and counted as R6.
- A decimal's exponent is from -63 to 63, whatever operator made it; R1 is fatal, and so is R4.
- Groups without an operator on their fields have no presence map, and nor have elements of sequences. A group that is
  absent leaves all previous values alone.
- An optional decimal with operators for its parts: without an exponent the mantissa takes no byte and no bit.
- U4 counts the venue's instruments that a message of market data names, each once, those of messages inside it among
  them. It is told at the field that names one too many. Without a venue file there is none.

## Bounds

| of what | at most |
| --- | --- |
| bytes of an integer, or of a presence map | {ENTITY_BYTES} |
| bytes of a string that is a previous value | {KEPT_BYTES} |
| groups and sequences in each other | {NESTING} |
| dynamic references in each other | {REFERENCES} |
| instruments of the venue that a message of market data names | {MESSAGE_INSTRUMENTS} |
| instructions of a file, references replaced by what they name | {INSTRUCTIONS:,} |
"""


def page() -> str:
    """The page as MyST Markdown."""
    rows = [f"| {fault.name} | {fault.value} | {'fatal' if fault.fatal else 'counted'} |" for fault in Fault]
    return _HEAD + "\n".join(rows) + "\n" + _TAIL


_PROGRAM = """# Programs of feeds

The program that `fixaccel fast list` makes of a venue's templates: what the [engine in the
fabric](../explanation/feed.md) runs, which the core of this version does not have yet, and the interpreters in Python
and C++. A word is a field, its tag for the host in it; a routine is a template; fields that nobody wants are passed
over. The layout is that of the [map of feeds](gen/feed.md), from which the C++ header and the SystemVerilog package
are made, too.

## Words

Of {bits} bits, the operation in the lowest three.

| word | does |
| --- | --- |
{words}

A field keeps its word if it is wanted, if a wanted field shares its previous value, or if what follows depends on its
null. Wanted are fields that prices need, by their usual tags ({tags}) or as the venue's `fields` names them; with
`--export all` every field. Of a field that is passed over only the bytes count: nothing of its value is checked, so a
fault there is none.

Types are {types}; a decimal with an operator for each part is `exponent` and `mantissa`, `length` is that of the
sequence whose `loop` follows. Operators are {operators}. Roles are {roles}.

## Text

`fixaccel fast list` writes it, and `fixaccel fast assemble` makes the same words of it. The first line is
`fixaccel-program: 1`; a note stands behind `;`, and is kept as the word's source.

| line | says |
| --- | --- |
| `multiplier N` | by which rows of identifiers are found: the top byte of the product modulo 2^32; odd |
| `numbers N`, `strings N` | slots that are used |
| `number SLOT VALUE`, `string SLOT "TEXT"` | an initial value: `-2`, `125e-2`, `"X"`; `\\xNN` is a byte |
| `template ID at=ADDRESS kind=KIND [reset]` | where the routine of an identifier begins; the note is its name |
| `ADDRESS OPERATION ...` | a word; addresses count from 0 |

## File

`-o` of both commands writes it, and it is `feed/program.bin` of a bundle. Numbers are little-endian.

| what | bytes |
| --- | --- |
| the head, [`program_head`](gen/feed.md) | {head} |
| words | 8 each |
| the table of identifiers, `template_row` | {rows} rows of {row} |
| initial values of slots for numbers, `number_row` | {number} each |
| initial values of slots for strings: the length, then the bytes | {string} each |
| names of templates and words, JSON | as many as the head says |

Whoever reads a file checks it: jumps stay inside their routine, blocks close in the order in which they open, slots
are there, each element of a sequence takes a byte. So no datagram keeps an interpreter busy for longer than its bytes
allow.

## Room

Most that the layout has; a board's `feed` may have less ([board files](board.md)). What does not fit is
[FX1110](diagnostics/FX1110.md).

| of what | at most |
| --- | --- |
| words | {instructions:,} |
| slots for numbers | {numbers} |
| slots for strings, of {kept} bytes each | {strings} |
| templates with an identifier | {templates} |
| tags of fields | {last_tag} |
| blocks in each other | {nesting} |
| dynamic references in each other | {references} |
| entities and bits of the map that one `skip` passes over | {entities} and {skip_bits} |

## Cycles

Notes of a listing say whether the engine keeps up with the wire, a byte a cycle. A word takes a cycle unless it waits
for bytes; so what a stream leaves out is what costs: a word without a byte. Besides,

* a jump takes two cycles more, back to the next element of a sequence one;
* a message takes one for its template if that is the one of the message before, else twelve;
* a string costs a cycle for each byte of the result, and some seven, where it is put together (`tail`, `delta`), and
  where it is told, has more than a character and does not stand in the stream;
* a number whose slot one of the last five words has written, and what depends on a length or an exponent that its
  operator makes, waits for it, up to five cycles.

Each line holds {line:,} bytes meanwhile.
"""
_DOES = {
    Op.FIELD: "decodes a value, keeps it as its operator says, tells it where it has a tag or a role",
    Op.SKIP: "passes over so many entities, and one (two where `twice`) for each bit that is set among those `taken`",
    Op.RAW: "takes bytes in front of the FAST bytes: a raw integer, or passed over",
    Op.GROUP: "begins a group; goes on at `to` if it is optional and absent",
    Op.LOOP: "begins a sequence of the length just read; goes on at `to` if that is 0 or absent",
    Op.NEXT: "ends an element, or a group with a map; goes back to `to` for the next element",
    Op.CALL: "a dynamic reference: map, identifier, and the routine that it names",
    Op.END: "ends a routine: back behind the reference, on to the next message, or the datagram is done",
}


def _words() -> Iterator[str]:
    for op in Op:
        yield f"| `{op.value}` | {_DOES[op]} |"
    yield "| `initial` | behind a field that is `apart`: the slot of its initial value |"


def _named(words: Iterable[Type | Operator | Role]) -> str:
    return ", ".join(f"`{word.value}`" for word in words)


def program_page() -> str:
    """The page of programs as MyST Markdown."""
    records = FEED.records
    limits = Limits()
    return _PROGRAM.format(
        bits=FEED.constant("word_bits"),
        words="\n".join(_words()),
        tags=", ".join(f"{what} {' or '.join(tags)}" for what, tags in USUAL.items()),
        types=_named(Type),
        operators=_named(Operator),
        roles=_named(role for role in Role if role is not Role.NONE),
        head=records["program_head"].stride_bytes,
        rows=FEED.constant("template_slots"),
        row=records["template_row"].stride_bytes,
        number=records["number_row"].stride_bytes,
        string=1 + KEPT_BYTES,
        instructions=limits.instructions,
        numbers=limits.numbers,
        strings=limits.strings,
        kept=KEPT_BYTES,
        templates=FEED.constant("templates"),
        last_tag=FEED.constant("last_tag"),
        nesting=NESTING,
        references=REFERENCES,
        entities=MOST_ENTITIES,
        skip_bits=MOST_BITS,
        line=FEED.constant("line_bytes"),
    )
