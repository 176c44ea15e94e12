import type { CountedPart } from '../../tms/local-system.ts';
import { partsIn } from '../../tms/systems.ts';
import type { OperatorDocument } from '../venues/service.ts';
import { availabilityRulesOf } from './ids.ts';
import type { ImportResult } from './schema.ts';

type Counts = Omit<ImportResult, 'operatorId' | 'isDryRun' | 'renumbered' | 'notes'>;

/** How much of everything a document has. */
export function countsOf({ venues, partnerCategories, bookingRules }: OperatorDocument): Counts {
  const menus = venues.flatMap((venue) => venue.menus ?? []);
  const inSystems = venues.flatMap(partsIn).map(({ system, part }) => system.catalogue.count(part));
  const countOf = (kind: CountedPart) => inSystems.reduce((total, counts) => total + (counts[kind] ?? 0), 0);
  const sum = (lists: readonly (readonly unknown[] | undefined)[]) =>
    lists.reduce((total, list) => total + (list?.length ?? 0), 0);
  return {
    venues: venues.length,
    products: sum(venues.map(({ products }) => products)),
    spaces: sum(venues.map(({ spaces }) => spaces)),
    packages: sum(venues.map(({ packages }) => packages)),
    menus: menus.length,
    menuItems: sum(menus.map(({ items }) => items)),
    zones: countOf('zones'),
    areas: countOf('areas'),
    tables: countOf('tables'),
    occurrences: countOf('occurrences'),
    photos: sum(venues.map(({ photos }) => photos)),
    siteFaqs: sum(venues.map(({ siteFaqs }) => siteFaqs)),
    partnerCategories: sum([partnerCategories]),
    availabilityRules: sum(venues.flatMap((venue) => availabilityRulesOf(venue, '').map(([rules]) => rules))),
    bookingRules: sum([bookingRules]),
  };
}
