/** Partners, which operators they work with and under which name, and which venues they may sell. */
import type { PlatformDeps } from '../operators/service.ts';
import { type Associations, createAssociations } from './associations.ts';
import { type Categories, createCategories } from './categories.ts';
import { createMappings, type Mappings } from './mappings.ts';
import { createPartners, type Partners } from './partners.ts';
import { createSources, type Sources } from './sources.ts';

export interface PartnerServices {
  partners: Partners;
  associations: Associations;
  categories: Categories;
  mappings: Mappings;
  sources: Sources;
}

export const createPartnerServices = (deps: PlatformDeps): PartnerServices => ({
  partners: createPartners(deps),
  associations: createAssociations(deps),
  categories: createCategories(deps),
  mappings: createMappings(deps),
  sources: createSources(deps),
});

export { getPartner, holdPartner } from './context.ts';
export { partnerSummaryExample } from './examples.ts';
export { MOST_CATEGORIES, MOST_MEMBERS, PageOnly } from './schema.ts';
