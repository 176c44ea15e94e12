import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { timestampOf } from '../../../../src/kernel/clock.ts';
import { parseVenueId } from '../../../../src/kernel/ids.ts';
import { type Answer, assertProblem, type CallOptions } from '../../../support/app.ts';
import { cancel, operator } from '../../bookings/amend/amending.ts';
import { booked, bookingsApp } from '../../bookings/support.ts';
import { madeUpBooking } from '../made-up.ts';

const maitred = bookingsApp();

const VENUE = parseVenueId('1|house|soho-grill');
const START = Temporal.Instant.from('2026-03-01T12:00:00Z');
const at = (minutes: number) => START.add({ minutes });

/** Something that happened so many minutes after the start. */
function happen(
  minutes: number,
  type: 'booking.updated' | 'venue.updated' = 'booking.updated',
  partnerId = 1,
) {
  const event = {
    type,
    partnerId,
    venueId: VENUE,
    occurredAt: at(minutes),
    content: { bookings: [madeUpBooking({ minutes })] },
  };
  return maitred().services.events.append(maitred().sql, event);
}

async function read(query = '', options: CallOptions = {}): Promise<Answer['json']> {
  const answer = await maitred().call(`/webhooks/events?${query}`, options);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** The last event there is, after which a test looks for its own. */
async function lastId(options: CallOptions = {}): Promise<string> {
  for (let cursor = ''; ; ) {
    const { data, meta } = await read(`limit=100${cursor && `&cursor=${cursor}`}`, options);
    if (meta.nextCursor === null) return data.at(-1)?.id;
    cursor = meta.nextCursor;
  }
}

const minutesOf = ({ data }: Answer['json']) =>
  data.map((event: { body: { bookings: { minutes: number }[] } }) => event.body.bookings[0]?.minutes);

test('the log has what happened, in the very words in which it is told, though nobody has subscribed', async () => {
  const made = await booked(maitred());
  const { id } = await maitred().services.bookings.sendMessage(operator(1), made.id, {
    text: 'See you soon',
    replyTo: null,
  });
  await cancel(maitred(), made.id);
  const { data, meta } = await read();
  const events = await maitred().services.events.listOfBooking(maitred().sql, made.id);
  assert.deepEqual(
    data,
    events.map(({ id, type, occurredAt, body }) => ({
      id,
      eventType: type,
      occurredAt: timestampOf(occurredAt),
      bookingId: made.id,
      venueId: '1|house|soho-grill',
      body: JSON.parse(body ?? ''),
    })),
  );
  assert.deepEqual(
    data.map(({ eventType }: { eventType: string }) => eventType),
    ['booking.updated', 'message.received', 'booking.updated'],
  );
  assert.equal(data[1]?.body.messages[0].id, id);
  assert.deepEqual(meta, { nextCursor: null });
});

test('once the guest was forgotten, that something happened stays and what was told is gone', async () => {
  const cursor = await lastId();
  const { id } = await booked(maitred());
  await maitred().services.events.forget(maitred().sql, [id]);
  const { data } = await read(`cursor=${cursor}`);
  assert.equal(data.length, 1);
  assert.equal(data[0].bookingId, id);
  assert.equal(data[0].body, null);
});

test('the log is narrowed by type and by time: from then on, and before then', async () => {
  const cursor = await lastId();
  await happen(1);
  await happen(2, 'venue.updated');
  await happen(3);
  const narrowed = async (query: string) => minutesOf(await read(`cursor=${cursor}&${query}`));
  assert.deepEqual(await narrowed('eventType=venue.updated'), [2]);
  assert.deepEqual(await narrowed('eventType=message.received'), []);
  assert.deepEqual(await narrowed(`since=${at(2)}`), [2, 3]);
  assert.deepEqual(await narrowed(`until=${at(2)}`), [1]);
  assert.deepEqual(await narrowed(`since=${at(2)}&until=${at(3)}`), [2]);
  assert.deepEqual(await narrowed('since=2026-03-01T14:02:00.000001%2B02:00'), [3]);
  assert.deepEqual(await narrowed('eventType=booking.updated&limit=1'), [1]);
});

test('pages join up to the whole log in the order in which it was written, whatever their size and filter', async () => {
  const cursor = await lastId();
  const times = [5, 3, 9, 9, 1, 7, 7, 2, 8, 4];
  for (const minutes of times) await happen(minutes, minutes % 2 ? 'venue.updated' : 'booking.updated');
  const whole = await read(`cursor=${cursor}`);
  assert.deepEqual(minutesOf(whole), times);
  const filters = ['', `since=${at(4)}`, `until=${at(8)}`, 'eventType=venue.updated'];
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.constantFrom(...filters), async (limit, filter) => {
      const joined: unknown[] = [];
      let after: string | null = cursor;
      for (let pages = 0; after !== null; pages += 1) {
        const page: Answer['json'] = await read(`limit=${limit}&cursor=${after}&${filter}`);
        assert.ok(page.data.length > 0 && page.data.length <= limit && pages < times.length);
        joined.push(...page.data);
        after = page.meta.nextCursor;
      }
      assert.deepEqual(joined, (await read(`cursor=${cursor}&${filter}`)).data);
    }),
    { numRuns: 20 },
  );
});

test('a page has fifty events unless it is asked for otherwise', async () => {
  const cursor = await lastId();
  for (let minutes = 0; minutes < 51; minutes += 1) await happen(minutes);
  const { data, meta } = await read(`cursor=${cursor}`);
  assert.equal(data.length, 50);
  assert.equal(meta.nextCursor, data[49].id);
});

test('a partner and its agent read its own log, and neither the events nor the cursors of others', async () => {
  const theirs = { as: 'other-partner' };
  const agent = { as: 'demo-agent', headers: { 'x-partner-reference': 'demo-partner' } };
  await happen(1);
  await happen(2, 'booking.updated', 2);
  assert.deepEqual(minutesOf(await read('', theirs)), [2]);
  const cursor = await lastId();
  assert.equal(await lastId(agent), cursor);
  for (const options of [theirs, { ...theirs, headers: { 'x-partner-reference': 'other-partner' } }]) {
    const refused = await maitred().call(`/webhooks/events?cursor=${cursor}`, options);
    assert.deepEqual(assertProblem(refused, 400, 'VALID-N-001').errors, {
      cursor: ['is none of your events'],
    });
  }
  const unknown = await maitred().call(
    '/webhooks/events?cursor=018f6d2e-7d3a-7c11-9a3b-2f1e0d9c8b7a',
    theirs,
  );
  assertProblem(unknown, 400, 'VALID-N-001');
});

test('operators have no such log, and the platform has none of its own', async () => {
  for (const path of ['/webhooks/events', '/webhooks/deliveries']) {
    assertProblem(await maitred().call(path, { as: 'demo-operator' }), 403, 'USER-N-009');
    assertProblem(await maitred().call(path, { as: 'demo-admin' }), 403, 'IDENT-N-002');
  }
});
