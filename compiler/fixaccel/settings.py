# SPDX-License-Identifier: Apache-2.0
"""What a user may set for all commands. Imports nothing: `--help` is to stay quick."""

# Processor time of each function of `decide`.
DECIDE_SECONDS_VARIABLE = "FIXACCEL_DECIDE_SECONDS"
DECIDE_SECONDS = 30.0
DECIDE_SECONDS_MOST = 86_400.0
