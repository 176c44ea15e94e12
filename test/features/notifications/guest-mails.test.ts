import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { callNow, patch, replacing, taken } from '../bookings/amend/amending.ts';
import { done } from '../bookings/operator/manage-support.ts';
import { type Body, book, booked, freeDay } from '../bookings/support.ts';
import { entryOf, mailedApp, partOf, SOHO, startMsOf, subjectOf } from './mailed.ts';

/** Mails to guests, as a real mail server gets them. */

const { maitred, server, time, sent, setGuestMails, giveToHouse } = mailedApp();
const SETTINGS = `/manage/venues/${encodeURIComponent(SOHO)}/mails`;
const cancel = (id: string) => callNow(maitred(), `/venues/bookings/${id}`, { method: 'DELETE' });

beforeEach(() => setGuestMails('venue'));
afterEach(async () => {
  await maitred().sql`delete from mail`;
  server().received.length = 0;
});

test('a partner that writes to its guests itself costs them no second mail, and us no row', async () => {
  await setGuestMails('partner');
  const { id } = await booked(maitred());
  await taken(patch(maitred(), id, [replacing('/partySize', 3)]));
  await cancel(id);
  const [counted] = await maitred().sql`
    select (select count(*) from mail)::int as mails, (select count(*) from guest_mail)::int as guests`;
  assert.deepEqual({ ...counted }, { mails: 0, guests: 0 });
});

test('a guest is told of the booking, of what changes and of its end, in one calendar entry', async () => {
  const booking = await booked(maitred());
  const [confirmation, ...none] = await sent();
  assert.deepEqual(none, []);
  assert.ok(confirmation);
  assert.deepEqual(confirmation.to, ['ada@example.com']);
  assert.match(subjectOf(confirmation), /^Your booking at Soho Grill: .*, 19:00$/);
  assert.equal(confirmation.headers.get('from'), 'Soho Grill <no-reply@maitred.example>');
  assert.equal(confirmation.headers.get('reply-to'), 'desk@soho-grill.example');
  assert.equal(confirmation.headers.get('auto-submitted'), 'auto-generated');
  const text = partOf(confirmation, 'text/plain');
  assert.match(text, /^Dear Ada Lovelace,\n\nYour booking is confirmed\./);
  assert.match(text, /Guests: +2\n/);
  assert.match(text, /Please ring the bell at the green door\./);
  const html = partOf(confirmation, 'text/html');
  assert.match(html, /Dear Ada Lovelace,/);
  assert.doesNotMatch(html, /<(img|script|link|iframe)|https?:/);
  assert.ok(confirmation.parts.some(({ type }) => type.startsWith('application/ics')));
  const uid = `${booking.id}@maitred`;
  const expected = { method: 'REQUEST', uid, status: 'CONFIRMED', zone: 'Europe/London' };
  assert.deepEqual(entryOf(confirmation), { ...expected, sequence: 0, startMs: startMsOf(booking) });

  const moved = await taken(
    patch(maitred(), booking.id, [replacing('/time', '20:00'), replacing('/partySize', 3)]),
  );
  const [change, ...others] = await sent();
  assert.deepEqual(others, []);
  assert.ok(change);
  assert.match(subjectOf(change), /^Changed: your booking at Soho Grill, .*, 20:00$/);
  assert.match(partOf(change, 'text/plain'), /Guests: +3\n/);
  assert.deepEqual(entryOf(change), { ...expected, sequence: 1, startMs: startMsOf(moved) });

  await cancel(booking.id);
  const [end] = await sent();
  assert.ok(end);
  assert.match(subjectOf(end), /^Cancelled: your booking at Soho Grill/);
  const cancelled = { method: 'CANCEL', uid, status: 'CANCELLED', zone: 'Europe/London' };
  assert.deepEqual(entryOf(end), { ...cancelled, sequence: 2, startMs: startMsOf(moved) });
});

test('what is the venue’s own affair sends nothing', async () => {
  const { id } = await booked(maitred());
  await sent();
  await taken(patch(maitred(), id, [replacing('/notes', 'By the window')]));
  await maitred().sql`update booking set starts_at = starts_at - interval '60 days' where id = ${id}`;
  await done(maitred(), id, 'no-show');
  assert.deepEqual(await sent(), []);
});

