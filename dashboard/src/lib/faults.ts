// SPDX-License-Identifier: Apache-2.0
// What can be done to a session, by the words of the control socket, and what each of them asks for.

import type { Request } from "../protocol";

export type Parameter = "time_ms" | "count" | "types" | "begin" | "end" | "text";

export interface FaultKind {
  kind: string;
  label: string;
  what: string;
  parameters: Parameter[];
  destructive?: boolean; // ends the connection or costs messages: asks first
  action?: "logout"; // no fault but an action of its own
}

const HIT: Parameter[] = ["count", "types"];

export const KINDS: readonly FaultKind[] = [
  { kind: "delay", label: "Delay", what: "Messages leave later by this time, in order.", parameters: ["time_ms", ...HIT] },
  { kind: "drop", label: "Drop", what: "Messages use up their number and do not leave.", parameters: HIT, destructive: true },
  { kind: "duplicate", label: "Duplicate", what: "Messages leave twice, the same bytes.", parameters: HIT },
  { kind: "garble", label: "Garble", what: "A byte of each is another one: the check sum is wrong.", parameters: HIT, destructive: true },
  { kind: "hold", label: "Hold", what: "Messages are kept until Clear: late reports.", parameters: HIT },
  { kind: "early", label: "Early", what: "A message leaves ahead of the one before it.", parameters: HIT },
  { kind: "split", label: "Split", what: "Each byte of a message is a TCP segment of its own.", parameters: HIT },
  { kind: "no-heartbeats", label: "No heartbeats", what: "No heartbeat leaves for this time; 0: until Clear.", parameters: ["time_ms"] },
  { kind: "window-close", label: "Close window", what: "The venue reads nothing for this time; 0: until Clear.", parameters: ["time_ms"] },
  { kind: "test-requests", label: "Test requests", what: "So many test requests at once.", parameters: ["count"] },
  { kind: "resend-request", label: "Resend request", what: "The venue asks for these numbers again; to 0: up to now.", parameters: ["begin", "end"] },
  { kind: "sequence-jump", label: "Sequence jump", what: "The next MsgSeqNum is higher by so many.", parameters: ["count"], destructive: true },
  { kind: "logout", label: "Log out", what: "The venue logs the session out, with this text.", parameters: ["text"], action: "logout", destructive: true },
  { kind: "disconnect", label: "Disconnect", what: "The connection ends without a logout.", parameters: [], destructive: true },
  { kind: "reset", label: "Reset", what: "The connection ends with a TCP reset.", parameters: [], destructive: true },
];

export const DEFAULTS: Record<Parameter, string> = { time_ms: "500", count: "1", types: "", begin: "1", end: "0", text: "" };

const LABELS: Record<Parameter, string> = {
  time_ms: "Time, ms",
  count: "Messages, 0: all",
  types: "MsgTypes",
  begin: "From",
  end: "To",
  text: "Text",
};

export function parameterLabel(kind: FaultKind, parameter: Parameter): string {
  return parameter === "count" && !kind.parameters.includes("types") ? "How many" : LABELS[parameter];
}

const NUMBERS = new Set<Parameter>(["time_ms", "count", "begin", "end"]);
const MOST: Partial<Record<Parameter, number>> = { time_ms: 86_400_000, count: 1_000_000 };

/** What is wrong with a parameter as it was typed; empty where nothing is. */
export function wrong(parameter: Parameter, text: string): string {
  if (parameter === "types") return /^[A-Za-z0-9 ,]*$/.test(text) ? "" : "types such as 8 or 8 9";
  if (!NUMBERS.has(parameter)) return "";
  if (!/^\d{1,9}$/.test(text.trim())) return "a whole number";
  const most = MOST[parameter];
  return most !== undefined && Number(text) > most ? `at most ${most}` : "";
}

export function faultRequest(client: string, kind: FaultKind, values: Record<Parameter, string>): Request {
  const wanted: Request = kind.action ? { do: kind.action, client } : { do: "fault", client, kind: kind.kind };
  for (const parameter of kind.parameters) {
    const text = values[parameter].trim();
    if (NUMBERS.has(parameter)) wanted[parameter] = Number(text);
    // Several types stand apart by blanks.
    else if (text) wanted[parameter] = parameter === "types" ? text.split(/[ ,]+/).filter(Boolean).join(" ") : text;
  }
  return wanted;
}
