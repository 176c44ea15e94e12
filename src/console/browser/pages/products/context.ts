/** What the forms of products choose from. */
import type { ManagedProduct } from '../../../../features/venues/manage/product-schema.ts';
import { api, path } from '../../app/api.ts';
import { operatorOf } from '../../app/session.ts';
import type { Hours } from './draft.ts';

export interface Named {
  id: number;
  name: string;
}

export interface Context {
  tms: string;
  products: ManagedProduct[];
  zones: Named[];
  spaces: Named[];
  packages: Named[];
  menus: Named[];
  categories: { slug: string; name: string }[];
  venueHours: Hours;
}

type List<T> = { data: T[] };

export const systemOf = (venueId: string) => venueId.split('|')[1] ?? '';

export async function readContext(venueId: string): Promise<Context> {
  const tms = systemOf(venueId);
  const list = <T>(part: string) => api.get<List<T>>(path`/manage/venues/${venueId}/${part}`);
  const [products, spaces, packages, menus, vocabulary, venueHours, zones] = await Promise.all([
    list<ManagedProduct>('products'),
    list<Named>('spaces'),
    list<Named>('packages'),
    list<Named>('menus'),
    api.get<{ categories: Context['categories'] }>(path`/manage/operators/${operatorOf(venueId)}/vocabulary`),
    api.get<Hours>(path`/manage/venues/${venueId}/hours`),
    // Only houses have a layout.
    tms === 'house' ? list<Named>('zones') : { data: [] },
  ]);
  return {
    tms,
    products: products.data,
    spaces: spaces.data,
    packages: packages.data,
    menus: menus.data,
    zones: zones.data,
    categories: vocabulary.categories,
    venueHours,
  };
}