test('an enquiry is acknowledged, and then confirmed or not', async () => {
  const { id } = await booked(maitred(), { type: 'request' });
  const [received] = await sent();
  assert.ok(received);
  assert.match(subjectOf(received), /^Your enquiry at Soho Grill/);
  assert.equal(entryOf(received), undefined);
  await done(maitred(), id, 'take-up');
  assert.deepEqual(await sent(), []);
  await done(maitred(), id, 'accept');
  const [confirmation] = await sent();
  assert.ok(confirmation);
  assert.match(subjectOf(confirmation), /^Your booking at/);
  assert.deepEqual([entryOf(confirmation)?.method, entryOf(confirmation)?.sequence], ['REQUEST', 1]);

  const other = await booked(maitred(), { type: 'request' });
  await done(maitred(), other.id, 'reject', {
    body: { message: { text: 'We have a wedding <b>that</b> day.', replyTo: null } },
  });
  const [, rejection] = await sent();
  assert.ok(rejection);
  assert.match(subjectOf(rejection), /not possible/);
  assert.match(partOf(rejection, 'text/plain'), /Soho Grill writes:\nWe have a wedding <b>that<\/b> day\./);
  assert.match(partOf(rejection, 'text/html'), /wedding &lt;b&gt;that&lt;\/b&gt; day/);
  assert.equal(entryOf(rejection), undefined);
});

test('the guest of a booking of the house is written to whatever the partners do', async () => {
  await setGuestMails('partner');
  const { id } = await booked(maitred());
  await giveToHouse(id);
  await done(maitred(), id, 'cancel');
  const [mail, ...others] = await sent();
  assert.deepEqual(others, []);
  assert.ok(mail);
  assert.match(subjectOf(mail), /^Cancelled/);
});

test('names and texts are text: no markup, no header and no address comes of them', async () => {
  const evil = { firstName: '<script>alert(1)</script>', lastName: 'O’Neil & "Sons"' };
  await booked(maitred(), evil);
  const put = (body: Body) => callNow(maitred(), SETTINGS, { method: 'PUT', as: 'demo-operator', body });
  const settings = { replyTo: null, reminderHours: null, language: null };
  const saved = await put({ ...settings, sentence: '<img src=x onerror=alert(1)>' });
  assert.equal(saved.status, 200, saved.text);
  const [mail] = await sent();
  assert.ok(mail);
  const html = partOf(mail, 'text/html');
  assert.doesNotMatch(html, /<script|<img/);
  assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt; O’Neil &amp; &quot;Sons&quot;/);
  assert.equal(mail.headers.get('reply-to'), undefined);
  for (const replyTo of [
    'a@b.example\r\nBcc: eve@example.com',
    'a@b.example, eve@example.com',
    'a b@c.example',
  ])
    assert.equal((await put({ ...settings, sentence: null, replyTo })).status, 400, replyTo);
  assert.equal((await put({ ...settings, sentence: 'One\r\nBcc: eve@example.com' })).status, 400);
  const answer = await book(maitred(), { email: 'ada@example.com,eve@example.com' });
  if (answer.status === 201) assert.deepEqual(await sent(), []);
  const venue = `Soho\r\nBcc: eve@example.com\r\n\r\n<b>Grill</b>`;
  await maitred().sql`update venue set name = ${venue} where id = ${SOHO}`;
  await booked(maitred());
  await maitred().sql`update venue set name = 'Soho Grill' where id = ${SOHO}`;
  const [odd] = await sent();
  assert.ok(odd);
  assert.deepEqual([odd.to, odd.headers.get('bcc')], [['ada@example.com'], undefined]);
});

test('a name that is an advertisement is not repeated in our name', async () => {
  await booked(maitred(), { firstName: 'WIN at https://evil.example', lastName: 'Now' });
  const [mail] = await sent();
  assert.ok(mail);
  assert.match(partOf(mail, 'text/plain'), /^Hello,\n/);
  assert.doesNotMatch(partOf(mail, 'text/html'), /evil\.example/);
});

