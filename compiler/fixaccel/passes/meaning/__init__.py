# SPDX-License-Identifier: Apache-2.0
"""What rules mean: prices in units, orders, links and limits."""
