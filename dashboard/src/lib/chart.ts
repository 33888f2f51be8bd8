// SPDX-License-Identifier: Apache-2.0
// What all charts have in common.

import type uPlot from "uplot";
import { token } from "./theme.svelte";

const FONT = '11px "Inter", system-ui, sans-serif';

export function axis(more: uPlot.Axis = {}): uPlot.Axis {
  const grid = token("grid");
  return {
    stroke: token("faint"),
    font: FONT,
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
    ...more,
  };
}

export const QUIET: Pick<uPlot.Options, "legend"> = { legend: { show: false } };

export function labelFont(ratio: number): string {
  return `500 ${11 * ratio}px "Inter", system-ui, sans-serif`;
}

/** Moves labels (heights in pixels, rising) apart so that each has `room`, within `low` and `high`. */
export function spread(heights: readonly number[], room: number, low: number, high: number): number[] {
  const placed: number[] = [];
  for (const height of heights) placed.push(Math.max(height, (placed.at(-1) ?? low - room) + room));
  let limit = high;
  for (let index = placed.length - 1; index >= 0; index -= 1) {
    placed[index] = Math.min(placed[index] ?? low, limit);
    limit = (placed[index] ?? low) - room;
  }
  return placed;
}

/** Index of the first time that is not before `time`. */
export function since(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
