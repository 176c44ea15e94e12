import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableStates } from '../../src/console/browser/pages/tonight/floor/floor-state.ts';
import { heldOn, offeredByHouse } from '../../src/console/browser/pages/tonight/holds.ts';
import { managedHoldExample } from '../../src/features/bookings/holds/schema.ts';
import { diaryBookingExample, diaryExample } from '../../src/features/diary/schema.ts';
import { managedEntryExample } from '../../src/features/waitlist/schema.ts';

const { slot } = managedHoldExample;
const [table] = diaryExample.areas.flatMap(({ tables }) => tables);
const tableId = table?.id ?? 0;
const hold = { ...managedHoldExample, tableIds: [tableId], expiresAt: '2026-12-05T18:05:00.000Z' };
const quiet = { ...diaryExample, date: slot.date, bookings: [], enquiries: [], blocks: [] };
const at = (clock: string) => Date.parse(`2026-12-05T${clock}:00Z`);

test('a hold is shown until its clock has run out', () => {
  const [held] = heldOn([hold], quiet, at('18:04'));
  assert.deepEqual(
    [held?.partner, held?.guests, held?.fromMs, held?.toMs],
    ['Demo Partner', 2, at('19:30'), at('21:00')],
  );
  assert.deepEqual(heldOn([hold], quiet, at('18:05')), []);
});

test('a hold of another day is not shown, nor one that has become a booking', () => {
  assert.deepEqual(heldOn([hold], { ...quiet, date: '2026-12-06' }, at('18:00')), []);
  const bookings = [{ ...diaryBookingExample, id: hold.id }];
  assert.deepEqual(heldOn([hold], { ...quiet, bookings }, at('18:00')), []);
});

test('a held table is not free on the floor plan, before and after it is', () => {
  const held = heldOn([hold], quiet, at('18:00'));
  const stateAt = (clock: string) => tableStates(quiet, at(clock), held).get(tableId)?.state;
  assert.deepEqual([stateAt('19:00'), stateAt('19:45'), stateAt('21:00')], ['free', 'held', 'free']);
});

test('what the house offers is kept too; what a partner has is a hold of the partner', () => {
  const ofHouse = { ...managedEntryExample, id: 'house', partner: null, origin: 'phone' as const };
  const waiting = { ...ofHouse, id: 'waiting', status: 'waiting' as const, offer: null };
  const shown = (nowMs: number) =>
    offeredByHouse([managedEntryExample, ofHouse, waiting], nowMs).map(({ id }) => id);
  const endMs = Date.parse(managedEntryExample.offer?.expiresAt ?? '');
  assert.deepEqual(shown(endMs - 1), ['house']);
  assert.deepEqual(shown(endMs), []);
});
