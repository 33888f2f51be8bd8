# SPDX-License-Identifier: Apache-2.0
"""Event files: market data and own executions as rows."""
