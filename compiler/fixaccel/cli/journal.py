# SPDX-License-Identifier: Apache-2.0
"""`fixaccel journal`: what a daemon has recorded."""

import json
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import click

from fixaccel.board.journal import JournalError, Record, read
from fixaccel.board.limits import limit_name, written_value
from fixaccel.cli.ending import until_interrupted
from fixaccel.cli.status_text import changed_text, outcome_text, runtime_text


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, all fields.")
@click.option("--follow", is_flag=True, help="Wait for more, until Ctrl-C.")
def journal(folder: Path, as_json: bool, follow: bool) -> None:
    """Print the journal in DIR: fires, orders, sessions, and what a restart had to repair.

    \b
    Examples:
      fixaccel journal /var/lib/fixaccel
      fixaccel journal /var/lib/fixaccel --json | jq 'select(.type == "fire")'
    """
    with until_interrupted():
        for record in records(folder, follow=follow):
            text = json.dumps(record) if as_json else describe(record)
            if text:
                click.echo(text)


def records(folder: Path, *, follow: bool) -> Iterator[Record]:
    """Those of the journal; exits with 2 and the reason when it cannot be read."""
    try:
        yield from read(folder, follow=follow)
    except JournalError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)


def describe(record: Record) -> str:
    """One line for a reader; empty for bookkeeping that tells nothing."""
    write = _LINES.get(record["type"])
    if write is None:
        return ""
    seconds = record.get("time_ns", 0) / 1e9
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S.%f}  {write(record)}"


def _fire(r: Record) -> str:
    rule = (
        f"{r.get('rule', '#' + str(r['rule_index']))} {r.get('instrument', '')} {r['source']} {r.get('direction', '')}"
    )
    seen = f"{rule} {r.get('threshold', '?')}, seen {r.get('observed', '?')}: {outcome_text(r)}"
    if r.get("observed") == "":
        seen = f"{r['rule']} {r.get('instrument', '')}, by the clock: {outcome_text(r)}"
    if "found" in r:
        return f"fire     {r['rule']} {r.get('instrument', '')}: sent unseen, {r['cl_ord_id']}, says the venue"
    if "msg_seq_num" not in r:
        return f"fire     {seen}{runtime_text(r)}"
    cycles = f", {r['cycles']} cycles" if "cycles" in r else ""
    if r.get("where") == "runtime":
        return f"fire     {seen}{runtime_text(r)}, MsgSeqNum {r['msg_seq_num']}, {r['cl_ord_id']}"
    late = "" if r["committed"] else ", taken from the ring without its connection"
    return f"fire     {seen}{cycles}, MsgSeqNum {r['msg_seq_num']}, {r['cl_ord_id']}{late}"


def _asked_by_hand(r: Record) -> str:
    price = f" at {r['price']}" if "price" in r else ""
    terms = f"{r['side']} {r['qty']} {r['instrument']} {r['type_of_order']}{price}"
    about = f" {r['orig_cl_ord_id']}" if "orig_cl_ord_id" in r else ""
    return f"{r['request']}{about}: {terms}" + (f", {r['cl_ord_id']}" if "cl_ord_id" in r else "")


def _number(r: Record) -> str:
    return f", MsgSeqNum {r['msg_seq_num']}" if "msg_seq_num" in r else ""


_WATCHED = {
    "reset": "armed again",
    "after": "armed again",
    "clear": "armed: the price is not through",
    "through": "refused: already through",
    "fills": "armed by fills",
}


def _watch(r: Record) -> str:
    seen = f"{r.get('rule', '#' + str(r['rule_index']))} {r.get('instrument', '')}"
    if "source" in r:
        seen += f" {r['source']} {r.get('observed', '?')}"
    if r["outcome"] != "watch" and "times" in r:
        return f"watch    {seen}: not armed again, {r['times']} times were all"
    times = f", {r['times']} times now" if r["watched"] in {"reset", "after"} else ""
    return f"watch    {seen}: {_WATCHED[r['watched']]}{times}"


def _opened(r: Record) -> str:
    torn = f", a torn end of {r['truncated_bytes']} bytes was cut off" if "truncated_bytes" in r else ""
    return f"opened   {r['records']} records{torn}"


def _execution(r: Record) -> str:
    return f"order    {r['cl_ord_id']} {r['status']}, {r['cum_qty']} done, {r['leaves_qty']} open" + (
        f": {r['text']}" if "text" in r else ""
    )


def _session(r: Record) -> str:
    reason = f" ({r['reason']})" if "reason" in r else ""
    return f"session  {r['event']}, next numbers {r['next_sender']} out, {r['next_target']} in{reason}"


