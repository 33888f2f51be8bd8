# SPDX-License-Identifier: Apache-2.0
"""How long an order takes: in the fabric, and on the line."""
