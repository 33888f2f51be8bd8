# SPDX-License-Identifier: Apache-2.0
"""Part of pass `venue`: the templates of a feed become a program, and all that the venue says of it fits them."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from fixaccel.diagnostics.codes import venue as codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.fast.model import Kind, Reference, Scalar, Template, Templates, walk
from fixaccel.fast.observed import Instruments
from fixaccel.fast.program.compiler import compile_program
from fixaccel.fast.program.image import to_bytes
from fixaccel.fast.program.interest import ENTRIES, EXPORTS, NUMBER, Found, Interest
from fixaccel.fast.program.program import Limits
from fixaccel.fast.program.raw import raw_words
from fixaccel.fast.program.words import Kind as TemplateKind
from fixaccel.fast.reader import read_templates
from fixaccel.language.keys.schema import suggest
from fixaccel.language.terms import Feed, FeedTerms, Venue
from fixaccel.language.text.files import read_source
from fixaccel.source import SourceFile, Span

_NEEDED = ("instrument", ENTRIES, "type", "price")


@dataclass(frozen=True)
class ReadFeed:
    """Templates that what a venue says of its feed fits; ``known`` are its instruments as the feed names them."""

    terms: FeedTerms
    templates: Templates
    interest: Interest
    found: Found
    known: Instruments
    by_number: bool


def feed_of(
    venue: Venue, terms: FeedTerms, folder: Path, report: Report, sources: dict[str, SourceFile]
) -> Feed | None:
    """The feed of a venue whose file lies in ``folder``; None after reporting what is wrong."""
    read = read_feed(venue, terms, folder / terms.templates, report, sources)
    if read is None:
        return None
    program, tags = compile_program(read.templates, read.interest, Limits(), report)
    if report.failed:
        return None
    message = "no rule fires on this feed: neither fabric nor runtime of this version receives it"
    way_out = "`fixaccel explain FX0513` says what works"
    report.add(codes.FEED_NOT_FIRED, message, terms.span, help=way_out)
    used = {"lines": sum(1 + bool(channel.b) for channel in terms.channels.values())}
    if terms.export == "raw":
        return Feed(terms, b"", tags, read.by_number, used)
    used |= {"instructions": len(program.words), "numbers": program.numbers, "strings": program.strings}
    return Feed(terms, to_bytes(program), tags, read.by_number, used)


def read_feed(
    venue: Venue, terms: FeedTerms, path: Path, report: Report, sources: dict[str, SourceFile]
) -> ReadFeed | None:
    """What the templates at ``path`` are to a venue; None after reporting what is wrong."""
    source = read_source(path, os.path.normpath(path), report, sources, asked_at=terms.templates_at)
    if source is None:
        return None
    inner = Report()
    templates = read_templates(source, inner)
    for one in inner:
        report.add(one.code, one.message, one.span, related=one.related, help=one.help, replacements=one.replacements)
    if templates is None or inner.failed:
        return None
    interest = Interest(
        fields=terms.fields,
        kinds={number: TemplateKind(word) for number, word in terms.kinds.items()},
        tagged=EXPORTS[terms.export],
        raw=raw_words(terms.sequence, terms.skip),
        reset_each_message=terms.reset == "message",
        number_in_messages=terms.sequence.field is not None,
    )
    if terms.sequence.field is not None:
        interest = replace(interest, fields={**terms.fields, NUMBER: terms.sequence.field})
    found = Found(interest, templates)
    before = len(list(report))
    _names(terms, interest, found, templates, report)
    _roles(terms, found, templates, report)
    _kinds(terms, found, templates, report)
    by_number = _by_number(found, templates)
    _instruments(venue, terms, by_number=by_number, report=report)
    if len(list(report)) > before:
        return None
    named = [(one.feed_id if by_number else one.symbol.encode()) for one in venue.instruments.values()]
    known = frozenset(one for one in named if one is not None)
    return ReadFeed(terms, templates, interest, found, known, by_number)


def refuse_feed_keys(venue: Venue, report: Report) -> None:
    """Reports instruments that name a channel or a number where there is no feed."""
    for instrument in venue.instruments.values():
        for key in ("channel", "id"):
            if key in instrument.places:
                message = f"`{key}` belongs to a feed, and prices come in FIX messages"
                report.add(codes.MARKET_DATA_ORIGIN, message, instrument.places[key], help="leave it out")


def _names(terms: FeedTerms, interest: Interest, found: Found, templates: Templates, report: Report) -> None:
    """Fields that the venue names, and those that a feed is read for, must be in the templates."""
    for what, name in interest.fields.items():
        if found.names[what] is None:
            fields = (item for one in templates.all for item in walk(one.items))
            there = sorted({item.name.local for item in fields if not isinstance(item, Reference)})
            close = suggest(name, there)
            message = f"no template has a field `{name}`"
            way_out = f"did you mean `{close}`?" if close else "a field is named by its name or its id"
            report.add(codes.BAD_FEED, message, terms.places.get(f"fields.{what}", terms.span), help=way_out)
    for what in _NEEDED:
        if found.names[what] is None and what not in interest.fields:
            message = f"no template has a field for the {what} of prices, by its usual tag"
            way_out = f"name it: `fields: {{{what}: NAME}}`"
            report.add(codes.BAD_FEED, message, terms.templates_at, help=way_out)
    if terms.sequence.field is not None and found.names[NUMBER] is not None:
        for template in templates.all:
            if template.id is not None and not _has(template, found.names[NUMBER]):
                message = f"messages of template `{template}` have no field `{terms.sequence.field}` with their number"
                report.add(codes.BAD_FEED, message, terms.span, related=[Related("this template", template.span)])


def _roles(terms: FeedTerms, found: Found, templates: Templates, report: Report) -> None:
    """A field is taken for one thing, and what holds a message's number is a whole number."""
    told: set[Span] = set()
    for item in (item for template in templates.all for item in walk(template.items)):
        taken = found.taken_for(item)
        if isinstance(item, Reference) or not taken:
            continue
        named = next((what for what in taken if f"fields.{what}" in terms.places), None)
        place = terms.places[f"fields.{named}"] if named else terms.templates_at
        related = [Related("this field", item.span)]
        if place in told:
            continue  # the same field of another template
        if len(taken) > 1:
            message = f"`{item.name}` is taken for {' and for '.join(taken)}"
            way_out = f"name another field for {named or taken[0]}: a field is one of them"
            report.add(codes.BAD_FEED, message, place, related=related, help=way_out)
            told.add(place)
        elif NUMBER in taken and not (isinstance(item, Scalar) and item.kind.is_integer):
            holds = item.kind.value if isinstance(item, Scalar) else Kind.DECIMAL.value
            message = f"`{item.name}` holds {holds}, and a number of messages is a whole number"
            way_out = "name a field of an integer type, or the `bytes` of a number in front"
            report.add(codes.BAD_FEED, message, place, related=related, help=way_out)
            told.add(place)


