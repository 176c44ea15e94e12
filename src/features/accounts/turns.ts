import { problem } from '../../kernel/problem.ts';

/** Work that takes much of the machine: a few at once, some wait, and whoever comes after them is sent away. */
export function createTurns({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const queue: (() => void)[] = [];
  let atWork = 0;

  return async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (atWork < atOnce) atWork += 1;
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve));
    else throw problem('HTTP-R-503', { detail: 'Too many passwords are being checked; try again soon.' });
    try {
      return await work();
    } finally {
      // The place is handed on, so that nobody who comes now gets in before those who wait.
      const next = queue.shift();
      if (next) next();
      else atWork -= 1;
    }
  };
}
