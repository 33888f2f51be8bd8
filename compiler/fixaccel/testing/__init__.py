# SPDX-License-Identifier: Apache-2.0
"""Rule tests: events and the fires that are expected of them, in `*.test.yaml` files."""
