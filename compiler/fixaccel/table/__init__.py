# SPDX-License-Identifier: Apache-2.0
"""The table interpreter: the library that the runtime uses, from Python."""
