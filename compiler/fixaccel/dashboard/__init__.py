# SPDX-License-Identifier: Apache-2.0
"""A page in a browser: the exchange simulator, and beside it the accelerator that trades on it."""
