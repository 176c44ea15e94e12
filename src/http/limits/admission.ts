/**
 * Limits how much work a node admits at a time: a node that refuses the excess stays fast for the rest, a node that
 * admits everything is late with all of it.
 *
 * Two signals mean overload. First, an event-loop tick starts requests for a few milliseconds only, fewer when the
 * tick before had much other work, so that other work does not wait long; the remaining requests wait for a later
 * tick, and their number is limited. Second, admitted work may queue in front of the database; a probe that takes the
 * path of every request, through the loop and the pool and back, measures that delay. The number of admitted requests
 * says nothing by itself: hundreds may wait for a slow remote system and cost nothing.
 */
export interface AdmissionLimits {
  /** This many requests are always admitted: enough to keep everything busy. */
  alwaysTaken: number;
  /** Target duration of an event-loop tick, including all other work. */
  maxTickMs: number;
  /** How long a request may wait for admission, from when it may have been sent until it is refused. */
  maxWaitMs: number;
  /** The limit falls while the probe takes longer than this. */
  maxDelayMs: number;
  probeEveryMs: number;
  /**
   * A request admitted longer ago waits for a remote system, as long as the probe answers in time, and no longer
   * counts.
   */
  longestWorkMs: number;
}

export const DEFAULT_LIMITS: AdmissionLimits = {
  alwaysTaken: 64,
  maxTickMs: 17,
  maxWaitMs: 34,
  maxDelayMs: 100,
  probeEveryMs: 20,
  longestWorkMs: 250,
};

export type Refusal = 'tick' | 'queue';

export interface Admission<Request extends object> {
  /**
   * Undefined: the request is admitted and starts now or in a later tick; `leave` must follow. Otherwise the reason
   * it is not.
   */
  enter(request: Request): Refusal | undefined;
  leave(request: Request): void;
  /** Half of `alwaysTaken` is admitted: requests over their caller's rate limit are refused early from here on. */
  isBusy(): boolean;
  stop(): void;
}

export interface AdmissionDeps<Request> {
  limits: AdmissionLimits;
  begin: (request: Request) => void;
  /** Settles when the database has answered. */
  probe: () => Promise<unknown>;
  nowMs: () => number;
}

export function createAdmission<Request extends object>(deps: AdmissionDeps<Request>): Admission<Request> {
  const ticks = spreadOverTicks(deps);
  const queue = watchQueue(deps);
  return {
    enter(request) {
      const now = deps.nowMs();
      if (ticks.isFull()) return 'tick';
      if (queue.isFull()) return 'queue';
      queue.take(request, now);
      ticks.begin(request, now);
    },
    leave: queue.leave,
    isBusy: () => 2 * queue.inHand() >= deps.limits.alwaysTaken,
    stop: queue.stop,
  };
}

/**
 * A multiple of `alwaysTaken`: how many requests may wait for a later tick, and the initial limit of admitted
 * requests.
 */
const USUAL = 4;

/** The largest and the smallest share of a tick that may go into starting requests. */
const MOST_OF_A_TICK = 0.6;
const LEAST_OF_A_TICK = 0.2;

function spreadOverTicks<Request>({ limits, begin, nowMs }: AdmissionDeps<Request>) {
  const { maxTickMs } = limits;
  let tickBeganMs: number | undefined;
  /** How long this tick has been starting requests, and how long it may. */
  let beginningMs = 0;
  let budgetMs = maxTickMs * MOST_OF_A_TICK;
  let waiting = 0;

  function endTick(): void {
    const othersMs = nowMs() - (tickBeganMs ?? 0) - beginningMs;
    const leftMs = Math.max(maxTickMs - othersMs, maxTickMs * LEAST_OF_A_TICK);
    budgetMs = Math.min(leftMs, maxTickMs * MOST_OF_A_TICK);
    tickBeganMs = undefined;
  }

  function hasTime(now: number): boolean {
    if (tickBeganMs === undefined) {
      tickBeganMs = now;
      // Runs after everything that has arrived so far, and before the requests that wait for a later tick.
      setImmediate(endTick);
    }
    beginningMs = now - tickBeganMs;
    return beginningMs <= budgetMs;
  }

  /** One request per `setImmediate`: its microtasks finish before the next one checks the time. */
  function beginLater(request: Request): void {
    if (!hasTime(nowMs())) {
      setImmediate(beginLater, request);
      return;
    }
    waiting -= 1;
    begin(request);
  }

  return {
    isFull: () => waiting >= limits.alwaysTaken * USUAL,
    begin(request: Request, now: number): void {
      if (waiting === 0 && hasTime(now)) {
        begin(request);
        return;
      }
      waiting += 1;
      setImmediate(beginLater, request);
    },
  };
}

const GROWTH = 1.25;
const CUT = 0.75;

/** A limit that falls while the probe is late and rises while it is not. */
function watchQueue<Request>({ limits, probe, nowMs }: AdmissionDeps<Request>) {
  const { alwaysTaken } = limits;
  const usual = alwaysTaken * USUAL;
  /** When each request was admitted, the oldest first. */
  const inHand = new Map<Request, number>();
  const question = askRepeatedly(probe, nowMs);
  let limit = usual;
  let timer: NodeJS.Timeout | undefined;

  function adjust(): void {
    const now = nowMs();
    if (question.delayMs(now) > limits.maxDelayMs) {
      limit = Math.max(alwaysTaken, Math.floor(Math.min(limit, inHand.size) * CUT));
    } else if (question.answeredMs() !== undefined) {
      leaveOutWaiting();
      if (limit < usual || inHand.size * 2 > limit) limit = Math.ceil(limit * GROWTH);
    }
    if (limit >= usual && inHand.size < alwaysTaken) stop();
    else question.ask();
  }

  /**
   * A request waits for a remote system if the database has answered a probe sent more than `longestWorkMs` after the
   * request was admitted.
   */
  function leaveOutWaiting(): void {
    const answeredMs = question.answeredMs() ?? 0;
    for (const [request, sinceMs] of inHand) {
      if (answeredMs - sinceMs <= limits.longestWorkMs) return;
      inHand.delete(request);
    }
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
    limit = usual;
    question.forget();
  }

  return {
    isFull: () => inHand.size >= limit,
    inHand: () => inHand.size,
    take(request: Request, now: number): void {
      inHand.set(request, now);
      if (inHand.size >= alwaysTaken) timer ??= setInterval(adjust, limits.probeEveryMs).unref();
    },
    leave: (request: Request) => void inHand.delete(request),
    stop,
  };
}

function askRepeatedly(probe: () => Promise<unknown>, nowMs: () => number) {
  let askedMs: number | undefined;
  let lastMs = 0;
  let answeredMs: number | undefined;
  const answered = () => {
    lastMs = nowMs() - (askedMs ?? nowMs());
    answeredMs = askedMs;
    askedMs = undefined;
  };
  return {
    ask(): void {
      if (askedMs !== undefined) return;
      askedMs = nowMs();
      // A database that fails at once is not slow; the requests themselves report the failure.
      probe().then(answered, answered);
    },
    /** Of the last probe, or of the current one if it has already taken longer. */
    delayMs: (now: number) => Math.max(lastMs, askedMs === undefined ? 0 : now - askedMs),
    /** When the last answered probe was sent; undefined before the first answer. */
    answeredMs: () => answeredMs,
    forget(): void {
      lastMs = 0;
      answeredMs = undefined;
    },
  };
}
