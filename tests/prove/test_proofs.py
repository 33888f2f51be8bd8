# SPDX-License-Identifier: Apache-2.0
"""Every proof holds, and finds each of its deliberate faults."""

from pathlib import Path

import pytest

from prove.run import Fault, Proof, Prover, load
from synth.yosys import ToolError

ROOT = Path(__file__).resolve().parents[2]
PROOFS = load(ROOT / "scripts" / "prove" / "proofs.yaml")


@pytest.fixture
def prover(tmp_path: Path) -> Prover:
    return Prover(ROOT, tmp_path)


@pytest.mark.parametrize("proof", PROOFS.values(), ids=PROOFS)
def test_holds(prover: Prover, proof: Proof) -> None:
    for check, result in prover.checks(proof):
        assert result.holds, f"{check}\n{result.text}"


@pytest.mark.parametrize(
    ("proof", "fault"),
    [pytest.param(proof, fault, id=proof.name) for proof in PROOFS.values() for fault in proof.broken],
)
def test_finds_a_fault(prover: Prover, proof: Proof, fault: Fault) -> None:
    assert prover.finds(proof, fault)


def test_every_proof_has_faults() -> None:
    assert all(proof.broken for proof in PROOFS.values())


def test_a_fault_that_does_not_fit_is_an_error(prover: Prover) -> None:
    proof = PROOFS["arbiter"]
    with pytest.raises(ToolError, match="0 times what a fault replaces: nowhere"):
        prover.finds(proof, Fault(proof.files[0], "nowhere", ""))


def test_an_unknown_key_is_named(tmp_path: Path) -> None:
    file = tmp_path / "proofs.yaml"
    file.write_text("one: {says: x, files: [], bounded: 1, broken: [], depth: 2}", encoding="utf-8")
    with pytest.raises(ValueError, match="one: no key depth"):
        load(file)
