/** The backend of the booking widget: what it believes, and that nothing is done twice. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Maitred } from '@maitred/client';
import { tryPort } from '../../src/kernel/network.ts';
import { eventually } from '../support/eventually.ts';
import { startExample, startSandbox } from './support.ts';

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
  const env = { MAITRED_URL: address, PORT: String(port), SESSION_SECRET: 'of the test' };
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
    this.cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    return { status: response.status, body: await response.json() };
  }

  /** Holds a place at a venue on the first day that it is open, so many days ahead or later. */
  async hold(venue: string, days: number): Promise<Held> {
    assert.ok(days < 60, `${venue} is never free`);
    const date = Temporal.Now.plainDateISO('Europe/London').add({ days }).toString();
    const found = await this.ask('search', { city: 'London', date, time: '19:30', partySize: '2' });
    const place = found.body.places.find((entry: { venue: string }) => entry.venue === venue);
    if (!place) return this.hold(venue, days + 1);
    const { status, body } = await this.ask('hold', { choice: place.choice });
    assert.equal(status, 200, JSON.stringify(body));
    return { date, choice: place.choice, state: body };
  }
}

async function bookingsOn(date: string): Promise<number> {
  return (await maitred.bookings.list({ dateFrom: date, dateTo: date }).all()).length;
}

test('the form sent five times at once, and after a restart, makes one booking', async () => {
  const visitor = new Visitor();
  const { date } = await visitor.hold('Soho Grill', 9);
  const { cookie } = visitor;
  const again = () => Object.assign(new Visitor(), { cookie }).ask('book', GUEST);
  const answers = await Promise.all([again(), again(), again(), again(), again()]);
  const ids = new Set(answers.map(({ body }) => body.booking?.id));
  assert.equal(ids.size, 1, JSON.stringify(answers.map(({ status, body }) => [status, body.message])));
  assert.equal(await bookingsOn(date), 1);

  const other = await startWidget();
  const { body } = await Object.assign(new Visitor(), { cookie }).ask('book', GUEST, other);
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
  const [text = ''] = visitor.cookie.slice('hold='.length).split('.');
  await maitred.holds.release(JSON.parse(Buffer.from(text, 'base64url').toString()));
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
  const stolen = Object.assign(new Visitor(), { cookie: `${text}.AAAA` });
  assert.deepEqual((await stolen.ask('state')).body, {});
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
  const pay = () =>
    Object.assign(new Visitor(), { cookie }).ask('pay', { option: 'deposit', card: 'works', amount: '1' });
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
  assert.equal((await fetch(`${widget}/api/cancel`)).status, 409);
});
