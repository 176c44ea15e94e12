import { manageRoutes, venuePath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import {
  Block,
  BlockBody,
  BlockPath,
  BlockQuery,
  BlockWithBookings,
  blockExample,
  blockWithBookingsExample,
} from './schema.ts';
import type { Blocks } from './service.ts';

const ALL = '/manage/venues/:venueId/blocks';
const ONE = `${ALL}/:blockId`;
const VENUE: readonly ProblemCode[] = ['VALID-N-001', 'VENUE-N-001'];

export function blockRoutes(app: App, blocks: Blocks): void {
  const routes = manageRoutes(app, 'Manage: layout');
  const one = {
    access: 'manage:staff',
    params: BlockPath,
    result: BlockWithBookings,
    example: blockWithBookingsExample,
    problems: [...VENUE, 'HTTP-N-404'],
  } as const;

  routes.list(ALL, {
    access: 'manage:staff',
    operationId: 'listBlocks',
    summary: 'List the blocks of a venue',
    description: 'In the order of their beginning. Only for venues on `house`.',
    params: venuePath,
    query: BlockQuery,
    problems: VENUE,
    result: Page(Block),
    example: pageOf([blockExample], 1, { pageNumber: 1, pageSize: 20 }),
    run: ({ params, query }) => blocks.list(params.venueId, query),
  });

  routes.get(ONE, {
    ...one,
    operationId: 'getBlock',
    summary: 'Read a block',
    description: 'With the bookings inside it.',
    run: ({ actor, params }) => blocks.get(actor, params.venueId, params.blockId),
  });

  routes.create(ALL, {
    ...one,
    params: venuePath,
    problems: [...VENUE, 'VENUE-N-003'],
    operationId: 'createBlock',
    summary: 'Block tables for a time',
    description:
      'While the block lasts, neither partners nor staff can book these tables, and no booking can be moved to them. Existing bookings stay, and the answer lists them. They can be changed as long as time, size and table stay the same. Any other change moves the booking to another table, or is refused.',
    body: BlockBody,
    run: (call) => blocks.create(call, call.params.venueId, call.body),
  });

  routes.put(ONE, {
    ...one,
    problems: [...one.problems, 'VENUE-N-003'],
    operationId: 'replaceBlock',
    summary: 'Change a block',
    description: 'All of it, for instance to let it end earlier.',
    body: BlockBody,
    run: (call) => blocks.replace(call, call.params.venueId, call.params.blockId, call.body),
  });

  routes.remove(ONE, {
    access: 'manage:staff',
    params: BlockPath,
    problems: one.problems,
    operationId: 'deleteBlock',
    summary: 'Lift a block',
    description: 'The tables can be had again at once.',
    run: (call) => blocks.remove(call, call.params.venueId, call.params.blockId),
  });
}
