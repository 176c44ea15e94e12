/** Systems that speak `connect`, reached over real sockets. */
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { dayClock } from '../../src/kernel/zone-time.ts';
import { protocol } from '../../src/tms/connect/protocol.ts';
import type { AvailabilityQuery, BookingRequest } from '../../src/tms/contract.ts';
import type { RemoteCall, RemoteConnector, Settings, SystemFetch } from '../../src/tms/remote.ts';

import { DETAILS } from './remote-tms/calls.ts';

export const TOKEN = 'let-me-in';
const ZONE = 'Europe/London';
export const DATE = '2031-07-10';
export const NOW_MS = Date.parse('2031-07-01T12:00:00Z');
const PRODUCT = parseProductId('1|example|harbour-kitchen|dinner');
const WHERE = { productId: PRODUCT, venueId: venueOfProduct(PRODUCT), zone: ZONE, nowMs: NOW_MS };
/** Three guests at the reference server, in the summer. */
export const QUERY: AvailabilityQuery = { ...WHERE, dates: [DATE], adults: 2, children: 1 };

export const calling = (signal = new AbortController().signal): RemoteCall => ({
  operatorId: 1,
  signal,
  deadlineMs: 10_000,
});

export function requestAt(minute: number, changes: Partial<BookingRequest> = {}): BookingRequest {
  const startMs = dayClock(ZONE, DATE).epochMsOf(minute) ?? Number.NaN;
  return {
    ...{ ...WHERE, bookingId: randomUUID(), date: DATE, minute, startMs, adults: 2, children: 1 },
    ...{ durationMinutes: null, spaceId: null, details: DETAILS, ...changes },
  };
}

/** A transport that allows every address; that of the program allows fewer. */
export const plainFetch: SystemFetch = async (url, { method, headers, body, signal }) => {
  const response = await request(url, {
    method: method as 'GET',
    headers,
    signal,
    ...(body !== undefined && { body }),
  });
  const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: response.statusCode,
    headers: Object.fromEntries(received),
    body: Buffer.from(await response.body.arrayBuffer()),
  };
};

interface Given {
  settings?: Settings;
  credentials?: Record<string, string>;
  /** What the system calls our spaces; absent: they have not been told apart. */
  spaces?: ReadonlyMap<number, string>;
}

export function connectTo(
  url: string,
  { settings = {}, credentials = {}, spaces }: Given = {},
): RemoteConnector {
  return protocol.connect({
    slug: 'example',
    settings: { url, ...settings },
    findAccount: async () => ({ settings: {}, credentials }),
    fetch: plainFetch,
    ...(spaces && { findSpaces: async () => spaces }),
  });
}
