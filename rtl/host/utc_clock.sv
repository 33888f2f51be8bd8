// SPDX-License-Identifier: Apache-2.0
// Wall clock: nanoseconds since the epoch, and the same moment as BCD digits for SendingTime. It rolls the date itself.
//
// Time enters as elapsed nanoseconds, so a simulated board may hand over any amount at once. The digits follow in decimal
// steps of a second at most, one every third cycle; date and time of `utc` change in one cycle. While they lag by a
// millisecond or more, or the clock is being set, `hold` asks everyone to wait who would send them.
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
    output logic             valid,
    output logic             hold
);
  // What comes in, a cycle ahead of all that hangs on it. A time that is set is added to zero: nothing stands behind the sums.
  logic [31:0] passed, passed_low;
  logic setting, restart;
  always_ff @(posedge clk) begin
    passed <= set ? settings.clock_sub_ns : elapsed_ns;
    passed_low <= set ? settings.clock_ns_lo : elapsed_ns;
    setting <= set && !rst;
    restart <= set || rst;
  end

  localparam logic [39:0] MS = 40'd1_000_000;
  localparam int STEPS = 4;  // a millisecond, ten, a hundred, a second: the digit that a step raises
  localparam logic [STEPS-1:0][39:0] STEP_NS = {1000 * MS, 100 * MS, 10 * MS, MS};
  localparam logic [3:0] SETTLE = 4'd9;     // cycles from the last step that was due to digits that show it
  localparam logic [2:0] DATE_WAIT = 3'd4;  // cycles until `tomorrow` is that of a new date

  // What is not shown yet. Phase 0 compares, phase 1 adds what has passed and finds the carries, phase 2 makes the step.
  logic [2:0] phase;
  logic [33:0] incoming;  // in three cycles at most
  logic [39:0] backlog, added;
  logic [STEPS-1:0] due;
  logic jumps, jumped, behind;  // a millisecond and more at once; more than the next step
  // A step's lowest bits are zero: they play no part in comparisons.
  localparam int ZEROS = 6;
  assign jumps = 40'(passed[31:ZEROS]) >= MS >> ZEROS;
  logic date_ready;
  logic stepping, step;
  // Step that is due, whether it is made or not; and if it is, in phase 1: a LUT each, for much hangs on it.
  logic [STEPS-1:0] greatest;
  (* keep = "true" *) logic [STEPS-1:0] made;
  logic [39:0] step_back;
  always_comb begin
    step_back = '0;
    for (int i = 0; i < STEPS; i++) begin
      greatest[i] = due[i] && !(i < STEPS - 1 && due[(i+1)%STEPS]);
      made[i] = greatest[i] && phase[1] && date_ready;
      step_back |= -STEP_NS[i] & {40{made[i]}};
    end
  end
  assign step = phase[2] && stepping;

  always_ff @(posedge clk) begin
    phase <= {phase[1:0], phase[2]};
    jumped <= jumps;
    incoming <= (phase[0] ? '0 : incoming) + {2'b0, passed};
    backlog <= backlog + added;
    added <= {6'b0, incoming & {34{phase[0]}}} | step_back;
    if (phase[0]) begin
      for (int i = 0; i < STEPS; i++) due[i] <= backlog >> (ZEROS + i) >= STEP_NS[i] >> (ZEROS + i);
      behind <= backlog >> (ZEROS + 1) >= MS >> ZEROS;
    end
    stepping <= date_ready && due[0];
    if (set || restart) phase <= 3'b001;
    if (restart) begin
      {backlog, added, due, behind} <= '0;
    end
    if (rst) jumped <= 1'b0;
  end

  // Digits from the milliseconds up; each counts to its limit and carries on.
  localparam int DIGITS = 9;  // ms0 ms1 ms2 s0 s1 m0 m1 h0 h1
  typedef logic [DIGITS-1:0][3:0] digits_t;
  digits_t digits, stepped;
  logic [DIGITS-1:0] at_limit, at_limit_q;
  logic [DIGITS:STEPS-1] through_q;  // every digit from the seconds up to below this one is at its limit
  logic [DIGITS:0] carry, raise;
  logic midnight;
  always_comb begin
    for (int i = 0; i < DIGITS; i++) at_limit[i] = digits[i] == 4'd9;
    at_limit[4] = digits[4] == 4'd5;
    at_limit[6] = digits[6] == 4'd5;
    at_limit[7] = digits[7] == 4'd9 || (digits[8] == 4'd2 && digits[7] == 4'd3);
    at_limit[8] = digits[8] == 4'd2;

    // The greatest step that is due raises its own digit, in phase 2 if it is made.
    carry = '0;
    carry[0] = greatest[0];
    for (int i = 1; i < STEPS; i++) carry[i] = greatest[i] || (carry[i-1] && at_limit_q[i-1]);
    for (int i = STEPS; i <= DIGITS; i++) carry[i] = carry[STEPS-1] && through_q[i];
    for (int i = 0; i < DIGITS; i++) stepped[i] = !raise[i] ? digits[i] : at_limit_q[i] ? '0 : digits[i] + 4'd1;
    midnight = step && raise[DIGITS];
  end
  always_ff @(posedge clk) begin
    at_limit_q <= at_limit;
    raise <= carry;
    through_q[STEPS-1] <= 1'b1;
    for (int i = STEPS; i <= DIGITS; i++)
      through_q[i] <= &(at_limit | ~((DIGITS'(1) << i) - (DIGITS'(1) << (STEPS - 1))));
  end

  // The date, and the next one, made in four cycles.
  logic [31:0] date, tomorrow;
  logic [2:0] date_wait;
  logic leap, day_ends, year_ends;
  logic [7:0] last_day;
  logic [3:0] at_nine;
  function automatic logic by_four(logic tens_odd, logic [1:0] units);  // a BCD pair is a multiple of four
    return !units[0] && units[1] == tens_odd;
  endfunction
  function automatic logic [7:0] next_pair(logic [7:0] bcd);
    return (bcd[3:0] == 4'd9) ? {bcd[7:4] + 4'd1, 4'd0} : {bcd[7:4], bcd[3:0] + 4'd1};
  endfunction
  always_ff @(posedge clk) begin
    leap <= (date[23:16] == 8'h00) ? by_four(date[28], date[25:24]) : by_four(date[20], date[17:16]);
    case (date[15:8])
      8'h02: last_day <= leap ? 8'h29 : 8'h28;
      8'h04, 8'h06, 8'h09, 8'h11: last_day <= 8'h30;
      default: last_day <= 8'h31;
    endcase
    day_ends <= date[7:0] == last_day;
    year_ends <= date[15:8] == 8'h12;
    for (int i = 0; i < 4; i++) at_nine[i] <= date[16+4*i+:4] == 4'd9;
    tomorrow <= date;
    tomorrow[7:0] <= day_ends ? 8'h01 : next_pair(date[7:0]);
    if (day_ends) tomorrow[15:8] <= year_ends ? 8'h01 : next_pair(date[15:8]);
    if (day_ends && year_ends)
      for (int i = 0; i < 4; i++)
        if (&(at_nine | ~4'((1 << i) - 1))) tomorrow[16+4*i+:4] <= at_nine[i] ? '0 : date[16+4*i+:4] + 4'd1;
  end

  // The upper half of the time is one of two: no carry goes through both. The time shown follows the sum, so that the carry
  // is a register before much hangs on it.
  logic [31:0] low, high_next;
  logic carry_ns, set_high;

  logic is_set, too_old;
  logic [3:0] settle;
  age_limit #(
      .ZERO_IS_NONE(1)
  ) since_set (
      .clk, .restart, .elapsed_ns(passed), .limit_ns(settings.clock_max_age_ns), .expired(too_old)
  );
  always_ff @(posedge clk) begin
    {carry_ns, low} <= {1'b0, low} + {1'b0, passed_low};
    if (!setting) now_ns[31:0] <= low;
    if (carry_ns) now_ns[63:32] <= high_next;
    set_high <= setting;
    if (set_high) now_ns[63:32] <= settings.clock_ns_hi;
    if (carry_ns || set_high) high_next <= (set_high ? settings.clock_ns_hi : high_next) + 1;
    if (step) digits <= stepped;
    if (midnight) date <= tomorrow;
    date_ready <= date_wait == '0;
    if (date_wait != '0) date_wait <= date_wait - 1;
    if (midnight) {date_wait, date_ready} <= {DATE_WAIT, 1'b0};
    if (settle != '0) settle <= settle - 1;
    if (jumped || behind || !date_ready) settle <= SETTLE;
    valid <= is_set && !too_old;
    if (set || rst) {carry_ns, low} <= '0;
    if (setting) begin
      digits <= {settings.clock_hms[23:0], settings.clock_ms[11:0]};
      date <= settings.clock_date;
      {date_wait, date_ready} <= {DATE_WAIT, 1'b0};
      is_set <= 1'b1;
    end
    if (rst) begin
      {high_next, now_ns} <= {32'd1, 64'b0};
      set_high <= 1'b0;
      is_set <= 1'b0;
      valid <= 1'b0;
      settle <= '0;
      {date_wait, date_ready} <= {DATE_WAIT, 1'b0};
    end
  end
  // A register, for it stands before all that a fire waits for: `jumped`, no date that is ready, or digits that settle. Of
  // the comparison nothing but one LUT is left behind its carry.
  (* keep = "true" *) logic lags;
  assign lags = jumped || behind || midnight || date_wait != '0 || !date_ready || settle > 4'd1;
  always_ff @(posedge clk) begin
    hold <= jumps || lags;
    if (set || restart) hold <= 1'b1;
  end
  assign utc = '{date: date, hms: digits[8:3], ms: digits[2:0]};
endmodule
