import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { inTransaction, type Sql } from '../../src/db/database.ts';
import type { ProductId, VenueId } from '../../src/kernel/ids.ts';
import {
  type AvailabilityQuery,
  bookOne,
  type LocalConnector,
  type Outcome,
  type PlaceRequest,
  type ProductAvailability,
  type SystemBooking,
  type SystemHold,
} from '../../src/tms/contract.ts';
import type {
  CataloguePage,
  ChangesPage,
  RemoteConnector,
  SystemAccount,
  SystemNotification,
} from '../../src/tms/remote.ts';
import { DETAILS } from '../support/remote-tms/calls.ts';

/**
 * What a connector brings to the conformance suite: a system with one product that has the same starts every
 * day, the first and the last of which share no capacity.
 */
export interface Harness {
  system: BoundSystem;
  productId: ProductId;
  venueId: VenueId;
  zone: string;
  nowMs: number;
  /** The first of thirty days that are open, empty and on sale. */
  firstDate: string;
  /** A party that takes one unit of capacity, and a smaller one that is served as well. */
  party: number;
  smallerParty: number;
  /** How many such parties fit at one start; below 20. */
  capacity: number;
  /** A party that fits nowhere, ever. */
  oversizedParty: number;
  /** Lets time pass for the system, and moves `nowMs` along; absent: no hold can be seen to end. */
  passTime?(ms: number): Promise<void>;
  /** What the system lets one in with, where it can be tried. */
  account?: SystemAccount;
  /** What the system would send about these bookings at that time, where it sends anything. */
  notification?(bookingIds: readonly string[], sentAtMs: number): SystemNotification;
  close(): Promise<void>;
}

/** A connector with its context given: each call as the gateway would make it, by itself. */
export interface BoundSystem {
  availability(query: AvailabilityQuery): Promise<Outcome<ProductAvailability>>;
  book(request: PlaceRequest): Promise<Outcome<SystemBooking>>;
  amend(request: PlaceRequest): Promise<Outcome<SystemBooking>>;
  cancel(bookingId: string): Promise<Outcome<void>>;
  find(bookingId: string): Promise<Outcome<SystemBooking | undefined>>;
  /** Absent: the system cannot hold. */
  holds?: BoundHolds;
  /** Of a remote system; what is absent it cannot do. */
  reading?: BoundReading;
}

export interface BoundReading {
  catalogue?(cursor: string | null): Promise<Outcome<CataloguePage>>;
  changes?(cursor: string | null): Promise<Outcome<ChangesPage>>;
  checkAccount?(account: SystemAccount): Promise<Outcome<void>>;
  readNotification?: RemoteConnector['readNotification'];
}

export interface BoundHolds {
  hold(request: PlaceRequest, untilMs: number): Promise<Outcome<SystemHold>>;
  extend(bookingId: string, untilMs: number, nowMs: number): Promise<Outcome<SystemHold>>;
  confirm(request: PlaceRequest): Promise<Outcome<SystemBooking>>;
  release(bookingId: string): Promise<Outcome<void>>;
}

/** A refusal is committed too, so that one which leaves something behind is found out. */
export function inOwnTransactions(connector: LocalConnector, sql: Sql): BoundSystem {
  const { holds } = connector;
  return {
    ...(holds && {
      holds: {
        hold: (request, untilMs) => inTransaction(sql, (tx) => holds.hold(tx, request, untilMs)),
        extend: (id, untilMs, nowMs) => inTransaction(sql, (tx) => holds.extend(tx, id, untilMs, nowMs)),
        confirm: (request) => inTransaction(sql, (tx) => holds.confirm(tx, request)),
        release: (bookingId) => inTransaction(sql, (tx) => holds.release(tx, bookingId)),
      },
    }),
    availability: (query) => connector.availability(sql, query),
    book: (request) => inTransaction(sql, (tx) => bookOne(connector, tx, request)),
    amend: (request) => inTransaction(sql, (tx) => connector.amend(tx, request)),
    cancel: (bookingId) => inTransaction(sql, (tx) => connector.cancel(tx, bookingId)),
    find: (bookingId) => connector.find(sql, bookingId),
  };
}

export function overNetwork(connector: RemoteConnector): BoundSystem {
  const call = () => ({ operatorId: 1, signal: new AbortController().signal, deadlineMs: 10_000 });
  const { holds, catalogue, changes, checkAccount, readNotification } = connector;
  return {
    reading: {
      ...(catalogue && { catalogue: (cursor) => catalogue(call(), cursor) }),
      ...(changes && { changes: (cursor) => changes(call(), cursor) }),
      ...(checkAccount && { checkAccount: (account) => checkAccount(call(), account) }),
      ...(readNotification && { readNotification }),
    },
    ...(holds && {
      holds: {
        hold: (request, untilMs) => holds.hold(call(), request, untilMs),
        extend: (id, untilMs, nowMs) => holds.extend(call(), id, untilMs, nowMs),
        confirm: (request) => holds.confirm(call(), { ...request, details: DETAILS }),
        release: (bookingId) => holds.release(call(), bookingId),
      },
    }),
    availability: (query) => connector.availability(call(), query),
    book: (request) => connector.book(call(), { ...request, details: DETAILS }),
    amend: (request) => connector.amend(call(), { ...request, details: DETAILS }),
    cancel: (bookingId) => connector.cancel(call(), bookingId),
    find: (bookingId) => connector.find(call(), bookingId),
  };
}

export function expectOk<Value>(outcome: Outcome<Value>): Value {
  assert.equal(outcome.kind, 'ok', JSON.stringify(outcome));
  return (outcome as Extract<Outcome<Value>, { kind: 'ok' }>).value;
}

export function assertRefused(outcome: Outcome<unknown>, reason: string): void {
  assert.equal(outcome.kind, 'refused', JSON.stringify(outcome));
  assert.equal(
    (outcome as Extract<Outcome<unknown>, { kind: 'refused' }>).reason,
    reason,
    JSON.stringify(outcome),
  );
}

/** Books `count` parties at one start, all at the same time. */
export function bookAtOnce(system: BoundSystem, request: PlaceRequest, count: number) {
  const requests = Array.from({ length: count }, () => ({ ...request, bookingId: randomUUID() }));
  return Promise.all(requests.map((each) => system.book(each)));
}

/** For systems that know the time from requests alone. */
export function withRequestClock(harness: Harness): Harness {
  const timed: Harness = {
    ...harness,
    async passTime(ms) {
      timed.nowMs += ms;
    },
  };
  return timed;
}
