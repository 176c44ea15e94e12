import { manageRoutes, NoBody, venuePath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import type { ManagedWaitlist } from './managed.ts';
import { WAITING } from './routes.ts';
import {
  EntryQuery,
  HouseEntryBody,
  ManagedEntry,
  ManagedEntryPath,
  managedEntryExample,
  OfferBody,
  OrderBody,
} from './schema.ts';

const ALL = '/manage/venues/:venueId/waitlist';
const ONE = `${ALL}/:entryId`;
const ENTRY: readonly ProblemCode[] = ['OPRTR-N-002', 'WAIT-N-001'];
/** What a booking rule, the system or the hold can answer when a place is to be had now. */
const PLACING: readonly ProblemCode[] = [
  ...WAITING,
  ...(['BKRUL-N-001', 'BKRUL-N-002', 'BKRUL-N-005', 'BKRUL-N-006', 'BKRUL-N-100'] as const),
  ...(['BOOK-N-004', 'BOOK-N-005', 'BOOK-N-008', 'BOOK-N-009', 'BOOK-N-011', 'BOOK-N-012'] as const),
  ...(['HOLD-N-004', 'MANDT-N-001', 'PMAP-N-001', 'PMAP-N-002', 'WAIT-N-003'] as const),
];

export function manageWaitlistRoutes(app: App, waitlist: ManagedWaitlist): void {
  const routes = manageRoutes(app, 'Manage: bookings');
  const one = {
    access: 'manage:staff',
    params: ManagedEntryPath,
    result: ManagedEntry,
    example: managedEntryExample,
    problems: ENTRY,
  } as const;
  const waiting: ManagedEntry = { ...managedEntryExample, status: 'waiting', offer: null };

  routes.list(ALL, {
    access: 'manage:staff',
    operationId: 'listVenueWaitlist',
    summary: 'List the waiting list of a venue',
    description: 'Of partners and of the house, by day and in the order in which they get offers.',
    params: venuePath,
    query: EntryQuery,
    problems: ['VENUE-N-001', 'OPRTR-N-002'],
    result: Page(ManagedEntry),
    example: pageOf([managedEntryExample], 1, { pageNumber: 1, pageSize: 20 }),
    run: ({ params, query }) => waitlist.list(params.venueId, query),
  });

  routes.get(ONE, {
    ...one,
    operationId: 'getVenueWaitlistEntry',
    summary: 'Read an entry of the waiting list',
    description: 'With its offer while there is one, and the booking that it has become.',
    run: ({ params }) => waitlist.get(params.venueId, params.entryId),
  });

  routes.create(ALL, {
    ...one,
    params: venuePath,
    problems: ['OPRTR-N-002', ...WAITING],
    example: { ...waiting, partner: null, origin: 'phone' },
    operationId: 'addToWaitlist',
    summary: 'Put a party of the house on the waiting list',
    description:
      'Stands on the list like those of partners. Where it gets a place, the guest gets a mail with a link to take it; without an address, call the guest and use `…/book`.',
    body: HouseEntryBody,
    isRepeatable: true,
    run: ({ actor, params, body, idempotencyKey }) =>
      waitlist.add(actor, params.venueId, { body, idempotencyKey }),
  });

  routes.patch(ONE, {
    ...one,
    problems: [...ENTRY, 'WAIT-N-003'],
    example: waiting,
    operationId: 'orderWaitlist',
    summary: 'Move an entry on the waiting list',
    description:
      'Before another one of its day, or to the end. Entries that come later stand behind all that are there.',
    body: OrderBody,
    run: (call) => waitlist.order(call, call.params.venueId, call.params.entryId, call.body),
  });

  routes.act(`${ONE}/offer`, {
    ...one,
    problems: [...ENTRY, ...PLACING],
    operationId: 'offerToWaiting',
    summary: 'Offer a place to a party now',
    description:
      'The position on the list does not matter. The place is kept for 15 minutes. The guest or the partner is told as with any offer.',
    body: OfferBody,
    run: (call) => waitlist.offer(call, call.params.venueId, call.params.entryId, call.body),
  });

  routes.act(`${ONE}/book`, {
    ...one,
    problems: [...ENTRY, ...PLACING, 'BOOK-N-002', 'BOOK-N-015', 'BOOK-N-016', 'HOLD-N-002'],
    example: {
      ...managedEntryExample,
      status: 'booked',
      offer: null,
      bookingId: managedEntryExample.offer?.holdId ?? null,
    },
    operationId: 'bookFromWaitlist',
    summary: 'Book what is offered to a party',
    description:
      'For a guest who has accepted the offer. An entry of a partner becomes a booking of that partner. A repeated call gives the same answer.',
    body: NoBody,
    run: (call) => waitlist.book(call, call.params.venueId, call.params.entryId),
  });

  routes.remove(ONE, {
    access: 'manage:staff',
    params: ManagedEntryPath,
    problems: ENTRY,
    operationId: 'removeFromWaitlist',
    summary: 'Take a party off the waiting list',
    description: 'A place that is kept for it is released. What has become a booking stays one.',
    run: (call) => waitlist.remove(call, call.params.venueId, call.params.entryId),
  });
}
