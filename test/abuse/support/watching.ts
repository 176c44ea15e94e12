import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Answer } from '../../support/app.ts';
import { makeBooking } from './bookings.ts';
import { hideParts, leaksIn, type Sight, sightOf, type Watcher, watchers } from './sight.ts';
import { startTarget, type TargetApp } from './target.ts';

export const FORMATS = ['application/json', 'text/toon'];

export interface KnownVenue {
  id: string;
  name: string;
  city: string;
  area: string;
  operator: string;
  lat: number;
  lng: number;
}

export interface KnownProduct {
  id: string;
  venueId: string;
  name: string;
}

export interface Watching {
  target(): TargetApp;
  venues(): KnownVenue[];
  products(): KnownProduct[];
  sight(watcher: Watcher): Sight;
  see(watcher: Watcher, path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sees twice, so that both the fresh and the kept answer are looked at, and fails when anything leaked. */
  look(watcher: Watcher, path: string, accept?: string): Promise<Answer>;
  /** Every address that a route with an id in it can have, by all the ids there are. */
  addressesOf(url: string): { path: string; id: string }[];
}

interface Known {
  id: string;
}

/** Guests whom only the partner that booked for them, the operator of the venue and the platform may know. */
const GUESTS = [
  { partner: 'demo-partner', productId: '1|house|soho-grill|dinner', name: 'Perpetua-Wilhelmina' },
  { partner: 'demo-partner', productId: '2|house|blue-note|table', name: 'Ottoline-Fredegunde' },
  { partner: 'other-partner', productId: '1|house|soho-grill|dinner', name: 'Thaddeus-Barnabas' },
  { partner: 'other-partner', productId: '3|house|hidden-kitchen|dinner', name: 'Leopoldine-Xaveria' },
] as const;

async function bookForBoth(app: TargetApp, sights: Map<Watcher, Sight>): Promise<Known[]> {
  const made: Known[] = [];
  for (const { partner, productId, name } of GUESTS) {
    const guest = {
      firstName: name,
      lastName: 'Quillfeather',
      comments: `For ${name} alone`,
      phone: '01632 960960',
    };
    const booking = await makeBooking(app, { as: partner, productId, guest });
    made.push(booking);
    for (const [{ sight: whose }, seen] of sights) {
      const maySee =
        whose === 'everything' ||
        ('partner' in whose ? whose.partner === partner : whose.operatorId === booking.operatorId);
      if (!maySee) seen.secrets.push(name, `For ${name} alone`, booking.id);
      // Whoever may see the booking may see for which company it is.
      else seen.secrets = seen.secrets.filter((secret) => secret !== booking.company);
    }
  }
  return made;
}

/** Some answers say when they were made. */
const undated = (text: string) => text.replace(/generatedAt"?: ?"?[^",\n]+/, '');

/** Each partner is told at an address that only itself may know. */
async function subscribeBoth(app: TargetApp, sights: Map<Watcher, Sight>): Promise<Known[]> {
  const made: Known[] = [];
  for (const partner of ['demo-partner', 'other-partner']) {
    const body = {
      callbackUrl: `https://93.184.215.14/told-to/${partner}`,
      label: `Told to ${partner} alone`,
    };
    const answer = await app.call('/webhooks/subscriptions', { method: 'POST', as: partner, body });
    assert.equal(answer.status, 201, answer.text);
    const { webhookId, secretKey } = answer.json;
    made.push({ id: webhookId });
    for (const [{ sight: whose }, { secrets }] of sights) {
      secrets.push(secretKey);
      const isOwn = typeof whose === 'object' && 'partner' in whose && whose.partner === partner;
      if (!isOwn) secrets.push(webhookId, body.callbackUrl, body.label);
    }
  }
  return made;
}

/** What happened to the bookings of each partner, on its way to the address of that partner. */
async function deliverToBoth(app: TargetApp, sights: Map<Watcher, Sight>): Promise<Known[]> {
  const made: Known[] = [];
  for (const partner of ['demo-partner', 'other-partner']) {
    const [{ webhookId }] = (await app.call('/webhooks/subscriptions', { as: partner })).json.data;
    const body = { since: '2026-01-01T00:00:00Z' };
    await app.call(`/webhooks/subscriptions/${webhookId}/replay`, { method: 'POST', as: partner, body });
    const { data } = (await app.call('/webhooks/deliveries', { as: partner })).json;
    assert.equal(data.length, 2);
    made.push(...data);
    for (const [{ sight: whose }, { secrets }] of sights) {
      const isOwn = typeof whose === 'object' && 'partner' in whose && whose.partner === partner;
      if (!isOwn) secrets.push(...data.flatMap(({ id, eventId }: Record<string, string>) => [id, eventId]));
    }
  }
  return made;
}

/** A party of each partner on the waiting list of a venue that both sell. */
async function waitForBoth(app: TargetApp, sights: Map<Watcher, Sight>): Promise<Known[]> {
  const made: Known[] = [];
  const path = `/venues/${encodeURIComponent('1|house|soho-grill|dinner')}/waitlist`;
  const date = Temporal.Now.plainDateISO('Europe/London').add({ days: 20 }).toString();
  for (const partner of ['demo-partner', 'other-partner']) {
    const lastName = `Waiting-for-${partner}`;
    const body = { date, from: '19:00', to: '20:00', partySize: 2, firstName: 'Ida', lastName };
    const answer = await app.call(path, { method: 'POST', as: partner, body });
    assert.equal(answer.status, 201, answer.text);
    made.push(answer.json);
    for (const [{ sight: whose }, { secrets }] of sights) {
      const maySee =
        whose === 'everything' || ('partner' in whose ? whose.partner === partner : whose.operatorId === 1);
      if (!maySee) secrets.push(lastName, answer.json.id);
    }
  }
  return made;
}

/** How long the database took is never the same, and the request log has the very calls that read it. */
const OF_THE_MOMENT = ['/manage/health', '/request-log'];

/** The application with every caller of the demo data and what each may see, for the tests of one file. */
export function watching(): Watching {
  let maitred: TargetApp;
  let venues: KnownVenue[];
  let products: KnownProduct[];
  let bookings: Known[];
  let webhooks: Known[];
  let deliveries: Known[];
  let entries: Known[];
  const sights = new Map<Watcher, Sight>();
  before(async () => {
    maitred = await startTarget();
    await hideParts(maitred);
    const { sql } = maitred;
    for (const watcher of watchers) sights.set(watcher, await sightOf(sql, watcher));
    venues = await sql`select v.id, v.name, v.city, v.area, v.lat, v.lng, o.name as operator
      from venue v join operator o on o.id = v.operator_id`;
    products = await sql`select id, venue_id as "venueId", name from product`;
    bookings = await bookForBoth(maitred, sights);
    webhooks = await subscribeBoth(maitred, sights);
    deliveries = await deliverToBoth(maitred, sights);
    entries = await waitForBoth(maitred, sights);
  });
  after(() => maitred.close());

  function sight(watcher: Watcher): Sight {
    const found = sights.get(watcher);
    assert.ok(found);
    return found;
  }

  /** Addresses that were asked for, by the partner they were asked for: its request log shows them again. */
  const asked = new Map<string, string[]>();
  function askedBy({ client, headers }: Watcher): string[] {
    const partner = headers['x-partner-reference'] ?? client;
    return asked.getOrInsertComputed(partner, () => []);
  }

  function see(watcher: Watcher, path: string, headers: Record<string, string> = {}): Promise<Answer> {
    askedBy(watcher).push(decodeURIComponent(path));
    return maitred.call(path, { as: watcher.client, headers: { ...watcher.headers, ...headers } });
  }

  return {
    target: () => maitred,
    venues: () => venues,
    products: () => products,
    sight,
    see,
    async look(watcher, path, accept = 'application/json') {
      const first = await see(watcher, path, { accept });
      const again = await see(watcher, path, { accept });
      if (!OF_THE_MOMENT.includes(path))
        assert.equal(
          undated(again.text),
          undated(first.text),
          `${watcher.name} ${path}: the kept answer differs`,
        );
      const known = path === '/request-log' ? askedBy(watcher).join(' ') : decodeURIComponent(path);
      const leaks = leaksIn(first.text, sight(watcher).secrets, known);
      assert.deepEqual(leaks, [], `${watcher.name} ${path} as ${accept} shows what it must not`);
      return first;
    },
    addressesOf(url) {
      const [name] = /:[A-Za-z]+/.exec(url) ?? [];
      if (name === undefined) return [{ path: url, id: '' }];
      const known: Record<string, Known[]> = {
        ':bookingId': bookings,
        ':compositeId': products,
        ':webhookId': webhooks,
        ':deliveryId': deliveries,
        ':entryId': entries,
      };
      const ids = known[name] ?? venues;
      return ids.map(({ id }) => ({ id, path: url.replace(name, encodeURIComponent(id)) }));
    },
  };
}
