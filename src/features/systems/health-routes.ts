import { manageRoutes, NoBody } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import type { SystemHealthService } from './health.ts';
import { SystemHealth, SystemTest, systemPath } from './schema.ts';

const SYSTEM = '/manage/operators/:operatorId/systems/:tms';
const UNKNOWN: ProblemCode[] = ['OPRTR-N-001', 'HTTP-N-404'];

export function systemHealthRoutes(app: App, health: SystemHealthService): void {
  const routes = manageRoutes(app, 'Manage: platform');

  routes.list(`${SYSTEM}/health`, {
    access: 'manage:staff',
    operationId: 'getOperatorSystemHealth',
    summary: "See how an operator's account at a system is",
    description:
      'Whether the system works, and how calls for this operator have gone: the last day by operation, the last ' +
      'hour by the minute, the latest errors. Nodes write these figures every three seconds.',
    params: systemPath,
    result: SystemHealth,
    example: healthExample,
    problems: UNKNOWN,
    run: ({ params }) => health.read(params),
  });

  routes.act(`${SYSTEM}/test`, {
    access: 'manage:manager',
    operationId: 'testOperatorSystem',
    summary: "Try an operator's account at a system",
    description: 'Calls the system with settings and credentials as they are stored. Nothing is changed.',
    params: systemPath,
    body: NoBody,
    result: SystemTest,
    example: { ok: false, tookMs: 212, problem: 'The system does not let this account in.' },
    problems: UNKNOWN,
    run: ({ params }) => health.test(params),
  });
}

const callsExample = {
  calls: 412,
  refused: 9,
  failed: 3,
  inDoubt: 1,
  p50Ms: 100,
  p95Ms: 250,
  maxMs: 1340,
};

const healthExample: SystemHealth = {
  tms: 'tablebook',
  state: 'working',
  restingOn: 0,
  lastCallAt: '2026-11-18T09:14:07.512Z',
  lastHour: callsExample,
  lastDay: callsExample,
  operations: [{ operation: 'availability', ...callsExample }],
  minutes: [{ at: '2026-11-18T09:14:00.000Z', calls: 7, failed: 1 }],
  errors: [
    {
      at: '2026-11-18T09:14:02.020Z',
      operation: 'availability',
      problem: 'The system did not answer in time.',
    },
  ],
};
