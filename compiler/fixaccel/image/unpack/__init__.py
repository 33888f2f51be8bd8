# SPDX-License-Identifier: Apache-2.0
"""The fabric's memories back into columns."""
