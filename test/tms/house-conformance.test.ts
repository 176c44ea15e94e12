import { inTransaction } from '../../src/db/database.ts';
import { openNotifications } from '../../src/db/notifications.ts';
import { insertOperator } from '../../src/features/venues/transfer/import-store.ts';
import { parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import type { Weekday } from '../../src/kernel/zone-time.ts';
import { importHouse } from '../../src/tms/house/catalogue-store.ts';
import { createConfigCache } from '../../src/tms/house/config-cache.ts';
import { createHouse } from '../../src/tms/house/connector.ts';
import { createTestDatabase } from '../support/databases/database.ts';
import { connectorConformance } from './conformance.ts';
import { inOwnTransactions, withRequestClock } from './conformance-harness.ts';

const PRODUCT = parseProductId('1|house|three-tables|dinner');
const VENUE = venueOfProduct(PRODUCT);
const ZONE = 'Europe/London';
const HOURS = {
  weekly: [{ weekdays: [1, 2, 3, 4, 5, 6, 7] as Weekday[], periods: [{ opens: '18:00', closes: '22:00' }] }],
};

/** Three tables for four, taken for an hour each. */
connectorConformance('the house book', async () => {
  const database = await createTestDatabase();
  await inTransaction(database.sql, async (tx) => {
    const venue = {
      tms: 'house',
      resourceId: 'three-tables',
      name: 'Three Tables',
      timeZone: ZONE,
      content: { summary: '', description: '', highlights: [] },
      location: { lat: 51.5, lng: -0.1, area: 'Camden', city: 'London', countryCode: 'GB' },
      types: [],
      photos: [],
      hours: HOURS,
      products: [{ key: 'dinner', name: 'Dinner', timeIntervalMinutes: 30, hours: HOURS }],
    };
    await insertOperator(tx, { id: 1, name: 'Landlords', systems: ['house'], venues: [venue] });
    const tables = ['1', '2', '3'].map((name) => ({ id: Number(name), name, maxCovers: 4 }));
    await importHouse(tx, VENUE, {
      zones: [{ id: 1, name: 'Ground floor', areas: [{ id: 1, name: 'Front room', tables }] }],
      products: [{ key: 'dinner', turnTimes: [{ upTo: 4, minutes: 60 }] }],
    });
  });
  const notifications = await openNotifications(database.url);
  return withRequestClock({
    system: inOwnTransactions(createHouse({ configs: createConfigCache(notifications) }), database.sql),
    productId: PRODUCT,
    venueId: VENUE,
    zone: ZONE,
    nowMs: Date.parse('2031-03-01T12:00:00Z'),
    firstDate: '2031-03-10',
    party: 4,
    smallerParty: 3,
    capacity: 3,
    oversizedParty: 9,
    async close() {
      await notifications.close();
      await database.drop();
    },
  });
});
