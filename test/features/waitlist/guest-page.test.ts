/** Guests are told by mail where the venue writes to them, and act on a page that needs no script. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { booked, DINNER } from '../bookings/support.ts';
import { mailedApp, partOf, subjectOf } from '../notifications/mailed.ts';
import { added, cancel, fullDay, joined, manage, read, SOHO, statusOf, work } from './support.ts';

const { maitred, server, time, sent, setGuestMails } = mailedApp();
beforeEach(async () => {
  await maitred().sql`delete from waitlist_entry`;
  await maitred().sql`delete from mail`;
  server().received.length = 0;
  await setGuestMails('venue');
});

const HTML = { accept: 'text/html,application/xhtml+xml' };
const FORM = { ...HTML, 'content-type': 'application/x-www-form-urlencoded' };

const open = (path: string, headers: Record<string, string> = HTML) =>
  maitred().call(path, { as: null, headers });

/** What pressing a button of the page does. */
const press = (path: string, button: 'take' | 'leave') =>
  maitred().app.inject({ method: 'POST', url: `${path}/${button}`, headers: FORM, payload: '' });

/** The mails of the waiting list that came, each with its subject and the path of its link. */
async function mails() {
  const all = await sent();
  return all
    .map((mail) => ({ mail, subject: subjectOf(mail), text: partOf(mail, 'text/plain') }))
    .filter(({ text }) => text.includes('/waitlist/'))
    .map(({ mail, subject, text }) => ({
      ...{ mail, subject, text },
      path: new URL(/^http\S+\/waitlist\/\S+$/m.exec(text)?.[0] ?? assert.fail('no link')).pathname,
    }));
}

async function offeredEntry(body = {}) {
  const { date, booking } = await fullDay(maitred());
  const entry = await joined(maitred(), { date, ...body });
  await cancel(maitred(), booking);
  await work(maitred());
  const [waiting, offer] = await mails();
  assert.ok(waiting && offer);
  return { entry, waiting, offer };
}

test('a guest learns of the list and of the place, and takes it', async () => {
  const { entry, waiting, offer } = await offeredEntry();
  assert.match(waiting.subject, /^You are on the waiting list of Soho Grill: /);
  assert.match(waiting.text, /^Dear Grace Hopper,\n\nYou are on the waiting list\./);
  assert.match(offer.subject, /^A place is free at Soho Grill: .*, 19:00$/);
  assert.match(offer.text, /We keep it for you until 10:15\./);
  assert.equal(offer.path, waiting.path, 'one link for both');
  assert.match(partOf(offer.mail, 'text/html'), /<a href="http[^"]*\/waitlist\/[\w-]{43}">/);

  const page = await open(offer.path);
  assert.equal(page.status, 200);
  assert.match(String(page.headers['content-type']), /^text\/html/);
  assert.equal(page.headers['cache-control'], 'no-store');
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'.*form-action 'self'/);
  assert.match(page.text, /<html lang="en">/);
  assert.match(page.text, /A place is free\. We keep it for you until 10:15\./);
  assert.doesNotMatch(page.text, /<script|Hopper|grace@/);
  assert.equal(await statusOf(maitred(), entry.id), 'offered', 'looking changes nothing');

  const taken = await press(offer.path, 'take');
  assert.equal(taken.statusCode, 303, taken.body);
  assert.equal(taken.headers.location, offer.path);
  const { status, bookingId } = await read(maitred(), entry.id);
  assert.equal(status, 'booked');
  const booking = await maitred().call(`/venues/bookings/${bookingId}`);
  assert.deepEqual([booking.json.status, booking.json.lastName], ['confirmed', 'Hopper']);
  assert.match((await open(offer.path)).text, /Your booking is confirmed/);
  assert.equal((await press(offer.path, 'take')).statusCode, 303, 'pressed twice, it is booked once');
  assert.equal((await press(offer.path, 'leave')).statusCode, 303);
  assert.equal(await statusOf(maitred(), entry.id), 'booked', 'a booking is cancelled elsewhere');
});

test('a guest leaves the list, and the place goes to the next', async () => {
  const { entry, offer } = await offeredEntry();
  const next = await joined(maitred(), { date: entry.date });
  assert.equal((await press(offer.path, 'leave')).statusCode, 303);
  assert.equal(await statusOf(maitred(), entry.id), 'removed');
  assert.match((await open(offer.path)).text, /You are no longer on the waiting list/);
  await work(maitred());
  assert.equal(await statusOf(maitred(), next.id), 'offered');
});

test('an offer that has ended cannot be taken, and the page says so', async () => {
  const { entry, offer } = await offeredEntry();
  const before = time.clock();
  time.move({ minutes: 15 });
  assert.equal((await press(offer.path, 'take')).statusCode, 303);
  const page = await open(offer.path);
  assert.match(page.text, /This has ended/);
  assert.doesNotMatch(page.text, /<form/);
  assert.equal((await read(maitred(), entry.id)).bookingId, null);
  time.moveTo(before);
});

