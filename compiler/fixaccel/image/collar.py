# SPDX-License-Identifier: Apache-2.0
"""The collar as the fabric takes it: a share of the reference in 2^-62, rounded up."""

_WHOLE = 10_000  # basis points
_ONE = 1 << 62  # the fabric's collar of 100 %; its exactness rests on it (rtl/match/collar_distance.sv)


def share_of(basis_points: int | None) -> int:
    """The registers `collar_hi` and `collar_lo` as one number; 0: there is no collar."""
    return 0 if basis_points is None else -(-basis_points * _ONE // _WHOLE)


def basis_points_of(share: int) -> int | None:
    """The collar that `share_of` makes ``share`` of. Raises ValueError where there is none."""
    basis_points = share * _WHOLE // _ONE if share else None
    if share_of(basis_points) != share or not 0 <= share <= _ONE:
        raise ValueError(f"{share} is no collar in whole basis points up to 100 %")
    return basis_points
