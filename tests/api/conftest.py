# SPDX-License-Identifier: Apache-2.0
"""A shipped strategy, and events for it as a table."""

import pyarrow as pa
import pytest

import fixaccel
from fixaccel.data import data_path


@pytest.fixture
def quickstart():
    return fixaccel.load(data_path("strategies/quickstart.yaml"))


@pytest.fixture
def table():
    """Three messages: the last one goes through both stops of MSFT."""
    return pa.table(
        {
            "ts_ns": pa.array([1, 2, 3], pa.int64()),
            "instrument": ["MSFT", "MSFT", "MSFT"],
            "bid": pa.array([1184.99, None, None], pa.float64()),
            "last": pa.array([1185.0, 1181.5, 1174.0], pa.float64()),
        }
    )
