/** The connector for every system that speaks `connect`; docs/connect.md says what it expects of one. */
import type { VenueId } from '../../kernel/ids.ts';
import { clockTime, dateTimeOf } from '../../kernel/zone-time.ts';
import {
  type BookingRequest,
  type Outcome,
  ok,
  type PlaceRequest,
  refused,
  type SystemBooking,
} from '../contract.ts';
import type { RemoteCall, RemoteConnector, SystemSetup } from '../remote.ts';
import {
  Fault,
  readAskedBooking,
  readAskedHold,
  readAvailability,
  readBooking,
  readChanges,
  readHold,
  readVenues,
} from './answers.ts';
import { createClient, type Reply, type Request, unclear } from './client.ts';
import { readNotification } from './notification.ts';
import type { BookingBodyValue, PlaceValue } from './schema.ts';

const CREATE = { 'if-none-match': '*' };
const AMEND = { 'if-match': '*' };
/** Of no booking: with it one can see whether the system lets an account in. */
const NO_BOOKING = '00000000-0000-0000-0000-000000000000';

const bookingPath = (bookingId: string) => `/bookings/${encodeURIComponent(bookingId)}`;
const holdPath = (bookingId: string) => `/holds/${encodeURIComponent(bookingId)}`;
const put = (path: string, body: unknown, headers: Record<string, string> = {}): Request => ({
  method: 'PUT',
  path,
  body,
  headers,
  isWrite: true,
});
const get = (path: string): Request => ({ method: 'GET', path, isWrite: false });
const remove = (path: string): Request => ({ method: 'DELETE', path, isWrite: true });

