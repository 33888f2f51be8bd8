# SPDX-License-Identifier: Apache-2.0
"""Runs pytest where network namespaces can be made: as root as it is, as an ordinary user in a user namespace.

Usage: run.py [PYTEST ARGUMENTS]
"""

import sys

import pytest

from lab.namespaces import LabError, enter_user_namespace

if __name__ == "__main__":
    try:
        enter_user_namespace()
    except LabError as error:
        sys.exit(f"tests: {error}")
    sys.exit(pytest.main(sys.argv[1:]))
