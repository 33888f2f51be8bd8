# SPDX-License-Identifier: Apache-2.0
"""Writes bundles: everything that a board, a daemon and a reviewer need of a strategy."""
