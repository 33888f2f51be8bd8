# SPDX-License-Identifier: Apache-2.0
"""The exchange simulator from Python: its program, its records, and what can be made of them."""
