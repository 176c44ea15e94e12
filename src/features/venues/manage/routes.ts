import type { App } from '../../../http/route.ts';
import { manageMenuRoutes, managePackageRoutes } from '../preorders/routes.ts';
import type { ManagedMenu, ManagedPackage, MenuBody, PackageBody } from '../preorders/schema.ts';
import { createMenuKeeping, createPackageKeeping, type PreorderKeeping } from '../preorders/service.ts';
import { createOccurrenceKeeping, type OccurrenceKeeping } from './occurrences.ts';
import { manageOccurrenceRoutes, manageProductRoutes } from './product-routes.ts';
import { createProductKeeping, type ProductKeeping } from './products.ts';
import { manageVenueRoutes } from './venue-routes.ts';
import { createVenueKeeping, type VenueKeeping, type VenueKeepingDeps } from './venues.ts';
import { createVocabularyKeeping, type VocabularyKeeping } from './vocabulary.ts';
import { manageVocabularyRoutes } from './vocabulary-routes.ts';

export function catalogueRoutes(app: App, catalogue: Catalogue): void {
  manageVenueRoutes(app, catalogue.venues);
  manageProductRoutes(app, catalogue.products);
  manageOccurrenceRoutes(app, catalogue.occurrences);
  managePackageRoutes(app, catalogue.packages);
  manageMenuRoutes(app, catalogue.menus);
  manageVocabularyRoutes(app, catalogue.vocabulary);
}

/** The catalogue as operators and the platform change it under `/manage`. */

export interface Catalogue {
  venues: VenueKeeping;
  products: ProductKeeping;
  occurrences: OccurrenceKeeping;
  packages: PreorderKeeping<PackageBody, ManagedPackage>;
  menus: PreorderKeeping<MenuBody, ManagedMenu>;
  vocabulary: VocabularyKeeping;
}

export function createCatalogue(deps: VenueKeepingDeps): Catalogue {
  return {
    venues: createVenueKeeping(deps),
    products: createProductKeeping(deps),
    occurrences: createOccurrenceKeeping(deps),
    packages: createPackageKeeping(deps),
    menus: createMenuKeeping(deps),
    vocabulary: createVocabularyKeeping(deps),
  };
}
