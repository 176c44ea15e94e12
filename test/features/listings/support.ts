/** What the tests of listings share: an application, its answers taken apart, and rows that the demo data lacks. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { ListingGroup, ListingItem } from '../../../src/features/listings/schema.ts';
import type { VenueDocument } from '../../../src/features/venues/transfer/document.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts';

export const BLUE_NOTE = '2|house|blue-note';
export const JAZZ_NIGHT = '2|tickets|jazz-night';

export function listingsApp(
  options: TestAppOptions = {},
  prepare: (app: TestApp) => Promise<unknown> = async () => {},
) {
  let maitred: TestApp;
  before(async () => {
    maitred = await startTestApp(options);
    await prepare(maitred);
  });
  after(() => maitred.close());
  const get = (query = '', as = 'demo-partner') => maitred.call(`/v1/listings${query}`, { as });

  /** The groups of a page that holds everything there is. */
  async function groups(query = '', as?: string): Promise<ListingGroup[]> {
    const answer = await get(`${query === '' ? '?' : `${query}&`}pageSize=100`, as);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(answer.json.meta.totalPages <= 1, 'one page is enough for the demo data');
    return answer.json.listings;
  }

  const items = async (query?: string, as?: string): Promise<ListingItem[]> =>
    (await groups(query, as)).flatMap((group) => group.items);
  /** Each item as the ids of its listings. */
  const ids = async (query?: string, as?: string): Promise<string[][]> =>
    (await items(query, as)).map(listedIn);
  return { app: () => maitred, get, groups, items, ids };
}

export const listedIn = ({ capabilities }: Pick<ListingItem, 'capabilities'>): string[] =>
  capabilities.map(({ id }) => id);

/** A venue of which nothing is known but its name, with one product. */
export function plainVenue(resourceId: string, changes: Partial<VenueDocument> = {}): VenueDocument {
  return {
    tms: 'house',
    resourceId,
    name: resourceId,
    timeZone: 'Europe/London',
    content: { summary: 'Plain', description: 'Plain', highlights: [] },
    location: { lat: 51.5, lng: -0.1, area: 'Nowhere', city: 'Plainville', countryCode: 'GB' },
    types: [],
    photos: [],
    hours: { weekly: [] },
    products: [{ key: 'table', name: 'Table', timeIntervalMinutes: 15, hours: { weekly: [] } }],
    ...changes,
  };
}
