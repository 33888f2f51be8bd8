# SPDX-License-Identifier: Apache-2.0
"""A laboratory: exchange, virtual board and client in network namespaces, joined by a real wire."""
