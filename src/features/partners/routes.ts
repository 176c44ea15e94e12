import type { App } from '../../http/route.ts';
import { categoryRoutes } from './category-routes.ts';
import { mappingRoutes } from './mapping-routes.ts';
import { associationRoutes, partnerRoutes } from './partner-routes.ts';
import type { PartnerServices } from './service.ts';
import { partnerSourceRoutes, sourceRoutes } from './source-routes.ts';

export function partnerServiceRoutes(app: App, services: PartnerServices): void {
  partnerRoutes(app, services.partners);
  associationRoutes(app, services.associations);
  categoryRoutes(app, services.categories);
  mappingRoutes(app, services.mappings);
  sourceRoutes(app, services.sources);
  partnerSourceRoutes(app, services.sources);
}
