# SPDX-License-Identifier: Apache-2.0
"""A bitstream for a board, made by Vivado: its files, its run, its reports."""
