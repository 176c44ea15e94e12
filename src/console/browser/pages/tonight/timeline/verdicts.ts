/** What the service says to moves that were not made yet: each is asked about once. */
import type { ApiProblem } from '../../../app/api.ts';
import { problemOf } from '../../../app/load.ts';
import type { DiaryBooking } from '../evening.ts';
import { isNothing, type Move, sendMove } from './moves.ts';

export type Verdict = { kind: 'unasked' | 'asking' | 'fine' } | { kind: 'refused'; problem: ApiProblem };

/** A pointer on its way does not ask for every cell that it crosses. */
const REST_MS = 70;

export function createVerdicts(getVenueId: () => string) {
  const known = new Map<string, Verdict>();
  let rest: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;

  function stop(): void {
    clearTimeout(rest);
    asking?.abort();
  }

  async function send(booking: DiaryBooking, move: Move, signal: AbortSignal): Promise<Verdict | undefined> {
    try {
      await sendMove(getVenueId(), booking, move, { dryRun: true, signal });
      return { kind: 'fine' };
    } catch (error) {
      return signal.aborted ? undefined : { kind: 'refused', problem: problemOf(error) };
    }
  }

  return {
    /** What is known about the move; `tell` gets the answer if it has to be asked for and nothing else is asked since. */
    ask(key: string, booking: DiaryBooking, move: Move, tell: (verdict: Verdict) => void): Verdict {
      stop();
      if (isNothing(move)) return { kind: 'unasked' };
      const found = known.get(key);
      if (found) return found;
      rest = setTimeout(async () => {
        asking = new AbortController();
        const verdict = await send(booking, move, asking.signal);
        if (!verdict) return;
        known.set(key, verdict);
        tell(verdict);
      }, REST_MS);
      return { kind: 'asking' };
    },
    forget(): void {
      stop();
      known.clear();
    },
  };
}
