import { Counter, type Registry } from 'prom-client';

/** `refused`: for the limit of a partner at a venue. */
type HoldOutcome = 'made' | 'used' | 'released' | 'expired' | 'refused';

/** What became of holds on this node. */
export interface HoldCounts {
  add(outcome: HoldOutcome, count?: number): void;
  register(registry: Registry): void;
}

export function createHoldCounts(): HoldCounts {
  const counter = new Counter({
    name: 'holds_total',
    help: 'Holds of partners by what this node did with them; refused: for the limit at a venue.',
    labelNames: ['outcome'],
    registers: [],
  });
  return {
    add: (outcome, count = 1) => counter.inc({ outcome }, count),
    register: (registry) => registry.registerMetric(counter),
  };
}
