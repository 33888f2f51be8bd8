# SPDX-License-Identifier: Apache-2.0
"""What passes work on: rules on their way to parts."""
