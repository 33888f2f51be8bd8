# SPDX-License-Identifier: Apache-2.0
"""Several strategies that run beside each other, looked at as the one desk that they are to everybody else."""
