import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { type Answer, assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { areWaiting } from '../../support/databases/lock-waits.ts';
import { eventually } from '../../support/eventually.ts';
import { newVenue } from '../venues/keeping.ts';
import { foundGif } from './pictures.ts';
import { announce, as, at, send } from './uploading.ts';

/** What is sent to a venue that is about to go. */

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

async function openVenue(resourceId: string): Promise<string> {
  const body = newVenue(resourceId);
  const { json } = await maitred.call('/manage/operators/1/venues', { as, method: 'POST', body });
  return json.id;
}

/** The removal of the venue has done everything but commit when the call comes. */
async function callBehindRemoval(venueId: string, call: () => Promise<Answer>): Promise<Answer> {
  const [removal, answer] = await inTransaction(maitred.sql, async (tx) => {
    await tx`lock table audit_entry in exclusive mode`;
    const venue = `/manage/venues/${encodeURIComponent(venueId)}`;
    const first = maitred.call(venue, { as, method: 'DELETE' });
    await eventually(() => areWaiting(maitred.sql, 1));
    const second = call();
    await eventually(() => areWaiting(maitred.sql, 2));
    return [first, second] as const;
  });
  assert.equal((await removal).status, 204);
  return answer;
}

test('a picture that is announced for a venue that goes is told that there is none', async () => {
  const venueId = await openVenue('fading-1');
  const picture = { contentType: 'image/gif', sizeBytes: foundGif.length };
  const answer = await callBehindRemoval(venueId, () => announce(maitred, picture, venueId));
  assertProblem(answer, 404, 'VENUE-N-001');
});

test('so are photos that are arranged', async () => {
  const venueId = await openVenue('fading-2');
  const body = { data: [{ url: 'https://cdn.example/door.jpg' }] };
  const answer = await callBehindRemoval(venueId, () =>
    maitred.call(at(venueId, 'photos'), { as, method: 'PUT', body }),
  );
  assertProblem(answer, 404, 'VENUE-N-001');
});

test('so is an upload that is completed', async () => {
  const venueId = await openVenue('fading-3');
  const uploadId = await send(maitred, 'image/gif', foundGif, venueId);
  const answer = await callBehindRemoval(venueId, () =>
    maitred.call(at(venueId, `uploads/${uploadId}/complete`), { as, method: 'POST' }),
  );
  assertProblem(answer, 404, 'VENUE-N-001');
});
