# SPDX-License-Identifier: Apache-2.0
"""Makes the reference of the message bus from its names, messages, ring and rights."""

from fixaccel.bus import messages, names, ring, server

_HEAD = """# The message bus

What goes over the bus, made from the one description that relay, readers and tests share. [](../howto/bus.md) says how
to use it; keys of the site's file are in [](keys.md#sites-of-the-bus), those of `[bus]` in [](daemon.md).

## Subjects

`fx.SITE.BOARD.` and what stands in the first column. Names of sites, boards and readers are {form}. A symbol is
one token: `.`, `*`, `>`, `%`, blanks and what is not ASCII are written `%` and two hexadecimal digits for each byte of
UTF-8.

| subject | what | stream |
| --- | --- | --- |
| `md.SYMBOL` | a quote | `QUOTES-BOARD`: in memory, the last of each instrument. The relay makes it |
| `ev.KIND` | an event | `EV-BOARD`: on disk, synced, nothing taken out before its time. `fixaccel bus apply` makes it |
| `st`, `hb` | status, heartbeat | `STATUS-BOARD`: in memory, the last of each. The relay makes it |

An event has three headers: `{event}`, `{journal}` and `{record}`: its number, which journal it is of (the beginning of
the SHA-256 of its first line), and the number of its record in there.

## Messages

JSON, one object. Prices and sizes are decimal text, times nanoseconds of UTC. A reader ignores keys that it does not
know; what is missing or of another `v` it does not understand.

"""


def page() -> str:
    """The page in Markdown."""
    parts = [
        _HEAD.format(
            form=names.NAME_FORM, event=names.HEADER_EVENT, journal=names.HEADER_JOURNAL, record=names.HEADER_RECORD
        )
    ]
    for kind in messages.KINDS:
        missing = " (may be missing)"
        rows = [f"| `{field.name}` | {field.says}{missing if field.optional else ''} |" for field in kind.fields]
        says = kind.says[0].upper() + kind.says[1:]
        head = f"### {kind.name.capitalize()}: `{kind.subject}`\n\n{says}.\n\n| key | |\n| --- | --- |\n"
        parts.append(head + "\n".join(rows) + "\n\n")
    parts += [_events(), _times(), _ring()]
    return "".join(parts)


def _events() -> str:
    rows = [f"| `{kind}` | {', '.join(f'`{one}`' for one in types)} |" for kind, types in names.EVENT_KINDS.items()]
    return (
        "## Kinds of events\n\nEvent n is the n-th record of these types in the journal; [](../howto/audit.md) says "
        "what they tell.\n\n| kind | records of type |\n| --- | --- |\n" + "\n".join(rows) + "\n\n"
    )


def _times() -> str:
    least = ".".join(map(str, server.LEAST))
    return f"""## Times and limits

| | |
| --- | --- |
| heartbeat and status | every {names.HEARTBEAT_MS} ms |
| without a heartbeat for {names.SILENT_MS} ms | readers mark what they know as stale |
| every instrument is said again within | {names.REFRESH_MS} ms, or `refresh_ms` |
| server | nats-server {least} or newer; older ones are refused by name |

"""


def _ring() -> str:
    words = [f"| {number} | `{name}` | {says} |" for name, (number, says) in ring.WORDS.items()]
    record = [f"| {number} | `{name}` | {says} |" for name, (number, says) in ring.RECORD_WORDS.items()]
    kinds = [f"| {number} | `{name}` | {says} |" for name, (number, says) in ring.KINDS.items()]
    flags = ", ".join(f"`{flag}`" for flag in ring.FLAGS)
    return f"""## The ring

A file in memory that the daemon writes and the relay reads. All is in words of 64 bits, little endian: a header of
{ring.HEADER_BYTES} bytes, then `capacity` bytes that are written round and round. A record at position p begins at p
modulo `capacity`, and what was read of it holds if `reserved` was not beyond p + `capacity` afterwards.

| word | of the header | |
| --- | --- | --- |
{chr(10).join(words)}

Bits of `flags`, from the lowest: {flags}.

| word | of a record | |
| --- | --- | --- |
{chr(10).join(record)}

| kind | | |
| --- | --- | --- |
{chr(10).join(kinds)}
"""
