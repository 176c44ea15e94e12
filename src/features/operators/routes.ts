import { manageRoutes, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import type { SystemCredentials } from './credentials.ts';
import type { Operators } from './operators.ts';
import {
  Credentials,
  NewCredentials,
  NewOperator,
  Operator,
  OperatorChange,
  OperatorQuery,
  System,
  SystemChange,
  Systems,
  systemPath,
} from './schema.ts';
import type { OperatorServices } from './service.ts';
import type { Systems as SystemService } from './systems.ts';

export function operatorServiceRoutes(app: App, services: OperatorServices): void {
  operatorRoutes(app, services.operators);
  systemRoutes(app, services.systems);
  credentialRoutes(app, services.credentials);
}

function operatorRoutes(app: App, operators: Operators): void {
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

const SYSTEMS = '/manage/operators/:operatorId/systems';
const UNKNOWN: ProblemCode[] = ['OPRTR-N-001', 'HTTP-N-404'];

function systemRoutes(app: App, systems: SystemService): void {
  const routes = manageRoutes(app, 'Manage: platform');

  routes.list(SYSTEMS, {
    access: 'manage:staff',
    operationId: 'listOperatorSystems',
    summary: 'List the systems of an operator',
    description: 'The table management systems that its venues can be kept in.',
    params: operatorPath,
    result: Systems,
    example: { data: [systemExample] },
    problems: ['OPRTR-N-001'],
    run: ({ params }) => systems.list(params.operatorId),
  });

  routes.get(`${SYSTEMS}/:tms`, {
    access: 'manage:staff',
    operationId: 'getOperatorSystem',
    summary: 'Read one system of an operator',
    description: 'What is known of the operator there, without credentials.',
    params: systemPath,
    result: System,
    example: systemExample,
    problems: UNKNOWN,
    run: ({ params }) => systems.get(params),
  });

  routes.put(`${SYSTEMS}/:tms`, {
    access: 'manage:platform',
    operationId: 'saveOperatorSystem',
    summary: 'Have an operator use a system',
    description:
      'Adds the system, or replaces its settings. It must be one that this service is connected with.',
    params: systemPath,
    body: SystemChange,
    result: System,
    example: systemExample,
    problems: ['OPRTR-N-001', 'OPRTR-N-006'],
    run: ({ actor, params, body, ifMatch }) => systems.save(actor, params, body, ifMatch),
  });

  routes.remove(`${SYSTEMS}/:tms`, {
    access: 'manage:platform',
    operationId: 'deleteOperatorSystem',
    summary: 'Take a system away from an operator',
    description: 'Only one that no venue is kept in. Its credentials go with it.',
    params: systemPath,
    problems: [...UNKNOWN, 'OPRTR-N-005'],
    run: ({ actor, params, ifMatch }) => systems.remove(actor, params, ifMatch),
  });
}

const CREDENTIALS = `${SYSTEMS}/:tms/credentials`;
const COMMON: ProblemCode[] = [...UNKNOWN, 'SBOX-N-001'];

/** The sandbox has no systems but its own, so there all of this is closed. */
function credentialRoutes(app: App, credentials: SystemCredentials): void {
  const routes = manageRoutes(app, 'Manage: platform');
  const common = {
    access: 'manage:platform',
    params: systemPath,
    assertOpen: credentials.assertOpen,
  } as const;

  routes.get(CREDENTIALS, {
    ...common,
    operationId: 'getSystemCredentials',
    summary: 'See which credentials are stored',
    description: 'Which fields, and since when. The values are not shown to anybody.',
    result: Credentials,
    example: credentialsExample,
    problems: [...COMMON, 'OPRTR-N-008'],
    run: ({ params }) => credentials.get(params),
  });

  routes.create(CREDENTIALS, {
    ...common,
    operationId: 'createSystemCredentials',
    summary: 'Store credentials',
    description:
      'What the system lets the operator in with. The system is asked whether it does, where it can be asked; they ' +
      'are kept encrypted.',
    body: NewCredentials,
    result: Credentials,
    example: credentialsExample,
    problems: [...COMMON, 'OPRTR-N-007', 'OPRTR-N-009', 'BOOK-R-001', 'BOOK-R-002'],
    run: ({ actor, params, body }) => credentials.create(actor, params, body),
  });

  routes.put(CREDENTIALS, {
    ...common,
    operationId: 'replaceSystemCredentials',
    summary: 'Replace credentials',
    description: 'All fields at once; the new ones are checked like the first.',
    body: NewCredentials,
    result: Credentials,
    example: credentialsExample,
    problems: [...COMMON, 'OPRTR-N-008', 'OPRTR-N-009', 'BOOK-R-001', 'BOOK-R-002'],
    run: ({ actor, params, body, ifMatch }) => credentials.replace(actor, params, body, ifMatch),
  });

  routes.remove(CREDENTIALS, {
    ...common,
    operationId: 'deleteSystemCredentials',
    summary: 'Delete credentials',
    description: 'The system is then used without any.',
    problems: [...COMMON, 'OPRTR-N-008'],
    run: ({ actor, params, ifMatch }) => credentials.remove(actor, params, ifMatch),
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

const systemExample: System = {
  tms: 'house',
  kind: 'built-in',
  capability: 'table_reservation',
  settings: {},
  hasCredentials: false,
};

const credentialsExample: Credentials = {
  tms: 'tablebook',
  version: 1,
  fieldNames: ['apiKey', 'restaurantGroup'],
  createdAt: '2026-11-02T09:20:41.003Z',
  updatedAt: '2026-11-02T09:20:41.003Z',
};
