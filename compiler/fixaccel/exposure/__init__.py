# SPDX-License-Identifier: Apache-2.0
"""The worst case of a strategy: the most that it can send."""