test('what can no longer be booked is refused on the page', async () => {
  const { entry, offer } = await offeredEntry();
  const suspend = (isSuspended: boolean) =>
    maitred()
      .sql`update partner_operator set is_suspended = ${isSuspended} where partner_id = 1 and operator_id = 1`;
  await suspend(true);
  try {
    const refused = await press(offer.path, 'take');
    assert.equal(refused.statusCode, 409, refused.body);
    assert.match(refused.body, /role="alert">This could not be booked/);
  } finally {
    await suspend(false);
  }
  assert.equal((await read(maitred(), entry.id)).status, 'offered');
});

/** Guests at Soho Grill pay before their booking is confirmed. */
async function withDepositFirst(work: () => Promise<void>): Promise<void> {
  const { sql } = maitred();
  const rule = { amount: 1000, currency: 'GBP', per: 'guest' };
  const rules = [{ ...rule, minPartySize: null, maxPartySize: null, weekdays: null }];
  const [before] = await sql`select payment_rules as rules from product where id = ${DINNER}`;
  const set = async (deposit: string, paymentRules: unknown) => {
    await sql`update venue_mapping set deposit = ${deposit} where venue_id = ${SOHO}`;
    await sql`update product set payment_rules = ${sql.json(paymentRules as never)} where id = ${DINNER}`;
  };
  await set('before_confirmation', rules);
  try {
    await work();
  } finally {
    await set('declared', before?.rules);
  }
}

test('where a deposit comes first the page says so, and what has become of the booking', async () => {
  await withDepositFirst(async () => {
    const { entry, offer } = await offeredEntry();
    const refused = await press(offer.path, 'take');
    assert.equal(refused.statusCode, 409, refused.body);
    assert.match(refused.body, /role="alert">A deposit has to be paid first/);
    const { holdId, slot } = (await read(maitred(), entry.id)).offer;
    const made = await booked(maitred(), { date: slot.date, time: slot.time, holdId });
    assert.equal(made.status, 'pending');
    const unpaid = (await open(offer.path)).text;
    assert.match(unpaid, /Your place is kept until it is paid/);
    assert.doesNotMatch(unpaid, /confirmed|<form/);
    await cancel(maitred(), made);
    assert.match((await open(offer.path)).text, /Your booking was cancelled/);
  });
});

test('a link that is none, or has ended, shows a page to people and the problem to programs', async () => {
  const { offer } = await offeredEntry();
  const none = `/waitlist/${'x'.repeat(43)}`;
  const german = await open(none, { ...HTML, 'accept-language': 'de-DE,de;q=0.9' });
  assert.equal(german.status, 404);
  assert.match(german.text, /<html lang="de">.*Dieser Link gilt nicht mehr/s);
  assertProblem(await open(none, {}), 404, 'WAIT-N-001');
  assert.equal((await press(none, 'take')).statusCode, 404);
  const before = time.clock();
  time.move({ hours: 24 * 60 });
  assert.equal((await open(offer.path)).status, 404);
  time.moveTo(before);
});

test('the house writes to its own guests, in the language of the venue', async () => {
  await setGuestMails('partner');
  const settings = `/manage/venues/${encodeURIComponent('1|house|soho-grill')}/mails`;
  await maitred().sql`
    update venue_mail set language = 'fr', sentence = 'Sonnez à la porte verte.' where venue_id = '1|house|soho-grill'`;
  assert.equal((await maitred().call(settings, { as: 'demo-operator' })).json.language, 'fr');
  const { date, booking } = await fullDay(maitred());
  const partners = await joined(maitred(), { date, email: 'partners@example.com' });
  const house = await added(maitred(), { date, email: 'house@example.com', lastName: 'Curie' });
  await maitred().call(`/venues/waitlist/${partners.id}`, { method: 'DELETE' });
  await cancel(maitred(), booking);
  await work(maitred());
  const [waiting, offer, ...none] = await mails();
  assert.deepEqual(none, []);
  assert.ok(waiting && offer, 'only the guest of the house is written to');
  assert.deepEqual(waiting.mail.to, ['house@example.com']);
  assert.match(offer.subject, /^Une place s’est libérée chez Soho Grill/);
  assert.match(offer.text, /Sonnez à la porte verte/);
  assert.match((await open(offer.path)).text, /<html lang="fr">.*La prendre/s);
  assert.equal((await press(offer.path, 'take')).statusCode, 303);
  const { json } = await manage(maitred(), `/${house.id}`);
  assert.equal(json.status, 'booked');
  const [made] = await maitred().sql`select partner_id as partner from booking where id = ${json.bookingId}`;
  assert.equal(made?.partner, null);
});

test('a mail that still waits goes with the party', async () => {
  const { date } = await fullDay(maitred());
  const { id } = await joined(maitred(), { date });
  await maitred().call(`/venues/waitlist/${id}`, { method: 'DELETE' });
  assert.deepEqual(await mails(), []);
});
