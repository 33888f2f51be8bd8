# SPDX-License-Identifier: Apache-2.0
"""Laws of setting and taking back, on made-up machines: whatever happens, what was there before comes back."""

import errno
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from runs import KilledError, Trouble, applied, bound, records
from trees import CARD, MACHINES, VETH, Made, contents, make, scratch

from fixaccel.tune.apply import finish
from fixaccel.tune.catalogue import catalogue
from fixaccel.tune.forms import as_kernel, list_text, mask_text, parse_list, same, stored
from fixaccel.tune.host import Tree
from fixaccel.tune.installed import Installation
from fixaccel.tune.record import APPLIED, BEGUN, TAKEN_BACK
from fixaccel.tune.survey import Outcome
from fixaccel.tune.take_back import Back, take_back
from fixaccel.tune.verify import Verdict, verify

KNOBS = sorted(id_ for id_, knob in catalogue().items() if knob.cls != "told")
BY_NAME = {"nic.mtu": "9000", "nic.rx-channels": "2", "nic.threaded-napi": "1", "host.rt-runtime": "-1"}
BY_NAME |= {"host.cpuset": "made"}


@dataclass(frozen=True)
class Case:
    """A machine and a plan for it."""

    made: Made
    plan: str


@st.composite
def cases(draw: st.DrawFn) -> Case:
    made = draw(st.sampled_from(MACHINES))
    interface = draw(st.sampled_from([CARD, VETH])) if made.card else VETH
    profile = draw(st.sampled_from(["low-latency", "paper", "process"]))
    skip = draw(st.sets(st.sampled_from(KNOBS), max_size=20))
    named = draw(st.sets(st.sampled_from(sorted(BY_NAME))))
    values = {name: BY_NAME[name] for name in sorted(named - skip)}
    plan = f"profile: {profile}\ninterface: {interface}\nskip: [{', '.join(sorted(skip))}]\n"
    return Case(made, plan + (f"set: {values}\n" if values else ""))


_ERRORS = st.sampled_from([errno.EIO, errno.EINVAL, errno.EBUSY, errno.EACCES, errno.EROFS])


def rolled_back(root: Path, *, force: bool = False) -> list[tuple[str, Back]]:
    host = Tree(root)
    kept = records(host)
    record = kept.last(APPLIED, BEGUN)
    if record is None:
        return []
    backed = take_back(record, host, force=force)
    kept.save(record)
    return [(one.entry.place, one.outcome) for one in backed]


@settings(max_examples=50)
@given(cases(), st.dictionaries(st.integers(0, 40), _ERRORS, max_size=2), st.booleans())
def test_apply_then_rollback_gives_every_byte_back(case: Case, failing: dict[int, int], rounds: bool) -> None:
    with scratch() as folder:
        root = make(case.made, Path(folder))
        before = contents(root)
        host = Trouble(root)
        host.failing = {number: OSError(error, os.strerror(error)) for number, error in failing.items()}
        host.rounding = dict.fromkeys(range(0, 60, 3), "7") if rounds else {}
        done = applied(host, case.plan)
        if done.failure:
            assert contents(root) == before
            assert done.record is not None
            assert done.record.state == TAKEN_BACK
        else:
            assert {step.outcome for step in done.steps} & {Outcome.WOULD_SET} == set()
            assert all(outcome is Back.BACK for _, outcome in rolled_back(root))
        assert contents(root) == before
        assert rolled_back(root) == []


@settings(max_examples=50)
@given(cases(), st.integers(0, 30), st.booleans(), st.data())
def test_killed_at_any_write_it_is_finished_later(case: Case, number: int, behind: bool, data: st.DataObject) -> None:
    with scratch() as folder:
        root = make(case.made, Path(folder))
        before = contents(root)
        host = Trouble(root)
        host.before, host.behind = (None, number) if behind else (number, None)
        with suppress(KilledError):
            applied(host, case.plan)
        changed = sorted(
            place for place, text in contents(root).items() if text != before.get(place) and not place.endswith("/")
        )
        theirs = data.draw(st.sampled_from(changed)) if changed and data.draw(st.booleans()) else None
        if theirs:
            (root / theirs).write_text("others\n")
        if data.draw(st.booleans()):
            outcomes = dict(rolled_back(root))
        else:
            with records(host).locked():
                outcomes = {one.entry.place: one.outcome for one in finish(records(host), Tree(root))[1]}
            outcomes |= dict(rolled_back(root))  # it had come to its end
        after = contents(root)
        if theirs and theirs not in before:
            # In a group that the run has made, which stays.
            group = theirs.rpartition("/")[0]
            stays = outcomes.get(theirs) in {Back.CHANGED, Back.REFUSED} or theirs.endswith("cgroup.procs")
            assert stays <= (outcomes[group] in {Back.CHANGED, Back.REFUSED}) == (after.get(theirs) == b"others\n")
            after = {place: text for place, text in after.items() if not place.startswith(f"{group}/")}
            if theirs.endswith("cgroup.procs"):
                before |= {place: after[place] for place in after}
        elif theirs and not theirs.startswith("etc/"):
            assert outcomes[theirs] is Back.CHANGED
            assert after.pop(theirs) == b"others\n"
            before.pop(theirs)
        elif theirs:
            after.pop(theirs), before.pop(theirs)
        assert after == before


