// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { bytes, clock, label, quantity, short, span } from "./format";

it("sets thousands apart in front of the point alone", () => {
  expect(quantity("1234567.123450")).toBe("1,234,567.12345");
  expect(quantity("100")).toBe("100");
  expect(quantity("100.0")).toBe("100");
  expect(quantity(null)).toBe("");
});

it("tells the time of day in UTC", () => {
  const time = Date.UTC(2026, 2, 2, 14, 31, 7, 213) * 1e6;
  expect(clock(time)).toBe("14:31:07.213");
  expect(clock(time, 0)).toBe("14:31:07");
  expect(clock(time, 6)).toBe("14:31:07.213000");
});

it("chooses units", () => {
  expect(span(344)).toBe("344 ns");
  expect(span(12_500)).toBe("12.5 µs");
  expect(span(3_100_000)).toBe("3.10 ms");
  expect(span(null)).toBe("–");
  expect(short(9_999)).toBe("9,999");
  expect(short(12_345)).toBe("12.3 k");
  expect(short(3_400_000)).toBe("3.40 M");
  expect(bytes(1_234)).toBe("1.2 kB");
});

it("makes labels of the protocol's words", () => {
  expect(label("partially_filled")).toBe("Partially filled");
  expect(label("")).toBe("");
});
