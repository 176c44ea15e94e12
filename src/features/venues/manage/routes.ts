import type { App } from '../../../http/route.ts';
import { manageMenuRoutes, managePackageRoutes } from '../preorders/routes.ts';
import { manageOccurrenceRoutes, manageProductRoutes } from './product-routes.ts';
import type { Catalogue } from './service.ts';
import { manageVenueRoutes } from './venue-routes.ts';
import { manageVocabularyRoutes } from './vocabulary-routes.ts';

export function catalogueRoutes(app: App, catalogue: Catalogue): void {
  manageVenueRoutes(app, catalogue.venues);
  manageProductRoutes(app, catalogue.products);
  manageOccurrenceRoutes(app, catalogue.occurrences);
  managePackageRoutes(app, catalogue.packages);
  manageMenuRoutes(app, catalogue.menus);
  manageVocabularyRoutes(app, catalogue.vocabulary);
}
