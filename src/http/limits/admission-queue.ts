/**
 * Those for whom there is no room at the moment. They wait a little in case there is, and only then are they refused.
 * That turns fewer away when many come at once. And those who come again right after each refusal, on the connections
 * that they have, do so less often: what it costs to refuse them is missing for the rest.
 */
export interface WaitingRoom<Request, Reason> {
  add(request: Request, reason: Reason): void;
  /** Refuses who has waited for as long as one may. To be called now and then by whatever keeps the loop busy. */
  refuseLate(): void;
  /** Nobody waits any longer. */
  close(): void;
}

export interface WaitingRoomDeps<Request, Reason> {
  /** From when a request may have been sent until it is refused. */
  maxWaitMs: number;
  /** Undefined: there was room for it. Else why not. */
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

export function createWaitingRoom<Request, Reason>(
  deps: WaitingRoomDeps<Request, Reason>,
): WaitingRoom<Request, Reason> {
  const { maxWaitMs, enter, refuse, nowMs } = deps;
  /** First come, first. */
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
 * What arrives in a turn of the event loop may have been sent at any time since the loop last looked for arrivals,
 * which was in the turn before. Between turns that are further apart than this the loop was idle, and looked all along.
 */
function watchArrivals(longestTurnMs: number): (now: number) => number {
  let lookedMs: number | undefined;
  let lookedBeforeMs = Number.NEGATIVE_INFINITY;

  function endTurn(): void {
    lookedBeforeMs = lookedMs ?? lookedBeforeMs;
    lookedMs = undefined;
  }

  return (now) => {
    if (lookedMs === undefined) {
      lookedMs = now;
      setImmediate(endTurn);
    }
    return lookedMs - lookedBeforeMs > longestTurnMs ? lookedMs : lookedBeforeMs;
  };
}
