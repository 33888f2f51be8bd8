# SPDX-License-Identifier: Apache-2.0
"""`fixaccel simulate`: event files in, fires out, by any of the engines."""
