// SPDX-License-Identifier: Apache-2.0
// A table of three-word records under any accesses of the host.
//  1. The memory is written only when the last words that the host has written to the window are those of one record, in
//     order from the first to the last.
//  2. What is written is what those words said, of the record that they named.
module half_records_proof
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*;
(
    input logic      clk,
    input logic      rst,
    input host_req_t host_req,
    input logic [1:0] core_addr
);
  localparam int BITS = 80;
  logic [31:0] host_rdata;
  logic [0:0][BITS-1:0] core_rdata;
  table_ram #(
      .BITS(BITS), .DEPTH(4), .STRIDE(4), .BASE('0)
  ) table_of_records (
      .clk, .rst, .host_req, .host_rdata, .core_addr, .core_write(1'b0), .core_wdata('0), .core_rdata
  );

  // The host's own account: the writes to the window, the last one first.
  typedef struct packed {
    logic        valid;
    logic [1:0]  index;
    logic [1:0]  word;
    logic [31:0] data;
  } write_t;
  write_t [2:0] last;
  logic here;
  assign here = host_req.valid && host_req.write && host_req.addr[ADDRESS_BITS-1:6] == '0;
  always_ff @(posedge clk) begin
    if (here) last <= {last[1:0], 1'b1, host_req.addr[5:4], host_req.addr[3:2], host_req.wdata};
    if (rst) last <= '0;
  end
  // Accesses are some cycles apart; words beyond a record's last do not count, and do not interrupt it.
  logic [2:0] since;
  always_ff @(posedge clk) begin
    since <= host_req.valid ? '0 : (since == '1) ? since : since + 3'd1;
    if (rst) since <= '1;
  end
  always_comb begin
    assume (!host_req.valid || (since >= 3'(HOST_PERIOD - 2) && !rst));
    assume (!host_req.valid || host_req.addr[3:2] != 2'd3);
  end

  logic whole;
  assign whole = last[2].valid && last[1].valid && last[0].valid && last[2].word == 2'd0 && last[1].word == 2'd1 &&
      last[0].word == 2'd2 && last[2].index == last[0].index && last[1].index == last[0].index;
  // What has been staged is of the writes so far: with it the rules are inductive. `done` is the newest that is in.
  write_t done, former;
  logic arriving, begun;
  assign arriving = table_of_records.write_q;
  assign {former, done} = arriving ? last[2:1] : last[1:0];
  assign begun = done.valid && (done.word == 2'd0 || (done.word == 2'd1 && former.valid && former.word == 2'd0 && former.index == done.index));
  always_ff @(posedge clk)
    if (!rst) begin
      assert (!arriving || (since == '0 && last[0] == {1'b1, table_of_records.index, table_of_records.word, table_of_records.wdata}));
      assert (!table_of_records.commit || (since == 3'd1 && whole && table_of_records.stage_index == last[0].index &&
          table_of_records.staged == {last[0].data, last[1].data, last[2].data}));
      if (table_of_records.staging) begin
        assert (begun && table_of_records.stage_index == done.index && table_of_records.expected == done.word + 2'd1);
        assert (table_of_records.staged[31:0] == (done.word == 2'd0 ? done.data : former.data));
        assert (done.word == 2'd0 || table_of_records.staged[63:32] == done.data);
      end
    end

  always_ff @(posedge clk)
    if (!rst && table_of_records.host_write) begin
      assert (whole);                                                                                    // 1
      assert (table_of_records.host_wdata == {last[0].data[15:0], last[1].data, last[2].data});          // 2
      assert (table_of_records.host_addr == last[0].index);
      cover (last[0].index == 2'd3);
    end
endmodule
bind half_records_proof from_reset reset (.*);
