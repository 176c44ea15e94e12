/**
 * The diary of a venue: one trading day with its tables, bookings, blocks and closures, and a stream of what changes in
 * it. A node keeps the diaries that it has read, and compares them with the log of changes before it uses them.
 */

import { Gauge, type Registry } from 'prom-client';
import { batchLoader } from '../../db/batch-loader.ts';
import { inSnapshot, type Sql } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { ReadCache } from '../../db/read-cache.ts';
import { EncodedForms } from '../../http/format/compression.ts';
import { etagOf } from '../../http/format/etag.ts';
import type { Rendered } from '../../http/format/render.ts';
import { nodeCounter } from '../../http/observability/metrics.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { Log } from '../../kernel/log.ts';
import { invalid } from '../../kernel/problem.ts';
import { isTradingDay } from '../../kernel/zone-time.ts';
import type { Bookings } from '../bookings/service.ts';
import { getVenueRef } from '../venues/service.ts';
import { type Position, positionText } from './position.ts';
import { readDiary } from './read.ts';
import { compareWithNow, forgetWatches, isLastRound, pruneChanges, type Question } from './store.ts';
import { createStreams, type StreamRequest, type Streams } from './streams.ts';

/** A finished answer. */
export interface RenderedDiary extends Rendered {
  forms: EncodedForms;
}

interface KeptDiary extends RenderedDiary {
  position: Position;
  /** Where the body goes on after the position. */
  restAt: number;
  madeMs: number;
}

export interface Diaries {
  get(venueId: VenueId, date: string): Promise<RenderedDiary>;
  /** Throws where there is no such venue. */
  assertVenue(venueId: VenueId): Promise<void>;
  openStream(request: StreamRequest): ReturnType<Streams['open']>;
  streams: Streams;
  /** For a job: deletes changes that are too old. */
  prune(): Promise<number>;
  /** Ends all streams. */
  close(): void;
}

export interface DiariesDeps {
  sql: Sql;
  notifications: Notifications;
  bookings: Bookings;
  log: Pick<Log, 'warn'>;
}

/** So old may a position be that a diary of this node carries: the log must still reach back to it. */
const POSITION_MS = 60_000;
const KEPT_HOURS = 48;
const CONTENT_TYPE = 'application/json; charset=utf-8';

export function createDiaries(deps: DiariesDeps): Diaries {
  const { sql, bookings } = deps;
  const cache = new ReadCache<KeptDiary>('diaries', () => true);
  const streams = createStreams(deps);

  const compare = batchLoader(
    ({ venueId, position }: Question) => `${venueId} ${position.snapshot}`,
    (tx, questions) => compareWithNow(tx, questions),
  );
  const readShared = batchLoader(keyOf, (_tx, wanted: readonly Day[]) => Promise.all(wanted.map(readAnew)));

  async function readAnew(day: Day): Promise<KeptDiary> {
    const ticket = cache.beginRead();
    const { position, content } = await inSnapshot(sql, (tx) =>
      readDiary(tx, bookings, day.venueId, day.date),
    );
    const rest = Buffer.from(JSON.stringify(content));
    const kept = withPosition(position, rest.subarray(1), `W/${etagOf(rest, 'diary')}`);
    cache.keep(ticket, keyOf(day), kept, kept.forms.bytes, []);
    return kept;
  }

  return {
    async get(venueId, date) {
      if (!isTradingDay(date)) throw invalid('date', 'is out of range');
      const day = { venueId, date };
      const kept = cache.get(keyOf(day));
      if (!kept) return readShared(sql, day);
      const { isCurrent, now } = await compare(sql, { venueId, position: kept.position });
      if (!isCurrent) return readShared(sql, day);
      if (performance.now() - kept.madeMs < POSITION_MS) return kept;
      const renewed = withPosition(now, kept.body.subarray(kept.restAt), kept.etag);
      cache.keep(cache.beginRead(), keyOf(day), renewed, renewed.forms.bytes, []);
      return renewed;
    },

    async assertVenue(venueId) {
      await getVenueRef(sql, venueId);
    },

    openStream: (request) => {
      if (!isTradingDay(request.date)) throw invalid('date', 'is out of range');
      return streams.open(request);
    },
    streams,

    async prune() {
      await forgetWatches(sql);
      let total = 0;
      for (;;) {
        const gone = await pruneChanges(sql, KEPT_HOURS);
        total += gone;
        if (isLastRound(gone)) return total;
      }
    },

    close: () => streams.close(),
  };
}

interface Day {
  venueId: VenueId;
  date: string;
}

function keyOf({ venueId, date }: Day): string {
  return `${venueId} ${date}`;
}

/** The tag does not cover the position, which two nodes have differently for the same diary. */
function withPosition(position: Position, rest: Buffer, etag: string): KeptDiary {
  const head = Buffer.from(`{"position":${JSON.stringify(positionText(position))},`);
  const body = Buffer.concat([head, rest]);
  return {
    position,
    body,
    restAt: head.length,
    contentType: CONTENT_TYPE,
    etag,
    forms: new EncodedForms(body, 'once'),
    madeMs: performance.now(),
  };
}

export function diaryJobs(diaries: Diaries): JobDefinition[] {
  return [
    {
      name: 'diary.prune-changes',
      schedule: '17 * * * *',
      handle: async () => void (await diaries.prune()),
    },
  ];
}

export function diaryMetrics(registry: Registry, { streams }: Diaries): void {
  new Gauge({
    name: 'diary_streams_open',
    help: 'Streams of diaries that are open on this node.',
    registers: [registry],
    collect() {
      this.set(streams.count());
    },
  });
  nodeCounter(registry, {
    name: 'diary_reads_total',
    help: 'Reads of the changes of a venue for its streams.',
    read: () => streams.counts.reads,
  });
  nodeCounter(registry, {
    name: 'diary_events_sent_total',
    help: 'Events sent to streams of diaries.',
    read: () => streams.counts.delivered,
  });
  nodeCounter(registry, {
    name: 'diary_streams_dropped_total',
    help: 'Streams closed because their reader was too slow.',
    read: () => streams.counts.dropped,
  });
}
