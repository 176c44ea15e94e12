import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ada, done, order, wordsOf } from '../../orders/support.ts';
import { assertUnchanged, patch, replacing } from '../amend/amending.ts';
import {
  assertRefused,
  type Body,
  BRUNCH,
  book,
  booked,
  bookingsApp,
  COMPANY,
  freeDay,
  PRIVATE,
} from '../support.ts';

const app = bookingsApp();
const today = Temporal.Now.plainDateISO('Europe/London');
const dayIn = (days: number) => today.add({ days }).toString();

function nextChristmas(): string {
  const christmas = today.with({ month: 12, day: 25 });
  const isOver = Temporal.PlainDate.compare(christmas, today) < 0;
  return (isOver ? christmas.add({ years: 1 }) : christmas).toString();
}

/** Days on which brunch cannot be had, and why. */
const IMPOSSIBLE: [what: string, date: string, status: number, code: string][] = [
  ['yesterday', dayIn(-1), 400, 'AVAIL-N-007'],
  ['in 400 days', dayIn(400), 400, 'AVAIL-N-008'],
  ['on 25 December', nextChristmas(), 422, 'AVAIL-N-004'],
];

const ORDERED = {
  packages: [{ id: 112, quantity: 2 }],
  menus: [{ id: 111, items: [{ id: 11106, quantity: 2 }] }],
};
/** What is wrong with a brunch besides its time, one fault each; on a good day each has its own code. */
const FAULTS: [what: string, body: Body, status: number, code: string][] = [
  ['without a pre-order', { company: COMPANY }, 422, 'BOOK-N-007'],
  [
    'with a package that is not offered',
    { preorders: { packages: [{ id: 1, quantity: 2 }] } },
    400,
    'VALID-N-001',
  ],
  ['without a company', { preorders: ORDERED }, 422, 'BOOK-N-016'],
  ['for a company that is not listed', { preorders: ORDERED, company: 'Nobody & Co' }, 422, 'BOOK-N-015'],
  [
    'in a space that does not exist',
    { preorders: ORDERED, company: COMPANY, spaceId: 9999 },
    404,
    'BOOK-N-010',
  ],
];

for (const [fault, body, status, code] of FAULTS) {
  test(`brunch ${fault} is refused for its time first`, async () => {
    for (const type of ['book', 'request']) {
      const refused = (when: Body, ...expected: [number, string]) =>
        assertRefused(
          app(),
          () => book(app(), { ...body, type, ...when }, { productId: BRUNCH }),
          ...expected,
        );
      for (const [, date, timeStatus, timeCode] of IMPOSSIBLE)
        await refused({ date, time: '11:00' }, timeStatus, timeCode);
      await refused({ date: freeDay(), time: '11:00', duration: 5 }, 422, 'AVAIL-N-006');
      await refused({ date: freeDay(), time: '11:07' }, 409, 'AVAIL-N-005');
      await refused({ date: freeDay(), time: '11:00' }, status, code);
    }
  });
}

test('the time comes before the operator’s rules and before the size of the party', async () => {
  const tomorrow = { type: 'request', partySize: 20, date: dayIn(1), time: '19:00' };
  await assertRefused(app(), () => book(app(), tomorrow, { productId: PRIVATE }), 400, 'AVAIL-N-007');
  const whole = { preorders: ORDERED, company: COMPANY, time: '11:00' };
  for (const [, date, status, code] of IMPOSSIBLE)
    for (const partySize of [2, 40])
      await assertRefused(
        app(),
        () => book(app(), { ...whole, date, partySize }, { productId: BRUNCH }),
        status,
        code,
      );
});

test('items of an order are checked in the same order', async () => {
  const items = IMPOSSIBLE.map(([, date]) => ({ compositeId: BRUNCH, quantity: 2, date, time: '11:00' }));
  const made = await done(order(app(), { ...ada, items }));
  assert.deepEqual(
    wordsOf(made),
    IMPOSSIBLE.map(([, , , code]) => `failed ${code}`),
  );
  const atomic = await done(order(app(), { ...ada, items, atomic: true }));
  assert.deepEqual(
    wordsOf(atomic),
    IMPOSSIBLE.map(([, , , code]) => `failed ${code}`),
  );
});

test('an amendment that moves is refused for its time first, one that stays is not asked about it', async () => {
  const body = { date: freeDay(), time: '11:00', company: COMPANY, preorders: ORDERED };
  const { id } = await booked(app(), body, { productId: BRUNCH });
  const without = replacing('/preorders', { packages: [], menus: [] });
  for (const [, date, status, code] of IMPOSSIBLE)
    await assertUnchanged(
      app(),
      id,
      () => patch(app(), id, [replacing('/date', date), without]),
      status,
      code,
    );
  await assertUnchanged(app(), id, () => patch(app(), id, [without]), 422, 'BOOK-N-007');
});

test('what the system does not refuse for its time keeps the code of its own fault', async () => {
  const enquiry = { type: 'request', partySize: 12, spaceId: 9999 };
  await assertRefused(app(), () => book(app(), enquiry, { productId: PRIVATE }), 404, 'BOOK-N-010');
});