test('a booking that is not made, and a change that is refused, send nothing', async () => {
  const at = { date: freeDay(), time: '19:00', partySize: 8 };
  for (const _ of [1, 2, 3]) await booked(maitred(), at);
  assert.equal((await sent()).length, 3);
  assert.equal((await book(maitred(), at)).status, 409);
  assert.deepEqual(await sent(), []);
});

test('a repeated request and bookings of the same moment send one mail each', async () => {
  const day = freeDay();
  const headers = { 'idempotency-key': `mails-${day}` };
  const body = { date: day, time: '18:00' };
  await Promise.all([1, 2, 3].map(() => book(maitred(), body, { headers })));
  await Promise.all([1, 2, 3, 4].map((each) => book(maitred(), { ...body, email: `p${each}@example.com` })));
  const addressees = (await sent()).flatMap(({ to }) => to).sort();
  const [{ made } = { made: -1 }] = await maitred().sql<{ made: number }[]>`
    select count(*)::int as made from booking where trading_day = ${day}`;
  assert.equal(addressees.length, made);
  assert.equal(addressees.filter((to) => to === 'ada@example.com').length, 1);
});

test('the mails of one booking arrive in the order of its changes, also when the first is refused for now', async () => {
  server().conduct.push({ at: 'DATA', refuse: 451 });
  const { id } = await booked(maitred());
  await maitred().services.mailing.sendDue();
  await taken(patch(maitred(), id, [replacing('/partySize', 3)]));
  await cancel(id);
  assert.deepEqual(await sent(), [], 'what comes later waits for it');
  time.move({ minutes: 2 });
  const sequences = (await sent()).map((mail) => entryOf(mail)?.sequence);
  assert.deepEqual(sequences, [0, 1, 2]);
});

test('each mail tells what was so then, even if it is sent later', async () => {
  const { id } = await booked(maitred());
  await taken(patch(maitred(), id, [replacing('/partySize', 3)]));
  const guests = (await sent()).map((mail) => /Guests: +(\d)/.exec(partOf(mail, 'text/plain'))?.[1]);
  assert.deepEqual(guests, ['2', '3']);
});

test('nothing of a guest can be read in the queue, and all of it goes when the guest is forgotten', async () => {
  const { id } = await booked(maitred());
  await taken(patch(maitred(), id, [replacing('/partySize', 3)]));
  const rows = await maitred().sql<
    { sealed: Buffer; row: string }[]
  >`select sealed, m::text as row from mail m`;
  assert.equal(rows.length, 2);
  for (const { sealed, row } of rows) {
    assert.ok(!sealed.includes('Ada') && !sealed.includes('example.com'));
    assert.doesNotMatch(row, /Ada|Lovelace|example\.com/);
  }
  await done(maitred(), id, 'forget-guest');
  assert.equal((await maitred().sql`select from mail`).length, 0);
  assert.deepEqual(await sent(), []);
});

test('each language has its words, by the country of the venue unless the venue says so', async () => {
  const settings = { replyTo: null, reminderHours: null, sentence: null };
  const expected = {
    de: [
      /^Ihre Buchung bei Soho Grill: .*, 19:00 Uhr$/,
      /^Guten Tag Ada Lovelace,\n\nIhre Buchung ist bestätigt\./,
    ],
    fr: [
      /^Votre réservation chez Soho Grill : .*, 19:00$/,
      /^Bonjour Ada Lovelace,\n\nVotre réservation est confirmée\./,
    ],
  } as const;
  for (const language of ['de', 'fr'] as const) {
    const body = { ...settings, language };
    await callNow(maitred(), SETTINGS, { method: 'PUT', as: 'demo-operator', body });
    await booked(maitred());
    const [mail] = await sent();
    assert.ok(mail);
    assert.match(subjectOf(mail), expected[language][0]);
    assert.match(partOf(mail, 'text/plain'), expected[language][1]);
  }
  await callNow(maitred(), SETTINGS, {
    method: 'PUT',
    as: 'demo-operator',
    body: { ...settings, language: null },
  });
  await maitred().sql`update venue set country_code = 'AT' where id = ${SOHO}`;
  await booked(maitred());
  const [mail] = await sent();
  await maitred().sql`update venue set country_code = 'GB' where id = ${SOHO}`;
  assert.match(mail ? subjectOf(mail) : '', /^Ihre Buchung/);
});
