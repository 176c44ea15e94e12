/**
 * The queue of requests over the admission limit: each waits up to `maxWaitMs` for admission, then is refused. Fewer
 * requests are refused in a burst, and callers that retry right after each refusal retry less often, which leaves
 * more time for admitted requests.
 */
export interface AdmissionQueue<Request, Reason> {
  add(request: Request, reason: Reason): void;
  /**
   * Refuses the requests that have waited `maxWaitMs`. Work that keeps the event loop busy calls it from time to
   * time.
   */
  refuseLate(): void;
  /** Refuses every request in the queue. */
  close(): void;
}

export interface AdmissionQueueDeps<Request, Reason> {
  /** From when a request may have been sent until it is refused. */
  maxWaitMs: number;
  /** Undefined: the request is admitted. Otherwise the reason it is not. */
  enter: (request: Request) => Reason | undefined;
  refuse: (request: Request, reason: Reason) => void;
  nowMs: () => number;
}

interface Waiting<Request, Reason> {
  request: Request;
  reason: Reason;
  untilMs: number;
}

const LOOK_EVERY_MS = 4;

export function createAdmissionQueue<Request, Reason>(
  deps: AdmissionQueueDeps<Request, Reason>,
): AdmissionQueue<Request, Reason> {
  const { maxWaitMs, enter, refuse, nowMs } = deps;
  /** In order of arrival. */
  const waiting: Waiting<Request, Reason>[] = [];
  const sentAfter = watchArrivals(maxWaitMs);
  let timer: NodeJS.Timeout | undefined;

  function refuseUntil(now: number): void {
    for (let first = waiting[0]; first !== undefined && first.untilMs <= now; first = waiting[0]) {
      waiting.shift();
      refuse(first.request, first.reason);
    }
  }

  function callIn(): void {
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
      if (enter(first.request) === undefined) continue;
      waiting.unshift(first);
      return;
    }
  }

  function look(): void {
    timer = undefined;
    refuseUntil(nowMs());
    callIn();
    if (waiting.length > 0) timer = setTimeout(look, LOOK_EVERY_MS);
  }

  return {
    add(request, reason) {
      const now = nowMs();
      refuseUntil(now);
      waiting.push({ request, reason, untilMs: sentAfter(now) + maxWaitMs });
      timer ??= setTimeout(look, LOOK_EVERY_MS);
    },
    refuseLate() {
      if (waiting.length > 0) refuseUntil(nowMs());
    },
    close() {
      clearTimeout(timer);
      refuseUntil(Number.POSITIVE_INFINITY);
    },
  };
}

/**
 * A request that arrives in one event-loop tick may have been sent at any time since the loop last polled, which was
 * in the tick before. When ticks are further apart than `longestTickMs`, the loop was idle and polled throughout.
 */
function watchArrivals(longestTickMs: number): (now: number) => number {
  let lookedMs: number | undefined;
  let lookedBeforeMs = Number.NEGATIVE_INFINITY;

  function endTick(): void {
    lookedBeforeMs = lookedMs ?? lookedBeforeMs;
    lookedMs = undefined;
  }

  return (now) => {
    if (lookedMs === undefined) {
      lookedMs = now;
      setImmediate(endTick);
    }
    return lookedMs - lookedBeforeMs > longestTickMs ? lookedMs : lookedBeforeMs;
  };
}
