import { Type } from 'typebox';
import { manageRoutes, NoBody, operatorPath } from '../../../http/manage-route.ts';
import type { App } from '../../../http/route.ts';
import { Page, pageOf, pageQuery } from '../../../http/validation/paging.ts';
import type { ProblemCode } from '../../../kernel/problem.ts';
import type { Bookings } from '../service.ts';
import { deskRoutes, doingOf } from './desk-routes.ts';
import { BookingHistory, historyExample } from './history-schema.ts';
import {
  ActualsBody,
  BookingMessage,
  bookingMessageExample,
  ManagedBooking,
  ManagedBookingPath,
  ManagedBookingQuery,
  MessageBody,
  managedBookingExample,
  RejectionBody,
} from './schema.ts';
import type { ManagedBookings } from './service.ts';

const ALL = '/manage/operators/:operatorId/bookings';
const ONE = `${ALL}/:bookingId`;
const FIRST_PAGE = { pageNumber: 1, pageSize: 20 };

const ACCESS: readonly ProblemCode[] = ['BOOK-N-006', 'OPRTR-N-002'];
const CHANGING: readonly ProblemCode[] = [...ACCESS, 'BOOK-N-014'];
/** What the system of a venue can answer. */
const SYSTEM: readonly ProblemCode[] = [
  'BOOK-N-003',
  'BOOK-N-009',
  'BOOK-R-001',
  'BOOK-R-002',
  'EVENT-N-001',
];
const PLACING: readonly ProblemCode[] = [
  ...(['AVAIL-N-004', 'AVAIL-N-005', 'AVAIL-N-006', 'AVAIL-N-007', 'AVAIL-N-008', 'BOOK-N-008'] as const),
  ...(['BOOK-N-011', 'BOOK-N-012', 'EVENT-N-002', 'VENUE-N-002', 'VENUE-N-009'] as const),
];

type Step = 'accept' | 'takeUp' | 'complete' | 'markNoShow' | 'cancel' | 'forgetGuest';

interface StepRoute {
  step: Step;
  operationId: string;
  summary: string;
  description: string;
  problems: readonly ProblemCode[];
  access?: 'manage:owner';
}

/** What is done with a booking without saying more than that it is done, by its address. */
const STEPS: Record<string, StepRoute> = {
  accept: {
    step: 'accept',
    operationId: 'acceptEnquiry',
    summary: 'Accept an enquiry',
    description:
      'A place is taken for it as for any booking, and it is confirmed. Where no place is left, it stays as it was.',
    problems: [...CHANGING, ...SYSTEM, ...PLACING],
  },
  'take-up': {
    step: 'takeUp',
    operationId: 'takeUpEnquiry',
    summary: 'Take up an enquiry',
    description: 'For a member of staff who begins to work on it. It is `in_progress` until it is answered.',
    problems: CHANGING,
  },
  complete: {
    step: 'complete',
    operationId: 'completeBooking',
    summary: 'Say that the guests were there',
    description: 'From the moment at which the visit begins. A day after it this happens by itself.',
    problems: CHANGING,
  },
  'no-show': {
    step: 'markNoShow',
    operationId: 'markNoShow',
    summary: 'Say that the guests did not come',
    description: 'From the moment at which the visit begins.',
    problems: CHANGING,
  },
  cancel: {
    step: 'cancel',
    operationId: 'cancelManagedBooking',
    summary: 'Call a booking off',
    description:
      'The place is given up, and all that was paid goes back: terms and booking rules bind partners, not the venue. Done again, it answers the same.',
    problems: [...CHANGING, ...SYSTEM],
  },
  'forget-guest': {
    step: 'forgetGuest',
    operationId: 'forgetGuest',
    summary: 'Forget a guest',
    description:
      'Names, contacts, notes and messages of this booking are gone for good, here and in the event log. What the booking was stays.',
    problems: ACCESS,
    access: 'manage:owner',
  },
};

