# SPDX-License-Identifier: Apache-2.0
"""`fixaccel exchange`: the exchange simulator, a subcommand a file."""
