# SPDX-License-Identifier: Apache-2.0
"""`fixaccel count` on many cores and machines."""
