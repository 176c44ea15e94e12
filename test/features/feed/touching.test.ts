import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { inTransaction, type Tx } from '../../../src/db/database.ts';
import { claimVenues } from '../../../src/features/feed/store.ts';
import { mapVenue } from '../../../src/features/venues/service.ts';
import { closeVenue } from '../../support/closing.ts';
import { storageOf } from '../../support/rule-storage.ts';
import { cancel, patch, replacing, taken } from '../bookings/amend/amending.ts';
import { booked, DINNER as SOHO_DINNER } from '../bookings/support.ts';
import { bistroApp, CATEGORY, DINNER, GARDEN, HALL, OPERATOR, PRODUCTS, VENUE } from './bistro.ts';

const bistro = bistroApp();

const ALL = 1000;

/** Whose files wait to be made; afterwards nobody's do. */
async function waiting(): Promise<string[]> {
  const { sql } = bistro();
  const now = Temporal.Instant.from('2000-01-01T00:00:00Z');
  const claims = await claimVenues(sql, randomUUID(), { now, leasedUntil: now.add({ seconds: 60 }) }, ALL);
  await sql`update feed_venue set made_mark = mark, due_at = 'infinity', leased_until = '-infinity', lease = null`;
  await sql`update house_day set is_fed = true`;
  return claims.map(({ venueId }) => venueId).sort();
}

const CHANGES: Record<string, (tx: Tx) => PromiseLike<unknown>> = {
  'the name of the venue': (tx) => tx`update venue set name = 'Other' where id = ${VENUE}`,
  'its zone': (tx) => tx`update venue set time_zone = 'Europe/Paris' where id = ${VENUE}`,
  'its closing': (tx) => tx`update venue set closed_at = now() where id = ${VENUE}`,
  'its opening again': (tx) => tx`update venue set closed_at = null where id = ${VENUE}`,
  'the name of a product': (tx) => tx`update product set name = 'Supper' where id = ${DINNER}`,
  'a deposit': (tx) => tx`update product set payment_rules = '[]' where id = ${DINNER}`,
  'the category of a product': async (tx) => {
    await tx`insert into category (id, slug, name) values (960, 'bistro', 'Bistro')`;
    await tx`update product set category_id = 960 where id = ${DINNER}`;
  },
  'the slug of that category': (tx) => tx`update category set slug = 'brasserie' where id = 960`,
  'hours of the week': (tx) => tx`
    update product_hours set closes_minute = closes_minute + 60 where product_id = ${DINNER} and weekday = 1`,
  'hours of one day': (tx) => tx`
    insert into product_exception (product_id, venue_id, date) values (${DINNER}, ${VENUE}, '2030-05-01')`,
  'the end of that': (tx) => tx`delete from product_exception where date = '2030-05-01'`,
  'the name of a space': (tx) => tx`update space set name = 'Salon' where id = ${HALL}`,
  'a space that a product loses': (tx) => tx`delete from product_space where space_id = ${GARDEN}`,
  'a new table': (tx) => tx`
    insert into house_table (area_id, venue_id, name, min_covers, max_covers)
    values (960010, ${VENUE}, 'New', 1, 8)`,
  'tables that are joined': (tx) => tx`
    insert into house_combination (venue_id, table_ids, min_covers, max_covers)
    values (${VENUE}, '{9600100,9600101}', 5, 6)`,
  'the seats of a table': (tx) => tx`update house_table set max_covers = 9 where name = 'New'`,
  'how the house runs a product': (tx) => tx`
    update house_product set covers_per_start = 4, notice_minutes = 60 where product_id = ${DINNER}`,
  'where guests of a product sit': (tx) => tx`
    insert into house_product_zone (product_id, zone_id, venue_id) values (${DINNER}, 960020, ${VENUE})`,
  'a rule of the operator about times': (tx) => tx`
    insert into availability_rule (venue_id, type, definition)
    values (${VENUE}, 'recurring', '{"weekdays": [1]}')`,
  'the same rule switched off': (tx) =>
    tx`update availability_rule set is_active = false where venue_id = ${VENUE}`,
  'a booking rule': (tx) => tx`
    insert into booking_rule (id, operator_id, effect, priority, name, conditions, params, created_at, updated_at)
    values (gen_random_uuid(), ${OPERATOR}, 'route_to_enquiry', 0, 'Rule', '[]', '{}', now(), now())`,
  'the same rule retired': (tx) =>
    tx`update booking_rule set is_active = false where operator_id = ${OPERATOR}`,
  'another partner that distributes it': (tx) =>
    mapVenue(tx, { partnerId: 3, venueId: VENUE, productIds: PRODUCTS }),
  'the terms of a channel': (tx) => tx`update venue_mapping set max_party_size = 3 where venue_id = ${VENUE}`,
  'a product that a partner loses': (tx) => tx`
    delete from product_mapping where partner_id = 3 and product_id = ${DINNER}`,
  'a partner that is suspended': (tx) => tx`
    update partner_operator set is_suspended = true where partner_id = 3 and operator_id = ${OPERATOR}`,
  'a partner that joins a category': (tx) => tx`insert into partner_category_member values (${CATEGORY}, 1)`,
  'a partner that leaves a category': (tx) =>
    tx`delete from partner_category_member where partner_id = 1 and category_id = ${CATEGORY}`,
  'a category with members that goes': async (tx) => {
    await tx`insert into partner_category_member values (${CATEGORY}, 2)`;
    await tx`update feed_venue set made_mark = mark`;
    await tx`delete from partner_category where id = ${CATEGORY}`;
  },
  'a partner that distributes it no longer': (tx) => tx`
    delete from venue_mapping where partner_id = 3 and venue_id = ${VENUE}`,
  'a partner that is gone': (tx) => tx`delete from partner where id = 2`,
};

