import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mediaJobs } from '../../../src/features/media/service.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { claimedPng, foundGif, foundLosslessWebp, jpeg, png } from './pictures.ts';
import { announce, as, at, complete, PART_BYTES, send, sendPart, upload, VENUE } from './uploading.ts';

const PUBLIC_URL = 'https://book.example';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp({ config: { publicUrl: PUBLIC_URL } });
});
after(() => maitred.close());

const mediaPath = (url: string) => {
  assert.ok(url.startsWith(`${PUBLIC_URL}/media/`), url);
  return url.slice(PUBLIC_URL.length);
};
const dropAll = () => maitred.sql`delete from media_upload`;

test('a picture that was uploaded in parts is a photo of the venue, and anybody gets its bytes', async () => {
  const picture = png(500, 500);
  assert.ok(picture.length > PART_BYTES);
  const photo = await upload(maitred, 'image/png', picture);
  assert.deepEqual(
    { ...photo, id: 0, url: '' },
    { id: 0, url: '', caption: 'Uploaded', width: 500, height: 500 },
  );

  const served = await maitred.app.inject({ url: mediaPath(photo.url) });
  assert.equal(served.statusCode, 200);
  assert.ok(served.rawPayload.equals(picture));
  assert.equal(served.headers['content-type'], 'image/png');
  assert.equal(served.headers['content-length'], String(picture.length));
  assert.equal(served.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(served.headers['x-content-type-options'], 'nosniff');

  const known = { 'if-none-match': String(served.headers.etag) };
  const again = await maitred.call(mediaPath(photo.url), { as: null, headers: known });
  assert.deepEqual([again.status, again.text], [304, '']);
  const head = await maitred.call(mediaPath(photo.url), { as: null, method: 'HEAD' });
  assert.deepEqual(
    [head.status, head.headers['content-length'], head.text],
    [200, String(picture.length), ''],
  );
});

test('every kind of picture is served as what it is', async () => {
  const kinds = { 'image/jpeg': jpeg(30, 20), 'image/gif': foundGif, 'image/webp': foundLosslessWebp };
  for (const [type, picture] of Object.entries(kinds)) {
    const { url } = await upload(maitred, type, picture);
    const served = await maitred.app.inject({ url: mediaPath(url) });
    assert.equal(served.headers['content-type'], type);
    assert.ok(served.rawPayload.equals(picture));
  }
});

test('partners see the photo at once, in the venue and in listings', async () => {
  const venue = `/venues/${encodeURIComponent(VENUE)}?fields=photos`;
  await maitred.call(venue);
  const { id: _, ...photo } = await upload(maitred, 'image/png', png(4, 4));
  await eventually(async () => (await maitred.call(venue)).text.includes(photo.url));
  assert.deepEqual((await maitred.call(venue)).json.photos.at(-1), photo);
  const listed = await maitred.call('/v1/listings?venueName=Soho%20Grill');
  assert.ok(listed.text.includes(photo.url), listed.text.slice(0, 500));
});

test('an upload says what has arrived, so that it can go on', async () => {
  const picture = png(500, 500);
  const announced = await announce(maitred, { contentType: 'image/png', sizeBytes: picture.length });
  const { uploadId, parts, partBytes, received, caption } = announced.json;
  assert.deepEqual([parts, partBytes, received, caption], [2, PART_BYTES, [], null]);
  await sendPart(maitred, uploadId, 2, picture.subarray(PART_BYTES));
  const unfinished = await maitred.call(at(VENUE, `uploads/${uploadId}`), { as });
  assert.deepEqual(unfinished.json.received, [2]);
  assert.ok(
    (await maitred.call(at(VENUE, 'uploads'), { as })).json.data.some(
      (one: { uploadId: string }) => one.uploadId === uploadId,
    ),
  );

  const refused = assertProblem(await complete(maitred, uploadId), 422, 'VENUE-N-012');
  assert.match(refused.detail, /: 1\.$/);
  await sendPart(maitred, uploadId, 1, Buffer.alloc(PART_BYTES));
  assertProblem(await complete(maitred, uploadId), 422, 'VENUE-N-011');
  // Sent again, it takes the place of the one before.
  await sendPart(maitred, uploadId, 1, picture.subarray(0, PART_BYTES));
  assert.equal((await complete(maitred, uploadId)).status, 200);
  assertProblem(await complete(maitred, uploadId), 404, 'HTTP-N-404');
});

test('parts that arrive at the same moment are all there', async () => {
  const picture = png(900, 900);
  const announced = await announce(maitred, { contentType: 'image/png', sizeBytes: picture.length });
  const { uploadId, parts } = announced.json;
  assert.ok(parts > 3);
  await Promise.all(
    Array.from({ length: parts }, (_, index) =>
      sendPart(maitred, uploadId, index + 1, picture.subarray(index * PART_BYTES, (index + 1) * PART_BYTES)),
    ),
  );
  const done = await Promise.all([complete(maitred, uploadId), complete(maitred, uploadId)]);
  assert.deepEqual(done.map(({ status }) => status).sort(), [200, 404]);
});

test('what is no picture, too large, damaged or not what was announced is refused', async () => {
  const refused = async (contentType: string, bytes: Buffer, reason: RegExp) => {
    const problem = assertProblem(
      await complete(maitred, await send(maitred, contentType, bytes)),
      422,
      'VENUE-N-011',
    );
    assert.match(problem.detail, reason);
  };
  await refused('image/png', Buffer.from('<html><script>alert(1)</script>'), /no picture/);
  await refused('image/png', jpeg(5, 5), /announced as image\/png, but is image\/jpeg/);
  await refused('image/png', png(5, 5).subarray(0, -3), /damaged/);
  await refused('image/png', claimedPng(8001, 8), /8001 × 8 pixels/);
  await refused('image/jpeg', jpeg(8, 8001), /8 × 8001 pixels/);
  await dropAll();

  const announcedAs = (contentType: string, sizeBytes: number) =>
    announce(maitred, { contentType, sizeBytes });
  assertProblem(await announcedAs('image/svg+xml', 100), 422, 'VENUE-N-011');
  assertProblem(await announcedAs('text/html', 100), 422, 'VENUE-N-011');
  assertProblem(await announcedAs('image/png', 10 * 1024 * 1024 + 1), 422, 'VENUE-N-011');
  assertProblem(await announcedAs('image/png', 0), 400, 'VALID-N-001');
  assert.equal((await announcedAs('image/png', 10 * 1024 * 1024)).json.parts, 20);
  assert.equal((await upload(maitred, 'image/png', claimedPng(8000, 8000))).width, 8000);
});

test('a part has the length and the number that the upload gives it', async () => {
  const announced = await announce(maitred, { contentType: 'image/png', sizeBytes: PART_BYTES + 10 });
  const { uploadId } = announced.json;
  assertProblem(await sendPart(maitred, uploadId, 2, Buffer.alloc(11)), 422, 'VENUE-N-011');
  assertProblem(await sendPart(maitred, uploadId, 1, Buffer.alloc(10)), 422, 'VENUE-N-011');
  assertProblem(await sendPart(maitred, uploadId, 1, Buffer.alloc(PART_BYTES + 1)), 413, 'HTTP-N-413');
  assertProblem(await sendPart(maitred, uploadId, 3, Buffer.alloc(10)), 400, 'VALID-N-001');
  for (const number of [0, 21, -1, 'one', '1.5'])
    assertProblem(await sendPart(maitred, uploadId, number, Buffer.alloc(10)), 400, 'VALID-N-001');
  const none = await maitred.call(at(VENUE, `uploads/${uploadId}/parts/1`), { as, method: 'PUT' });
  assertProblem(none, 422, 'VENUE-N-011');
  assert.deepEqual((await maitred.call(at(VENUE, `uploads/${uploadId}`), { as })).json.received, []);
});

test('parts are bytes and nothing else', async () => {
  const { uploadId } = (await announce(maitred, { contentType: 'image/png', sizeBytes: 2 })).json;
  for (const type of ['application/json', 'image/png', 'multipart/form-data'])
    assertProblem(
      await sendPart(maitred, uploadId, 1, Buffer.from('{}'), { 'content-type': type }),
      415,
      'HTTP-N-415',
    );
  const packed = await sendPart(maitred, uploadId, 1, Buffer.from('{}'), { 'content-encoding': 'gzip' });
  assertProblem(packed, 415, 'HTTP-N-415');
  const elsewhere = await maitred.call(at(VENUE, 'uploads'), {
    as,
    method: 'POST',
    body: Buffer.from('{}'),
    headers: { 'content-type': 'application/octet-stream' },
  });
  assertProblem(elsewhere, 415, 'HTTP-N-415');
});

test('an upload belongs to its venue, and is there until it is dropped', async () => {
  const uploadId = await send(maitred, 'image/gif', foundGif);
  const other = at('1|house|garden-room', `uploads/${uploadId}`);
  assertProblem(await maitred.call(other, { as }), 404, 'HTTP-N-404');
  assertProblem(await maitred.call(`${other}/complete`, { as, method: 'POST' }), 404, 'HTTP-N-404');
  assertProblem(await maitred.call(other, { as, method: 'DELETE' }), 404, 'HTTP-N-404');
  const own = at(VENUE, `uploads/${uploadId}`);
  assert.equal((await maitred.call(own, { as, method: 'DELETE' })).status, 204);
  assertProblem(await maitred.call(own, { as, method: 'DELETE' }), 404, 'HTTP-N-404');
  assertProblem(await sendPart(maitred, uploadId, 1, foundGif), 404, 'HTTP-N-404');
  assertProblem(await maitred.call(at(VENUE, 'uploads/nonsense'), { as }), 400, 'VALID-N-001');
  assert.equal((await maitred.sql`select from media_part where upload_id = ${uploadId}`).length, 0);
});

test('unknown venues and those of others take no uploads', async () => {
  const body = { contentType: 'image/gif', sizeBytes: 10 };
  assertProblem(await announce(maitred, body, '1|house|nowhere'), 404, 'VENUE-N-001');
  assertProblem(await announce(maitred, body, '2|house|x'), 403, 'OPRTR-N-002');
});

test('an upload that nobody completes is gone after a day', async () => {
  const uploadId = await send(maitred, 'image/gif', foundGif);
  const [forget] = mediaJobs(maitred.services.media);
  const run = () => forget?.handle(AbortSignal.any([]), { error() {}, warn() {} });
  await run();
  assert.equal((await maitred.call(at(VENUE, `uploads/${uploadId}`), { as })).status, 200);
  await maitred.sql`update media_upload set expires_at = expires_at - interval '24 hours' where id = ${uploadId}`;
  assertProblem(await complete(maitred, uploadId), 404, 'HTTP-N-404');
  await run();
  assert.equal((await maitred.sql`select from media_upload where id = ${uploadId}`).length, 0);
});

test('at most twenty uploads are open at a venue, however many are announced at once', async () => {
  await dropAll();
  const answers = await Promise.all(
    Array.from({ length: 24 }, () => announce(maitred, { contentType: 'image/gif', sizeBytes: 10 })),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 20);
  const refused = answers.find(({ status }) => status !== 201);
  assert.ok(refused);
  assertProblem(refused, 422, 'VENUE-N-011');
  await dropAll();
});

test('each step stands in the audit log', async () => {
  const uploadId = await send(maitred, 'image/gif', foundGif);
  assert.equal((await sendPart(maitred, uploadId.toUpperCase(), 1, foundGif)).status, 200);
  const before = (await maitred.call(at(VENUE, 'photos'), { as })).json;
  await complete(maitred, uploadId);
  const auditLogOf = async (subject: string) =>
    (await maitred.call(`/manage/operators/1/audit?subject=${encodeURIComponent(subject)}`, { as })).json
      .data;
  const steps: { action: string }[] = await auditLogOf(`upload ${uploadId}`);
  assert.deepEqual(
    steps.map(({ action }) => action),
    ['upload.part', 'upload.part', 'upload.create'],
  );
  const [added] = await auditLogOf(`photos ${VENUE}`);
  assert.deepEqual([added.action, added.before], ['photos.upload', before]);
  assert.deepEqual(added.after, (await maitred.call(at(VENUE, 'photos'), { as })).json);
});

test('an address under /media that is no picture is not found', async () => {
  for (const id of [
    'nothing',
    '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1',
    'urn:uuid:019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1',
  ])
    assertProblem(await maitred.call(`/media/${id}`, { as: null }), 404, 'HTTP-N-404');
});
