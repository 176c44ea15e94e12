import { manageRoutes, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import type { SystemCredentials } from './credentials.ts';
import { credentialsExample, systemExample } from './examples.ts';
import { Credentials, NewCredentials, System, SystemChange, Systems, systemPath } from './system-schema.ts';
import type { Systems as SystemService } from './systems.ts';

const SYSTEMS = '/manage/operators/:operatorId/systems';
const UNKNOWN: ProblemCode[] = ['OPRTR-N-001', 'HTTP-N-404'];

export function systemRoutes(app: App, systems: SystemService): void {
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
export function credentialRoutes(app: App, credentials: SystemCredentials): void {
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
