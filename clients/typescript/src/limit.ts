import type { TimeoutError } from './errors.ts';

/** Timers that are set for longer fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time and the signal of one call, over all its attempts. */
export class Limit {
  readonly #endsAt: number;
  readonly #signal: AbortSignal | undefined;
  readonly #timedOut: () => TimeoutError;

  constructor(timeoutMs: number, signal: AbortSignal | undefined, timedOut: () => TimeoutError) {
    this.#endsAt = performance.now() + timeoutMs;
    this.#signal = signal;
    this.#timedOut = timedOut;
    signal?.throwIfAborted();
  }

  leftMs(): number {
    return this.#endsAt - performance.now();
  }

  throwIfOver(): void {
    this.#signal?.throwIfAborted();
    if (this.leftMs() <= 0) throw this.#timedOut();
  }

  startAttempt(attemptMs: number): { signal: AbortSignal; end: () => void } {
    this.throwIfOver();
    const controller = new AbortController();
    const abort = () => controller.abort();
    // A millisecond more than is left, so that the time is really over when the timer says so.
    const timer = setTimeout(abort, Math.min(attemptMs, this.leftMs() + 1, LONGEST_TIMER_MS));
    this.#signal?.addEventListener('abort', abort);
    return {
      signal: controller.signal,
      end: () => {
        clearTimeout(timer);
        this.#signal?.removeEventListener('abort', abort);
      },
    };
  }

  async sleep(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await this.wait(
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, ms);
        }),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** What it resolves with, unless the call is over first. */
  async wait<Value>(value: Value | Promise<Value>): Promise<Value> {
    if (!(value instanceof Promise)) return value;
    // It may fail when the call is over already and its error is of no use.
    value.catch(() => {});
    const attempt = this.startAttempt(Number.POSITIVE_INFINITY);
    try {
      return await new Promise((resolve, reject) => {
        value.then(resolve, reject);
        attempt.signal.addEventListener('abort', () => reject(this.#reason()));
      });
    } finally {
      attempt.end();
    }
  }

  #reason(): unknown {
    return this.#signal?.aborted ? this.#signal.reason : this.#timedOut();
  }
}
