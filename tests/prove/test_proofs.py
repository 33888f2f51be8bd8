# SPDX-License-Identifier: Apache-2.0
"""Every proof but the long ones holds, and finds some of its faults; `make prove` and `make soak` have all."""

from pathlib import Path

import pytest
import yaml

from deliberate import with_fault
from prove.run import Fault, Proof, Prover, load
from synth.yosys import ToolError

ROOT = Path(__file__).resolve().parents[2]
PROOFS = load(ROOT / "scripts" / "prove" / "proofs.yaml")
SHARE = {name: proof for name, proof in PROOFS.items() if not proof.long}
FAULTS = 2  # of each: enough to see that a proof can fail; that all of them are found changes with a proof


def quick(proof: Proof) -> list[Fault]:
    """Some faults, of those that show in the first cycles: others take up to a minute."""
    return [fault for fault in proof.broken if not fault.within][:FAULTS]


@pytest.fixture
def prover(tmp_path: Path) -> Prover:
    return Prover(ROOT, tmp_path)


@pytest.mark.parametrize("proof", SHARE.values(), ids=SHARE)
def test_holds(prover: Prover, proof: Proof) -> None:
    for check, result in prover.checks(proof):
        assert result.holds, f"{check}\n{result.text}"


@pytest.mark.parametrize(
    ("proof", "fault"),
    [pytest.param(proof, fault, id=proof.name) for proof in SHARE.values() for fault in quick(proof)],
)
def test_finds_a_fault(prover: Prover, proof: Proof, fault: Fault) -> None:
    assert prover.finds(proof, fault)


def test_every_proof_has_faults() -> None:
    assert all(len(proof.broken) > 1 for proof in PROOFS.values())
    assert all(quick(proof) for proof in SHARE.values()), "some of each run here"


def test_every_fault_fits() -> None:
    """Those that run seldom, too."""
    for proof in PROOFS.values():
        for fault in proof.broken:
            assert with_fault(ROOT / fault.file, fault.text, fault.becomes)


def test_what_is_promised_is_proved_by_proofs_that_there_are() -> None:
    promises = yaml.safe_load((ROOT / "scripts/prove/promises.yaml").read_text(encoding="utf-8"))
    assert promises
    assert all(set(promise["by"]) <= PROOFS.keys() and promise["by"] for promise in promises)


def test_induction_begins_in_cycles_that_have_been_checked() -> None:
    assert all(proof.bounded >= (proof.induction or 0) for proof in PROOFS.values())


def test_a_fault_that_does_not_fit_is_an_error(prover: Prover) -> None:
    proof = PROOFS["arbiter"]
    with pytest.raises(ToolError, match="0 times what a fault replaces: nowhere"):
        prover.finds(proof, Fault(proof.files[0], "nowhere", ""))


def test_an_unknown_key_is_named(tmp_path: Path) -> None:
    file = tmp_path / "proofs.yaml"
    file.write_text("one: {says: x, files: [], bounded: 1, broken: [], depth: 2}", encoding="utf-8")
    with pytest.raises(ValueError, match="one: no key depth"):
        load(file)
