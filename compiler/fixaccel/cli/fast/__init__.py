# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fast`: templates and captures of FAST feeds, a subcommand a file."""
