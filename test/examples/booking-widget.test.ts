/** The backend of the booking widget: what it believes, and that nothing is done twice. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { isProblem, Maitred } from '@maitred/client';
import { tryPort } from '../../src/kernel/network.ts';
import { eventually } from '../support/eventually.ts';
import { startExample, startSandbox } from './support.ts';

const SECRET = 'of the test';
const GUEST = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
const started = new AsyncDisposableStack();
after(() => started.disposeAsync());
let maitred: Maitred;
let address: string;
let widget: string;

before(async () => {
  address = await startSandbox(started, { ROLE: 'api' });
  maitred = new Maitred({
    baseUrl: address,
    clientId: 'demo-partner',
    clientSecret: 'demo-partner-secret',
  });
  widget = await startWidget();
});

async function startWidget(): Promise<string> {
  const port = await tryPort('127.0.0.1', 0);
  const env = { MAITRED_URL: address, PORT: String(port), SESSION_SECRET: SECRET };
  const example = startExample(started, 'booking-widget/server.ts', { env });
  await eventually(() => example.lines().length > 0);
  return `http://127.0.0.1:${port}`;
}

interface Held {
  date: string;
  choice: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape and assert what they find.
  state: any;
}

/** A browser as far as the backend can tell: it sends JSON and keeps the cookie. */
class Visitor {
  cookie = '';

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape and assert what they find.
  async ask(action: string, fields: object = {}, origin = widget): Promise<{ status: number; body: any }> {
    const response = await fetch(`${origin}/api/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: this.cookie },
      body: JSON.stringify(fields),
    });
    this.cookie = response.headers.get('set-cookie')?.split(';')[0] ?? this.cookie;
    return { status: response.status, body: await response.json() };
  }

  /** A place at a venue on the first day that it is open, so many days ahead or later. */
  async find(venue: string, days: number): Promise<{ date: string; choice: string }> {
    assert.ok(days < 60, `${venue} is never free`);
    const date = Temporal.Now.plainDateISO('Europe/London').add({ days }).toString();
    const found = await this.ask('search', { city: 'London', date, time: '19:30', partySize: '2' });
    const place = found.body.places.find((entry: { venue: string }) => entry.venue === venue);
    return place ? { date, choice: place.choice } : this.find(venue, days + 1);
  }

  async hold(venue: string, days: number): Promise<Held> {
    const found = await this.find(venue, days);
    const { status, body } = await this.ask('hold', { choice: found.choice });
    assert.equal(status, 200, JSON.stringify(body));
    return { ...found, state: body };
  }
}

/** The same browser in another window, or a moment later. */
const withCookie = (cookie: string) => Object.assign(new Visitor(), { cookie });

function holdIdIn(cookie: string): string {
  const [text = ''] = cookie.slice('hold='.length).split('.');
  return JSON.parse(Buffer.from(text, 'base64url').toString()).value;
}

/** As the backend signs, which the tests do only to make what it would not. */
function signed(purpose: string, value: unknown, until: number): string {
  const text = Buffer.from(JSON.stringify({ value, until })).toString('base64url');
  const mac = createHmac('sha256', SECRET).update(`${purpose}.${text}`).digest('base64url');
  return `${text}.${mac}`;
}

async function bookingsOn(date: string): Promise<number> {
  return (await maitred.bookings.list({ dateFrom: date, dateTo: date }).all()).length;
}

test('the form sent five times at once, and after a restart, makes one booking', async () => {
  const visitor = new Visitor();
  const { date } = await visitor.hold('Soho Grill', 9);
  const { cookie } = visitor;
  const again = () => withCookie(cookie).ask('book', GUEST);
  const answers = await Promise.all([again(), again(), again(), again(), again()]);
  const ids = new Set(answers.map(({ body }) => body.booking?.id));
  assert.equal(ids.size, 1, JSON.stringify(answers.map(({ status, body }) => [status, body.message])));
  assert.equal(await bookingsOn(date), 1);

  const other = await startWidget();
  const { body } = await withCookie(cookie).ask('book', GUEST, other);
  assert.equal(ids.has(body.booking.id), true);
  assert.equal(await bookingsOn(date), 1);
});

test('the same start chosen twice is one hold', async () => {
  const visitor = new Visitor();
  const { choice } = await visitor.hold('Soho Grill', 10);
  const first = visitor.cookie;
  await visitor.ask('hold', { choice });
  assert.equal(visitor.cookie, first);
});

test('a hold that has ended leads back to the choice, in words for a guest', async () => {
  const visitor = new Visitor();
  await visitor.hold('Soho Grill', 11);
  await maitred.holds.release(holdIdIn(visitor.cookie));
  const { status, body } = await visitor.ask('book', GUEST);
  assert.deepEqual([status, body.isLost], [409, true]);
  assert.equal(body.message, 'We could not keep the table any longer. Please choose again.');
  assert.equal(visitor.cookie, 'hold=');
});

test('places and holds that the backend has not signed are refused', async () => {
  const visitor = new Visitor();
  const place = { key: 'x', compositeId: '1|house|soho-grill|dinner', slot: { partySize: 2 } };
  const forged = `${Buffer.from(JSON.stringify(place)).toString('base64url')}.AAAA`;
  for (const choice of [forged, '', '.', 'a.b.c']) {
    const { status, body } = await visitor.ask('hold', { choice });
    assert.deepEqual([status, body.isLost], [409, true], choice);
  }
  const held = new Visitor();
  await held.hold('Soho Grill', 12);
  const [text] = held.cookie.split('.');
  assert.deepEqual((await withCookie(`${text}.AAAA`).ask('state')).body, {});
});

test('what is signed is believed for its purpose alone, and for a while', async () => {
  const visitor = new Visitor();
  const { choice } = await visitor.hold('Soho Grill', 15);
  assert.deepEqual((await withCookie(`hold=${choice}`).ask('state')).body, {});
  const holdId = holdIdIn(visitor.cookie);
  const state = (until: number) => withCookie(`hold=${signed('hold', holdId, until)}`).ask('state');
  assert.equal((await state(Date.now() + 60_000)).body.holdId, holdId);
  assert.deepEqual((await state(Date.now() - 1)).body, {});
});

test('a form that was refused can be corrected, and two forms at once make one booking', async () => {
  const visitor = new Visitor();
  const { date, state } = await visitor.hold('Number Nine', 16);
  const [{ id: packageId }] = state.product.preorders.packages;
  const refused = await visitor.ask('book', GUEST);
  assert.equal(refused.body.message, 'Please choose what you would like to have.');
  const answers = await Promise.all(
    ['Lovelace', 'Byron', 'King'].map((lastName) =>
      withCookie(visitor.cookie).ask('book', { ...GUEST, lastName, packageId }),
    ),
  );
  const ids = new Set(answers.map(({ body }) => body.booking?.id));
  assert.deepEqual([...ids], [state.holdId], JSON.stringify(answers.map(({ body }) => body.message)));
  assert.equal(await bookingsOn(date), 1);
});

test('a place that was refused because of too many holds can be had with the next search', async () => {
  const visitor = new Visitor();
  const { date, choice } = await visitor.find('Soho Grill', 20);
  const made = await holdUntilRefused('1|house|soho-grill|dinner', 21);
  const { body } = await visitor.ask('hold', { choice });
  assert.deepEqual([body.message?.startsWith('Many guests'), body.isLost], [true, true], body.message);
  for (const id of made) await maitred.holds.release(id);
  const again = await visitor.find('Soho Grill', 20);
  assert.equal(again.date, date);
  assert.equal((await visitor.ask('hold', { choice: again.choice })).status, 200);
});

/** Holds on one day after the other, until the partner may not have more of them. Returns their ids. */
async function holdUntilRefused(compositeId: string, days: number): Promise<string[]> {
  assert.ok(days < 80, 'there is no limit');
  const date = Temporal.Now.plainDateISO('Europe/London').add({ days }).toString();
  try {
    const { id } = await maitred.holds.create(compositeId, { date, time: '19:30', partySize: 2 });
    return [id, ...(await holdUntilRefused(compositeId, days + 1))];
  } catch (error) {
    if (isProblem(error, 'HOLD-N-004')) return [];
    return holdUntilRefused(compositeId, days + 1);
  }
}

test('what another window does is neither undone nor mixed up', async () => {
  const visitor = new Visitor();
  const first = await visitor.hold('Soho Grill', 17);
  const before = visitor.cookie;
  const place = { city: 'London', date: first.date, time: '19:30', partySize: '2' };
  const silent = await fetch(`${widget}/api/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(place),
  });
  assert.equal(silent.headers.get('set-cookie'), null);

