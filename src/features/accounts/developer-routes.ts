import { Type } from 'typebox';
import { manageRoutes } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { partnerId } from '../../http/validation/manage-fields.ts';
import { Page, pageOf, pageQuery } from '../../http/validation/paging.ts';
import { inviteId, SENDING } from './invite-routes.ts';
import { userId } from './routes.ts';
import {
  Invite,
  PartnerInviteBody,
  PartnerMember,
  partnerInviteExample,
  partnerMemberExample,
} from './schema.ts';
import type { Accounts } from './service.ts';

const TAG = 'Manage: partners';
const PEOPLE = '/manage/partners/:partnerId/users';
const INVITES = '/manage/partners/:partnerId/invites';
const access = 'manage:developer';

const PartnerPath = Type.Object({ partnerId });
const DeveloperPath = Type.Object({ partnerId, userId });
const InvitePath = Type.Object({ partnerId, inviteId });
const PageQuery = Type.Object(pageQuery);
const firstPage = { pageNumber: 1, pageSize: 20 };

/** The people who work for a partner. */
export function developerRoutes(app: App, accounts: Accounts): void {
  const routes = manageRoutes(app, TAG);
  routes.list(PEOPLE, {
    access,
    operationId: 'listDevelopers',
    summary: 'Who works for a partner',
    description: 'In the order of their addresses. What they do for others is not shown.',
    params: PartnerPath,
    query: PageQuery,
    result: Page(PartnerMember),
    example: pageOf([partnerMemberExample], 1, firstPage),
    run: ({ params, query }) => accounts.listDevelopers(params.partnerId, query),
  });
  routes.get(`${PEOPLE}/:userId`, {
    access,
    operationId: 'getDeveloper',
    summary: 'One of those who work for a partner',
    description: 'With the role at this partner.',
    params: DeveloperPath,
    result: PartnerMember,
    example: partnerMemberExample,
    problems: ['USER-N-002'],
    run: ({ params }) => accounts.getDeveloper(params.partnerId, params.userId),
  });
  routes.remove(`${PEOPLE}/:userId`, {
    access,
    operationId: 'removeDeveloper',
    summary: 'Take a developer’s role away',
    description: 'The account stays. Takes effect with the next call. The platform can always invite others.',
    params: DeveloperPath,
    problems: ['USER-N-002'],
    run: ({ actor, params, ifMatch }) => accounts.removeDeveloper(actor, params, ifMatch),
  });
}

/** Invites of one partner. */
export function partnerInviteRoutes(app: App, accounts: Accounts): void {
  const routes = manageRoutes(app, TAG);
  routes.list(INVITES, {
    access,
    operationId: 'listPartnerInvites',
    summary: 'Who was invited to work for a partner',
    description: 'The latest first, for a month after they have ended.',
    params: PartnerPath,
    query: PageQuery,
    result: Page(Invite),
    example: pageOf([partnerInviteExample], 1, firstPage),
    run: ({ params, query }) => accounts.listInvites(params, query),
  });
  routes.create(INVITES, {
    access,
    operationId: 'createPartnerInvite',
    summary: 'Invite a developer to a partner',
    description: SENDING,
    params: PartnerPath,
    body: PartnerInviteBody,
    result: Invite,
    example: partnerInviteExample,
    problems: ['USER-N-001', 'USER-N-008', 'USER-N-011'],
    run: ({ actor, params, body }) => accounts.inviteToPartner(actor, params.partnerId, body),
  });
  routes.get(`${INVITES}/:inviteId`, {
    access,
    operationId: 'getPartnerInvite',
    summary: 'One invite to a partner',
    description: 'Of this partner.',
    params: InvitePath,
    result: Invite,
    example: partnerInviteExample,
    problems: ['USER-N-004'],
    run: ({ params: { inviteId: id, ...place } }) => accounts.getInvite(place, id),
  });
  routes.remove(`${INVITES}/:inviteId`, {
    access,
    operationId: 'withdrawPartnerInvite',
    summary: 'Withdraw an invite to a partner',
    description: 'Its token stops working. One that was accepted cannot be withdrawn.',
    params: InvitePath,
    problems: ['USER-N-004', 'USER-N-005'],
    run: ({ actor, params: { inviteId: id, ...place }, ifMatch }) =>
      accounts.withdraw(actor, { place, id }, ifMatch),
  });
}
