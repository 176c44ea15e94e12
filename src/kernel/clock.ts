/** The present, passed in so that tests and the simulated sandbox can decide it. */
export type Clock = () => Temporal.Instant;

export const systemClock: Clock = () => Temporal.Now.instant();

/** The present in milliseconds, for what every request asks: of the system's clock without an object in between. */
export function epochMilliseconds(clock: Clock): number {
  return clock === systemClock ? Date.now() : clock().epochMilliseconds;
}

/** The present as far as answers show it: what is stored and read again is then the same as what was said. */
export function nowOf(clock: Clock): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds(clock));
}
