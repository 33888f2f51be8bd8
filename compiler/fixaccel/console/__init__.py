# SPDX-License-Identifier: Apache-2.0
"""The console: a screen to trade by hand beside the rules."""
