# SPDX-License-Identifier: Apache-2.0
"""Files of rows that a rule names as its `table`."""
