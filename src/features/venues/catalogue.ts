/** The catalogue as those who keep it see it: what operators, and the platform, change under `/manage`. */
import { createOccurrenceKeeping, type OccurrenceKeeping } from './manage-occurrences.ts';
import type { ManagedMenu, ManagedPackage, MenuBody, PackageBody } from './manage-preorder-schema.ts';
import { createMenuKeeping, createPackageKeeping, type PreorderKeeping } from './manage-preorders.ts';
import { createProductKeeping, type ProductKeeping } from './manage-products.ts';
import { createVenueKeeping, type VenueKeeping, type VenueKeepingDeps } from './manage-venues.ts';
import { createVocabularyKeeping, type VocabularyKeeping } from './manage-vocabulary.ts';

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
