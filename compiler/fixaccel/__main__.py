# SPDX-License-Identifier: Apache-2.0
"""`python -m fixaccel`: the same as the `fixaccel` command."""

from fixaccel.cli.main import main

if __name__ == "__main__":
    main()
