// SPDX-License-Identifier: Apache-2.0
// Latencies as the server counts them: shares for a chart, quantiles for a table.

import type { Histogram } from "../protocol";

export interface Bin {
  from: number; // ns
  to: number;
  count: number;
  share: number; // of all, in percent
}

export function total(histogram: Histogram | undefined): number {
  return histogram?.counts.reduce((sum, count) => sum + count, 0) ?? 0;
}

/** Upper edges in ns; null where they are of cycles, and nobody has told how long one is. */
function edges(histogram: Histogram): number[] | null {
  if (histogram.edges_ns) return histogram.edges_ns;
  const cycle = histogram.cycle_ns;
  return cycle === undefined ? null : (histogram.edges_cycles ?? []).map((edge) => edge * cycle);
}

/** None where no time is known. */
export function bins(histogram: Histogram | undefined): Bin[] {
  const upper = histogram && edges(histogram);
  return upper ? between(histogram, upper) : [];
}

function between(histogram: Histogram, upper: readonly number[]): Bin[] {
  const all = Math.max(1, total(histogram));
  return histogram.counts.map((count, index) => {
    const from = upper[index - 1] ?? 0;
    return { from, to: upper[index] ?? from * 2, count, share: (100 * count) / all };
  });
}

/** The edge below which `part` (0 to 1) of all lie, in ns, or in cycles where that is what it counts; null: no edge. */
export function quantile(histogram: Histogram | undefined, part: number): number | null {
  const all = total(histogram);
  if (!histogram || all === 0) return null;
  let sum = 0;
  for (const bin of between(histogram, histogram.edges_cycles ?? histogram.edges_ns ?? [])) {
    sum += bin.count;
    if (sum >= part * all) return bin.to;
  }
  return null;
}

/** Two histograms as steps over one rising axis: shares of each from an edge to the next one. */
export function outline(one: readonly Bin[], other: readonly Bin[]): [number[], (number | null)[], (number | null)[]] {
  const edges = [...new Set([...one, ...other].flatMap((bin) => [bin.from, bin.to]))].filter((edge) => edge > 0);
  edges.sort((left, right) => left - right);
  const shares = (list: readonly Bin[]): (number | null)[] =>
    edges.map((edge) => {
      if (list.length === 0) return null;
      return list.find((bin) => edge >= bin.from && edge < bin.to)?.share ?? 0;
    });
  return [edges, shares(one), shares(other)];
}
