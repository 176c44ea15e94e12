/** What a new venue needs before it can be booked, in the order in which it is best done. */
import type { Layout } from '../../../../features/layout/schema.ts';
import type { Association, Mapping } from '../../../../features/partners/schema.ts';
import type { VenueHours } from '../../../../features/venues/manage/venue-schema.ts';
import { api, path } from '../../app/api.ts';
import type { Page } from '../../app/load.ts';
import { operatorOf } from '../../app/session.ts';

export interface VenueStep {
  name: 'layout' | 'hours' | 'products' | 'partner' | 'booking';
  href: string;
  isDone: boolean;
}

interface Place {
  id: string;
  tms: string;
}

const MOST_ASKED = 20;
const MOST_MAPPED = 100;

export async function isBooked(venueId: string): Promise<boolean> {
  const bookings = path`/manage/operators/${operatorOf(venueId)}/bookings`;
  return (await api.get<Page<unknown>>(bookings, { venueId, pageSize: 1 })).meta.totalItems > 0;
}

/** Working with a partner is not enough: the venue has to be mapped to it. */
async function isSold(venueId: string): Promise<boolean> {
  const all = path`/manage/operators/${operatorOf(venueId)}/partners`;
  const partners = await api.get<Page<Association>>(all, { pageSize: MOST_ASKED });
  const mappings = await Promise.all(
    partners.data.map(({ partner }) =>
      api.get<Page<Mapping>>(`${all}/${partner.id}/mappings`, { pageSize: MOST_MAPPED }),
    ),
  );
  return mappings.some(({ data }) =>
    data.some((mapping) => mapping.venueId === venueId && mapping.productKeys.length > 0),
  );
}

export async function readSteps({ id, tms }: Place): Promise<VenueStep[]> {
  const own = path`/manage/venues/${id}`;
  const [layout, hours, products, sold, booked] = await Promise.all([
    tms === 'house' ? api.get<Layout>(`${own}/layout`) : undefined,
    api.get<VenueHours>(`${own}/hours`),
    api.get<{ data: unknown[] }>(`${own}/products`),
    isSold(id),
    isBooked(id),
  ]);
  const at = (page: string) => `${path`/console/venues/${id}`}/${page}`;
  return [
    ...(layout ? [{ name: 'layout' as const, href: at('layout'), isDone: layout.tables.length > 0 }] : []),
    { name: 'hours', href: at('calendar?tab=hours'), isDone: hours.weekly.length > 0 },
    { name: 'products', href: at('products'), isDone: products.data.length > 0 },
    { name: 'partner', href: path`/console/operators/${operatorOf(id)}/partners`, isDone: sold },
    { name: 'booking', href: at('tonight'), isDone: booked },
  ];
}
