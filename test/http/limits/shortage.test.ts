import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addRoom, startsApart } from '../../race/venues.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
  await maitred.sql.unsafe(`
    create function fail_for_want_of_disk() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create function fail_for_want_of_memory() returns trigger language plpgsql as $$
    begin raise exception 'out of memory' using errcode = '53200'; end $$`);
});
after(() => maitred.close());

const guest = { type: 'book', partySize: 2, firstName: 'Ada', lastName: 'Lovelace' };

/** Bookings fail with it until the result is called. */
async function shortOf(resource: 'disk' | 'memory') {
  await maitred.sql.unsafe(
    `create trigger shortage before insert on booking execute function fail_for_want_of_${resource}()`,
  );
  return () => maitred.sql.unsafe('drop trigger shortage on booking');
}

for (const resource of ['disk', 'memory'] as const) {
  test(`a database that is out of ${resource} is a 503, not a mistake of ours, and the node says that it is not ready`, async () => {
    const productId = await addRoom(maitred.sql, 3);
    const [start] = startsApart(1);
    const book = () =>
      maitred.call(`/venues/${encodeURIComponent(productId)}/booking`, {
        method: 'POST',
        body: { ...guest, ...start, partnerBookingId: `short-of-${resource}` },
      });
    const ready = () => maitred.call('/health/ready', { as: null });
    assert.equal((await ready()).status, 200);

    const relieve = await shortOf(resource);
    const refused = await book();
    const body = assertProblem(refused, 503, 'HTTP-R-503');
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.equal(body.isOutcomeKnown, undefined, 'the database has rolled it back');
    const notReady = await ready();
    assertProblem(notReady, 503, 'HTTP-R-503');
    assert.equal(notReady.json.checks.writes, false);

    await relieve();
    assert.equal((await book()).status, 201);
    await eventually(async () => (await ready()).status === 200);
  });
}