def _load(r: Record) -> str:
    how = ", while armed" if r.get("how") == "hot" else f", disarmed: {r['reason']}" if "reason" in r else ""
    signed = f", signed by {', '.join(r['signed_by'])}" if "signed_by" in r else ""
    kept = sum(count for _, _, count in r.get("kept", []))
    rules = f"{len(r['rules']) + kept} rules" + (f" ({kept} as before)" if kept else "")
    return f"load     {r['strategy']}, {rules}, generation {r['generation']}{signed}{how}"


def _held(r: Record) -> str:
    if "cycles" not in r:
        return ""
    return f" from message {r['first_seq_num']} on, messages waited for {r['cycles']} cycles"


def _limit(r: Record) -> str:
    value = written_value(r["limit"], r["value"])
    if r["type"] == "limit_reverted":
        by = f" by {r['by']}" if "by" in r else ""
        return f"limit    {limit_name(r)} is the bundle's again, not {value}: {r['reason']}{by}"
    return f"limit    {changed_text({**r, 'value': value})}"


def _command(r: Record) -> str:
    request = r["request"]
    given = {key: value for key, value in request.items() if key != "cmd" and value not in (False, [], None)}
    words = [f"{key} {' '.join(map(str, value)) if isinstance(value, list) else value}" for key, value in given.items()]
    asked = " ".join([str(request["cmd"]), *words])
    role = f", role {r['role']}" if "role" in r else ""
    before = f" ({r['refused_before']} more were refused before it)" if "refused_before" in r else ""
    return f"command  {asked}, by {r['by']}{role}: {'ok' if r['ok'] else 'refused: ' + r.get('error', '')}{before}"


def _rearmed(r: Record) -> str:
    return ", ".join(key.partition("|")[0] for key in r["rules"]) if "rules" in r else "spent rules"


def _reconciled(r: Record) -> str:
    if "by" not in r:
        return "doubt    reconciled with the venue"
    what = {"sent": "have sent an order", "not_sent": "have sent nothing"}
    told = [
        f"{', '.join(key.rpartition('|')[0] for key in r[which]) or 'no rule'} {text}"
        for which, text in what.items()
        if which in r
    ]
    return f"doubt    {'; '.join(told)}, says {r['by']}"


_ASKED = {"armed": "to arm", "dry run": "for a dry run", "disarmed": "to disarm"}
_LINES: dict[str, Callable[[Record], str]] = {
    "open": _opened,
    "epoch": lambda r: f"epoch    {r['epoch']}",
    "load": _load,
    "flipped": lambda r: f"load     generation {r['generation']} is armed{_held(r)}",
    "load_dropped": lambda r: f"load     generation {r['generation']} was dropped: {r['reason']}",
    "asked": lambda r: f"asked    {_ASKED.get(r['for'], r['for'])}",
    "command": _command,
    "kill": lambda r: f"kill     switch {'on' if r['on'] else 'off'}, by {r['by']}",
    "armed": lambda r: "armed    for a dry run: nothing leaves" if r.get("dry") else "armed",
    "disarmed": lambda r: f"disarmed {r['reason']}",
    "rearmed": lambda r: f"rearmed  {_rearmed(r)} may fire again",
    "board_lost": lambda r: f"doubt    the board lost its memory while armed: {len(r['in_doubt'])} rules in doubt",
    "reconciled": _reconciled,
    "uncountable": lambda _: "doubt    the venue counts from 1: what it has counted says nothing",
    "fire": _fire,
    "by_hand_intent": lambda r: f"by hand  {_asked_by_hand(r)}, is journalled, by {r['by']}",
    "by_hand": lambda r: f"by hand  {_asked_by_hand(r)}: {r['outcome']}{_number(r)}, by {r['by']}",
    "cancel_reject": lambda r: (
        f"order    {r['orig_cl_ord_id']}: {r['cl_ord_id']} was not done, it is {r['status']}: {r['text']}"
    ),
    "left": lambda r: (
        f"fire     the order of record {r['entry']} has left after all, MsgSeqNum {r['msg_seq_num']}, {r['cl_ord_id']}"
    ),
    "watch": _watch,
    "execution": _execution,
    "reject": lambda r: f"order    {r['cl_ord_id']} rejected, as message {r['ref_seq_num']}: {r['text']}",
    "limit_set": _limit,
    "limit_reverted": _limit,
    "limits_reset": lambda r: (
        f"limit    what is counted of orders and quantities begins anew, by {r['by']}: {r['reason']}"
    ),
    "session": _session,
    "day_roll": lambda _: "day      rolled: both sequence numbers start at 1, limits count anew",
    "reset": lambda _: "reset    both sequence numbers start at 1",
    "note": lambda r: f"note     {r['text']}",
    "missing": lambda r: f"missing  records {r['from']} to {r['to']}: their file is not there",
    "damaged": lambda r: f"damaged  {r['file']}, line {r['line']}",
}
