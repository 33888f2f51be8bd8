# SPDX-License-Identifier: Apache-2.0
"""Programs that decode a feed: made from templates, written and read as text, kept in a file, and interpreted."""
