// SPDX-License-Identifier: Apache-2.0
// Exact decimals: an integer and how many of its digits stand behind the point.

export interface Decimal {
  units: bigint;
  scale: number;
}

const WRITTEN = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** The number of `1180.50`; null where the text is none. */
export function parse(text: string): Decimal | null {
  const match = WRITTEN.exec(text.trim());
  const whole = match?.[2] ?? "";
  const part = match?.[3] ?? "";
  if (match === null || whole + part === "") return null;
  const units = BigInt(whole + part);
  return { units: match[1] === "-" ? -units : units, scale: part.length };
}

/** `value` with at least `scale` digits behind the point. */
function scaled(value: Decimal, scale: number): bigint {
  return value.units * 10n ** BigInt(Math.max(0, scale - value.scale));
}

/** Whether `value` is a whole multiple of `step`; of a step of zero nothing is. */
export function isMultiple(value: Decimal, step: Decimal): boolean {
  const scale = Math.max(value.scale, step.scale);
  const divisor = scaled(step, scale);
  return divisor !== 0n && scaled(value, scale) % divisor === 0n;
}

/** How often `step` goes into `value`, towards zero. */
export function quotient(value: Decimal, step: Decimal): bigint {
  const scale = Math.max(value.scale, step.scale);
  const divisor = scaled(step, scale);
  return divisor === 0n ? 0n : scaled(value, scale) / divisor;
}

export function add(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { units: scaled(one, scale) + scaled(other, scale), scale };
}

export function times(value: Decimal, factor: bigint | number): Decimal {
  return { units: value.units * BigInt(factor), scale: value.scale };
}

export function compare(one: Decimal, other: Decimal): number {
  const scale = Math.max(one.scale, other.scale);
  const difference = scaled(one, scale) - scaled(other, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** With as many digits behind the point as it has. */
export function write(value: Decimal): string {
  const sign = value.units < 0n ? "-" : "";
  const digits = (value.units < 0n ? -value.units : value.units).toString().padStart(value.scale + 1, "0");
  const point = digits.length - value.scale;
  return value.scale === 0 ? sign + digits : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Digits behind the point that `text` has once zeros at its end are left out. */
export function places(text: string): number {
  const part = text.split(".")[1] ?? "";
  return part.replace(/0+$/, "").length;
}

/** Digits behind the point that `text` is written with: prices are written as their tick is. */
export function written(text: string): number {
  return (text.split(".")[1] ?? "").length;
}

/** `text` with just `count` digits behind the point where no digit but a zero is lost by it. */
export function padded(text: string, count: number): string {
  const value = parse(text);
  if (value === null) return text;
  const wanted = Math.max(count, places(text));
  if (value.scale <= wanted) return write({ units: scaled(value, wanted), scale: wanted });
  return write({ units: value.units / 10n ** BigInt(value.scale - wanted), scale: wanted });
}
