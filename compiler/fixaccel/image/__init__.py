# SPDX-License-Identifier: Apache-2.0
"""The image: what the fabric's memories hold for a strategy, and an interpreter that reads nothing else."""
