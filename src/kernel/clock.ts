/** The present, passed in so that tests and the simulated sandbox can decide it. */
export interface Clock {
  (): Temporal.Instant;
  /** The same without an object in between, for what every request asks. */
  epochMilliseconds?: () => number;
}

export const systemClock: Clock = Object.assign(() => Temporal.Now.instant(), {
  epochMilliseconds: () => Date.now(),
});

export function epochMilliseconds(clock: Clock): number {
  return clock.epochMilliseconds ? clock.epochMilliseconds() : clock().epochMilliseconds;
}

/** The present as far as answers show it: what is stored and read again is then the same as what was said. */
export function nowOf(clock: Clock): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds(clock));
}

/**
 * An instant as every answer, event and file of ours writes it: always three digits of a second, so that the order of
 * the texts is that of the instants. `timestampText` of `db/database.ts` is the same in SQL.
 */
export function timestampOf(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}
