# SPDX-License-Identifier: Apache-2.0
"""Models of what several parts do together, checked in every order of their steps (`make model`)."""
