import type { App } from '../../http/route.ts';
import { mappingRoutes, partnerSourceRoutes, sourceRoutes } from './mapping-routes.ts';
import { associationRoutes, categoryRoutes, partnerRoutes } from './partner-routes.ts';
import type { PartnerServices } from './service.ts';

export function partnerServiceRoutes(app: App, services: PartnerServices): void {
  partnerRoutes(app, services.partners);
  associationRoutes(app, services.associations);
  categoryRoutes(app, services.categories);
  mappingRoutes(app, services.mappings);
  sourceRoutes(app, services.sources);
  partnerSourceRoutes(app, services.sources);
}
