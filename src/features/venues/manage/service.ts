import type { ManagedMenu, ManagedPackage, MenuBody, PackageBody } from '../preorders/schema.ts';
import { createMenuKeeping, createPackageKeeping, type PreorderKeeping } from '../preorders/service.ts';
import { createOccurrenceKeeping, type OccurrenceKeeping } from './occurrences.ts';
import { createProductKeeping, type ProductKeeping } from './products.ts';
import { createVenueKeeping, type VenueKeeping, type VenueKeepingDeps } from './venues.ts';
import { createVocabularyKeeping, type VocabularyKeeping } from './vocabulary.ts';

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
