/**
 * How much a node takes on at a time. Whoever refuses the rest keeps its speed for what it has begun; whoever takes on
 * everything ends up late with all of it.
 *
 * Two things say that there is too much. A turn of the event loop begins requests for a few milliseconds only, fewer when
 * the turn before had much else to do, so that nothing else waits for long; those beyond wait for a later turn, and they may
 * be too many. And work in hand may pile up in front of the database; a question that goes the way of every request,
 * through the loop and the pool and back, shows how long that takes. The number of requests in hand says nothing by
 * itself: hundreds may wait for a slow system elsewhere and cost nothing.
 */
export interface AdmissionLimits {
  /** So many in hand are never too many: enough to keep everything busy. */
  alwaysTaken: number;
  /** How long a turn of the event loop should take with all that it does. */
  maxTurnMs: number;
  /** How long somebody may wait for room, from when the request may have been sent until it is refused. */
  maxWaitMs: number;
  /** How long the question may be under way before less is taken on. */
  maxDelayMs: number;
  probeEveryMs: number;
  /** What is in hand for longer waits for somebody else, as long as the question comes back in time. */
  longestWorkMs: number;
}

export const DEFAULT_LIMITS: AdmissionLimits = {
  alwaysTaken: 64,
  maxTurnMs: 17,
  maxWaitMs: 34,
  maxDelayMs: 100,
  probeEveryMs: 20,
  longestWorkMs: 250,
};

export type Refusal = 'turn' | 'queue';

export interface Admission<Request extends object> {
  /** Undefined: the request is taken on and begun, now or in a later turn, and `leave` must follow. Else why not. */
  enter(request: Request): Refusal | undefined;
  leave(request: Request): void;
  /** There is half as much as is always taken: time to be strict with whoever has no right to more. */
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
  const turns = takeTurns(deps);
  const queue = watchQueue(deps);
  return {
    enter(request) {
      const now = deps.nowMs();
      if (turns.isFull()) return 'turn';
      if (queue.isFull()) return 'queue';
      queue.take(request, now);
      turns.begin(request, now);
    },
    leave: queue.leave,
    isBusy: () => 2 * queue.inHand() >= deps.limits.alwaysTaken,
    stop: queue.stop,
  };
}

/** As a multiple of what is always taken: how many may wait for their turn, and where the limit of those in hand starts. */
const USUAL = 4;

/** How much of a turn may go into beginning requests, and how much does whatever else there is. */
const MOST_OF_A_TURN = 0.6;
const LEAST_OF_A_TURN = 0.2;

function takeTurns<Request>({ limits, begin, nowMs }: AdmissionDeps<Request>) {
  const { maxTurnMs } = limits;
  let turnBeganMs: number | undefined;
  /** How long this turn has been beginning requests, and how long it may. */
  let beginningMs = 0;
  let budgetMs = maxTurnMs * MOST_OF_A_TURN;
  let waiting = 0;

  function endTurn(): void {
    const othersMs = nowMs() - (turnBeganMs ?? 0) - beginningMs;
    const leftMs = Math.max(maxTurnMs - othersMs, maxTurnMs * LEAST_OF_A_TURN);
    budgetMs = Math.min(leftMs, maxTurnMs * MOST_OF_A_TURN);
    turnBeganMs = undefined;
  }

  function hasTime(now: number): boolean {
    if (turnBeganMs === undefined) {
      turnBeganMs = now;
      // Comes when all that has arrived by now has been looked at, and before those who wait.
      setImmediate(endTurn);
    }
    beginningMs = now - turnBeganMs;
    return beginningMs <= budgetMs;
  }

  /** One by one: what a request sets off is done before the next one looks at the time. */
  function comeUp(request: Request): void {
    if (!hasTime(nowMs())) {
      setImmediate(comeUp, request);
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
      setImmediate(comeUp, request);
    },
  };
}

const GROWTH = 1.25;
const CUT = 0.75;

/** A limit that falls while the question is late and rises while it is not. */
function watchQueue<Request>({ limits, probe, nowMs }: AdmissionDeps<Request>) {
  const { alwaysTaken } = limits;
  const usual = alwaysTaken * USUAL;
  /** When each was taken on, the oldest first. */
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

  /** A request waits elsewhere if the database has answered a question that was asked when it had long been in hand. */
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
      // A database that fails at once is not slow; callers hear of it from what they ask.
      probe().then(answered, answered);
    },
    /** Of the last question, or of the one that is under way if that has taken longer already. */
    delayMs: (now: number) => Math.max(lastMs, askedMs === undefined ? 0 : now - askedMs),
    /** When the last question was asked that has been answered; undefined before the first answer. */
    answeredMs: () => answeredMs,
    forget(): void {
      lastMs = 0;
      answeredMs = undefined;
    },
  };
}
