# SPDX-License-Identifier: Apache-2.0
"""The collar's share of the reference, as the fabric multiplies it."""

import random

import pytest

from fixaccel.image.collar import basis_points_of, share_of

MOST = 2**48  # magnitude of a reference in half units


def test_share_is_exact_where_the_fabric_multiplies_it() -> None:
    random_ = random.Random(1)
    references = [0, 1, MOST, MOST - 1, *(random_.randrange(MOST) for _ in range(40))]
    # The hardest ones: a unit of 10^-4 below the next whole number.
    for basis_points in (1, 3, 333, 9_999, 10_000, *(random_.randint(1, 10_000) for _ in range(200))):
        share = share_of(basis_points)
        assert share < 2**64
        step = pow(basis_points, -1, 10_000) if basis_points % 2 and basis_points % 5 else 1
        hard = [(MOST // 10_000 - k) * 10_000 - step for k in range(5)]
        for reference in references + hard:
            assert reference * share >> 62 == reference * basis_points // 10_000


@pytest.mark.parametrize("basis_points", [None, 1, 2, 500, 9_999, 10_000])
def test_share_is_read_back(basis_points: int | None) -> None:
    assert basis_points_of(share_of(basis_points)) == basis_points


@pytest.mark.parametrize("share", [-1, 1, share_of(5) + 1, share_of(5) - 1, share_of(10_000) + 1, 2**64])
def test_what_is_no_share_is_refused(share: int) -> None:
    with pytest.raises(ValueError, match="no collar"):
        basis_points_of(share)
