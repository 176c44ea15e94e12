import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEvent } from '../../src/console/browser/pages/tonight/changes.ts';
import {
  attentionOf,
  clockAt,
  type Diary,
  type DiaryBooking,
  lanesOf,
  localAt,
  MINUTE_MS,
  overrunsOf,
  QUARTER_MS,
  quartersOf,
  rowsOf,
  runsOf,
  shownState,
  spanOf,
  tableIdsOf,
  totalsOf,
} from '../../src/console/browser/pages/tonight/evening.ts';
import { tableStates, waitingAt } from '../../src/console/browser/pages/tonight/floor/floor-state.ts';
import {
  heightOf,
  msOf,
  nearestQuarter,
  quarterAt,
  rowAt,
  scaleFor,
  xOf,
} from '../../src/console/browser/pages/tonight/timeline/scale.ts';
import { diaryBookingExample, diaryExample } from '../../src/features/diary/schema.ts';

const DATE = '2026-12-05';
const at = (clock: string) => Date.parse(`${DATE}T${clock}:00Z`);

/** A party for two from `from` to `to` on the first table, unless `more` says otherwise. */
const party = (id: string, from: string, to: string, more: Partial<DiaryBooking> = {}): DiaryBooking => ({
  ...diaryBookingExample,
  id,
  time: from,
  start: `${DATE}T${from}:00+00:00`,
  end: `${DATE}T${to}:00+00:00`,
  ...more,
});
const visit = (state: DiaryBooking['visit']['state']) => ({ visit: { ...diaryBookingExample.visit, state } });
const evening = (bookings: DiaryBooking[], more: Partial<Diary> = {}): Diary => ({
  ...diaryExample,
  blocks: [],
  bookings,
  ...more,
});

test('a party is late ten minutes after its time, unless it is here', () => {
  const booking = party('a', '19:00', '20:30');
  assert.equal(shownState(booking, at('19:10')), 'expected');
  assert.equal(shownState(booking, at('19:11')), 'late');
  assert.equal(shownState({ ...booking, ...visit('arrived') }, at('19:30')), 'arrived');
  assert.equal(shownState({ ...booking, ...visit('no_show') }, at('23:00')), 'no_show');
});

test('the span holds everything that happens, in whole hours', () => {
  const diary = evening([party('a', '17:20', '18:50'), party('b', '21:00', '23:40')]);
  const { fromMs, toMs } = spanOf(diary, at('02:00'));
  assert.deepEqual([clockAt(fromMs, 'UTC'), toMs], ['17:00', at('23:00') + 60 * MINUTE_MS]);
  const late = spanOf(evening([party('c', '21:30', '22:30')]), at('02:00'));
  assert.equal(clockAt(late.fromMs, 'UTC'), '17:00', 'there is room for an earlier party');
  const quiet = spanOf(evening([]), at('02:00'));
  assert.deepEqual([clockAt(quiet.fromMs, 'UTC'), clockAt(quiet.toMs, 'UTC')], ['12:00', '23:00']);
});

test('a party that sits too long is named to the one that waits for its table', () => {
  const sitting = party('a', '17:00', '18:30', visit('seated'));
  const next = party('b', '18:45', '20:00');
  const elsewhere = party('c', '18:45', '20:00', { tables: [{ id: 7, name: 'W7' }] });
  const diary = evening([sitting, next, elsewhere]);
  assert.deepEqual([...overrunsOf(diary, at('18:40')).keys()], ['b']);
  assert.equal(overrunsOf(diary, at('18:20')).size, 0);
});

test('what needs somebody: late, waiting, without a table, asked for', () => {
  const enquiry = party('e', '20:00', '22:00', { status: 'pending' });
  const diary = evening([party('a', '18:00', '19:30'), party('b', '21:00', '22:00', { tables: [] })], {
    enquiries: [enquiry],
  });
  const kinds = attentionOf(diary, at('18:30')).map(({ kind, booking }) => `${kind} ${booking.id}`);
  assert.deepEqual(kinds, ['late a', 'no_table b', 'enquiry e']);
});

test('a party whose deposit is not paid keeps its table and is counted by itself', () => {
  const paymentDue = {
    option: 'deposit' as const,
    amount: 2000,
    currency: 'GBP',
    until: `${DATE}T18:42:00.000Z`,
  };
  const unpaid = party('u', '19:00', '20:30', { status: 'pending', paymentDue });
  const diary = applyEvent(evening([]), { kind: 'booking', data: unpaid });
  assert.deepEqual(
    diary.bookings.map(({ id }) => id),
    ['u'],
  );
  assert.equal(shownState(unpaid, at('19:30')), 'unpaid', 'it is not late');
  assert.deepEqual(totalsOf(diary.bookings, at('19:30')), {
    covers: 0,
    parties: 0,
    seated: 0,
    late: 0,
    unpaid: 1,
  });
  const [table] = unpaid.tables;
  assert.equal(tableStates(diary, at('19:15')).get(table?.id ?? 0)?.state, 'unpaid');
});

