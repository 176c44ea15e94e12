import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tx } from '../../../../src/db/database.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  assertRefused,
  type Body,
  type Booking,
  BRUNCH,
  book,
  booked,
  bookingsApp,
  COMPANY,
  DINNER,
  freeDay,
  jazzDay,
  STANDARD,
} from '../support.ts';

/** A change counts from its commit, also on a node that the news of it has not reached. */

const app = bookingsApp();
const SOHO = '1|house|soho-grill';
const GARDEN = '1|house|garden-room';

/** The change is committed and nobody is told: triggers send the news, and they are switched off. */
async function inSilence(change: (tx: Tx) => Promise<unknown>): Promise<void> {
  await app().sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await change(tx);
  });
}

/** Written by one of those triggers otherwise, whatever it is that changes at a venue. */
const stamp = (tx: Tx, venueId: string) =>
  tx`update venue set updated_at = clock_timestamp() where id = ${venueId}`;

/** What the node has in mind: whether it still answers for the product, from memory. */
async function remembers({ productId = DINNER, as = 'demo-partner' }: Booking): Promise<boolean> {
  const path = `/venues/${encodeURIComponent(productId)}/availability?date=${jazzDay()}&partySize=2`;
  return (await app().call(path, { as })).status === 200;
}

interface Change {
  what: string;
  change(tx: Tx): Promise<unknown>;
  undo(tx: Tx): Promise<unknown>;
  booking: Booking;
  body?: Body;
  refusal: [status: number, code: string];
}

const theirs = { as: 'other-partner' };
const tickets = { productId: STANDARD };

const changes: Change[] = [
  {
    what: 'a venue that has just closed',
    change: async (tx) => {
      await tx`update venue set closed_at = now() where id = ${SOHO}`;
      await stamp(tx, SOHO);
    },
    undo: (tx) => tx`update venue set closed_at = null where id = ${SOHO}`,
    booking: {},
    refusal: [409, 'VENUE-N-009'],
  },
  {
    what: 'a product that was just taken from the partner',
    change: (tx) => tx`delete from product_mapping where partner_id = 2 and product_id = ${DINNER}`,
    undo: (tx) =>
      tx`insert into product_mapping (partner_id, product_id, venue_id) values (2, ${DINNER}, ${SOHO})`,
    booking: theirs,
    refusal: [403, 'PMAP-N-002'],
  },
  {
    what: 'an arrangement that was just suspended',
    change: (tx) =>
      tx`update partner_operator set is_suspended = true where partner_id = 2 and operator_id = 1`,
    undo: (tx) =>
      tx`update partner_operator set is_suspended = false where partner_id = 2 and operator_id = 1`,
    booking: theirs,
    refusal: [404, 'BOOK-N-005'],
  },
  {
    what: 'tickets of an operator whose arrangement was just suspended',
    change: (tx) =>
      tx`update partner_operator set is_suspended = true where partner_id = 1 and operator_id = 2`,
    undo: (tx) =>
      tx`update partner_operator set is_suspended = false where partner_id = 1 and operator_id = 2`,
    booking: tickets,
    body: { date: jazzDay(), time: '20:00' },
    refusal: [404, 'BOOK-N-005'],
  },
  {
    what: 'a channel that was just narrowed to small parties',
    change: (tx) =>
      tx`update venue_mapping set max_party_size = 1, version = default where partner_id = 2 and venue_id = ${SOHO}`,
    undo: (tx) =>
      tx`update venue_mapping set max_party_size = null where partner_id = 2 and venue_id = ${SOHO}`,
    booking: theirs,
    refusal: [409, 'AVAIL-N-005'],
  },
  {
    what: 'a day that a rule has just taken away',
    change: async (tx) => {
      await tx`insert into availability_rule (venue_id, type, definition)
        values (${SOHO}, 'date_range', '{"startDate": "2000-01-01", "endDate": "2999-01-01"}')`;
      await stamp(tx, SOHO);
    },
    undo: (tx) => tx`delete from availability_rule where venue_id = ${SOHO}`,
    booking: {},
    refusal: [422, 'OPRUL-N-002'],
  },
];

for (const { what, change, undo, booking, body, refusal } of changes) {
  for (const type of ['book', 'request']) {
    test(`${what} is refused to a node that has not heard of it (${type})`, async () => {
      const attempt = () => book(app(), { ...(body ?? { date: freeDay(), time: '19:00' }), type }, booking);
      assert.equal((await attempt()).status, 201, 'it could be had before');
      await inSilence(change);
      assert.ok(await remembers(booking), 'the node does not know yet');
      await assertRefused(app(), attempt, ...refusal);
      await undo(app().sql);
      await eventually(async () => (await attempt()).status === 201);
    });
  }
}

test('a price that was just raised is the one that is booked', async () => {
  const order = {
    company: COMPANY,
    time: '11:00',
    preorders: {
      packages: [{ id: 112, quantity: 2 }],
      menus: [{ id: 111, items: [{ id: 11106, quantity: 2 }] }],
    },
  };
  const priceOf = async () => {
    const booking = await booked(app(), { ...order, date: freeDay() }, { productId: BRUNCH });
    return booking.preorders.packages[0].price;
  };
  assert.equal(await priceOf(), 2400);
  await inSilence(async (tx) => {
    await tx`update package set price_pence = 2600 where id = 112`;
    await stamp(tx, GARDEN);
  });
  assert.equal(await priceOf(), 2600);
});
