/** Amendments that say the same thing in several ways, or things that contradict each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { BOOTH, booked, bookingsApp, guest } from '../support.ts';

// Clocks go back in London in the night to 31 October 2027; the demo data is open then.
const start = Temporal.Now.instant();
const october = Temporal.Instant.from('2027-10-20T12:00:00Z');
const app = bookingsApp({ deps: { clock: () => october.add(Temporal.Now.instant().since(start)) } });
const amend = (method: 'PUT' | 'PATCH', id: string, body: unknown) =>
  app().call(`/venues/bookings/${id}`, { method, body });

test('a PUT that repeats date and time with seconds leaves a booking in the second of two hours where it is', async () => {
  const second = { partySize: 2, duration: 60, dateTime: '2027-10-31T01:00:00+00:00' };
  const { id, dateTime } = await booked(app(), second, { productId: BOOTH });
  const body = { compositeId: BOOTH, ...guest, duration: 60, date: '2027-10-30', time: '01:00:00' };
  const answer = await amend('PUT', id, body);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.dateTime, dateTime);
});

test('a patch that sets dateTime and, against it, date and time to what they were is BOOK-N-018', async () => {
  const { id } = await booked(app(), { date: '2027-11-09', time: '19:00' });
  const patch = [
    { op: 'replace', path: '/dateTime', value: '2027-11-10T19:00:00Z' },
    { op: 'replace', path: '/date', value: '2027-11-09' },
    { op: 'replace', path: '/time', value: '19:00' },
  ];
  assertProblem(await amend('PATCH', id, patch), 400, 'BOOK-N-018');
});

test('a pointer outside the document is refused even if a later operation takes it back', async () => {
  const { id } = await booked(app(), { date: '2027-11-12', time: '19:00' });
  const patch = [
    { op: 'add', path: '/status', value: 'x' },
    { op: 'remove', path: '/status' },
  ];
  assertProblem(await amend('PATCH', id, patch), 400, 'VALID-N-001');
});