export function createConnector(setup: SystemSetup): RemoteConnector {
  const { settings } = setup;
  const client = createClient(setup, {
    url: String(settings.url),
    ...(settings.tokenUrl && { tokenUrl: String(settings.tokenUrl) }),
  });

  /** Reads the answer of a call that succeeded; one that cannot be believed leaves a write in doubt. */
  async function ask<Value>(
    call: RemoteCall,
    request: Request,
    read: (reply: Reply) => Value,
  ): Promise<Outcome<Value>> {
    const outcome = await client.send(call, request);
    if (outcome.kind !== 'ok') return outcome;
    try {
      return ok(read(outcome.value));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return unclear(request.isWrite, error.message);
    }
  }

  const spacesOf = async (venueId: VenueId): Promise<ReadonlyMap<number, string>> =>
    (await setup.findSpaces?.(venueId)) ?? new Map();

  async function placeOf(request: PlaceRequest): Promise<Omit<PlaceValue, 'expiresAt'> | Outcome<never>> {
    const { productId, zone, date, minute, startMs, adults, children, durationMinutes } = request;
    const isPlain = request.spaceId === null && !request.blockedSpaceIds?.length;
    const spaces = isPlain ? new Map<number, string>() : await spacesOf(request.venueId);
    const spaceId = request.spaceId === null ? null : spaces.get(request.spaceId);
    if (spaceId === undefined) return refused('space-without-zone');
    if (request.tableIds && request.tableIds.length > 0) return refused('no-such-table');
    // The text has no fractions, and would mean another instant.
    if (startMs % 1000 !== 0) return refused('not-a-start');
    const blockedSpaceIds = (request.blockedSpaceIds ?? []).flatMap((id) => spaces.get(id) ?? []);
    return {
      ...idsOf(productId),
      start: dateTimeOf(zone, startMs),
      date,
      time: clockTime(minute),
      party: { adults, children },
      durationMinutes,
      spaceId,
      ...(blockedSpaceIds.length > 0 && { blockedSpaceIds }),
      confirmedByVenue: request.isConfirmedByOperator === true,
      ...(request.overrides && { overrides: [...request.overrides] }),
    };
  }

  async function removed(call: RemoteCall, path: string): Promise<Outcome<void>> {
    const outcome = await ask(call, remove(path), ({ status }) => {
      if (status !== 204) throw new Fault(`Removing was answered with ${status} in place of 204.`);
    });
    const isGone = outcome.kind === 'refused' && ['not-found', 'hold-ended'].includes(outcome.reason);
    return isGone ? ok(undefined) : outcome;
  }

  async function write(
    call: RemoteCall,
    request: BookingRequest,
    headers: Record<string, string>,
    holdId?: string,
  ): Promise<Outcome<SystemBooking>> {
    const place = await placeOf(request);
    if ('kind' in place) return place;
    const body: BookingBodyValue = { ...place, ...(holdId && { holdId }), ...detailsOf(request) };
    return ask(call, put(bookingPath(request.bookingId), body, headers), (reply) =>
      readAskedBooking(reply.body, request),
    );
  }

  const holds: NonNullable<RemoteConnector['holds']> = {
    async hold(call, request, untilMs) {
      const place = await placeOf(request);
      if ('kind' in place) return place;
      const body: PlaceValue = { ...place, expiresAt: new Date(untilMs).toISOString() };
      return ask(call, put(holdPath(request.bookingId), body), (reply) => readAskedHold(reply.body, request));
    },
    async extend(call, bookingId, untilMs) {
      const body = { expiresAt: new Date(untilMs).toISOString() };
      const outcome = await ask(call, put(holdPath(bookingId), body, AMEND), (reply) =>
        readHold(reply.body, bookingId),
      );
      return endedIfNotFound(outcome);
    },
    async confirm(call, request) {
      return endedIfNotFound(await write(call, request, CREATE, request.bookingId));
    },
    release: (call, bookingId) => removed(call, holdPath(bookingId)),
  };

  const capability = settings.capability === 'event_ticket' ? 'event_ticket' : 'table_reservation';
  return {
    flavour: 'remote',
    slug: setup.slug,
    capabilities: { capability, tellsTables: settings.tellsTables === true },
    async availability(call, query) {
      const { venueId, productId, dates, adults, children, durationMinutes } = query;
      const spaces = await spacesOf(venueId);
      const spaceId = query.spaceId === undefined ? undefined : spaces.get(query.spaceId);
      if (query.spaceId !== undefined && spaceId === undefined) return refused('space-without-zone');
      const body = {
        ...idsOf(productId),
        dates,
        party: { adults, children },
        ...(durationMinutes !== undefined && { durationMinutes }),
        ...(spaceId !== undefined && { spaceId }),
      };
      const request: Request = { method: 'POST', path: '/availability', body, isWrite: false };
      return ask(call, request, (reply) => readAvailability(reply.body, query, spaces));
    },
    book: (call, request) => write(call, request, CREATE),
    amend: (call, request) => write(call, request, AMEND),
    cancel: (call, bookingId) => removed(call, bookingPath(bookingId)),
    async find(call, bookingId) {
      const outcome = await ask(call, get(bookingPath(bookingId)), (reply) =>
        readBooking(reply.body, bookingId),
      );
      return outcome.kind === 'refused' && outcome.reason === 'not-found' ? ok(undefined) : outcome;
    },
    async checkAccount(call, account) {
      const outcome = await client.sendAs(account, call, get(bookingPath(NO_BOOKING)));
      if (outcome.kind === 'denied') return refused('rejected', outcome.detail);
      if (outcome.kind === 'refused' && outcome.reason === 'not-found') return ok(undefined);
      if (outcome.kind === 'ok')
        return { kind: 'unavailable', detail: 'The system has a booking that was never made.' };
      return outcome;
    },
    readNotification: async (account, notification) => readNotification(account, notification),
    ...(settings.holds === true && { holds }),
    ...(settings.catalogue !== false && {
      catalogue: (call, cursor) =>
        ask(call, get(withCursor('/venues', 'cursor', cursor)), (reply) => readVenues(reply.body, cursor)),
    }),
    ...(settings.changes === true && {
      changes: (call, cursor) =>
        ask(call, get(withCursor('/changes', 'after', cursor)), (reply) => readChanges(reply.body, cursor)),
    }),
  };
}

const withCursor = (path: string, name: string, cursor: string | null) =>
  cursor === null ? path : `${path}?${new URLSearchParams({ [name]: cursor })}`;

/** What a hold that is not there any more is called, whatever a system calls it. */
function endedIfNotFound<Value>(outcome: Outcome<Value>): Outcome<Value> {
  return outcome.kind === 'refused' && outcome.reason === 'not-found'
    ? { ...outcome, reason: 'hold-ended' }
    : outcome;
}

function idsOf(compositeId: string): { venueId: string; productId: string } {
  const [, , venueId = '', productId = ''] = compositeId.split('|');
  return { venueId, productId };
}

function detailsOf({ details }: BookingRequest) {
  const { guest, company, notes, preorders, partner, depositPence } = details;
  return {
    guest: guest && {
      firstName: guest.firstName,
      lastName: guest.lastName,
      email: guest.email,
      phone: guest.phone,
    },
    company,
    notes,
    preorders: preorders.map(({ name, quantity, pricePence }) => ({ name, quantity, pricePence })),
    partner: partner && { name: partner.name, bookingId: partner.bookingId },
    depositPence,
  };
}
