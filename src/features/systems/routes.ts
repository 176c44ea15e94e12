import { manageRoutes, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import type { SystemCredentials } from './credentials.ts';
import { systemHealthRoutes } from './health-routes.ts';
import type { OperatorSystems } from './operator-systems.ts';
import type { PlatformSystems } from './platform-systems.ts';
import {
  AccountForm,
  Credentials,
  NewCredentials,
  PlatformSystem,
  PlatformSystemChange,
  type Protocol,
  Protocols,
  platformSystemPath,
  System,
  SystemChange,
  SystemOverviews,
  Systems,
  systemPath,
} from './schema.ts';
import type { SystemServices } from './service.ts';

export function systemRoutes(app: App, services: SystemServices): void {
  platformSystemRoutes(app, services.platform);
  operatorSystemRoutes(app, services.operators);
  credentialRoutes(app, services.credentials);
  systemHealthRoutes(app, services.health);
}

const PLATFORM_SYSTEM = '/manage/systems/:slug';

function platformSystemRoutes(app: App, systems: PlatformSystems): void {
  const routes = manageRoutes(app, 'Manage: platform');

  routes.list('/manage/protocols', {
    access: 'manage:platform',
    operationId: 'listSystemProtocols',
    summary: 'List the protocols of systems',
    description:
      'Those that come with the program and those that `CONNECTORS` names, with JSON schemas for forms.',
    result: Protocols,
    example: { data: [protocolExample] },
    run: () => systems.protocols(),
  });

  routes.list('/manage/systems', {
    access: 'manage:platform',
    operationId: 'listSystems',
    summary: 'List the systems of the platform',
    description:
      'Those that the platform has added, by slug. The systems that are built in are not among them.',
    result: SystemOverviews,
    example: {
      data: [{ ...platformSystemExample, isConnected: true, capability: 'table_reservation', operators: 3 }],
    },
    run: () => systems.list(),
  });

  routes.get(PLATFORM_SYSTEM, {
    access: 'manage:platform',
    operationId: 'getSystem',
    summary: 'Read a system of the platform',
    description: 'As it was stored.',
    params: platformSystemPath,
    result: PlatformSystem,
    example: platformSystemExample,
    problems: ['HTTP-N-404'],
    run: ({ params }) => systems.get(params.slug),
  });

  routes.put(PLATFORM_SYSTEM, {
    access: 'manage:platform',
    operationId: 'saveSystem',
    summary: 'Add or change a system of the platform',
    description:
      'All of it at once. Settings have to fit the protocol, and addresses in them have to be ones that this ' +
      'service may call: `https` out on the internet, in the sandbox this machine alone. Every node uses the system ' +
      'from now on. The protocol stays while operators use it.',
    params: platformSystemPath,
    body: PlatformSystemChange,
    result: PlatformSystem,
    example: platformSystemExample,
    problems: ['SBOX-N-001'],
    run: ({ actor, params, body, ifMatch }) => systems.save(actor, params.slug, body, ifMatch),
  });

  routes.remove(PLATFORM_SYSTEM, {
    access: 'manage:platform',
    operationId: 'deleteSystem',
    summary: 'Take a system away from the platform',
    description: 'Only one that no operator uses.',
    params: platformSystemPath,
    problems: ['HTTP-N-404', 'OPRTR-N-005'],
    run: ({ actor, params, ifMatch }) => systems.remove(actor, params.slug, ifMatch),
  });
}

const SYSTEMS = '/manage/operators/:operatorId/systems';
const UNKNOWN: ProblemCode[] = ['OPRTR-N-001', 'HTTP-N-404'];

function operatorSystemRoutes(app: App, systems: OperatorSystems): void {
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

  routes.get(`${SYSTEMS}/:tms/form`, {
    access: 'manage:staff',
    operationId: 'getOperatorSystemForm',
    summary: 'See what an account at a system consists of',
    description: 'JSON schemas of its settings and credentials, for forms.',
    params: systemPath,
    result: AccountForm,
    example: formExample,
    problems: UNKNOWN,
    run: ({ params }) => systems.form(params),
  });

  routes.put(`${SYSTEMS}/:tms`, {
    access: 'manage:owner',
    operationId: 'saveOperatorSystem',
    summary: 'Have an operator use a system',
    description:
      'Adds the system, or replaces its settings. It must be one that this service is connected with. Owners set ' +
      'what their operator uses already; a further system is added by the platform.',
    params: systemPath,
    body: SystemChange,
    result: System,
    example: systemExample,
    problems: ['OPRTR-N-001', 'OPRTR-N-006', 'SBOX-N-001'],
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

function credentialRoutes(app: App, credentials: SystemCredentials): void {
  const routes = manageRoutes(app, 'Manage: platform');
  const common = {
    access: 'manage:owner',
    params: systemPath,
  } as const;

  routes.get(CREDENTIALS, {
    ...common,
    operationId: 'getSystemCredentials',
    summary: 'See which credentials are stored',
    description: 'The names of the stored fields, and when they were stored. The values are never shown.',
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
      'The credentials of the operator at the system. They are checked with the system where it supports that, and ' +
      'stored encrypted.',
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

const systemExample: System = {
  tms: 'house',
  name: null,
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

const accountSchemas = {
  accountSettings: {
    type: 'object',
    required: ['restaurantGroup'],
    properties: { restaurantGroup: { type: 'string', description: 'The number of the group there' } },
  },
  credentials: {
    type: 'object',
    required: ['token'],
    properties: { token: { type: 'string', description: 'From the settings page of the system' } },
  },
};

const protocolExample: Protocol = {
  name: 'connect',
  settings: {
    type: 'object',
    required: ['url'],
    properties: { url: { type: 'string', description: 'Where the system answers' } },
  },
  ...accountSchemas,
};

const formExample: AccountForm = {
  settings: accountSchemas.accountSettings,
  credentials: accountSchemas.credentials,
};

const platformSystemExample: PlatformSystem = {
  slug: 'tablebook',
  protocol: 'connect',
  name: 'Tablebook',
  settings: { url: 'https://api.tablebook.example' },
  limits: { readTimeoutMs: 1500, writeTimeoutMs: 8000, maxConcurrent: 20, maxQueued: 10 },
  version: 1,
  createdAt: '2026-11-18T09:14:07.512Z',
  updatedAt: '2026-11-18T09:14:07.512Z',
};