def _has(template: Template, name: str | None) -> bool:
    return any(not isinstance(item, Reference) and name in {item.id, item.name.local} for item in walk(template.items))


def _kinds(terms: FeedTerms, found: Found, templates: Templates, report: Report) -> None:
    for number in terms.kinds:
        if number not in templates.by_id:
            known = ", ".join(str(one) for one in sorted(templates.by_id)) or "none"
            report.add(
                codes.BAD_FEED, f"no template has the identifier {number}", terms.places[f"kinds.{number}"],
                help=f"they are: {known}",
            )  # fmt: skip
    for template in templates.all:
        if template.id is not None and found.kind(template) is None:
            message = f"nothing says what messages of template `{template}` are"
            way_out = f"write `kinds: {{{template.id}: none}}`, or `snapshot` or `update`"
            report.add(
                codes.BAD_FEED, message, terms.span, related=[Related("this template", template.span)], help=way_out
            )


def _by_number(found: Found, templates: Templates) -> bool:
    """Whether the field that names instruments is a number."""
    name = found.names["instrument"]
    return any(
        isinstance(item, Scalar) and name in {item.id, item.name.local} and item.kind.is_integer
        for template in templates.all
        for item in walk(template.items)
    )


def _instruments(venue: Venue, terms: FeedTerms, *, by_number: bool, report: Report) -> None:
    seen: dict[int, str] = {}
    for symbol, instrument in venue.instruments.items():
        if instrument.channel is None and len(terms.channels) > 1:
            way_out = f"write `channel: {next(iter(terms.channels))}`"
            message = f"`{symbol}` names none of the {len(terms.channels)} channels"
            report.add(codes.BAD_FEED, message, instrument.span, help=way_out)
        if instrument.channel is not None and instrument.channel not in terms.channels:
            close = suggest(instrument.channel, terms.channels)
            way_out = f"did you mean `{close}`?" if close else f"there are: {', '.join(terms.channels)}"
            message = f"the feed has no channel `{instrument.channel}`"
            report.add(codes.BAD_FEED, message, instrument.place("channel"), help=way_out)
        if by_number and instrument.feed_id is None:
            message = f"the feed names instruments by number, and `{symbol}` has no `id`"
            report.add(codes.BAD_FEED, message, instrument.span, help="write its SecurityID(48): `id: 67242566`")
        if not by_number and instrument.feed_id is not None:
            message = "the feed names instruments by their symbols"
            report.add(codes.BAD_FEED, message, instrument.place("id"), help="leave `id` out")
        if instrument.feed_id is not None and seen.setdefault(instrument.feed_id, symbol) != symbol:
            message = f"`{seen[instrument.feed_id]}` has the number {instrument.feed_id} already"
            report.add(codes.BAD_FEED, message, instrument.place("id"))
