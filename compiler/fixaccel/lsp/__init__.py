# SPDX-License-Identifier: Apache-2.0
"""`fixaccel lsp`: what the compiler knows, in an editor while a file is being written."""
