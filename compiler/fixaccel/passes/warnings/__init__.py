# SPDX-License-Identifier: Apache-2.0
"""What is sound by itself and still seldom meant, a warning a module."""
