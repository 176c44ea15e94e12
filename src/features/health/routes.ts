import { manageRoutes } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { healthExample, PlatformHealth } from './schema.ts';
import type { Health } from './service.ts';

export function platformHealthRoutes(app: App, health: Health): void {
  manageRoutes(app, 'Manage: platform').list('/manage/health', {
    access: 'manage:platform',
    operationId: 'getPlatformHealth',
    summary: 'See how the platform is',
    description:
      'Nodes, the queues of background jobs, mails and webhooks that wait, feeds that are behind, systems that fail, and the database, as they are at this moment. A part that cannot be found out within two seconds is null and named in `missing`.',
    result: PlatformHealth,
    example: healthExample,
    run: () => health.read(),
  });
}
