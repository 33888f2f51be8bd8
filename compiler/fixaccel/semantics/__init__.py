# SPDX-License-Identifier: Apache-2.0
"""What the rules mean: messages in, fires out. The reference that every other engine is compared with."""
