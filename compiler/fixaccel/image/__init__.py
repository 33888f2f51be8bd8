# SPDX-License-Identifier: Apache-2.0
"""The image: what the fabric and the runtime hold for a strategy, and what is read back from it."""
