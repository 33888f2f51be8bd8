# SPDX-License-Identifier: Apache-2.0
"""What the end-to-end tests share: a compiled bundle and a desk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fixaccel.lab.desk import BOARD_FILES, fixaccel
from lab.desk import INTERFACE, ROOT, Desk


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("e2e") / "quickstart"
    board = str(BOARD_FILES[INTERFACE])
    fixaccel("compile", str(ROOT / "strategies" / "quickstart.yaml"), "--board", board, "-o", str(folder))
    return folder


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Desk(tmp_path) as running:
        yield running
