# SPDX-License-Identifier: Apache-2.0
"""Setting a board up: bitstream, device tree, checks, network, services."""
