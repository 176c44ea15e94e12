import { protocol } from '../../../src/tms/connect/protocol.ts';
import type { RemoteConnector, Settings, SystemFetch } from '../../../src/tms/remote.ts';

export const REMOTE_TOKEN = 'the-token-of-the-remote-system';
export const REMOTE_SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
import { createHmac, timingSafeEqual } from 'node:crypto';
import Type, { type Static, type TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { dayClock } from '../../../src/kernel/zone-time.ts';
import {
  type AvailabilityQuery,
  type Outcome,
  ok,
  type PlaceRequest,
  type ProductAvailability,
  type RefusalReason,
  refused,
  SYSTEM_VISITS,
  type SystemBooking,
} from '../../../src/tms/contract.ts';
import type {
  ChangesPage,
  RemoteCall,
  RemoteConnector,
  SystemAccount,
  SystemNotification,
} from '../../../src/tms/remote.ts';

const DaysAnswer = Type.Object({
  durationMinutes: Type.Integer(),
  maxGuests: Type.Integer(),
  days: Type.Array(
    Type.Object({
      date: Type.String(),
      starts: Type.Array(Type.Object({ minute: Type.Integer(), left: Type.Integer() })),
    }),
  ),
});
const BookingAnswer = Type.Object({
  id: Type.String(),
  reference: Type.String(),
  date: Type.String(),
  minute: Type.Integer(),
  durationMinutes: Type.Integer(),
  guests: Type.Integer(),
  table: Type.Union([Type.String(), Type.Null()]),
  pricePence: Type.Union([Type.Integer(), Type.Null()]),
  visit: Type.Optional(Type.Enum([...SYSTEM_VISITS])),
});
const ChangesAnswer = Type.Object({
  bookingIds: Type.Array(Type.String()),
  cursor: Type.String(),
  hasMore: Type.Boolean(),
});
const NotificationBody = Type.Object({ bookingIds: Type.Array(Type.String()) });
const RefusalAnswer = Type.Object({ reason: Type.String() });

const send: SystemFetch = async (url, init) => {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
};

/** Our connector for a system that speaks `connect`, with one account for all operators. */
export function createRemote(baseUrl: string, slug = 'remote', settings: Settings = {}): RemoteConnector {
  return protocol.connect({
interface Reply {
  status: number;
  body: unknown;
  retryAfterSeconds: number;
}

export interface RemoteOptions {
  /** It has a log of changes, and sends notifications that are signed with the `secret` in the account's settings. */
  tellsChanges?: boolean;
}

/** A connector for the remote test system, written as one for a real system would be. */
export function createRemote(
  baseUrl: string,
  zone: string,
  slug = 'remote',
  ask: (url: string, init: RequestInit) => Promise<Response> = fetch,
  { tellsChanges = false }: RemoteOptions = {},
): RemoteConnector {
  async function send(
    call: RemoteCall,
    method: string,
    path: string,
    draft?: unknown,
  ): Promise<Outcome<Reply>> {
    try {
      const response = await ask(`${baseUrl}${path}`, {
        method,
        signal: call.signal,
        ...(draft !== undefined && {
          body: JSON.stringify(draft),
          headers: { 'content-type': 'application/json' },
        }),
      });
      const text = await response.text();
      const retryAfterSeconds = Number(response.headers.get('retry-after') ?? 1);
      return judge({ status: response.status, body: parsed(text), retryAfterSeconds }, method);
    } catch (error) {
      return afterFailure(codeOf(error), method);
    }
  }

  function bookingIn({ status, body }: Reply): Outcome<SystemBooking> {
    if (status === 404) return refused('not-found');
    if (!Check(BookingAnswer, body)) return { kind: 'unknown', detail: 'The answer was not a booking.' };
    const { id, reference, date, minute, durationMinutes, guests, table, pricePence, visit } = body as Static<
      typeof BookingAnswer
    >;
    const startMs = dayClock(zone, date).epochMsOf(minute) ?? Number.NaN;
    return ok({
      bookingId: id,
      reference,
      tables: table === null ? [] : [table],
      areaId: null,
      areaName: null,
      startMs,
      durationMinutes,
      guests,
      pricePerGuestPence: pricePence,
      ...(visit !== undefined && { visit }),
    });
  }

  const write = async (call: RemoteCall, method: string, request: PlaceRequest) => {
    const { bookingId, productId, date, minute, startMs, adults, children } = request;
    if (dayClock(zone, date).epochMsOf(minute) !== startMs) return refused('taken');
    const draft = { product: productId, date, minute, guests: adults + children };
    return then(await send(call, method, `/bookings/${encodeURIComponent(bookingId)}`, draft), bookingIn);
  };

  return {
    flavour: 'remote',
    slug,
    settings: { url: baseUrl, holds: true, changes: true, ...settings },
    findAccount: async () => ({
      settings: {},
      credentials: { token: REMOTE_TOKEN, webhookSecret: REMOTE_SECRET },
    }),
    fetch: send,
    capabilities: {
      capability: 'table_reservation',
      tellsTables: false,
    },
    async availability(call, query) {
      const parameters = new URLSearchParams({ product: query.productId });
      for (const date of query.dates) parameters.append('date', date);
      return then(await send(call, 'GET', `/availability?${parameters}`), ({ body }) => daysIn(body, query));
    },
    book: (call, request) => write(call, 'PUT', request),
    amend: (call, request) => write(call, 'PATCH', request),
    async cancel(call, bookingId) {
      const reply = await send(call, 'DELETE', `/bookings/${encodeURIComponent(bookingId)}`);
      return then(reply, ({ status }) =>
        status === 204
          ? ok(undefined)
          : { kind: 'unknown', detail: `Cancelling was answered with ${status}.` },
      );
    },
    async find(call, bookingId) {
      const reply = await send(call, 'GET', `/bookings/${encodeURIComponent(bookingId)}`);
      return then<Reply, SystemBooking | undefined>(reply, (found) => {
        if (found.status === 404) return ok(undefined);
        const booking = bookingIn(found);
        return booking.kind === 'unknown' ? { ...booking, kind: 'unavailable' } : booking;
      });
    },
    ...(tellsChanges && { changes, readNotification }),
  };

  async function changes(call: RemoteCall, cursor: string | null): Promise<Outcome<ChangesPage>> {
    const reply = await send(call, 'GET', `/changes${cursor === null ? '' : `?after=${cursor}`}`);
    return then<Reply, ChangesPage>(reply, ({ body }) =>
      Check(ChangesAnswer, body)
        ? ok(body as ChangesPage)
        : { kind: 'unavailable', detail: 'The answer was not a page of changes.' },
    );
  }
}

const OLDEST_MS = 300_000;

export const signatureOf = (secret: string, sentAt: string, body: string) =>
  createHmac('sha256', secret).update(`${sentAt}.${body}`).digest('hex');

/** Signed with its time, so that an old one cannot be sent again. */
async function readNotification(
  { settings }: SystemAccount,
  { headers, body, nowMs }: SystemNotification,
): Promise<Outcome<{ bookingIds: string[] }>> {
  const { 'x-sent-at': sentAt = '', 'x-signature': signature = '' } = headers;
  const expected = signatureOf(String(settings.secret), sentAt, body.toString());
  const isSigned =
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  const isFresh = Math.abs(nowMs - Number(sentAt)) <= OLDEST_MS;
  if (!settings.secret || !isSigned || !isFresh) return refused('rejected');
  const sent = parsed(body.toString());
  return Check(NotificationBody, sent) ? ok(sent as Static<typeof NotificationBody>) : refused('rejected');
}

function then<From, To>(outcome: Outcome<From>, next: (value: From) => Outcome<To>): Outcome<To> {
  return outcome.kind === 'ok' ? next(outcome.value) : outcome;
}

/** Sorts out what says by its status that there is nothing to read in it. */
function judge(reply: Reply, method: string): Outcome<Reply> {
  const { status, body, retryAfterSeconds } = reply;
  if (status === 429) return { kind: 'rate-limited', retryAfterSeconds };
  if (status === 409) return refusalIn(body);
  if (status === NOT_APPLIED_STATUS) return { kind: 'unavailable', detail: 'The system is not available.' };
  if (status < 500) return ok(reply);
  return { kind: method === 'GET' ? 'unavailable' : 'unknown', detail: `The system answered ${status}.` };
}

function refusalIn(body: unknown): Outcome<never> {
  const reason = Check(RefusalAnswer, body) ? (body as Static<typeof RefusalAnswer>).reason : '';
  const known = REASONS.find((each) => each === reason);
  return known ? refused(known) : refused('rejected', reason);
}

function afterFailure(code: string, method: string): Outcome<never> {
  const isHarmless = method === 'GET' || NEVER_SENT.includes(code);
  return { kind: isHarmless ? 'unavailable' : 'unknown', detail: code };
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (typeof cause !== 'object' || cause === null) return String(cause);
  return 'code' in cause ? String(cause.code) : String(cause);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function daysIn(body: unknown, query: AvailabilityQuery): Outcome<ProductAvailability> {
  if (!Check(DaysAnswer as TSchema, body))
    return { kind: 'unavailable', detail: 'The answer was not a list of days.' };
  const { durationMinutes, maxGuests, days } = body as Static<typeof DaysAnswer>;
  if (query.durationMinutes !== undefined && query.durationMinutes !== durationMinutes)
    return refused('duration');
  const neverFits = query.adults + query.children > maxGuests;
  return ok({
    bounds: { minMinutes: durationMinutes, maxMinutes: durationMinutes, stepMinutes: 1 },
    policy: null,
    cancellationPolicy: null,
    days: days.map(({ date, starts }) => ({
      date,
      isClosed: starts.length === 0,
      slots: starts.flatMap(({ minute, left }) => {
        const startMs = dayClock(query.zone, date).epochMsOf(minute);
        if (startMs === undefined) return [];
        const obstacle = neverFits ? 'party-never-fits' : left > 0 ? undefined : 'taken';
        return {
          date,
          minute,
          startMs,
          durationMinutes,
          type: 'book' as const,
          ...(obstacle && { obstacle }),
          spaces: [],
        };
      }),
    })),
  });
}