  const second = await visitor.hold('Soho Grill', 18);
  assert.notEqual(visitor.cookie, before);
  assert.equal((await maitred.holds.get(first.state.holdId)).status, 'released');
  const stale = await visitor.ask('book', { ...GUEST, holdId: first.state.holdId });
  assert.equal(stale.status, 409);
  assert.match(stale.body.message, /in another window/);
  assert.equal((await maitred.holds.get(second.state.holdId)).status, 'open');
});

test('a table that is booked already is shown, and not given up', async () => {
  const visitor = new Visitor();
  const { state } = await visitor.hold('Soho Grill', 19);
  await withCookie(visitor.cookie).ask('book', GUEST);
  const { cookie } = visitor;
  const { body } = await visitor.ask('release', { holdId: state.holdId });
  assert.deepEqual([body.booking?.id, body.booking?.status], [state.holdId, 'confirmed']);
  assert.equal(visitor.cookie, cookie);
});

test('a deposit is paid once, at the price of the service, however often it is clicked', async () => {
  const visitor = new Visitor();
  const { state } = await visitor.hold('Number Nine', 13);
  const [{ id: packageId }] = state.product.preorders.packages;
  const booked = await visitor.ask('book', { ...GUEST, packageId });
  assert.deepEqual(
    booked.body.payable.options.map(({ id }: { id: string }) => id),
    ['full', 'deposit_25', 'deposit'],
  );
  const { cookie } = visitor;
  const pay = () => withCookie(cookie).ask('pay', { option: 'deposit', card: 'works', amount: '1' });
  const unknown = await withCookie(cookie).ask('pay', { option: 'deposit', card: 'constructor' });
  assert.equal(unknown.body.message, 'Please choose how to pay.');
  await Promise.all([pay(), pay(), pay()]);
  const { payments } = await maitred.bookings.get(booked.body.booking.id);
  assert.deepEqual(
    payments.map(({ status, amount }) => [status, amount]),
    [['succeeded', 4000]],
  );
});

test('without a package the guest is asked for one, and wrong details are named', async () => {
  const visitor = new Visitor();
  await visitor.hold('Number Nine', 14);
  const { body } = await visitor.ask('book', GUEST);
  assert.deepEqual([body.message, body.isLost], ['Please choose what you would like to have.', false]);
  const wrong = await visitor.ask('book', { ...GUEST, email: 'no address' });
  assert.equal(wrong.body.message, 'Please check: email.');
});

test('what is not JSON from the page itself is refused', async () => {
  const response = await fetch(`${widget}/api/hold`, { method: 'POST', body: 'choice=x' });
  assert.equal(response.status, 409);
  assert.equal(response.headers.get('set-cookie'), null);
  assert.equal((await fetch(`${widget}/api/cancel`)).status, 409);
});
