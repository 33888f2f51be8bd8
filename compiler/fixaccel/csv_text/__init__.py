# SPDX-License-Identifier: Apache-2.0
"""CSV as all files of ours have it: a row a line, quotes doubled inside quotes, each cell with its place."""
