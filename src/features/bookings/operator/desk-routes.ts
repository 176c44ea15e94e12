import { DryRunQuery, type ManageCall, manageRoutes, venuePath } from '../../../http/manage-route.ts';
import type { App } from '../../../http/route.ts';
import type { ProblemCode } from '../../../kernel/problem.ts';
import {
  BookingEdit,
  ChangedBooking,
  changedBookingExample,
  HouseBookingBody,
  SwapBody,
  SwappedBookings,
  TablesBody,
  VisitBody,
} from './desk-schema.ts';
import { ManagedBooking, ManagedBookingPath, managedBookingExample } from './schema.ts';
import type { Doing, ManagedBookings } from './service.ts';
import { Starts, StartsQuery, startsExample } from './starts-schema.ts';

const ONE = '/manage/operators/:operatorId/bookings/:bookingId';

const ACCESS: readonly ProblemCode[] = ['BOOK-N-006', 'OPRTR-N-002', 'BOOK-N-014'];
/** What the system of a venue can answer to a place that is asked for. */
const PLACING: readonly ProblemCode[] = [
  ...(['AVAIL-N-004', 'AVAIL-N-005', 'AVAIL-N-006', 'AVAIL-N-007', 'AVAIL-N-008', 'BOOK-N-003'] as const),
  ...(['BOOK-N-008', 'BOOK-N-009', 'BOOK-N-010', 'BOOK-N-011', 'BOOK-N-012', 'BOOK-N-017'] as const),
  ...(['BOOK-N-020', 'BOOK-R-001', 'BOOK-R-002', 'EVENT-N-001', 'EVENT-N-002'] as const),
  ...(['VENUE-N-002', 'VENUE-N-009'] as const),
];
const RULES: readonly ProblemCode[] = [
  ...(['OPRUL-N-001', 'OPRUL-N-002', 'OPRUL-N-003', 'OPRUL-N-004', 'OPRUL-N-009'] as const),
  ...(['BKRUL-N-001', 'BKRUL-N-002', 'BKRUL-N-005', 'BKRUL-N-006', 'BKRUL-N-100'] as const),
];

type Named = { operatorId: number; bookingId: string };

export const doingOf = (
  { actor, params, ifMatch }: ManageCall<Named, unknown, unknown>,
  action: string,
): Doing => ({ ...params, actor, ifMatch, action });

export function deskRoutes(app: App, managed: ManagedBookings): void {
  const routes = manageRoutes(app, 'Manage: bookings');
  const changed = {
    access: 'manage:staff' as const,
    params: ManagedBookingPath,
    query: DryRunQuery,
    result: ChangedBooking,
    example: changedBookingExample,
    problems: [...ACCESS, ...PLACING],
  };

  routes.create('/manage/venues/:venueId/bookings', {
    access: 'manage:staff',
    operationId: 'createHouseBooking',
    summary: 'Take a booking of the house',
    description:
      'By telephone, by mail, from your website, or at the door. A party that walks in needs no guest and no time: it starts at the next step of the grid and is seated at once. Hours, notice, sizes, pacing and your rules that are not aimed at partners bind it unless they are set aside. No partner sees it.',
    params: venuePath,
    body: HouseBookingBody,
    result: ManagedBooking,
    example: { ...managedBookingExample, partner: null, origin: 'phone', source: 'phone' },
    isRepeatable: true,
    problems: ['VENUE-N-001', 'OPRTR-N-002', 'BOOK-N-001', ...PLACING, ...RULES],
    run: ({ actor, params, body, idempotencyKey }) =>
      managed.create(actor, { venueId: params.venueId, body, idempotencyKey }),
  });

  routes.list('/manage/venues/:venueId/starts', {
    access: 'manage:staff',
    operationId: 'listStarts',
    summary: 'List the starts that the house can book',
    description:
      'Every start of the day for each product, with the tables that a booking would get at this moment, or why there is none. Decided as `POST …/bookings` decides, and with `bookingId` as a change of that booking.',
    params: venuePath,
    query: StartsQuery,
    result: Starts,
    example: startsExample,
    problems: ['VENUE-N-001', 'OPRTR-N-002', 'BOOK-N-001', ...ACCESS, ...PLACING],
    run: ({ actor, params, query }) => managed.listStarts(actor, { ...params, ...query }),
  });

  routes.patch(ONE, {
    ...changed,
    operationId: 'editBooking',
    summary: 'Change a booking',
    description:
      'Of a partner or of the house. Members that are not sent stay as they are. Terms and rules for amendments bind partners, not you; hours, notice, sizes and pacing bind what is new. The party keeps its tables where they are free and large enough. What was paid beyond the new price goes back. The partner gets `booking.updated`. With `dryRun=true` the answer says what would become of it.',
    body: BookingEdit,
    run: (call) => managed.edit(doingOf(call, 'edit'), call.body, { isDryRun: call.query.dryRun }),
  });

  routes.put(`${ONE}/tables`, {
    ...changed,
    operationId: 'moveBooking',
    summary: 'Move a party to other tables',
    description:
      'For the whole stay, or from now on where the visit has begun. Several tables need not be a combination.',
    body: TablesBody,
    run: (call) => managed.edit(doingOf(call, 'move'), call.body, { isDryRun: call.query.dryRun }),
  });

  routes.act(`${ONE}/swap`, {
    ...changed,
    operationId: 'swapBookings',
    summary: 'Exchange the tables of two bookings',
    description: 'Both change or neither does. Each keeps its time.',
    body: SwapBody,
    result: SwappedBookings,
    example: { data: [changedBookingExample, changedBookingExample] },
    run: (call) => managed.swap(doingOf(call, 'swap'), call.body, { isDryRun: call.query.dryRun }),
  });

  routes.put(`${ONE}/visit`, {
    access: 'manage:staff',
    operationId: 'setVisit',
    summary: 'Say how far a visit is',
    description:
      'In any direction: what was said too early is taken back. A party can arrive on its day, and leave or fail to come from its start on. One that has left, or does not come, frees its tables from then on.',
    params: ManagedBookingPath,
    body: VisitBody,
    result: ManagedBooking,
    example: {
      ...managedBookingExample,
      visit: { ...managedBookingExample.visit, state: 'arrived', arrivedAt: '2026-12-05T19:28:00.000Z' },
    },
    problems: [...ACCESS, 'AVAIL-N-005', 'BOOK-N-009', 'BOOK-R-002', 'VENUE-N-002'],
    run: (call) =>
      managed.act(doingOf(call, 'visit'), (bookings, caller) =>
        bookings.setVisit(caller, call.params.bookingId, call.body),
      ),
  });
}
