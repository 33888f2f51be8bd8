# SPDX-License-Identifier: Apache-2.0
"""Formal proofs of the fabric's modules (`make prove`)."""
