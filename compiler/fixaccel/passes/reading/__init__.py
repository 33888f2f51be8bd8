# SPDX-License-Identifier: Apache-2.0
"""From the file to rules bound to instruments."""
