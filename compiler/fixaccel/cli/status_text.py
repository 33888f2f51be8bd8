# SPDX-License-Identifier: Apache-2.0
"""What a daemon says of itself, its rules and its fires, in words."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from fixaccel.board.limits import limit_name

NO_BOARD = "none"  # as the daemon's endpoint of the board
_BUSY_MS = 1000  # longer than any turn of a daemon that trades


def short_lines(answer: dict[str, Any]) -> Iterator[str]:
    """What the guard of the kill switch knows."""
    yield f"kill      {_kill(answer['kill']) if answer['kill']['on'] else 'off'}"
    if answer["board_problem"]:
        yield f"problem   the board could not be told: {answer['board_problem']}"
    if answer["busy_ms"] >= _BUSY_MS:
        yield f"daemon    busy for {answer['busy_ms'] / 1000:.1f} s"


def _kill(kill: dict[str, Any]) -> str:
    return f"ON since {utc_text(kill['time_ns'])}, by {kill['by']}"


def utc_text(time_ns: int) -> str:
    """To the second."""
    return f"{datetime.fromtimestamp(time_ns / 1e9, UTC):%Y-%m-%d %H:%M:%S} UTC"


def lines(answer: dict[str, Any]) -> Iterator[str]:
    """The status for a reader."""
    numbers = f"next numbers {answer['next_sender']} out, {answer['next_target']} in"
    yield f"session   {session_text(answer)}, {numbers}"
    rolls = {"day_rolls_ns": "day       rolls at", "limits_roll_ns": "limits    count anew at"}
    yield from (f"{text} {utc_text(answer[key])}" for key, text in rolls.items() if key in answer)
    yield f"board     {board_text(answer)}"
    load = answer["load"]
    if load["state"] in {"writing", "flipping"}:
        yield f"load      while armed: {load['state']}, {load['written']:.0%} of the tables"
    elif load["how"] == "hot":
        yield f"load      {load['state']} while armed, messages waited for {load['hold_cycles']} cycles"
    if signed_by := answer.get("bundle", {}).get("signed_by"):
        yield f"signed    {', '.join(signed_by)}"
    if (commit := answer.get("commit", {})).get("mode", "frame") != "frame":
        aborted = f", {commit['aborted']} ended with a wrong FCS" if commit["aborted"] else ""
        mode, ahead = commit["mode"], commit["ahead"]
        yield f"commit    {mode}: orders begin up to {ahead} bytes ahead of their frame's end{aborted}"
    if answer["problem"]:
        yield f"problem   {answer['problem']}"
    yield from _comeback(answer)
    yield from _clock(answer)
    yield from _host(answer)
    for due in answer.get("cancels_due", []):
        yield f"cancel    of {due['order']} for the order of {due['rule']}: {due['state']}"
    if answer["in_doubt"]:
        yield f"in doubt  {len(answer['in_doubt'])} rules, spent until it is known of each: see `fixaccel reconcile`"
    for change in answer.get("limits_changed", []):
        yield f"limit     {changed_text(change)}"
    yield from _rules(answer)
    if answer["fires"]:
        yield "fires"
    for fire in answer["fires"]:
        yield f"  {fire_text(fire)}"
    if answer["resting"]:
        yield "resting, as far as the venue has said"
    for order in answer["resting"]:
        yield f"  {order['instrument']} {order['side']} at {order['price']}, {order['cl_ord_id']}"


def changed_text(change: dict[str, Any]) -> str:
    """A limit that was changed for a time."""
    until = utc_text(change["until_ns"])
    return f"{limit_name(change)} is {change['value']} until {until}, by {change['by']}: {change['reason']}"


def session_text(answer: dict[str, Any]) -> str:
    """The phase, and whose session it is."""
    session = answer.get("session")
    where = f", {session['sender_comp_id']} at {session['target_comp_id']}" if session else ""
    market = answer.get("market_session")
    if market:
        away = "" if market["logged_on"] else ", which is not logged on"
        where += f", market data by {market['sender_comp_id']} at {market['target_comp_id']}{away}"
    return f"{answer['phase']}{where}"


def _comeback(answer: dict[str, Any]) -> Iterator[str]:
    """The last loss of the session, and what the daemon does about it."""
    comeback = answer.get("comeback", {})
    if "loss" not in comeback:
        return
    tries = f", {comeback['tries']} tries since" if comeback["tries"] else ""
    tries += f", the next in {comeback['next_try_ms'] / 1000:.1f} s" if "next_try_ms" in comeback else ""
    yield f"lost      {utc_text(comeback['loss']['time_ns'])}: {comeback['loss']['reason']}{tries}"
    if comeback["awaits"]:
        yield f"waits     to be armed again, until it is known {comeback['awaits']}"
    if comeback["refused"]:
        yield f"not armed again: {comeback['refused']}"


def _clock(answer: dict[str, Any]) -> Iterator[str]:
    clock = answer.get("clock", {"was_set": False})
    if clock["was_set"]:
        apart_s = clock["apart_ns"] / 1e9
        way = "ahead" if apart_s > 0 else "back"
        yield f"clock     the system's was set {abs(apart_s):.1f} s {way}, and is not followed"
    elif clock.get("synchronised"):
        yield f"clock     synchronised, at most {clock['max_error_us']} us off"
    elif "synchronised" in clock:
        unknown = "it is not known whether somebody" if clock["synchronised"] is None else "nobody"
        yield f"clock     {unknown} synchronises the system's"


def _host(answer: dict[str, Any]) -> Iterator[str]:
    if "host" in answer:
        yield f"host      {answer['host']['text']}"
    if not_granted := answer.get("cpu", {}).get("not_granted"):
        yield f"cpu       {'; '.join(not_granted)}"


def _rules(answer: dict[str, Any]) -> Iterator[str]:
    """All rules, then those that were rejected."""
    rules = answer.get("rules", [])
    if rules:
        yield f"rules     {answer['bundle']['strategy']}"
    for rule in rules:
        yield f"  {rule_text(rule)}"
    yield from rejected_lines(answer)


def rule_text(rule: dict[str, Any]) -> str:
    """Its state, condition and order."""
    order = rule["order"]
    price = f" at {order['price']}" if order["price"] else ""
    at = f"at {rule['at']}" if "at" in rule else ""
    words = (rule["instrument"], rule["source"], rule["direction"], rule["threshold"], at)
    condition = " ".join(word for word in words if word)
    text = f"{rule['state']:8}  {rule['id']}: {condition}, {order['side']} {order['qty']} {order['type']}{price}"
    return text + _fills(rule)


def _fills(rule: dict[str, Any]) -> str:
    """What it waits for of its parents' orders, what it has filled itself, and what nothing covers."""
    text = f", {rule['filled']} filled" if "filled" in rule else ""
    if "armed_by" in rule:
        text += f", armed on {rule['armed_by']['on']}, its parents have filled {rule['armed_by']['filled']}"
    if "uncovered" in rule:
        text += f", UNCOVERED {rule['uncovered']} filled since its order"
    return text


