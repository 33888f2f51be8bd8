# SPDX-License-Identifier: Apache-2.0
"""Words that a map must not use as names, because a target language owns them."""

import keyword

_CPP = """alignas alignof and asm auto bool break case catch char class concept const constexpr continue decltype
default delete do double else enum explicit export extern false float for friend goto if inline int long mutable
namespace new noexcept not nullptr operator or private protected public register requires return short signed sizeof
static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while
xor"""

_SYSTEMVERILOG = """always and assert assign assume automatic before begin bind bit break buf byte case cell chandle
checker class clocking config const constraint context continue cover covergroup cross deassign default defparam design
disable dist do edge else end enum event expect export extends extern final first_match for force foreach forever fork
function generate genvar global if iff ifnone import initial inout input inside instance int integer interface
intersect join large let library local logic longint macromodule matches medium modport module nand negedge new nor not
null or output package packed parameter posedge primitive priority program property protected pull0 pull1 pure rand
ref reg release repeat restrict return scalared sequence shortint signed small solve static strong struct super table
tagged task this time type union unique unsigned use var vectored virtual void wait wand weak while wildcard wire with
within wor xnor xor"""

RESERVED: dict[str, str] = (
    dict.fromkeys(keyword.kwlist, "Python")
    | dict.fromkeys(_CPP.split(), "C++")
    | dict.fromkeys(_SYSTEMVERILOG.split(), "SystemVerilog")
)
