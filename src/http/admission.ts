/**
 * How much a node takes on at a time. Whoever refuses the rest at once keeps its speed for what it has begun; whoever
 * takes on everything ends up late with all of it.
 *
 * Two things say that there is too much. Turns of the event loop that take on request after request let those behind
 * them wait. And work in hand may pile up in front of the database; a question that goes the way of every request,
 * through the loop and the pool and back, shows how long that takes. The number of requests in hand says nothing by
 * itself: hundreds may wait for a slow system elsewhere and cost nothing.
 */
export interface AdmissionLimits {
  /** So many in hand, or taken on in one turn, are never too many: enough to keep everything busy. */
  alwaysTaken: number;
  /** How long one turn of the event loop may go on taking on requests when those before it were long too. */
  maxTurnMs: number;
  /** The same by itself: what piled up in a moment of standstill is worked off, not refused. */
  maxBurstMs: number;
  /** How long the question may be under way before less is taken on. */
  maxDelayMs: number;
  probeEveryMs: number;
  /** What is in hand for longer waits for somebody else, as long as the question comes back in time. */
  longestWorkMs: number;
}

export const DEFAULT_LIMITS: AdmissionLimits = {
  alwaysTaken: 64,
  maxTurnMs: 15,
  maxBurstMs: 50,
  maxDelayMs: 50,
  probeEveryMs: 20,
  longestWorkMs: 250,
};

export type Refusal = 'turn' | 'queue';

export interface Admission {
  /** Undefined: the request is taken on, and `leave` must follow. Otherwise why it is not. */
  enter(request: object): Refusal | undefined;
  leave(request: object): void;
  /** There is half as much as is always taken: time to be strict with whoever has no right to more. */
  isBusy(): boolean;
  stop(): void;
}

export interface AdmissionDeps {
  limits: AdmissionLimits;
  /** Settles when the database has answered. */
  probe: () => Promise<unknown>;
  nowMs: () => number;
}

export function createAdmission(deps: AdmissionDeps): Admission {
  const turn = watchTurns(deps);
  const queue = watchQueue(deps);
  return {
    enter(request) {
      const now = deps.nowMs();
      if (turn.isFull(now)) return 'turn';
      if (queue.isFull()) return 'queue';
      turn.take();
      queue.take(request, now);
    },
    leave: queue.leave,
    isBusy: () => 2 * Math.max(turn.taken(), queue.inHand()) >= deps.limits.alwaysTaken,
    stop: queue.stop,
  };
}

/** So many long turns in a row are no accident. */
const STANDING = 2;

function watchTurns({ limits, nowMs }: AdmissionDeps) {
  let beganMs: number | undefined;
  let taken = 0;
  let longTurns = 0;
  const end = () => {
    longTurns = nowMs() - (beganMs ?? 0) > limits.maxTurnMs ? longTurns + 1 : 0;
    beganMs = undefined;
    taken = 0;
  };
  return {
    isFull(now: number): boolean {
      if (beganMs === undefined) {
        beganMs = now;
        // Runs when everything that has arrived by now has been looked at.
        setImmediate(end);
      }
      const budgetMs = longTurns >= STANDING ? limits.maxTurnMs : limits.maxBurstMs;
      return taken >= limits.alwaysTaken && now - beganMs > budgetMs;
    },
    take(): void {
      taken += 1;
    },
    taken: () => taken,
  };
}

/** As a multiple of what is always taken: where the limit starts, and what it comes back to. */
const USUAL = 4;
const GROWTH = 1.25;
const CUT = 0.75;

/** A limit that falls while the question is late and rises while it is not. */
function watchQueue({ limits, probe, nowMs }: AdmissionDeps) {
  const { alwaysTaken } = limits;
  const usual = alwaysTaken * USUAL;
  /** When each was taken on, the oldest first. */
  const inHand = new Map<object, number>();
  const question = askRepeatedly(probe, nowMs);
  let limit = usual;
  let timer: NodeJS.Timeout | undefined;

  function adjust(): void {
    const now = nowMs();
    if (question.delayMs(now) > limits.maxDelayMs) {
      limit = Math.max(alwaysTaken, Math.floor(Math.min(limit, inHand.size) * CUT));
    } else {
      leaveOutWaiting(now);
      if (limit < usual || inHand.size * 2 > limit) limit = Math.ceil(limit * GROWTH);
    }
    if (limit >= usual && inHand.size < alwaysTaken) stop();
    else question.ask();
  }

  function leaveOutWaiting(now: number): void {
    for (const [request, sinceMs] of inHand) {
      if (now - sinceMs <= limits.longestWorkMs) return;
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
    take(request: object, now: number): void {
      inHand.set(request, now);
      if (inHand.size >= alwaysTaken) timer ??= setInterval(adjust, limits.probeEveryMs).unref();
    },
    leave: (request: object) => void inHand.delete(request),
    stop,
  };
}

function askRepeatedly(probe: () => Promise<unknown>, nowMs: () => number) {
  let askedMs: number | undefined;
  let lastMs = 0;
  const answered = () => {
    lastMs = nowMs() - (askedMs ?? nowMs());
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
    forget(): void {
      lastMs = 0;
    },
  };
}
