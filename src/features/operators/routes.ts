import type { App } from '../../http/route.ts';
import { operatorRoutes } from './operator-routes.ts';
import type { OperatorServices } from './service.ts';
import { credentialRoutes, systemRoutes } from './system-routes.ts';

export function operatorServiceRoutes(app: App, services: OperatorServices): void {
  operatorRoutes(app, services.operators);
  systemRoutes(app, services.systems);
  credentialRoutes(app, services.credentials);
}
