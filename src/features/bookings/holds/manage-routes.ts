import { Type } from 'typebox';
import { manageRoutes, operatorPath } from '../../../http/manage-route.ts';
import type { App } from '../../../http/route.ts';
import { Page, pageOf, pageQuery } from '../../../http/validation/paging.ts';
import { oneOf } from '../../../http/validation/schema-helpers.ts';
import type { ManagedHolds } from './managed.ts';
import { HOLD_STATUSES } from './record.ts';
import { HoldPath, ManagedHold, managedHoldExample } from './schema.ts';

const ALL = '/manage/operators/:operatorId/holds';

const ManagedHoldQuery = Type.Object({
  ...pageQuery,
  venueId: Type.Optional(Type.String({ description: 'Only of this venue' })),
  status: Type.Optional(
    oneOf(HOLD_STATUSES, { default: 'open', description: 'Only these; `open` when absent' }),
  ),
});

export function manageHoldRoutes(app: App, managed: ManagedHolds): void {
  const routes = manageRoutes(app, 'Manage: bookings');

  routes.list(ALL, {
    access: 'manage:staff',
    operationId: 'listManagedHolds',
    summary: 'List the places that partners hold at your venues',
    description: 'Those first that end first. A hold can be read for seven days after it has ended.',
    params: operatorPath,
    query: ManagedHoldQuery,
    result: Page(ManagedHold),
    example: pageOf([managedHoldExample], 1, { pageNumber: 1, pageSize: 20 }),
    problems: ['VENUE-N-009'],
    run: ({ params, query }) => managed.list(params.operatorId, query),
  });

  routes.remove(`${ALL}/:holdId`, {
    access: 'manage:staff',
    operationId: 'releaseManagedHold',
    summary: 'End a hold of a partner',
    description:
      'The place is free at once, and the partner can no longer book it with this hold. Done again, or once it has expired, it answers the same.',
    params: Type.Object({ ...operatorPath.properties, ...HoldPath.properties }),
    problems: ['HOLD-N-001', 'HOLD-N-002', 'BOOK-N-003', 'BOOK-N-009', 'BOOK-R-001', 'BOOK-R-002'],
    run: ({ actor, params }) => managed.release(actor, params.operatorId, params.holdId),
  });
}
