# SPDX-License-Identifier: Apache-2.0
"""The fabric as an engine: events become frames, the Verilated RTL runs them, its orders are checked and read."""
