/** Counts of what callers came for, by what became of it. Labels are few: kinds of outcomes, and codes of the catalogue. */
import { Counter, type Registry } from 'prom-client';
import { Problem } from '../../kernel/problem.ts';

export interface OutcomeCounts {
  add(labels: Record<string, string>, count?: number): void;
  register(registry: Registry): void;
}

export function createOutcomeCounts(name: string, help: string, labelNames: string[]): OutcomeCounts {
  const counter = new Counter({ name, help, labelNames, registers: [] });
  return {
    add: (labels, count = 1) => counter.inc(labels, count),
    register: (registry) => registry.registerMetric(counter),
  };
}

export interface FailedOutcome {
  /** `refused`: the caller can do something about it; `failed`: we, or the system of a venue, could not. */
  outcome: 'refused' | 'failed';
  /** Of the problem; `other` for what has none. */
  code: string;
}

export const outcomeOf = (error: unknown): FailedOutcome =>
  error instanceof Problem
    ? { outcome: error.status >= 500 ? 'failed' : 'refused', code: error.code }
    : { outcome: 'failed', code: 'other' };
