# SPDX-License-Identifier: Apache-2.0
"""The table interpreter's columns of a strategy, and their file."""
