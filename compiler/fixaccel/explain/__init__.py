# SPDX-License-Identifier: Apache-2.0
"""`fixaccel explain STRATEGY`: what its rules are, in words and as a picture of the price axis."""
