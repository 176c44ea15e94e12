import { Type } from 'typebox';
import { manageRoutes, operatorId, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf, pageQuery } from '../../http/validation/paging.ts';
import { Member, memberExample, NewUserBody, RoleBody, User, UserBody, userExample } from './schema.ts';
import type { Accounts } from './service.ts';

export const userId = Type.String({
  format: 'uuid',
  description: 'Id of the user',
  examples: ['019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1'],
});
const UserPath = Type.Object({ userId });
const MemberPath = Type.Object({ operatorId, userId });
const UserQuery = Type.Object({
  ...pageQuery,
  email: Type.Optional(
    Type.String({ maxLength: 254, description: 'Only those whose address contains this, in any case' }),
  ),
});
const MemberQuery = Type.Object(pageQuery);
const firstPage = { pageNumber: 1, pageSize: 20 };

/** Accounts, as the platform sees them. */
export function userRoutes(app: App, accounts: Accounts): void {
  const routes = manageRoutes(app, 'Manage: users');
  routes.list('/manage/users', {
    access: 'manage:platform',
    operationId: 'listUsers',
    summary: 'All users',
    description: 'In the order of their addresses.',
    query: UserQuery,
    result: Page(User),
    example: pageOf([userExample], 1, firstPage),
    run: ({ query }) => accounts.listUsers(query),
  });
  routes.create('/manage/users', {
    access: 'manage:platform',
    operationId: 'createUser',
    summary: 'Create a user',
    description:
      'With a password that you have chosen. The user can sign in once the address is confirmed with the token that is mailed to it; an invite does both in one step.',
    body: NewUserBody,
    result: User,
    example: { ...userExample, isVerified: false },
    problems: ['USER-N-001', 'USER-N-007', 'USER-N-008', 'USER-N-011', 'USER-N-012'],
    run: ({ actor, body }) => accounts.createUser(actor, body),
  });
  routes.get('/manage/users/:userId', {
    access: 'manage:platform',
    operationId: 'getUser',
    summary: 'One user',
    description: 'With the roles at all operators.',
    params: UserPath,
    result: User,
    example: userExample,
    problems: ['USER-N-002'],
    run: ({ params }) => accounts.getUser(params.userId),
  });
  routes.put('/manage/users/:userId', {
    access: 'manage:platform',
    operationId: 'changeUser',
    summary: 'Change a user',
    description:
      'Switching a user off ends all sessions at once. So does another address, which has to be confirmed before the user can sign in again: a mail is sent there.',
    params: UserPath,
    body: UserBody,
    result: User,
    example: userExample,
    problems: ['USER-N-001', 'USER-N-002', 'USER-N-011'],
    run: ({ actor, params, body, ifMatch }) => accounts.changeUser(actor, params.userId, body, ifMatch),
  });
  routes.remove('/manage/users/:userId', {
    access: 'manage:platform',
    operationId: 'removeUser',
    summary: 'Delete a user',
    description: 'With all roles and sessions. What the user has done stays in the audit log.',
    params: UserPath,
    problems: ['USER-N-002'],
    run: ({ actor, params, ifMatch }) => accounts.removeUser(actor, params.userId, ifMatch),
  });
}

/** The people who work for an operator. */
export function memberRoutes(app: App, accounts: Accounts): void {
  const routes = manageRoutes(app, 'Manage: users');
  routes.list('/manage/operators/:operatorId/users', {
    access: 'manage:owner',
    operationId: 'listMembers',
    summary: 'Who works for an operator',
    description: 'In the order of their addresses. What they do for other operators is not shown.',
    params: operatorPath,
    query: MemberQuery,
    result: Page(Member),
    example: pageOf([memberExample], 1, firstPage),
    problems: ['OPRTR-N-001', 'OPRTR-N-002'],
    run: ({ params, query }) => accounts.listMembers(params.operatorId, query),
  });
  routes.get('/manage/operators/:operatorId/users/:userId', {
    access: 'manage:owner',
    operationId: 'getMember',
    summary: 'One of those who work for an operator',
    description: 'With the role at this operator.',
    params: MemberPath,
    result: Member,
    example: memberExample,
    problems: ['OPRTR-N-002', 'USER-N-002'],
    run: ({ params }) => accounts.getMember(params.operatorId, params.userId),
  });
  routes.put('/manage/operators/:operatorId/users/:userId', {
    access: 'manage:owner',
    operationId: 'changeMember',
    summary: 'Change the role of a user',
    description:
      'Takes effect with the next call. The last owner keeps the role while others work there. Owners can change the roles of users who work there already, and invite others. The platform can give a role to any user.',
    params: MemberPath,
    body: RoleBody,
    result: Member,
    example: memberExample,
    problems: ['OPRTR-N-001', 'OPRTR-N-002', 'USER-N-002', 'USER-N-008'],
    run: ({ actor, params, body, ifMatch }) => accounts.setRole(actor, { ...params, ...body }, ifMatch),
  });
  routes.remove('/manage/operators/:operatorId/users/:userId', {
    access: 'manage:owner',
    operationId: 'removeMember',
    summary: 'Remove the role of a user',
    description: 'The account stays. The last owner cannot leave while others work there.',
    params: MemberPath,
    problems: ['OPRTR-N-002', 'USER-N-002', 'USER-N-008'],
    run: ({ actor, params, ifMatch }) => accounts.removeMember(actor, params, ifMatch),
  });
}
