/** The open streams of a node: their limits, heartbeats, and when they end. */
import { Readable } from 'node:stream';
import type { Notifications } from '../../db/notifications.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { Problem, problem } from '../../kernel/problem.ts';
import { outsideRequest } from '../../kernel/request-scope.ts';
import { createHub, type Hub, type HubDeps, type Screen } from './hub.ts';

export interface StreamRequest {
  venueId: VenueId;
  date: string;
  lastEventId: string | undefined;
  /** Who reads it. */
  actorId: string;
  /** Throws a problem when the reader may no longer read it. */
  assertAllowed(): Promise<void>;
  /** Equal for streams that one check decides on. */
  checkKey: string;
}

export interface Streams {
  open(request: StreamRequest): Readable;
  /** How many are open. */
  count(): number;
  counts: StreamCounts;
  /** Sends a heartbeat to all of them. */
  beat(): void;
  /** Ends those whose readers may no longer read them. */
  check(): Promise<void>;
  /** Ends all of them, and every one that is opened from here on. */
  close(): void;
}

export interface StreamCounts {
  /** How often the changes of a venue were read. */
  reads: number;
  delivered: number;
  /** Closed because their reader was too slow. */
  dropped: number;
}

/** One screen after another in a large house; a program may read for many of them. */
const MOST_PER_ACTOR = 250;
const MOST_PER_NODE = 2000;
/** What may wait for a slow reader, some hundred changes. It comes back and goes on from its last event. */
const MOST_WAITING_BYTES = 256 * 1024;
const HEARTBEAT_MS = 15_000;
const CHECK_MS = 30_000;
/** Browsers wait so long before they connect again. */
const RETRY_MS = 2000;

interface Stream extends StreamRequest {
  readable: Readable;
  screen: Screen;
}

export function createStreams(
  deps: Omit<HubDeps, 'onRead' | 'onDelivered'> & { notifications: Notifications },
): Streams {
  const counts: StreamCounts = { reads: 0, delivered: 0, dropped: 0 };
  const hub: Hub = createHub({
    ...deps,
    onRead: () => {
      counts.reads += 1;
    },
    onDelivered: (events) => {
      counts.delivered += events;
    },
  });
  const streams = new Set<Stream>();
  let isClosed = false;

  function end(stream: Stream): void {
    streams.delete(stream);
    hub.leave(stream.venueId, stream.screen);
    if (!stream.readable.readableEnded && !stream.readable.destroyed) stream.readable.push(null);
  }

  // One timer for all of them.
  const beat = () => hub.beat();
  const check = () => outsideRequest(() => endForbidden(streams, end));
  const timers = [setInterval(beat, HEARTBEAT_MS), setInterval(() => void check(), CHECK_MS)];
  for (const timer of timers) timer.unref();

  function assertRoom(actorId: string): void {
    const own = [...streams].filter((stream) => stream.actorId === actorId).length;
    if (own < MOST_PER_ACTOR && streams.size < MOST_PER_NODE) return;
    throw problem('RATE-R-001', {
      detail: `You have ${own} open streams; close some, or try another node.`,
      retryAfterSeconds: RETRY_MS / 1000,
    });
  }

  return {
    open(request) {
      assertRoom(request.actorId);
      const readable = new Readable({ read() {} });
      readable.push(`retry: ${RETRY_MS}\n\n`);
      if (isClosed) {
        readable.push(null);
        return readable;
      }
      const { venueId, date, lastEventId } = request;
      const screen = { date, lastEventId, send };
      const stream = { ...request, readable, screen };

      function send(text: string): void {
        if (readable.destroyed) return;
        if (readable.readableLength + Buffer.byteLength(text) <= MOST_WAITING_BYTES) readable.push(text);
        else {
          counts.dropped += 1;
          readable.destroy();
        }
      }

      readable.on('error', () => {});
      readable.on('close', () => {
        streams.delete(stream);
        hub.leave(venueId, screen);
      });
      streams.add(stream);
      hub.join(venueId, screen);
      return readable;
    },

    count: () => streams.size,
    counts,
    beat,
    check,

    close() {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      for (const stream of [...streams]) end(stream);
      hub.close();
    },
  };
}

/** Ends the streams of sessions that are over and of people who have lost their role. */
async function endForbidden(streams: ReadonlySet<Stream>, end: (stream: Stream) => void): Promise<void> {
  const groups = Map.groupBy(streams, ({ checkKey }) => checkKey);
  for (const group of groups.values()) {
    try {
      await group[0]?.assertAllowed();
    } catch (error) {
      // Anything else says nothing about the reader: the next check asks again.
      if (error instanceof Problem && error.status < 500) group.forEach(end);
    }
  }
}
