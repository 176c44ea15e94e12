import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bistroApp, FIRST, LATE, ROOMS } from './bistro.ts';
import type { Json } from './support.ts';

/** At the moment of these tests it is already the second of March there. */
const bistro = bistroApp({
  change: (venue) => ({ ...venue, timeZone: 'Pacific/Kiritimati' }),
});

test('days are those of the venue, wherever it is', async () => {
  await bistro().make();
  const { index, shards } = await bistro().read(FIRST, LATE);
  assert.equal(index.shards[0].date, '2030-03-02');
  const [slot] = shards.get('2030-03-02').slots;
  assert.equal(slot.date_time, '2030-03-02T22:00:00+14:00');
});

test('notice and horizon are counted from the day that it is at the venue', async () => {
  const { index } = await bistro().read(FIRST, ROOMS);
  // It is twenty minutes past midnight there, so the whole of the third day is far enough away.
  assert.equal(index.shards[0].date, '2030-03-04');
  assert.equal(index.shards.at(-1).date, Temporal.PlainDate.from('2030-03-02').add({ days: 60 }).toString());
});

test('the window begins with another day at midnight there, and not in London', async () => {
  await bistro().make({ hours: 23, minutes: 39 });
  const before = await bistro().read(FIRST, ROOMS);
  await bistro().make({ hours: 23, minutes: 41 });
  const after = await bistro().read(FIRST, ROOMS);
  const last = ({ index }: { index: Json }) => index.shards.at(-1).date;
  assert.equal(last(after), Temporal.PlainDate.from(last(before)).add({ days: 1 }).toString());
});
