import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, listsOf, placingOf } from '../../src/console/browser/pages/waitlist/entries.ts';
import { managedEntryExample } from '../../src/features/waitlist/schema.ts';

const { offer } = managedEntryExample;
const entry = (id: string, more: Partial<Entry>): Entry => ({ ...managedEntryExample, id, ...more });
const waiting = (id: string) => entry(id, { status: 'waiting', offer: null });
const offered = (id: string, expiresAt: string) =>
  entry(id, { status: 'offered', offer: offer && { ...offer, expiresAt } });
const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id);

test('an offer that has ended is over, whatever the list said when it was read', () => {
  const entries = [
    offered('later', '2026-12-05T18:20:00Z'),
    waiting('first'),
    offered('sooner', '2026-12-05T18:10:00Z'),
    offered('ended', '2026-12-05T17:59:00Z'),
    entry('taken', { status: 'booked', offer: null }),
    waiting('second'),
  ];
  const lists = listsOf(entries, Date.parse('2026-12-05T18:00:00Z'));
  assert.deepEqual(idsOf(lists.offered), ['sooner', 'later']);
  assert.deepEqual(idsOf(lists.waiting), ['first', 'second']);
  assert.deepEqual(idsOf(lists.over), ['ended', 'taken']);
});

test('the entry that was moved is named with the one behind it', () => {
  const list = (text: string) => [...text].map((id) => ({ id }));
  assert.deepEqual(placingOf(list('abcd'), list('dabc')), { id: 'd', before: 'a' });
  assert.deepEqual(placingOf(list('abcd'), list('bcda')), { id: 'a', before: null });
  assert.deepEqual(placingOf(list('abcd'), list('acbd')), { id: 'c', before: 'b' });
  assert.equal(placingOf(list('abcd'), list('abcd')), undefined);
});
