import type { App } from '../../http/route.ts';
import type { Catalogue } from './catalogue.ts';
import { manageMenuRoutes, managePackageRoutes } from './manage-menu-routes.ts';
import { manageOccurrenceRoutes, manageProductRoutes } from './manage-product-routes.ts';
import { manageVenueRoutes } from './manage-venue-routes.ts';
import { manageVocabularyRoutes } from './manage-vocabulary-routes.ts';

export function catalogueRoutes(app: App, catalogue: Catalogue): void {
  manageVenueRoutes(app, catalogue.venues);
  manageProductRoutes(app, catalogue.products);
  manageOccurrenceRoutes(app, catalogue.occurrences);
  managePackageRoutes(app, catalogue.packages);
  manageMenuRoutes(app, catalogue.menus);
  manageVocabularyRoutes(app, catalogue.vocabulary);
}
