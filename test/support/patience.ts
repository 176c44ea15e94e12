/** How many times slower than a usual machine this one is, as `run.ts` found out; at least 1. */
const slowness = Math.max(1, Number(process.env.MAITRED_TEST_SLOWNESS) || 1);

/** The limit of a wait that a failure would make endless. It grows with the machine's slowness and proves nothing itself. */
export const patience = (ms: number): number => Math.ceil(ms * slowness);