test('covers are counted by quarter, without those who did not come', () => {
  const bookings = [party('a', '19:00', '19:30'), party('b', '19:15', '20:00', visit('no_show'))];
  const quarters = quartersOf(bookings, { fromMs: at('18:45'), toMs: at('19:45') });
  assert.deepEqual(
    quarters.map(({ present, starting }) => [present, starting]),
    [
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 0],
    ],
  );
  assert.deepEqual(totalsOf(bookings, at('19:05')), {
    covers: 2,
    parties: 1,
    seated: 0,
    late: 0,
    unpaid: 0,
  });
});

test('neighbouring tables of a party are one block', () => {
  assert.deepEqual(runsOf([5, 3, 4, 9]), [
    { first: 3, count: 3 },
    { first: 9, count: 1 },
  ]);
  assert.deepEqual(runsOf([]), []);
});

test('what overlaps is put into lanes, what follows shares one', () => {
  const { lanes, count } = lanesOf([
    { id: 'a', fromMs: 0, toMs: 10 },
    { id: 'b', fromMs: 5, toMs: 15 },
    { id: 'c', fromMs: 10, toMs: 20 },
  ]);
  assert.equal(count, 2);
  assert.equal(lanes.get('a'), lanes.get('c'));
  assert.notEqual(lanes.get('a'), lanes.get('b'));
});

test('a pixel leads back to the moment it was drawn for', () => {
  const scale = scaleFor({ fromMs: at('17:00'), toMs: at('23:00') }, 1_200);
  assert.equal(scale.quarterPx, 50);
  for (let ms = scale.fromMs; ms < scale.toMs; ms += QUARTER_MS) {
    assert.equal(quarterAt(xOf(ms, scale), scale), ms);
    assert.equal(quarterAt(xOf(ms, scale) + 49, scale), ms);
    assert.equal(nearestQuarter(scale.fromMs + msOf(xOf(ms, scale) + 20, scale), scale), ms);
  }
  assert.equal(scaleFor(scale, 100).quarterPx, 28, 'it scrolls rather than becoming too narrow');
  const rows = rowsOf(diaryExample, 2);
  assert.equal(rowAt(10, rows)?.kind, 'unseated');
  assert.equal(rowAt(heightOf(rows) - 1, rows)?.name, 'W1');
  assert.equal(rowAt(heightOf(rows), rows), undefined);
});

test('local times follow the clocks of the venue', () => {
  const noon = Date.parse('2026-06-01T12:00:00Z');
  assert.equal(clockAt(noon, 'Europe/London'), '13:00');
  assert.equal(localAt(noon, 'Europe/London'), '2026-06-01T13:00');
  assert.equal(localAt(Date.parse('2026-12-31T23:30:00Z'), 'Europe/Berlin'), '2027-01-01T00:30');
});

test('events of the stream may come twice and in any order of things', () => {
  const [a, b] = [party('a', '18:00', '19:00'), party('b', '19:00', '20:00')];
  let diary = evening([b]);
  for (const _ of [1, 2]) diary = applyEvent(diary, { kind: 'booking', data: a });
  assert.deepEqual(
    diary.bookings.map(({ id }) => id),
    ['a', 'b'],
  );
  diary = applyEvent(diary, { kind: 'booking', data: { ...a, status: 'pending' } });
  assert.deepEqual([diary.bookings.length, diary.enquiries.length], [1, 1]);
  diary = applyEvent(diary, { kind: 'booking.removed', data: { id: 'a' } });
  assert.deepEqual([diary.bookings.length, diary.enquiries.length], [1, 0]);
  assert.equal(diary.bookings[0], b, 'what has not changed is not drawn again');
  const same = applyEvent(diary, { kind: 'something.new', data: { id: 'x' } });
  assert.equal(same, diary);
});

test('a table is what is on it: those who sit stay until they leave', () => {
  const sitting = party('a', '17:00', '18:30', visit('seated'));
  const states = tableStates(evening([sitting]), at('19:00'));
  assert.equal(states.get(101101)?.state, 'seated');
  const left = tableStates(evening([{ ...sitting, ...visit('left') }]), at('18:00'));
  assert.equal(left.get(101101)?.state, 'free');
  const soon = tableStates(evening([party('b', '19:15', '20:00')]), at('19:00'));
  assert.equal(soon.get(101101)?.state, 'soon');
  const waiting = party('w', '19:00', '20:00', visit('arrived'));
  assert.deepEqual(waitingAt(evening([waiting, sitting]), at('19:00')), [waiting]);
});

test('a party that holds no table any more is shown where it sat', () => {
  const tables = [
    { id: 1, name: 'M1' },
    { id: 2, name: 'M2' },
  ];
  assert.deepEqual(tableIdsOf({ tables: [{ id: 7, name: 'M2' }] }, tables), [7]);
  assert.deepEqual(tableIdsOf({ tables: [{ id: null, name: 'M2' }] }, tables), [2]);
  assert.deepEqual(tableIdsOf({ tables: [{ id: null, name: 'gone' }] }, tables), []);
});
