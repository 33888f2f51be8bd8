# SPDX-License-Identifier: Apache-2.0
"""FIX messages as templates, and their memory."""
