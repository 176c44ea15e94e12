import { DryRunQuery, manageRoutes, venuePath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import { Closure, ClosureBody, ClosurePath, ClosurePreview, ClosureQuery, closureExample } from './schema.ts';
import type { Closures } from './service.ts';

const ALL = '/manage/venues/:venueId/closures';
const ONE = `${ALL}/:closureId`;
const VENUE: readonly ProblemCode[] = ['VALID-N-001', 'VENUE-N-001'];

export function closureRoutes(app: App, closures: Closures): void {
  const routes = manageRoutes(app, 'Manage: closures');

  routes.list(ALL, {
    access: 'manage:staff',
    operationId: 'listClosures',
    summary: 'List the closures of a venue',
    description: 'In the order of their beginning.',
    params: venuePath,
    query: ClosureQuery,
    problems: VENUE,
    result: Page(Closure),
    example: pageOf([closureExample], 1, { pageNumber: 1, pageSize: 20 }),
    run: ({ params, query }) => closures.list(params.venueId, query),
  });

  routes.get(ONE, {
    access: 'manage:staff',
    operationId: 'getClosure',
    summary: 'Read a closure',
    description: 'With how far its bookings are cancelled.',
    params: ClosurePath,
    problems: [...VENUE, 'HTTP-N-404'],
    result: Closure,
    example: closureExample,
    run: ({ params }) => closures.get(params.venueId, params.closureId),
  });

  routes.begin(ALL, {
    access: 'manage:manager',
    operationId: 'createClosure',
    summary: 'Close a venue for a time',
    description:
      'All of it or some of its products; with dates for whole trading days, with local times for part of a day. From then on no stay that reaches into it is offered, booked or accepted (`AVAIL-N-004`), on whichever system. With `bookings: "cancel"` the bookings inside are cancelled in the background, everything paid is refunded, and enquiries are rejected; visits that have begun go on. Sent again, it answers with the closure that stands. A dry run answers with what it would do.',
    params: venuePath,
    query: DryRunQuery,
    body: ClosureBody,
    problems: VENUE,
    result: Closure,
    example: closureExample,
    preview: ClosurePreview,
    run: (call) => closures.create(call, call.params.venueId, call.body),
    runPreview: (call) => closures.preview(call, call.params.venueId, call.body),
  });

  routes.remove(ONE, {
    access: 'manage:manager',
    operationId: 'deleteClosure',
    summary: 'Open again',
    description:
      'From then on it can be booked as before. Bookings that are cancelled stay so; what is still to be cancelled is left alone.',
    params: ClosurePath,
    problems: [...VENUE, 'HTTP-N-404'],
    run: (call) => closures.remove(call, call.params.venueId, call.params.closureId),
  });
}