@settings(max_examples=15)
@given(cases(), st.data())
def test_what_others_change_is_drift_and_stays(case: Case, data: st.DataObject) -> None:
    with scratch() as folder:
        root = make(case.made, Path(folder))
        before = contents(root)
        done = applied(Tree(root), case.plan)
        assert not done.failure
        written = [entry for entry in done.record.entries if entry.state == "set"] if done.record else []
        files = [entry.place for entry in written if not entry.place.startswith("toml/") and entry.form != "folder"]
        theirs = data.draw(st.sampled_from(files)) if files else None
        if theirs:
            (root / theirs).write_text("others\n")
        if done.record:
            found = verify(done.record, Tree(root), Installation())
            drifted = [one.entry.place for one in found if one.verdict is not Verdict.OK]
            assert drifted == ([theirs] if theirs else [])
        left = [place for place, outcome in rolled_back(root) if outcome is Back.CHANGED]
        group = {theirs.rpartition("/")[0]} if theirs and theirs not in before else set()
        assert set(left) == {theirs, *group} if theirs else left == []
        if theirs:
            assert (root / theirs).read_text() == "others\n"
            record = records(Tree(root)).last(TAKEN_BACK)
            assert record is not None
            assert {one.outcome for one in take_back(record, Tree(root), force=True)} == {Back.BACK}
            # All but what others wrote in place of the kernel's own form.
            assert {**contents(root), theirs: b""} == {**before, theirs: b""}
        else:
            assert contents(root) == before


@settings(max_examples=15)
@given(cases())
def test_applied_twice_nothing_is_written_the_second_time(case: Case) -> None:
    with scratch() as folder:
        root = make(case.made, Path(folder))
        first = applied(Tree(root), case.plan)
        host = Trouble(root)
        second = applied(host, case.plan)
        assert host.count == 0
        assert (second.record and second.record.id) == (first.record and first.record.id)
        assert all(step.outcome is not Outcome.WOULD_SET for step in second.steps)


@settings(max_examples=100)
@given(
    st.sampled_from(["number", "text", "choice", "mask", "list"]),
    st.sets(st.integers(0, 70), min_size=1),
    st.sets(st.integers(0, 70), min_size=1),
)
def test_trees_change_as_the_kernel_would(form: str, one: set[int], other: set[int]) -> None:
    texts = {
        "number": ("12\n", "3"), "text": ("powersave\n", "performance"),
        "choice": ("always [madvise] never\n", "never"),
        "mask": (f"00000000,{mask_text({*one, 95})}\n", mask_text(other)),
        "list": (f"{list_text(one)}\n", list_text(other)),
    }  # fmt: skip
    before, value = texts[form]
    after = as_kernel(form, before, value)
    assert same(form, stored(form, after), value)
    assert as_kernel(form, after, stored(form, before)) == before
    assert parse_list(list_text(one)) == one


def test_the_last_is_taken_back_first(tmp_path: Path) -> None:
    host = Trouble(make(MACHINES[0], tmp_path))
    record = applied(host, f"interface: {CARD}\nset: {{host.cpuset: made}}\n").record
    assert record is not None
    count = len(host.written)
    take_back(record, host)
    assert host.written[count:] == host.written[:count][::-1]


def test_every_place_of_a_plan_is_the_catalogues(tmp_path: Path) -> None:
    host = Tree(make(MACHINES[0], tmp_path))
    plan = bound(host, f"interface: {CARD}\nset: {BY_NAME}\n")
    for knob in catalogue().values():
        assert all(knob.covers(place) for place in plan.places(knob)), knob.id
        assert not knob.covers("etc/shadow")