test('every change of what feeds are made from is found once it is committed, at that venue alone', async (t) => {
  await waiting();
  for (const [name, change] of Object.entries(CHANGES))
    await t.test(name, async () => {
      const undone = inTransaction(bistro().sql, async (tx) => {
        await change(tx);
        throw new Error('taken back');
      });
      await assert.rejects(undone, /taken back/);
      assert.deepEqual(await waiting(), [], 'taken back');
      await inTransaction(bistro().sql, async (tx) => void (await change(tx)));
      assert.ok((await waiting()).includes(VENUE));
      assert.deepEqual(await waiting(), []);
    });
});

test('a change concerns no venue but its own', async () => {
  await bistro().sql`update house_table set max_covers = 10 where name = 'New'`;
  assert.deepEqual(await waiting(), [VENUE]);
  await storageOf(bistro()).create(OPERATOR, { effect: 'route_to_enquiry', name: 'Rule' });
  assert.deepEqual(await waiting(), [VENUE]);
});

const unfedDays = async () => {
  const rows = await bistro().sql<{ day: string }[]>`
    select day::text from house_day where venue_id = '1|house|soho-grill' and not is_fed order by 1`;
  return rows.map(({ day }) => day);
};

test('a booking, its move to another day and its end mark the days that they touch', async () => {
  await waiting();
  const { id } = await booked(bistro(), { date: '2030-06-03', time: '19:00' }, { productId: SOHO_DINNER });
  assert.deepEqual(await unfedDays(), ['2030-06-03']);
  assert.deepEqual(await waiting(), ['1|house|soho-grill']);
  await taken(patch(bistro(), id, [replacing('/date', '2030-06-05')]));
  assert.deepEqual(await unfedDays(), ['2030-06-03', '2030-06-05']);
  assert.deepEqual(await waiting(), ['1|house|soho-grill']);
  const { status } = await cancel(bistro(), id);
  assert.ok(status < 300);
  assert.deepEqual(await unfedDays(), ['2030-06-05']);
  assert.deepEqual(await waiting(), ['1|house|soho-grill']);
});

test('a refused booking marks nothing', async () => {
  await waiting();
  const body = {
    type: 'book',
    partySize: 2,
    firstName: 'A',
    lastName: 'B',
    email: 'a@example.com',
    phone: '+442079460018',
  };
  const path = `/venues/${encodeURIComponent(SOHO_DINNER)}/booking`;
  const refused = await bistro().call(path, {
    method: 'POST',
    body: { ...body, date: '2030-06-03', time: '03:00' },
  });
  assert.ok(refused.status >= 400);
  assert.deepEqual(await waiting(), []);
});

test('what is made of a venue is no longer waiting, and what changes meanwhile is', async () => {
  const { sql, make } = bistro();
  await waiting();
  await sql`update venue set name = 'Once more' where id = ${VENUE}`;
  await make();
  await sql`update feed_venue set due_at = 'infinity'`;
  assert.deepEqual(await waiting(), []);
  await closeVenue(bistro(), VENUE);
  assert.deepEqual(await waiting(), [VENUE]);
});
