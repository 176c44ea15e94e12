import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction } from '../../../../src/db/database.ts';
import type { BookingRecord, Guest } from '../../../../src/features/bookings/record.ts';
import type { SimulatedChanges } from '../../../../src/features/bookings/sandbox/schema.ts';
import { createBookingStore } from '../../../../src/features/bookings/store.ts';
import { createKeyring } from '../../../../src/kernel/crypto.ts';
import { parseVenueId } from '../../../../src/kernel/ids.ts';
import { lockDays } from '../../../../src/tms/house/store.ts';
import { eventually } from '../../../support/eventually.ts';
import { demoPartner } from '../amend/amending.ts';
import { booked, freeDay } from '../support.ts';
import { simulatingApp } from './simulating.ts';

const { maitred, enquire } = simulatingApp();

test('of ten enquiries that are confirmed at once for the last place one is', async () => {
  const at = { date: freeDay(), time: '19:00', partySize: 8 };
  await booked(maitred(), at);
  await booked(maitred(), at);
  const asked = [];
  for (let count = 0; count < 10; count += 1) asked.push(await enquire(at));
  const { bookings } = maitred().services;
  const outcomes = await Promise.allSettled(
    asked.map(({ id }) => bookings.simulate(demoPartner, id, { status: 'confirmed' })),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.deepEqual([...new Set(refused.map(({ reason }) => reason.code))], ['SBOX-N-004']);
  assert.equal(refused.length, 9);
});

type Effect = (record: BookingRecord) => Partial<BookingRecord>;
const saying = (record: BookingRecord, more: Partial<Guest>) => ({
  guest: record.guest && { ...record.guest, ...more },
});
const CHANGES: [SimulatedChanges, Effect][] = [
  [{ notes: 'N' }, (record) => saying(record, { comments: 'N' })],
  [{ phone: '22222' }, (record) => saying(record, { phone: '22222' })],
  [{ actualGuests: 2 }, () => ({ actualGuests: 2 })],
  [{ source: 'portal' }, () => ({ source: 'portal' })],
];

test('changes of one booking at the same moment are all kept; written without looking again they are not', async () => {
  const { sql, services } = maitred();
  const { bookings } = services;
  const countKept = async (id: string) => {
    const { guest, actualGuests, source } = await bookings.getRecord(demoPartner, id);
    const kept = [guest?.comments === 'N', guest?.phone === '22222', actualGuests === 2, source === 'portal'];
    return kept.filter(Boolean).length;
  };
  const { id } = await booked(maitred());
  await Promise.all(CHANGES.map(([changes]) => bookings.simulate(demoPartner, id, changes)));
  assert.equal(await countKept(id), CHANGES.length);
  const { id: other } = await booked(maitred());
  const store = createBookingStore(createKeyring([Buffer.alloc(32, 7)]));
  const asRead = await bookings.getRecord(demoPartner, other);
  await Promise.all(CHANGES.map(([, effect]) => store.update(sql, { ...asRead, ...effect(asRead) })));
  assert.ok((await countKept(other)) < CHANGES.length);
});

test('a change that waits in a circle with somebody else begins again and is carried out', async () => {
  const { sql, services } = maitred();
  const date = freeDay();
  const { id } = await booked(maitred(), { date, time: '19:00' });
  const isWaiting = async () => {
    const [row] =
      await sql`select count(*) as waiting from pg_locks where locktype = 'advisory' and not granted`;
    return row?.waiting > 0;
  };
  const other = inTransaction(sql, async (tx) => {
    await lockDays(tx, [{ venueId: parseVenueId('1|house|soho-grill'), date }]);
    const simulating = services.bookings.simulate(demoPartner, id, { partySize: 4 });
    await eventually(isWaiting);
    await tx`select from booking where id = ${id} for update`;
    return { simulating };
  });
  const { simulating } = await other;
  assert.equal((await simulating).adults, 4);
});
