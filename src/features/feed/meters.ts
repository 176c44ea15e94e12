import type { Made } from './make.ts';

/** What this node has made since it started. */
export interface Meters {
  slots: number;
  daysCarried: number;
  add(made: Made): void;
}

export function createMeters(): Meters {
  return {
    slots: 0,
    daysCarried: 0,
    add({ slots, daysCarried }) {
      this.slots += slots;
      this.daysCarried += daysCarried;
    },
  };
}
