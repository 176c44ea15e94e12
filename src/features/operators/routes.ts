import { manageRoutes, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import type { Operators } from './operators.ts';
import { NewOperator, Operator, OperatorChange, OperatorQuery, PaymentAccount } from './schema.ts';

export function operatorRoutes(app: App, operators: Operators): void {
  const routes = manageRoutes(app, 'Manage: platform');

  routes.list('/manage/operators', {
    access: 'manage:platform',
    operationId: 'listOperators',
    summary: 'List operators',
    description: 'All operators, by name.',
    query: OperatorQuery,
    result: Page(Operator),
    example: pageOf([operatorExample], 1, { pageNumber: 1, pageSize: 20 }),
    run: ({ query }) => operators.list(query),
  });

  routes.create('/manage/operators', {
    access: 'manage:platform',
    operationId: 'createOperator',
    summary: 'Add an operator',
    description: 'It has the two systems that are built in, `house` and `tickets`, and no venue yet.',
    body: NewOperator,
    result: Operator,
    example: operatorExample,
    problems: ['OPRTR-N-004', 'OPRTR-N-006'],
    run: ({ actor, body }) => operators.create(actor, body),
  });

  routes.get('/manage/operators/:operatorId', {
    access: 'manage:staff',
    operationId: 'getOperator',
    summary: 'Read an operator',
    description: 'Its name and its settings.',
    params: operatorPath,
    result: Operator,
    example: operatorExample,
    problems: ['OPRTR-N-001'],
    run: ({ params }) => operators.get(params.operatorId),
  });

  routes.put('/manage/operators/:operatorId', {
    access: 'manage:platform',
    operationId: 'replaceOperator',
    summary: 'Change an operator',
    description: 'Its name and all of its settings; those that are left out are cleared.',
    params: operatorPath,
    body: OperatorChange,
    result: Operator,
    example: operatorExample,
    problems: ['OPRTR-N-001', 'OPRTR-N-004', 'OPRTR-N-006'],
    run: ({ actor, params, body, ifMatch }) => operators.change(actor, params.operatorId, body, ifMatch),
  });

  const ACCOUNT = '/manage/operators/:operatorId/payment-account';

  routes.get(ACCOUNT, {
    access: 'manage:owner',
    operationId: 'getPaymentAccount',
    summary: 'Read where payments go',
    description: 'The account of the operator at the payment provider.',
    params: operatorPath,
    result: PaymentAccount,
    example: { account: 'acct_1PgSHuB7WZ01zgkW' },
    run: ({ params }) => operators.getPaymentAccount(params.operatorId),
  });

  routes.put(ACCOUNT, {
    access: 'manage:owner',
    operationId: 'setPaymentAccount',
    summary: 'Set where payments go',
    description:
      'Payments that begin from now on go to this account; refunds come from the account that their payment went to.',
    params: operatorPath,
    body: PaymentAccount,
    result: PaymentAccount,
    example: { account: 'acct_1PgSHuB7WZ01zgkW' },
    run: ({ actor, params, body, ifMatch }) =>
      operators.setPaymentAccount(actor, params.operatorId, body, ifMatch),
  });

  routes.remove('/manage/operators/:operatorId', {
    access: 'manage:platform',
    operationId: 'deleteOperator',
    summary: 'Delete an operator',
    description:
      'Only one without venues, bookings and users. Its systems, sources, categories, rules and clients go with it.',
    params: operatorPath,
    problems: ['OPRTR-N-001', 'OPRTR-N-005'],
    run: ({ actor, params, ifMatch }) => operators.remove(actor, params.operatorId, ifMatch),
  });
}

const operatorExample: Operator = {
  id: 1,
  name: 'Lamplight Group',
  settings: {
    contactEmail: 'office@lamplight.example',
    bookingReplyTo: 'reservations@lamplight.example',
    defaultTimeZone: 'Europe/London',
  },
  createdAt: '2026-11-02T09:14:07.512Z',
};
