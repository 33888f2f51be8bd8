# SPDX-License-Identifier: Apache-2.0
"""The message bus: names, messages, the ring in shared memory, readers, and the site that a user describes."""
