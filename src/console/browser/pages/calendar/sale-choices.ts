/** What rules of a venue can be aimed at. */
import type { ManagedSpace } from '../../../../features/layout/space-schema.ts';
import { api, path } from '../../app/api.ts';
import type { Page } from '../../app/load.ts';
import { operatorOf } from '../../app/session.ts';

export interface Named<Id> {
  id: Id;
  name: string;
}

export interface SaleChoices {
  products: readonly Named<string>[];
  spaces: readonly Named<number>[];
  partners: readonly Named<number>[];
  categories: readonly Named<number>[];
}

const MOST = 100;

export async function readChoices(venueId: string): Promise<SaleChoices> {
  const operatorId = operatorOf(venueId);
  const [products, spaces, partners, categories] = await Promise.all([
    api.get<{ data: { key: string; name: string }[] }>(path`/manage/venues/${venueId}/products`),
    api.get<{ data: ManagedSpace[] }>(path`/manage/venues/${venueId}/spaces`),
    api.get<Page<{ partner: Named<number> }>>(path`/manage/operators/${operatorId}/partners`, {
      pageSize: MOST,
    }),
    api.get<{ data: Named<number>[] }>(path`/manage/operators/${operatorId}/partner-categories`),
  ]);
  return {
    products: products.data.map(({ key, name }) => ({ id: key, name })),
    spaces: spaces.data,
    partners: partners.data.map(({ partner }) => partner),
    categories: categories.data,
  };
}

/** The names of some of them; what is unknown is shown by its id. */
export const namesOf = <Id>(choices: readonly Named<Id>[], ids: readonly Id[]) =>
  ids.map((id) => choices.find((choice) => choice.id === id)?.name ?? String(id)).join(', ');
