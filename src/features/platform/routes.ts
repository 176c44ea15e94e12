import type { App } from '../../http/route.ts';
import { categoryRoutes } from './category-routes.ts';
import { clientAccessRoutes, clientRoutes } from './client-routes.ts';
import { mappingRoutes } from './mapping-routes.ts';
import { operatorRoutes } from './operator-routes.ts';
import { associationRoutes, partnerRoutes } from './partner-routes.ts';
import type { Platform } from './service.ts';
import { partnerSourceRoutes, sourceRoutes } from './source-routes.ts';
import { credentialRoutes, systemRoutes } from './system-routes.ts';

export function platformRoutes(app: App, platform: Platform): void {
  operatorRoutes(app, platform.operators);
  systemRoutes(app, platform.systems);
  credentialRoutes(app, platform.credentials);
  partnerRoutes(app, platform.partners);
  associationRoutes(app, platform.associations);
  categoryRoutes(app, platform.categories);
  mappingRoutes(app, platform.mappings);
  sourceRoutes(app, platform.sources);
  partnerSourceRoutes(app, platform.sources);
  clientRoutes(app, platform.clients);
  clientAccessRoutes(app, platform.clientAccess);
}
