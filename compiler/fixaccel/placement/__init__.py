# SPDX-License-Identifier: Apache-2.0
"""What the fabric's chains have room for."""
