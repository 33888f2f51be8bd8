// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { add, compare, isMultiple, padded, parse, places, quotient, times, write, written, type Decimal } from "./decimal";

const of = (text: string): Decimal => {
  const value = parse(text);
  if (value === null) throw new Error(text);
  return value;
};

describe("decimals", () => {
  it("reads what people write and nothing else", () => {
    for (const text of ["1", "-1.50", "+0.05", ".5", "5.", " 7 "]) expect(parse(text), text).not.toBeNull();
    for (const text of ["", ".", "-", "1,000", "1e3", "0x10", "1.2.3", "NaN", "--1"]) expect(parse(text), text).toBeNull();
  });

  it("is exact where floats are not", () => {
    expect(isMultiple(of("0.3"), of("0.1"))).toBe(true);
    expect(isMultiple(of("1180.07"), of("0.05"))).toBe(false);
    expect(isMultiple(of("9223372036854775807.15"), of("0.05"))).toBe(true);
    expect(write(add(of("0.1"), of("0.2")))).toBe("0.3");
    expect(isMultiple(of("1"), of("0"))).toBe(false);
  });

  it("divides towards zero, multiplies, compares", () => {
    expect(quotient(of("-0.12"), of("0.05"))).toBe(-2n);
    expect(write(times(of("0.05"), -3))).toBe("-0.15");
    expect(compare(of("1.10"), of("1.1"))).toBe(0);
    expect(compare(of("-1"), of("0.5"))).toBe(-1);
  });

  it("writes prices as their tick is written, and loses no digit", () => {
    expect(padded("2819", written("0.50"))).toBe("2819.00");
    expect(padded("1180.500", 2)).toBe("1180.50");
    expect(padded("1180.125", 2)).toBe("1180.125");
    expect(padded("-0.5", 2)).toBe("-0.50");
    expect(padded("n/a", 2)).toBe("n/a");
    expect(places("1.2300")).toBe(2);
  });
});
