import { type Static, Type } from 'typebox';
import { integerId, manageRoutes, operatorId, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { moment } from '../../http/validation/manage-fields.ts';
import { Page, pageOf, pageQuery } from '../../http/validation/paging.ts';
import { instantOf } from '../../kernel/rfc3339.ts';
import { AuditEntry, auditEntryExample } from './schema.ts';
import type { AuditLog } from './service.ts';

const AuditQuery = Type.Object({
  ...pageQuery,
  subject: Type.Optional(Type.String({ description: 'Only what was done with this', maxLength: 300 })),
  actorId: Type.Optional(Type.String({ description: 'Only what this client or user did', maxLength: 100 })),
  kind: Type.Optional(
    Type.String({
      description: 'Only what was done with things of this kind: the first word of `subject`',
      maxLength: 100,
      examples: ['venue'],
    }),
  ),
  from: Type.Optional(moment('Only what was done then or later')),
  to: Type.Optional(moment('Only what was done before then')),
});
const PlatformAuditQuery = Type.Object({
  ...AuditQuery.properties,
  operatorId: Type.Optional(integerId('Only those of this operator, also of one that is gone', 1)),
});
const entryId = Type.String({ description: 'Id of the entry', examples: [auditEntryExample.id] });
const example = pageOf([auditEntryExample], 1, { pageNumber: 1, pageSize: 20 });

const filterOf = ({ subject, actorId, kind, from, to }: Static<typeof AuditQuery>) => ({
  subject,
  actorId,
  kind,
  from: from === undefined ? from : instantOf(from),
  to: to === undefined ? to : instantOf(to),
});

export function auditRoutes(app: App, auditLog: AuditLog): void {
  const routes = manageRoutes(app, 'Manage: audit');

  routes.list('/manage/operators/:operatorId/audit', {
    access: 'manage:manager',
    operationId: 'listOperatorChanges',
    summary: 'See who changed what',
    description:
      'Everything that was changed for this operator under `/manage`, by whomever, the latest first.',
    params: operatorPath,
    query: AuditQuery,
    result: Page(AuditEntry),
    example,
    run: ({ params, query }) => auditLog.list({ ...filterOf(query), operatorId: params.operatorId }, query),
  });

  routes.list('/manage/audit', {
    access: 'manage:platform',
    operationId: 'listChanges',
    summary: 'See who changed what, everywhere',
    description:
      'Everything that was changed under `/manage`, of all operators and of the platform, the latest first.',
    query: PlatformAuditQuery,
    result: Page(AuditEntry),
    example,
    run: ({ query }) => auditLog.list({ ...filterOf(query), operatorId: query.operatorId }, query),
  });

  routes.get('/manage/operators/:operatorId/audit/:entryId', {
    access: 'manage:manager',
    operationId: 'getOperatorChange',
    summary: 'Read one change',
    description: 'With all of what it was before and after, however long.',
    params: Type.Object({ operatorId, entryId }),
    result: AuditEntry,
    example: auditEntryExample,
    problems: ['HTTP-N-404'],
    run: ({ params }) => auditLog.get({ operatorId: params.operatorId }, params.entryId),
  });

  routes.get('/manage/audit/:entryId', {
    access: 'manage:platform',
    operationId: 'getChange',
    summary: 'Read one change of any operator or partner',
    description: 'With all of what it was before and after, however long.',
    params: Type.Object({ entryId }),
    result: AuditEntry,
    example: auditEntryExample,
    problems: ['HTTP-N-404'],
    run: ({ params }) => auditLog.get({}, params.entryId),
  });
}
