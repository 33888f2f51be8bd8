# SPDX-License-Identifier: Apache-2.0
"""From the bytes of a file to keys and texts with their places."""
