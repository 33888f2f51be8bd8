# SPDX-License-Identifier: Apache-2.0
"""What each key takes, as readers and as schema."""
