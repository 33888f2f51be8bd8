# SPDX-License-Identifier: Apache-2.0
"""A broker's list of orders, in CSV, as rules."""
