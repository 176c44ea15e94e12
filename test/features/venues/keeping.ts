/** What the tests of keeping venues share: an application, bodies that are taken, and the audit log. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import {
  type Answer,
  assertProblem,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from '../../support/app.ts';

export const SOHO = '1|house|soho-grill';
export const JAZZ = '2|tickets|jazz-night';

export function keepingApp(options: TestAppOptions = {}): () => TestApp {
  let maitred: TestApp;
  before(async () => {
    maitred = await startTestApp(options);
  });
  after(() => maitred.close());
  return () => maitred;
}

/** A day of London’s calendar, so many ahead. */
export const soon = (days: number) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString();

export const at = (venueId: string, rest = '') => `/manage/venues/${encodeURIComponent(venueId)}${rest}`;

// biome-ignore lint/suspicious/noExplicitAny: tests send bodies of every shape, right ones and wrong ones.
export type Body = Record<string, any>;

type Method = 'POST' | 'PUT' | 'DELETE';
interface Sent {
  as?: string;
  ifMatch?: string;
}

/** The platform may do everything everywhere; who may do what is told by other tests. */
export function send(
  app: TestApp,
  method: Method,
  path: string,
  body?: Body,
  { as = 'demo-admin', ifMatch }: Sent = {},
): Promise<Answer> {
  const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  return app.call(path, { method, as, headers, ...(body !== undefined && { body }) });
}

/** The same, and it must be done. */
export async function done(app: TestApp, method: Method, path: string, body?: Body, sent?: Sent) {
  const answer = await send(app, method, path, body, sent);
  assert.equal(answer.status, { POST: 201, PUT: 200, DELETE: 204 }[method], answer.text);
  return method === 'DELETE' ? undefined : answer.json;
}

export async function read(app: TestApp, path: string) {
  const answer = await app.call(path, { as: 'demo-admin' });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Asserts that it is refused for this field alone, and that what is at `path` stays as it was; returns the problem. */
export async function assertUnfit(
  app: TestApp,
  method: Method,
  path: string,
  body: Body | undefined,
  field: string,
) {
  const problem = assertProblem(await send(app, method, path, body), 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(problem.errors), [field], JSON.stringify(problem));
  return problem;
}

/** A change under a tag that is no longer true is refused, and nothing is changed. */
export async function assertGuarded(app: TestApp, path: string, body: Body, isRemovable = true) {
  const first = await app.call(path, { as: 'demo-admin' });
  const etag = String(first.headers.etag);
  await done(app, 'PUT', path, body, { ifMatch: etag });
  const now = await read(app, path);
  assert.notDeepEqual(now, first.json, 'the body changes something');
  assertProblem(await send(app, 'PUT', path, body, { ifMatch: etag }), 412, 'HTTP-N-412');
  if (isRemovable)
    assertProblem(await send(app, 'DELETE', path, undefined, { ifMatch: etag }), 412, 'HTTP-N-412');
  assert.deepEqual(await read(app, path), now);
  const [entry] = (await read(app, '/manage/audit?pageSize=1')).data;
  assert.deepEqual([entry.before, entry.after], [first.json, now]);
  return entry;
}

export const newVenue = (resourceId: string, changes: Body = {}): Body => ({
  tms: 'house',
  resourceId,
  name: 'The Lantern',
  timeZone: 'Europe/London',
  content: { summary: 'Light in the lane', description: 'A small house.', highlights: ['Candles'] },
  phoneNumber: '+442079460123',
  website: 'https://lantern.example',
  location: {
    lat: 51.51,
    lng: -0.13,
    address: '3 Lantern Lane',
    area: 'Soho',
    city: 'London',
    postcode: 'W1D 1AA',
    countryCode: 'GB',
  },
  types: ['restaurant'],
  ...changes,
});

/** What is left for a change: the id stays. */
export function venueChange(venue: Body, changes: Body = {}): Body {
  const { id, operatorId, tms, resourceId, closedAt, ...rest } = venue;
  return { ...rest, ...changes };
}

export const DAILY = {
  weekly: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], periods: [{ opens: '12:00', closes: '23:00' }] }],
};

export const newProduct = (key: string, changes: Body = {}): Body => ({
  key,
  name: 'Supper',
  timeIntervalMinutes: 30,
  hours: DAILY,
  house: {},
  ...changes,
});

export function productChange(product: Body, changes: Body = {}): Body {
  const { compositeId, key, ...rest } = product;
  return { ...rest, ...changes };
}

/** A venue of operator 1, or of another. */
export async function openVenue(app: TestApp, resourceId: string, changes: Body = {}, operatorId = 1) {
  return done(app, 'POST', `/manage/operators/${operatorId}/venues`, newVenue(resourceId, changes));
}

/** One zone with one table for two and one for six. */
export async function layTables(app: TestApp, venueId: string): Promise<number> {
  const [zone] =
    await app.sql`insert into house_zone (venue_id, name) values (${venueId}, 'Room') returning id`;
  const [area] = await app.sql`
    insert into house_area (zone_id, venue_id, name) values (${zone?.id}, ${venueId}, 'Floor') returning id`;
  for (const covers of [2, 6])
    await app.sql`insert into house_table (area_id, venue_id, name, min_covers, max_covers)
      values (${area?.id}, ${venueId}, ${`T${covers}`}, 1, ${covers})`;
  return zone?.id;
}
