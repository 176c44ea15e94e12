import { Type } from 'typebox';
import { manageRoutes, operatorId, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf, pageQuery } from '../../http/validation/paging.ts';
import { Invite, inviteExample, OperatorInviteBody, PlatformInviteBody } from './schema.ts';
import type { Accounts } from './service.ts';

export const inviteId = Type.String({
  format: 'uuid',
  description: 'Id of the invite',
  examples: ['019a8a12-07f3-7a55-8c39-6f0c1d2e9b44'],
});
const InvitePath = Type.Object({ inviteId });
const OperatorInvitePath = Type.Object({ operatorId, inviteId });
const InviteQuery = Type.Object(pageQuery);
const pageExample = pageOf([inviteExample], 1, { pageNumber: 1, pageSize: 20 });

export const SENDING =
  'Sends a mail with a token that lasts seven days. An open invite to the same address is replaced, so this is also how to send one again.';

/** Invites of one operator. */
export function operatorInviteRoutes(app: App, accounts: Accounts): void {
  const routes = manageRoutes(app, 'Manage: users');
  routes.list('/manage/operators/:operatorId/invites', {
    access: 'manage:owner',
    operationId: 'listOperatorInvites',
    summary: 'Who was invited to work for an operator',
    description: 'The latest first, for a month after they have ended.',
    params: operatorPath,
    query: InviteQuery,
    result: Page(Invite),
    example: pageExample,
    problems: ['OPRTR-N-001', 'OPRTR-N-002'],
    run: ({ params, query }) => accounts.listInvites(params, query),
  });
  routes.create('/manage/operators/:operatorId/invites', {
    access: 'manage:owner',
    operationId: 'createOperatorInvite',
    summary: 'Invite a person to work for an operator',
    description: SENDING,
    params: operatorPath,
    body: OperatorInviteBody,
    result: Invite,
    example: inviteExample,
    problems: ['OPRTR-N-001', 'OPRTR-N-002', 'USER-N-001', 'USER-N-008', 'USER-N-011'],
    run: ({ actor, params, body }) => accounts.inviteTo(actor, params.operatorId, body),
  });
  routes.get('/manage/operators/:operatorId/invites/:inviteId', {
    access: 'manage:owner',
    operationId: 'getOperatorInvite',
    summary: 'One invite',
    description: 'Of this operator.',
    params: OperatorInvitePath,
    result: Invite,
    example: inviteExample,
    problems: ['OPRTR-N-002', 'USER-N-004'],
    run: ({ params: { inviteId: id, ...place } }) => accounts.getInvite(place, id),
  });
  routes.remove('/manage/operators/:operatorId/invites/:inviteId', {
    access: 'manage:owner',
    operationId: 'withdrawOperatorInvite',
    summary: 'Withdraw an invite',
    description: 'Its token stops working. One that was accepted cannot be withdrawn.',
    params: OperatorInvitePath,
    problems: ['OPRTR-N-002', 'USER-N-004', 'USER-N-005'],
    run: ({ actor, params: { inviteId: id, ...place }, ifMatch }) =>
      accounts.withdraw(actor, { place, id }, ifMatch),
  });
}

/** Invites of all operators and partners, and those to run the platform. */
export function platformInviteRoutes(app: App, accounts: Accounts): void {
  const routes = manageRoutes(app, 'Manage: users');
  routes.list('/manage/invites', {
    access: 'manage:platform',
    operationId: 'listInvites',
    summary: 'List all invites',
    description: 'The latest first, for a month after they have ended.',
    query: InviteQuery,
    result: Page(Invite),
    example: pageExample,
    run: ({ query }) => accounts.listInvites(undefined, query),
  });
  routes.create('/manage/invites', {
    access: 'manage:platform',
    operationId: 'createInvite',
    summary: 'Invite a person',
    description: `To an operator or a partner with a role, to run the platform, or both. ${SENDING}`,
    body: PlatformInviteBody,
    result: Invite,
    example: inviteExample,
    problems: ['PMAP-N-004', 'USER-N-001', 'USER-N-007', 'USER-N-008', 'USER-N-011'],
    run: ({ actor, body }) => accounts.invite(actor, body),
  });
  routes.get('/manage/invites/:inviteId', {
    access: 'manage:platform',
    operationId: 'getInvite',
    summary: 'Any invite',
    description: 'Of any operator or partner, or of the platform.',
    params: InvitePath,
    result: Invite,
    example: inviteExample,
    problems: ['USER-N-004'],
    run: ({ params }) => accounts.getInvite(undefined, params.inviteId),
  });
  routes.remove('/manage/invites/:inviteId', {
    access: 'manage:platform',
    operationId: 'withdrawInvite',
    summary: 'Withdraw any invite',
    description: 'Its token stops working. One that was accepted cannot be withdrawn.',
    params: InvitePath,
    problems: ['USER-N-004', 'USER-N-005'],
    run: ({ actor, params, ifMatch }) =>
      accounts.withdraw(actor, { place: undefined, id: params.inviteId }, ifMatch),
  });
}
