# SPDX-License-Identifier: Apache-2.0
"""A strategy into the fabric's memories."""
