// SPDX-License-Identifier: Apache-2.0
// Thresholds of rules across a price chart, and fires in it.

import type uPlot from "uplot";
import type { Fire, Rule } from "../protocol";
import { labelFont, spread } from "./chart";
import { word } from "./orders";
import { token } from "./theme.svelte";

export interface Drawn {
  rules: Rule[];
  fires: Fire[];
}

const NEAR = 4; // a threshold so many spans away is drawn still; further ones would flatten the prices
const LABEL = 14; // pixels of height

export function threshold(rule: Rule): number | null {
  const value = Number(rule.threshold);
  return rule.threshold === null || rule.threshold === undefined || rule.threshold === "" || Number.isNaN(value) ? null : value;
}

/** Whether a rule may still fire as it stands. */
export function isLive(rule: Rule): boolean {
  return ["armed", "active", "waiting", "confirming", "watching"].includes(word(rule.state));
}

/** The range of the price axis: prices, with the thresholds that lie near them. */
export function rangeWith(rules: readonly Rule[], least: number, most: number): [number, number] {
  if (!Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
  const size = Math.max(most - least, Math.abs(most) * 1e-4, 1e-6);
  let [low, high] = [least, most];
  for (const rule of rules) {
    const value = threshold(rule);
    if (value === null || value < least - NEAR * size || value > most + NEAR * size) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const air = Math.max(high - low, size) * 0.08;
  return [low - air, high + air];
}

function ruleColour(rule: Rule): string {
  if (!isLive(rule)) return token("faint");
  return token(rule.side === "buy" ? "bid" : rule.side === "sell" ? "ask" : "accent");
}

export function drawRules(plot: uPlot, drawn: Drawn): void {
  const { ctx, bbox } = plot;
  const ratio = window.devicePixelRatio || 1;
  const seen = drawn.rules
    .map((rule) => ({ rule, y: plot.valToPos(threshold(rule) ?? NaN, "y", true) }))
    .filter(({ y }) => y >= bbox.top && y <= bbox.top + bbox.height)
    .sort((one, other) => one.y - other.y);
  const labels = spread(seen.map(({ y }) => y), LABEL * ratio, bbox.top, bbox.top + bbox.height);
  ctx.save();
  ctx.font = labelFont(ratio);
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  seen.forEach(({ rule, y }, index) => {
    const colour = ruleColour(rule);
    const right = bbox.left + bbox.width;
    const at = labels[index] ?? y;
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.globalAlpha = isLive(rule) ? 1 : 0.7;
    ctx.lineWidth = ratio * (isLive(rule) ? 1.25 : 1);
    ctx.setLineDash(isLive(rule) ? [6 * ratio, 4 * ratio] : [2 * ratio, 4 * ratio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(right, y);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.moveTo(right, y);
    ctx.lineTo(right + 6 * ratio, at);
    ctx.stroke();
    ctx.fillText(shortened(ctx, rule.rule, 82 * ratio), right + 9 * ratio, at);
  });
  ctx.restore();
}

function shortened(ctx: CanvasRenderingContext2D, text: string, room: number): string {
  let cut = text;
  while (cut.length > 1 && ctx.measureText(cut === text ? cut : `${cut}…`).width > room) cut = cut.slice(0, -1);
  return cut === text ? text : `${cut}…`;
}

export function drawFires(plot: uPlot, drawn: Drawn): void {
  const { ctx, bbox } = plot;
  const ratio = window.devicePixelRatio || 1;
  ctx.save();
  for (const fire of drawn.fires) {
    const price = Number(fire.price);
    const x = plot.valToPos(fire.time_ns / 1e9, "x", true);
    if (!fire.price || Number.isNaN(price) || x < bbox.left || x > bbox.left + bbox.width) continue;
    const y = Math.min(bbox.top + bbox.height, Math.max(bbox.top, plot.valToPos(price, "y", true)));
    const up = fire.side === "buy";
    const size = 6 * ratio;
    ctx.beginPath();
    ctx.moveTo(x, y + (up ? -size : size));
    ctx.lineTo(x + size, y + (up ? size : -size));
    ctx.lineTo(x - size, y + (up ? size : -size));
    ctx.closePath();
    ctx.fillStyle = token(up ? "bid" : "ask");
    ctx.strokeStyle = token("panel");
    ctx.lineWidth = 1.5 * ratio;
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}
