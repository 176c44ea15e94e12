/** A stretch of constant load: requests are sent when they are due, whether or not earlier ones have been answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connections } from './connections.ts';

export interface Phase {
  perSecond: number;
  seconds: number;
}

export interface Latency {
  p50: number;
  p99: number;
  max: number;
}

export interface Answers {
  count: number;
  /** From the moment the schedule wanted the request sent: what the generator is late by is part of it. */
  fromDueMs: Latency;
  /** From the moment its bytes were handed to the system. */
  fromSentMs: Latency;
}

export interface PhaseResult {
  perSecond: number;
  /** From its beginning until nothing was due any more. */
  seconds: number;
  sent: number;
  /** Those of 2xx, and those of 429 and 503. */
  accepted: Answers;
  refused: Answers;
  /** 2xx that arrived before the end. */
  inTime: number;
  /** How many of the requests due in each second were accepted and refused. */
  bySecond: { accepted: number; refused: number }[];
  /** The share of refusals that took more than 50 ms from being sent. */
  lateRefusals: number;
}

const TICK_MS = 1;
const DRAIN_MS = 30_000;
export const PROMPT_MS = 50;

export async function runPhase(
  connections: Connections,
  random: () => number,
  { perSecond, seconds }: Phase,
): Promise<PhaseResult> {
  const began = performance.now();
  const until = began + seconds * 1000;
  const accepted = collector();
  const refused = collector();
  const bySecond = Array.from({ length: seconds }, () => ({ accepted: 0, refused: 0 }));
  let inTime = 0;
  connections.onAnswer = ({ dueMs, sentMs }, status, nowMs) => {
    const isAccepted = status < 300;
    (isAccepted ? accepted : refused).add(nowMs - dueMs, nowMs - sentMs);
    if (isAccepted && nowMs < until) inTime += 1;
    const second = bySecond[Math.floor((dueMs - began) / 1000)];
    if (second) second[isAccepted ? 'accepted' : 'refused'] += 1;
  };

  let sent = 0;
  let dueMs = began;
  while (dueMs < until) {
    for (const now = performance.now(); dueMs <= now && dueMs < until; sent += 1) {
      connections.send(dueMs);
      // Callers do not know of each other, so the gaps between them are those of chance.
      dueMs -= (Math.log(1 - random()) * 1000) / perSecond;
    }
    await sleep(TICK_MS);
  }
  const giveUp = performance.now() + DRAIN_MS;
  while (connections.open() > 0) {
    if (performance.now() > giveUp) throw new Error(`${connections.open()} requests were never answered.`);
    await sleep(TICK_MS);
  }
  return {
    perSecond,
    seconds,
    sent,
    accepted: accepted.answers(),
    refused: refused.answers(),
    inTime,
    bySecond,
    lateRefusals: refused.shareAbove(PROMPT_MS),
  };
}

function collector() {
  const fromDue: number[] = [];
  const fromSent: number[] = [];
  return {
    add(dueMs: number, sentMs: number): void {
      fromDue.push(dueMs);
      fromSent.push(sentMs);
    },
    shareAbove: (ms: number) =>
      fromSent.length === 0 ? 0 : fromSent.filter((taken) => taken > ms).length / fromSent.length,
    answers: (): Answers => ({
      count: fromDue.length,
      fromDueMs: latencyOf(fromDue),
      fromSentMs: latencyOf(fromSent),
    }),
  };
}

function latencyOf(taken: readonly number[]): Latency {
  const sorted = Float64Array.from(taken).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