def rejected_lines(answer: dict[str, Any]) -> Iterator[str]:
    """Rules that `fixaccel arm RULE` would arm again."""
    rejected = [rule for rule in answer.get("rules", []) if "rejected" in rule]
    if rejected:
        yield "rejected, until `fixaccel arm RULE`"
    for rule in rejected:
        why = rule["rejected"]
        limit = why["outcome"].removeprefix("rejected:")
        seen = f"seen {why['observed']}" if why["observed"] else "by the clock"
        yield f"  {rule['id']}: {limit}, {seen}, {utc_text(why['time_ns'])}"


def board_text(answer: dict[str, Any]) -> str:
    """Whether it is armed, and if not why."""
    fabric = answer["fabric"]
    kill = answer.get("kill", {"on": False})
    if kill["on"]:
        return f"KILL SWITCH {_kill(kill)}"
    if fabric["kill"]:
        return "KILL SWITCH ON"
    how = "DRY RUN: armed, nothing leaves" if answer["dry_run"] else "armed"
    if answer.get("stand_in", {}).get("active"):
        return f"{how}: the fabric does not see the market, and the runtime stands in for it"
    if answer.get("parser", {}).get("lost"):
        return how + _parser(answer["parser"])
    if answer["armed"]:
        return how + (", without a board: the runtime evaluates all rules" if answer.get("board") == NO_BOARD else "")
    reason = fabric["disarm_reason"] or fabric["blocking"]
    return "disarmed" + (f": {reason}" if reason else "")


def _parser(parser: dict[str, Any]) -> str:
    """What the board does not see."""
    since = (
        f" {parser['lost_ms'] / 1000:.1f} s ago, near message {parser['from_message']}" if "lost_ms" in parser else ""
    )
    return f", but THE PARSER LOST THE STREAM{since}: rules of the fabric see nothing until it has found it again"


def outcome_text(fire: dict[str, Any]) -> str:
    """What became of a fire, of the status or the journal: `dry`, or `rejected:kill in a dry run`."""
    outcome: str = fire["outcome"]
    return f"{outcome} in a dry run" if fire.get("dry") and outcome != "dry" else outcome


def runtime_text(fire: dict[str, Any]) -> str:
    """Of a fire of the status or the journal: that it is the runtime's, and its time from recv to send."""
    if fire.get("where") != "runtime":
        return ""
    took = f" in {fire['took_ns'] / 1000:.0f} us" if "took_ns" in fire else ""
    return f", by the runtime{took}"


def seen_text(fire: dict[str, Any]) -> str:
    """What satisfied the rule of a fire, of the status or the journal."""
    if fire.get("observed") == "":
        return "by the clock"
    return f"seen {fire.get('observed', '?')} at {fire.get('threshold', '?')}"


def fire_text(fire: dict[str, Any]) -> str:
    """One fire, and what the venue has said of its order."""
    name = fire.get("rule", "rule of a former load")
    if "found" in fire:
        return f"{name}: sent unseen, {fire['cl_ord_id']}, says the venue{_state(fire)}"
    text = f"{name}: {seen_text(fire)}, {outcome_text(fire)}"
    if "msg_seq_num" in fire:
        text += f", MsgSeqNum {fire['msg_seq_num']}, {fire['cl_ord_id']}"
    text += runtime_text(fire)
    if "cycles" in fire:
        text += f", {fire['cycles']} cycles"
    return text + _state(fire)


def _state(fire: dict[str, Any]) -> str:
    """What the venue has said of its order."""
    order = fire.get("order")
    if not order:
        return ""
    done = f" {order['cum_qty']} at {order['avg_px']}" if order["cum_qty"] not in {"", "0"} else ""
    return f", order {order['status']}{done}"
