# SPDX-License-Identifier: Apache-2.0
"""The table interpreter's shared library."""
