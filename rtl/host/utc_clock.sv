// SPDX-License-Identifier: Apache-2.0
// Wall clock: nanoseconds since the epoch, and the same moment as BCD digits for SendingTime.
//
// Time enters as elapsed nanoseconds, so a simulated board may hand over any amount at once; the digits then catch up in
// the largest decimal steps, within some thirty cycles for anything below ten seconds. The date is never rolled here:
// at UTC midnight the clock turns invalid until the runtime sets it again, because day roll is software's business.
module utc_clock
  import host_pkg::*;
(
    input  logic             clk,
    input  logic             rst,
    input  logic      [31:0] elapsed_ns,
    input  logic             set,         // pulse: take the values below
    /* verilator lint_off UNUSEDSIGNAL */  // only the clock's settings
    input  settings_t        settings,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic      [63:0] now_ns,
    output utc_t             utc,
    output logic             valid
);
  localparam logic [39:0] MS = 40'd1_000_000;

  // Digits from the milliseconds up; each counts to its limit and carries on.
  typedef logic [8:0][3:0] digits_t;  // ms0 ms1 ms2 s0 s1 m0 m1 h0 h1
  localparam digits_t LIMIT = {4'd2, 4'd9, 4'd5, 4'd9, 4'd5, 4'd9, 4'd9, 4'd9, 4'd9};

  digits_t digits;
  logic [31:0] date;
  logic [39:0] backlog;  // nanoseconds that the digits do not show yet
  logic [39:0] step_ns;
  logic [3:0] step_at;  // digit that this step raises; 9: none
  always_comb begin
    if (backlog >= 1000 * MS) {step_at, step_ns} = {4'd3, 1000 * MS};
    else if (backlog >= 100 * MS) {step_at, step_ns} = {4'd2, 100 * MS};
    else if (backlog >= 10 * MS) {step_at, step_ns} = {4'd1, 10 * MS};
    else if (backlog >= MS) {step_at, step_ns} = {4'd0, MS};
    else {step_at, step_ns} = {4'd9, 40'd0};
  end

  function automatic digits_t step(digits_t from, logic [3:0] at);
    logic carry;
    carry = 1'b0;
    step = from;
    for (int i = 0; i < 9; i++) begin
      if (at == 4'(i)) carry = 1'b1;
      if (carry) begin
        carry = from[i] == LIMIT[i];
        step[i] = carry ? '0 : from[i] + 1;
      end
    end
  endfunction
  // The hours count to 23, which their digits alone do not say.
  localparam logic [7:0] HOURS = 8'h24;

  logic is_set;
  logic [31:0] age;
  logic [32:0] older;
  assign older = {1'b0, age} + {1'b0, elapsed_ns};

  always_ff @(posedge clk) begin
    now_ns <= now_ns + {32'b0, elapsed_ns};
    backlog <= backlog + {8'b0, elapsed_ns} - step_ns;
    age <= older[32] ? '1 : older[31:0];
    if (step_at != 4'd9) begin
      automatic digits_t stepped = step(digits, step_at);
      digits <= stepped;
      if (stepped[8:7] == HOURS) begin
        digits[8:7] <= '0;
        is_set <= 1'b0;
      end
    end
    valid <= is_set && (settings.clock_max_age_ns == 0 || age <= settings.clock_max_age_ns);
    if (set) begin
      now_ns <= {settings.clock_ns_hi, settings.clock_ns_lo};
      digits <= {settings.clock_hms[23:0], settings.clock_ms[11:0]};
      date <= settings.clock_date;
      backlog <= {8'b0, settings.clock_sub_ns};
      age <= '0;
      is_set <= 1'b1;
    end
    if (rst) begin
      now_ns <= '0;
      digits <= '0;
      date <= '0;
      backlog <= '0;
      age <= '0;
      is_set <= 1'b0;
      valid <= 1'b0;
    end
  end

  assign utc = '{date: date, hms: digits[8:3], ms: digits[2:0]};
endmodule
