/** A list or settings that are read whole and written whole: shown at once, written in order, never over others' changes. */
import { useRef } from 'preact/hooks';
import { ApiProblem, api, type Tagged } from './api.ts';
import { t } from './language.ts';
import { type Loaded, useLoad } from './load.ts';
import { say, sayProblem } from './toasts.ts';

export interface KeptDocument<T> extends Loaded<Tagged<T>> {
  /** Shows it, then writes it. Throws what the service refuses, after what is stored is shown again. */
  save: (next: T) => Promise<void>;
}

export function useDocument<T>(address: string): KeptDocument<T> {
  const loaded = useLoad(() => api.getTagged<T>(address), [address]);
  const etag = useRef<string | null>(null);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const waiting = useRef(0);
  if (waiting.current === 0) etag.current = loaded.data?.etag ?? null;

  async function write(next: T): Promise<void> {
    try {
      await api.put(address, next, { ifMatch: etag.current });
      const stored = await api.getTagged<T>(address);
      etag.current = stored.etag;
      // A later change is on the screen already.
      if (waiting.current === 1) loaded.setData(stored);
    } finally {
      waiting.current--;
    }
  }

  return {
    ...loaded,
    async save(next) {
      loaded.setData({ data: next, etag: etag.current });
      waiting.current++;
      const mine = queue.current.then(() => write(next));
      queue.current = mine.catch(() => {});
      try {
        await mine;
      } catch (error) {
        if (waiting.current === 0) await loaded.reload();
        throw error;
      }
    },
  };
}

/** For what was done at once, without a form that could show the refusal. */
export function sayRefusal(error: unknown): void {
  if (error instanceof ApiProblem && error.isChangedMeanwhile) say(t.shop.changedElsewhere);
  else sayProblem(error);
}