export function manageBookingRoutes(app: App, managed: ManagedBookings): void {
  const routes = manageRoutes(app, 'Manage: bookings');
  const booking = { params: ManagedBookingPath, result: ManagedBooking, example: managedBookingExample };

  routes.list(ALL, {
    access: 'manage:staff',
    operationId: 'listManagedBookings',
    summary: 'List the bookings of your venues',
    description: 'Of all partners. All filters given must hold.',
    params: operatorPath,
    query: ManagedBookingQuery,
    result: Page(ManagedBooking),
    example: pageOf([managedBookingExample], 1, FIRST_PAGE),
    run: ({ actor, params, query }) => managed.list(actor, params.operatorId, query),
  });

  routes.get(ONE, {
    ...booking,
    access: 'manage:staff',
    operationId: 'getManagedBooking',
    summary: 'Read one booking',
    description: 'With all that its operator may know.',
    problems: ACCESS,
    run: ({ actor, params }) => managed.get({ ...params, actor }),
  });

  routes.list(`${ONE}/history`, {
    access: 'manage:staff',
    operationId: 'getBookingHistory',
    summary: 'See what happened to a booking',
    description:
      'Who did what and when, with what changed: people and clients of yours, the partner, and what happened by itself. Of a forgotten guest nothing is shown.',
    params: ManagedBookingPath,
    result: BookingHistory,
    example: historyExample,
    problems: ACCESS,
    run: ({ actor, params }) => managed.history({ ...params, actor }),
  });

  for (const [action, { step, access = 'manage:staff', ...route }] of Object.entries(STEPS)) {
    routes.act(`${ONE}/${action}`, {
      ...booking,
      ...route,
      access,
      body: NoBody,
      run: (call) =>
        managed.act(doingOf(call, action), (bookings: Bookings, caller) =>
          bookings[step](caller, call.params.bookingId),
        ),
    });
  }

  routes.act(`${ONE}/reject`, {
    ...booking,
    access: 'manage:staff',
    operationId: 'rejectEnquiry',
    summary: 'Reject an enquiry',
    description: 'Whatever was paid for it goes back. A message, if you send one, tells the partner why.',
    body: RejectionBody,
    problems: CHANGING,
    run: (call) =>
      managed.act(doingOf(call, 'reject'), (bookings, caller) =>
        bookings.reject(caller, call.params.bookingId, call.body?.message ?? undefined),
      ),
  });

  routes.put(`${ONE}/actuals`, {
    ...booking,
    access: 'manage:staff',
    operationId: 'recordActuals',
    summary: 'Say how many came and what they spent',
    description: 'From the moment at which the visit begins. The status of the booking stays what it is.',
    body: ActualsBody,
    problems: CHANGING,
    run: (call) =>
      managed.act(doingOf(call, 'actuals'), (bookings, caller) =>
        bookings.recordActuals(caller, call.params.bookingId, call.body),
      ),
  });

  deskRoutes(app, managed);
  messageRoutes(app, managed);
}

function messageRoutes(app: App, managed: ManagedBookings): void {
  const routes = manageRoutes(app, 'Manage: bookings');

  routes.list(`${ONE}/messages`, {
    access: 'manage:staff',
    operationId: 'listBookingMessages',
    summary: 'Read what the partner was told about a booking',
    description: 'In the order in which it was sent.',
    params: ManagedBookingPath,
    query: Type.Object(pageQuery),
    result: Page(BookingMessage),
    example: pageOf([bookingMessageExample], 1, FIRST_PAGE),
    problems: ACCESS,
    run: ({ actor, params, query }) => managed.listMessages({ ...params, actor }, query),
  });

  routes.create(`${ONE}/messages`, {
    access: 'manage:staff',
    operationId: 'sendBookingMessage',
    summary: 'Tell the partner something about a booking',
    description: 'The partner gets it as an event `message.received`.',
    params: ManagedBookingPath,
    body: MessageBody,
    result: BookingMessage,
    example: bookingMessageExample,
    problems: [...CHANGING, 'HTTP-N-412'],
    run: (call) => managed.sendMessage(doingOf(call, 'message'), call.body),
  });
}
