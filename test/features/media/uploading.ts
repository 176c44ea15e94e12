import assert from 'node:assert/strict';
import type { TestApp } from '../../support/app.ts';

export const VENUE = '1|house|soho-grill';
export const at = (venue: string, rest: string) => `/manage/venues/${encodeURIComponent(venue)}/${rest}`;

export const PART_BYTES = 512 * 1024;

export const as = 'demo-operator';

export function announce(maitred: TestApp, body: object, venue = VENUE) {
  return maitred.call(at(venue, 'uploads'), { as, method: 'POST', body });
}

export function sendPart(
  maitred: TestApp,
  uploadId: string,
  number: number | string,
  bytes: Buffer,
  headers = {},
  venue = VENUE,
) {
  return maitred.call(at(venue, `uploads/${uploadId}/parts/${number}`), {
    as,
    method: 'PUT',
    body: bytes,
    headers: { 'content-type': 'application/octet-stream', ...headers },
  });
}

export function complete(maitred: TestApp, uploadId: string, headers = {}) {
  return maitred.call(at(VENUE, `uploads/${uploadId}/complete`), { as, method: 'POST', headers });
}

/** Announces a picture and sends all of it. */
export async function send(
  maitred: TestApp,
  contentType: string,
  picture: Buffer,
  venue = VENUE,
): Promise<string> {
  const body = { contentType, sizeBytes: picture.length, caption: 'Uploaded' };
  const announced = await announce(maitred, body, venue);
  assert.equal(announced.status, 201, announced.text);
  const { uploadId, parts } = announced.json;
  for (let number = 1; number <= parts; number++) {
    const part = picture.subarray((number - 1) * PART_BYTES, number * PART_BYTES);
    const sent = await sendPart(maitred, uploadId, number, part, {}, venue);
    assert.equal(sent.status, 200, sent.text);
  }
  return uploadId;
}

/** Uploads a picture; the photo that it has become. */
export async function upload(maitred: TestApp, contentType: string, picture: Buffer) {
  const done = await complete(maitred, await send(maitred, contentType, picture));
  assert.equal(done.status, 200, done.text);
  return done.json;
}
