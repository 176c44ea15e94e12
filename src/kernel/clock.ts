/** The present, passed in so that tests and the simulated sandbox can decide it. */
export type Clock = () => Temporal.Instant;

export const systemClock: Clock = () => Temporal.Now.instant();
