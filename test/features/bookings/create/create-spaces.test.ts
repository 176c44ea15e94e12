import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../support/eventually.ts';
import {
  assertRefused,
  type Body,
  book,
  booked,
  bookingsApp,
  CELLAR,
  COPPER_ROOM,
  freeDay,
  PRIVATE,
} from '../support.ts';

// By itself the house lets its rooms only after an enquiry; both seat a party of twelve, the cellar more tightly.
const app = bookingsApp(
  {},
  ({ sql }) => sql`update house_product set is_request_only = false where product_id = ${PRIVATE}`,
);

const VENUE = '1|house|soho-grill';
const hire = (body: Body) => book(app(), { partySize: 12, ...body }, { productId: PRIVATE });
const hired = (body: Body) => booked(app(), { partySize: 12, ...body }, { productId: PRIVATE });

async function roomOf({ id }: { id: string }): Promise<number | null | undefined> {
  const [row] = await app().sql<{ spaceId: number | null }[]>`
    select space_id as "spaceId" from house_reservation where id = ${id}`;
  return row?.spaceId;
}

async function block(spaceId: number, date: string): Promise<void> {
  const { sql } = app();
  await sql`insert into availability_rule (venue_id, product_id, space_id, type, definition)
    values (${VENUE}, ${PRIVATE}, ${spaceId}, 'specific_dates', ${sql.json({ dates: [date], reason: 'Sanding the floor' })})`;
}

test('a space that is asked for is the one that is given', async () => {
  for (const spaceId of [COPPER_ROOM, CELLAR]) {
    const booking = await hired({ spaceId });
    assert.equal(booking.spaceId, spaceId);
    assert.equal(await roomOf(booking), spaceId);
  }
});

test('without a wish the party sits where there is room, until there is none', async () => {
  const at = { date: freeDay(), time: '19:00' };
  const first = await hired(at);
  const second = await hired(at);
  assert.equal(first.spaceId, null, 'none was asked for');
  assert.deepEqual(new Set([await roomOf(first), await roomOf(second)]), new Set([COPPER_ROOM, CELLAR]));
  await assertRefused(app(), () => hire(at), 409, 'AVAIL-N-005');
});

test('a space that is taken is not swapped for another', async () => {
  const at = { date: freeDay(), time: '19:00', spaceId: CELLAR };
  await hired(at);
  await assertRefused(app(), () => hire(at), 409, 'AVAIL-N-005');
  assert.equal((await hired({ ...at, spaceId: COPPER_ROOM })).spaceId, COPPER_ROOM);
});

test('a space too small for the party is not given, though another would do', async () => {
  await assertRefused(app(), () => hire({ partySize: 30, spaceId: CELLAR }), 409, 'AVAIL-N-005');
  await assertRefused(
    app(),
    () => hire({ partySize: 20, children: 10, spaceId: CELLAR }),
    409,
    'AVAIL-N-005',
  );
  assert.equal(await roomOf(await hired({ partySize: 30 })), COPPER_ROOM);
});

test('a space that the venue does not have is BOOK-N-010, and one that the product does not offer BOOK-N-017', async () => {
  for (const type of ['book', 'request']) {
    await assertRefused(app(), () => hire({ type, spaceId: 999_999 }), 404, 'BOOK-N-010');
    // A space of another venue is none of this one.
    await assertRefused(app(), () => hire({ type, spaceId: 401 }), 404, 'BOOK-N-010');
    await assertRefused(app(), () => book(app(), { type, spaceId: 999_999 }), 404, 'BOOK-N-010');
    await assertRefused(app(), () => book(app(), { type, spaceId: CELLAR }), 422, 'BOOK-N-017');
  }
});

test('a space that a rule has blocked is OPRUL-N-009, and nobody is put into it', async () => {
  const at = { date: freeDay(), time: '19:00' };
  await block(CELLAR, at.date);
  for (const type of ['book', 'request']) {
    const { detail } = await assertRefused(
      app(),
      () => hire({ ...at, type, spaceId: CELLAR }),
      422,
      'OPRUL-N-009',
    );
    assert.equal(detail, 'Sanding the floor');
  }
  assert.equal(await roomOf(await hired(at)), COPPER_ROOM);
  await assertRefused(app(), () => hire(at), 409, 'AVAIL-N-005');
  for (const body of [{}, { spaceId: COPPER_ROOM }])
    assert.equal((await hired({ ...at, ...body, type: 'request' })).status, 'pending');
});

test('a space that is taken can be enquired about, although another is free', async () => {
  const at = { date: freeDay(), time: '19:00', spaceId: COPPER_ROOM };
  await hired(at);
  await assertRefused(app(), () => hire(at), 409, 'AVAIL-N-005');
  assert.equal((await hired({ ...at, type: 'request' })).status, 'pending');
  const tooMany = { ...at, type: 'request', partySize: 30, spaceId: CELLAR };
  await assertRefused(app(), () => hire(tooMany), 409, 'AVAIL-N-005');
});

test('when every space is blocked no wish helps', async () => {
  const at = { date: freeDay(), time: '19:00' };
  await block(CELLAR, at.date);
  await block(COPPER_ROOM, at.date);
  for (const body of [
    {},
    { spaceId: COPPER_ROOM },
    { type: 'request' },
    { type: 'request', spaceId: CELLAR },
  ])
    await assertRefused(app(), () => hire({ ...at, ...body }), 422, 'OPRUL-N-009');
  assert.equal((await hired({ date: freeDay(), time: '19:00' })).status, 'confirmed');
});

test('a space without a zone is BOOK-N-011, and one whose zone has no areas BOOK-N-012', async () => {
  const { sql } = app();
  await sql`delete from house_space_zone where space_id = ${CELLAR}`;
  await eventually(async () => (await hire({ spaceId: CELLAR })).json.code === 'BOOK-N-011');
  await assertRefused(app(), () => hire({ spaceId: CELLAR }), 422, 'BOOK-N-011');
  await sql`delete from house_area where zone_id =
    (select zone_id from house_space_zone where space_id = ${COPPER_ROOM})`;
  await eventually(async () => (await hire({ spaceId: COPPER_ROOM })).json.code === 'BOOK-N-012');
  await assertRefused(app(), () => hire({ spaceId: COPPER_ROOM }), 422, 'BOOK-N-012');
});

test('a rule for the whole venue about a space takes nothing from products without spaces', async () => {
  const date = freeDay();
  const { sql } = app();
  await sql`insert into availability_rule (venue_id, space_id, type, definition)
    values (${VENUE}, ${CELLAR}, 'specific_dates', ${sql.json({ dates: [date] })})`;
  assert.equal((await booked(app(), { date, time: '19:00' })).status, 'confirmed');
  await assertRefused(app(), () => hire({ date, time: '19:00', spaceId: CELLAR }), 422, 'OPRUL-N-009');
});
