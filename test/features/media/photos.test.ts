import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { foundGif } from './pictures.ts';
import { as, at, complete, send, upload, VENUE } from './uploading.ts';

const PHOTOS = at(VENUE, 'photos');

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());
beforeEach(() => maitred.sql`delete from venue_photo where venue_id = ${VENUE}`);

const read = () => maitred.call(PHOTOS, { as });
const put = (data: object[], headers = {}) =>
  maitred.call(PHOTOS, { as, method: 'PUT', body: { data }, headers });
const link = (name: string) => ({ url: `https://cdn.example/${name}.jpg` });

test('photos elsewhere are added, described, put in order and taken away', async () => {
  const first = await put([{ ...link('a'), caption: 'A', width: 800, height: 600 }, link('b')]);
  assert.equal(first.status, 200, first.text);
  const [a, b] = first.json.data;
  assert.deepEqual(a, { id: a.id, ...link('a'), caption: 'A', width: 800, height: 600 });
  assert.deepEqual(b, { id: b.id, ...link('b'), caption: null, width: null, height: null });

  const second = await put([{ ...b, caption: 'B' }, link('c'), { id: a.id, url: link('moved').url }]);
  const [b2, c, a2] = second.json.data;
  assert.deepEqual(b2, { ...b, caption: 'B' });
  assert.deepEqual(a2, { id: a.id, ...link('moved'), caption: null, width: null, height: null });
  assert.deepEqual((await read()).json, second.json);

  assert.deepEqual((await put([c])).json.data, [c]);
});

test('partners see the photos as they are arranged', async () => {
  const venue = `/venues/${encodeURIComponent(VENUE)}?fields=photos,media`;
  const uploaded = await upload(maitred, 'image/gif', foundGif);
  await put([link('first'), uploaded]);
  await eventually(async () => (await maitred.call(venue)).text.includes('first.jpg'));
  const { photos, media } = (await maitred.call(venue)).json;
  assert.deepEqual(
    photos.map(({ url }: { url: string }) => url),
    [link('first').url, uploaded.url],
  );
  assert.deepEqual(media, photos);
});

test('an uploaded picture keeps its address and size, and gets other words', async () => {
  const uploaded = await upload(maitred, 'image/gif', foundGif);
  const renamed = await put([{ id: uploaded.id, url: uploaded.url, caption: 'Renamed' }]);
  assert.deepEqual(renamed.json.data, [{ ...uploaded, caption: 'Renamed' }]);
  for (const [name, value] of Object.entries({ url: link('x').url, width: 2, height: 2 })) {
    const refused = assertProblem(await put([{ ...uploaded, [name]: value }]), 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(refused.errors), [`data.0.${name}`]);
  }
  assert.deepEqual((await read()).json.data, [{ ...uploaded, caption: 'Renamed' }]);
});

test('a picture whose photo is taken away is no longer served or stored', async () => {
  const uploaded = await upload(maitred, 'image/gif', foundGif);
  const path = new URL(uploaded.url).pathname;
  assert.equal((await maitred.call(path, { as: null })).status, 200);
  await put([]);
  assertProblem(await maitred.call(path, { as: null }), 404, 'HTTP-N-404');
  assert.equal((await maitred.sql`select from media where id = ${path.slice('/media/'.length)}`).length, 0);
});

test('a list that cannot be is refused, and nothing is changed', async () => {
  const kept = (await put([link('kept')])).json.data[0];
  const [foreign] = await maitred.sql<
    { id: number }[]
  >`select id from venue_photo where venue_id <> ${VENUE} limit 1`;
  assert.ok(foreign);
  const cases: [object, string][] = [
    [{ ...link('x'), id: foreign.id }, 'data.1.id'],
    [{ ...link('x'), id: 2_147_483_647 }, 'data.1.id'],
    [{ ...link('x'), id: 2_147_483_648 }, 'data.1.id'],
    [kept, 'data.1.id'],
    [{ url: 'http://cdn.example/x.jpg' }, 'data.1.url'],
    [{ url: 'javascript:alert(1)' }, 'data.1.url'],
    [{ url: 'https://user:secret@cdn.example/x.jpg' }, 'data.1.url'],
    [{ url: 'https://cdn.example/x y.jpg' }, 'data.1.url'],
    [{ url: 'https:cdn.example/x.jpg' }, 'data.1.url'],
    [{ url: 'https:///x.jpg' }, 'data.1.url'],
    [{ url: 'https:\\\\cdn.example\\x.jpg' }, 'data.1.url'],
    [{ url: '/x.jpg' }, 'data.1.url'],
    [{ ...kept, id: kept.id, url: 'ftp://x' }, 'data.1.id'],
    [{ ...link('x'), width: 0 }, 'data.1.width'],
    [{ ...link('x'), height: 2_147_483_648 }, 'data.1.height'],
    [{ ...link('x'), caption: 'c'.repeat(501) }, 'data.1.caption'],
    [{ ...link('x'), colour: 'red' }, 'data.1.colour'],
    [{ caption: 'No address' }, 'data.1.url'],
  ];
  for (const [entry, field] of cases) {
    const refused = assertProblem(await put([kept, entry]), 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(refused.errors), [field], JSON.stringify(entry));
  }
  assert.deepEqual((await read()).json.data, [kept]);
});

test('a venue has at most a hundred photos, whichever way they come', async () => {
  const hundred = Array.from({ length: 100 }, (_, index) => link(`p${index}`));
  assertProblem(await put([...hundred, link('more')]), 400, 'VALID-N-001');
  const uploadId = await send(maitred, 'image/gif', foundGif);
  assert.equal((await put(hundred)).json.data.length, 100);
  assertProblem(await complete(maitred, uploadId), 422, 'VENUE-N-011');
  const late = await maitred.call(at(VENUE, 'uploads'), {
    as,
    method: 'POST',
    body: { contentType: 'image/gif', sizeBytes: foundGif.length },
  });
  assertProblem(late, 422, 'VENUE-N-011');
  await put(hundred.slice(1));
  assert.equal((await complete(maitred, uploadId)).status, 200);
  assert.equal((await read()).json.data.length, 100);
});

test('two people do not overwrite each other, and the audit log has both sides of a change', async () => {
  const stale = { 'if-match': String((await read()).headers.etag) };
  const { json: first } = await put([link('a')], stale);
  assertProblem(await put([link('b')], stale), 412, 'HTTP-N-412');
  const uploadId = await send(maitred, 'image/gif', foundGif);
  assertProblem(await complete(maitred, uploadId, stale), 412, 'HTTP-N-412');
  assert.deepEqual((await read()).json, first);
  const { json: second } = await put([link('b')], { 'if-match': String((await read()).headers.etag) });
  const auditLog = await maitred.call(
    `/manage/operators/1/audit?subject=${encodeURIComponent(`photos ${VENUE}`)}&pageSize=1`,
    { as },
  );
  const [entry] = auditLog.json.data;
  assert.deepEqual([entry.action, entry.before, entry.after], ['photos.change', first, second]);
});

test('photos of unknown venues and of others are refused', async () => {
  assertProblem(await maitred.call(at('1|house|nowhere', 'photos'), { as }), 404, 'VENUE-N-001');
  assertProblem(await maitred.call(at('2|house|x', 'photos'), { as }), 403, 'OPRTR-N-002');
});
