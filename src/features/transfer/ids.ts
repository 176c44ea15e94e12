/** Every id that a document brings along, with where it stands. */
import { partsIn } from '../../tms/systems.ts';
import type { AvailabilityRuleDocument } from '../venues/service.ts';
import type { OperatorDocument } from './schema.ts';
import type { NUMBERED } from './store.ts';

export type NumberedKind = keyof typeof NUMBERED;
export type UuidKind = 'availabilityRules' | 'bookingRules';

export interface Placed<Id> {
  id: Id;
  path: string;
}

type Ids = Record<NumberedKind, Placed<number>[]> & Record<UuidKind, Placed<string>[]>;

export function idsIn(document: OperatorDocument): Ids {
  const ids: Ids = {
    ...{ spaces: [], packages: [], menus: [], menuItems: [], zones: [], areas: [], tables: [] },
    ...{ partnerCategories: [], availabilityRules: [], bookingRules: [] },
  };
  const noteAll = <Thing extends { id: number }>(
    kind: NumberedKind,
    things: readonly Thing[] | undefined,
    path: string,
    below: (thing: Thing, path: string) => void = () => {},
  ) => {
    for (const [index, thing] of (things ?? []).entries()) {
      ids[kind].push({ id: thing.id, path: `${path}.${index}.id` });
      below(thing, `${path}.${index}`);
    }
  };
  const noteRules = (kind: UuidKind, rules: readonly { id?: string }[] | undefined, path: string) => {
    for (const [index, { id }] of (rules ?? []).entries()) {
      if (id !== undefined) ids[kind].push({ id, path: `${path}.${index}.id` });
    }
  };

  noteAll('partnerCategories', document.partnerCategories, 'partnerCategories');
  noteRules('bookingRules', document.bookingRules, 'bookingRules');
  for (const [index, venue] of document.venues.entries()) {
    const path = `venues.${index}`;
    noteAll('spaces', venue.spaces, `${path}.spaces`);
    noteAll('packages', venue.packages, `${path}.packages`);
    noteAll('menus', venue.menus, `${path}.menus`, (menu, at) =>
      noteAll('menuItems', menu.items, `${at}.items`),
    );
    for (const { system, slug, part } of partsIn(venue)) {
      for (const { kind, id, path: at } of system.catalogue.numbersIn(part))
        ids[kind].push({ id, path: `${path}.${slug}.${at}` });
    }
    for (const [rules, at] of availabilityRulesOf(venue, path)) noteRules('availabilityRules', rules, at);
  }
  return ids;
}

type RuleList = [rules: readonly AvailabilityRuleDocument[], path: string];

/** The rules of a venue itself and those of each of its products. */
export function availabilityRulesOf(venue: OperatorDocument['venues'][number], path: string): RuleList[] {
  return [
    [venue.availabilityRules ?? [], `${path}.availabilityRules`],
    ...venue.products.map(
      (product, index): RuleList => [
        product.availabilityRules ?? [],
        `${path}.products.${index}.availabilityRules`,
      ],
    ),
  ];
}
