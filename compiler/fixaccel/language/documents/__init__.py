# SPDX-License-Identifier: Apache-2.0
"""Strategy, venue and board: whole files."""
