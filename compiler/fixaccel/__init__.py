# SPDX-License-Identifier: Apache-2.0
"""fixaccel: stop orders in YAML, compiled to tables for an FPGA that answers on the wire."""
