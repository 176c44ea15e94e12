import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealGuest } from '../../../src/features/bookings/store.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import {
  asItIs,
  assertUnchanged,
  demoPartner,
  patch,
  put,
  read,
  replacing,
  type Step,
  taken,
} from './amend/amending.ts';
import { assertRefused, book, booked, bookingsApp, freeDay } from './support.ts';

const KEYS = createKeyring([Buffer.alloc(32, 9)]);
const maitred = bookingsApp({ deps: { encryptionKeys: KEYS } });
const change = (id: string, ...steps: Step[]) => taken(patch(maitred(), id, steps));

const PHONES = [
  '+44 20 7946 0018',
  '+44 (0)20 7946 0018',
  '(+49) 30/901820',
  '0049-30-901820',
  '020 7946 0018 ext. 12',
  '+1.202.555.0143x7',
  '202-555-0143;ext=12',
  '+33\u00a01\u00a099\u00a000\u00a012\u00a034',
  '06–1234–5678',
  '12345',
  '+123456789012345',
];
const NO_PHONES = [
  'none',
  '1234',
  '+1234567890123456',
  '++44 20 7946 0018',
  '020 7946 CALL',
  '+44 20 7946 0018 Ada',
  'ext. 12345',
  'ada@example.com',
  '020 7946 0018 / 0019 / 0020',
  '٠١٢٣٤٥٦٧٨٩',
  '-----',
];

test('a telephone number is taken however people write it, and anything else is not one', async () => {
  for (const phone of PHONES)
    assert.equal((await booked(maitred(), { date: freeDay(), time: '19:00', phone })).phone, phone);
  for (const phone of NO_PHONES) {
    const attempt = () => book(maitred(), { date: freeDay(), time: '19:00', phone });
    const { errors } = await assertRefused(maitred(), attempt, 400, 'VALID-N-001');
    assert.deepEqual(errors, { phone: ['must be a telephone number such as +44 20 7946 0018'] }, phone);
  }
});

test('a telephone number that cannot be one is refused, but one that is stored already may stay', async () => {
  const { sql } = maitred();
  const booking = await booked(maitred());
  const { id } = booking;
  for (const phone of ['none', '1234', '']) {
    const changed = () => patch(maitred(), id, [replacing('/phone', phone)]);
    const { errors } = await assertUnchanged(maitred(), id, changed, 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(errors), ['phone']);
    const replaced = () => put(maitred(), id, { ...asItIs(booking), phone });
    await assertUnchanged(maitred(), id, replaced, 400, 'VALID-N-001');
  }
  const { guest } = await maitred().services.bookings.getRecord(demoPartner, id);
  assert.ok(guest);
  const sealed = sealGuest(KEYS, id, { ...guest, phone: 'ask Ada' });
  await sql`update booking set guest = ${sealed} where id = ${id}`;
  assert.equal((await read(maitred(), id)).json.phone, 'ask Ada');
  assert.equal((await change(id, replacing('/comments', 'Late'))).phone, 'ask Ada');
  const kept = { ...asItIs(booking), phone: 'ask Ada', comments: 'Later' };
  assert.equal((await taken(put(maitred(), id, kept))).phone, 'ask Ada');
  const other = () => patch(maitred(), id, [replacing('/phone', 'ask Bob')]);
  await assertUnchanged(maitred(), id, other, 400, 'VALID-N-001');
  assert.equal((await change(id, replacing('/phone', '12345'))).phone, '12345');
});
