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
  action?: "logout" | "resend" | "test_request"; // no fault but an action of its own
}

export const KINDS: readonly FaultKind[] = [
  { kind: "delay", label: "Delay", what: "Messages leave later by this time.", parameters: ["time_ms", "count", "types"] },
  { kind: "drop", label: "Drop", what: "Messages use up their number and do not leave.", parameters: ["count", "types"], destructive: true },
  { kind: "duplicate", label: "Duplicate", what: "Messages leave twice.", parameters: ["count", "types"] },
  { kind: "garble", label: "Garble", what: "Bytes of messages are changed on the wire.", parameters: ["count", "types"], destructive: true },
  { kind: "hold", label: "Hold", what: "Messages are kept until Clear: late reports.", parameters: ["count", "types"] },
  { kind: "early", label: "Early", what: "The next report overtakes the one before it.", parameters: ["count", "types"] },
  { kind: "split", label: "Split", what: "Messages leave one byte at a time.", parameters: ["count"] },
  { kind: "no-heartbeats", label: "No heartbeats", what: "The venue sends no heartbeats until Clear.", parameters: [] },
  { kind: "window-close", label: "Close window", what: "The venue does not read for this time.", parameters: ["time_ms"] },
  { kind: "test-requests", label: "Test requests", what: "So many test requests at once.", parameters: ["count"] },
  { kind: "resend", label: "Resend request", what: "The venue asks for these numbers again; 0 is all that follow.", parameters: ["begin", "end"], action: "resend" },
  { kind: "sequence-jump", label: "Sequence jump", what: "The next MsgSeqNum is higher by this much.", parameters: ["count"], destructive: true },
  { kind: "logout", label: "Log out", what: "The venue logs the session out.", parameters: ["text"], action: "logout", destructive: true },
  { kind: "disconnect", label: "Disconnect", what: "The venue closes the connection.", parameters: [], destructive: true },
  { kind: "reset", label: "Reset", what: "The connection ends with a TCP reset.", parameters: [], destructive: true },
];

export const DEFAULTS: Record<Parameter, string> = { time_ms: "500", count: "1", types: "", begin: "1", end: "0", text: "" };

export const LABELS: Record<Parameter, string> = {
  time_ms: "Time, ms",
  count: "Messages",
  types: "MsgTypes",
  begin: "From",
  end: "To",
  text: "Text",
};

const NUMBERS = new Set<Parameter>(["time_ms", "count", "begin", "end"]);
const MOST: Partial<Record<Parameter, number>> = { time_ms: 3_600_000, count: 1_000_000 };

/** What is wrong with a parameter as it was typed; empty where nothing is. */
export function wrong(parameter: Parameter, text: string): string {
  if (parameter === "types") return /^[A-Za-z0-9 ,]*$/.test(text) ? "" : "types such as 8 or 8,9";
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
    else if (text) wanted[parameter] = text;
  }
  return wanted;
}
