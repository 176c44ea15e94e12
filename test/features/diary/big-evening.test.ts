import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../support/app.ts';
import { makeBigEvening } from '../../support/big-evening.ts';

test('the diary of a large house shows three hundred bookings, none of them at a taken table', async (t) => {
  const maitred = await startTestApp();
  t.after(() => maitred.close());
  const { venueId, date, areaIds, tableIds, bookingIds } = await makeBigEvening(maitred);
  assert.deepEqual([areaIds.length, tableIds.length, new Set(bookingIds).size], [5, 60, 300]);
  const path = `/manage/venues/${encodeURIComponent(venueId)}/diary?date=${date}`;
  const { areas, bookings } = (await maitred.call(path, { as: 'demo-operator' })).json;
  const tables = areas.flatMap((area: { tables: { x: number | null }[] }) => area.tables);
  assert.equal(tables.filter(({ x }: { x: number | null }) => x !== null).length, 60);
  assert.equal(bookings.length, 300);
  const twice = await maitred.sql`
    select a.table_id from house_allocation a join house_allocation b on a.table_id = b.table_id
      and a.reservation_id <> b.reservation_id and a.during && b.during where a.venue_id = ${venueId}`;
  assert.deepEqual([...twice], []);
});
