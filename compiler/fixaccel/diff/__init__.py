# SPDX-License-Identifier: Apache-2.0
"""`fixaccel diff`: two strategies compared by what their rules mean."""
