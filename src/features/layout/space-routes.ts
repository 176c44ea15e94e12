import { Type } from 'typebox';
import { type ManageRoutes, manageRoutes, venueId, venuePath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import { listOf } from './schema.ts';
import {
  ManagedSpace,
  managedSpaceExample,
  overrideId,
  SpaceInput,
  SpendOverride,
  SpendOverrideInput,
  spaceId,
  spendOverrideExample,
} from './space-schema.ts';
import type { Spaces } from './spaces.ts';
import type { SpendOverrides } from './spend-overrides.ts';

const spacePath = Type.Object({ venueId, spaceId });
const overridePath = Type.Object({ venueId, spaceId, overrideId });

const NO_SPACE: ProblemCode[] = ['VENUE-N-001', 'VENUE-N-004'];
const NO_OVERRIDE: ProblemCode[] = [...NO_SPACE, 'HTTP-N-404'];
/** What is wrong with a space in itself. */
const UNFIT_SPACE: ProblemCode[] = ['VENUE-N-003', 'VENUE-N-006', 'VENUE-N-007', 'VENUE-N-008'];
const UNFIT_OVERRIDE: ProblemCode[] = ['VENUE-N-006', 'VENUE-N-007'];

export interface SpaceRoutesDeps {
  spaces: Spaces;
  overrides: SpendOverrides;
}

export function spaceRoutes(app: App, { spaces, overrides }: SpaceRoutesDeps): void {
  const routes = manageRoutes(app, 'Manage: layout');
  addSpaces(routes, spaces);
  addOverrides(routes, overrides);
}

function addSpaces(routes: ManageRoutes, spaces: Spaces): void {
  const url = '/manage/venues/:venueId/spaces';
  const spaceUrl = `${url}/:spaceId`;
  const result = ManagedSpace;
  const example = managedSpaceExample;

  routes.list(url, {
    access: 'manage:staff',
    operationId: 'listSpaces',
    summary: 'List the spaces of a venue',
    description: 'All of them, in the order in which partners see them.',
    params: venuePath,
    problems: ['VENUE-N-001'],
    result: listOf(result),
    example: { data: [example] },
    run: async ({ params }) => ({ data: await spaces.list(params.venueId) }),
  });

  routes.get(spaceUrl, {
    access: 'manage:staff',
    operationId: 'getSpace',
    summary: 'Read a space',
    description:
      'A room or area of the venue that can be booked as such. What is spent at least on single dates is at `minimum-spend-overrides` below it.',
    params: spacePath,
    problems: NO_SPACE,
    result,
    example,
    run: ({ params }) => spaces.get(params.venueId, params.spaceId),
  });

  routes.create(url, {
    access: 'manage:manager',
    operationId: 'createSpace',
    summary: 'Make a space',
    description: 'As the last of the venue’s. Partners see it once a product offers it.',
    params: venuePath,
    body: SpaceInput,
    problems: ['VALID-N-001', 'VENUE-N-001', ...UNFIT_SPACE],
    result,
    example,
    run: (call) => spaces.create(call, call.params.venueId, call.body),
  });

  routes.put(spaceUrl, {
    access: 'manage:manager',
    operationId: 'replaceSpace',
    summary: 'Change a space',
    description:
      'The whole of it; what is left out is empty afterwards. Bookings stay where they are. A space that a product offers keeps a zone.',
    params: spacePath,
    body: SpaceInput,
    problems: ['VALID-N-001', ...NO_SPACE, 'VENUE-N-005', ...UNFIT_SPACE],
    result,
    example,
    run: (call) => spaces.replace(call, call.params.venueId, call.params.spaceId, call.body),
  });

  routes.remove(spaceUrl, {
    access: 'manage:manager',
    operationId: 'deleteSpace',
    summary: 'Remove a space',
    description:
      'With its minimum-spend overrides. Refused while a product offers it or an availability rule names it, and where it has bookings, also past ones.',
    params: spacePath,
    problems: ['VALID-N-001', ...NO_SPACE],
    run: (call) => spaces.remove(call, call.params.venueId, call.params.spaceId),
  });
}

function addOverrides(routes: ManageRoutes, overrides: SpendOverrides): void {
  const url = '/manage/venues/:venueId/spaces/:spaceId/minimum-spend-overrides';
  const overrideUrl = `${url}/:overrideId`;
  const result = SpendOverride;
  const example = spendOverrideExample;

  routes.list(url, {
    access: 'manage:staff',
    operationId: 'listMinimumSpendOverrides',
    summary: 'List the minimum-spend overrides of a space',
    description: 'All of them, in the order of their beginning, past ones too.',
    params: spacePath,
    problems: NO_SPACE,
    result: listOf(result),
    example: { data: [example] },
    run: async ({ params }) => ({ data: await overrides.list(params) }),
  });

  routes.get(overrideUrl, {
    access: 'manage:staff',
    operationId: 'getMinimumSpendOverride',
    summary: 'Read a minimum-spend override',
    description: 'What is spent at least on these trading days, in place of the weekly bands that it meets.',
    params: overridePath,
    problems: NO_OVERRIDE,
    result,
    example,
    run: ({ params }) => overrides.get(params, params.overrideId),
  });

  routes.create(url, {
    access: 'manage:manager',
    operationId: 'createMinimumSpendOverride',
    summary: 'Set what is spent at least on single dates',
    description:
      'Between these times of these trading days the amount replaces the weekly bands; 0 means no minimum spend. A weekly band still counts for a stay that also has time in it outside the override. Two overrides of a space never hold at the same time.',
    params: spacePath,
    body: SpendOverrideInput,
    problems: ['VALID-N-001', ...NO_SPACE, ...UNFIT_OVERRIDE],
    result,
    example,
    run: (call) => overrides.create(call, call.params, call.body),
  });

  routes.put(overrideUrl, {
    access: 'manage:manager',
    operationId: 'replaceMinimumSpendOverride',
    summary: 'Change a minimum-spend override',
    description:
      'The body replaces all of it. For existing bookings, the amount at the time of payment counts.',
    params: overridePath,
    body: SpendOverrideInput,
    problems: ['VALID-N-001', ...NO_OVERRIDE, ...UNFIT_OVERRIDE],
    result,
    example,
    run: (call) => overrides.replace(call, call.params, call.params.overrideId, call.body),
  });

  routes.remove(overrideUrl, {
    access: 'manage:manager',
    operationId: 'deleteMinimumSpendOverride',
    summary: 'Remove a minimum-spend override',
    description: 'The weekly bands hold again.',
    params: overridePath,
    problems: NO_OVERRIDE,
    run: (call) => overrides.remove(call, call.params, call.params.overrideId),
  });
}
