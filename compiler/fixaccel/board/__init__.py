# SPDX-License-Identifier: Apache-2.0
"""What the command line does with a running daemon and its board."""
