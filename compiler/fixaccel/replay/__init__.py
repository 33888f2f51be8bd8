# SPDX-License-Identifier: Apache-2.0
"""What happened on a recorded day, as a page: prices, what the rules did and why."""
