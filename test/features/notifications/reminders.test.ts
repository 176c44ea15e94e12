import assert from 'node:assert/strict';
import { afterEach, before, test } from 'node:test';
import { callNow } from '../bookings/amend/amending.ts';
import { type Body, booked, freeDay } from '../bookings/support.ts';
import { entryOf, mailedApp, partOf, SOHO, startMsOf, subjectOf } from './mailed.ts';

/** Reminders, `reminderHours` before the start. */

const { maitred, server, time, sent, setGuestMails } = mailedApp();
const SETTINGS = `/manage/venues/${encodeURIComponent(SOHO)}/mails`;
const start = time.clock();

before(async () => setGuestMails('venue'));
afterEach(async () => {
  await maitred().sql`delete from mail`;
  await maitred().sql`delete from guest_mail`;
  server().received.length = 0;
  time.moveTo(start);
  await setHours(24);
});

async function setHours(reminderHours: number | null): Promise<void> {
  const body = { replyTo: null, reminderHours, sentence: null, language: null };
  const saved = await callNow(maitred(), SETTINGS, { method: 'PUT', as: 'demo-operator', body });
  assert.equal(saved.status, 200, saved.text);
}

/** A booking whose confirmation is sent. */
async function confirmed(overrides?: Body): Promise<Body> {
  const booking = await booked(maitred(), overrides);
  assert.equal((await sent()).length, 1);
  return booking;
}

const before24 = (booking: Body, minutes: number) =>
  time.moveTo(Temporal.Instant.fromEpochMilliseconds(startMsOf(booking)).subtract({ hours: 24, minutes }));
const remind = () => maitred().services.notification.writeReminders();
const patched = (id: string, value: string) =>
  callNow(maitred(), `/venues/bookings/${id}`, {
    method: 'PATCH',
    body: [{ op: 'replace', path: '/date', value }],
  });

test('a guest is reminded once, and not before the time', async () => {
  const booking = await confirmed();
  before24(booking, 1);
  assert.equal(await remind(), 0);
  before24(booking, 0);
  const written = await Promise.all([remind(), remind(), remind()]);
  assert.equal(
    written.reduce((sum, count) => sum + count),
    1,
  );
  assert.equal(await remind(), 0);
  const [mail, ...others] = await sent();
  assert.deepEqual(others, []);
  assert.ok(mail);
  assert.match(subjectOf(mail), /^Reminder: Soho Grill/);
  assert.match(partOf(mail, 'text/plain'), /look forward/);
  const { sequence, startMs } = entryOf(mail) ?? {};
  assert.deepEqual([sequence, startMs], [0, startMsOf(booking)]);
});

test('a booking made after that moment is not reminded of', async () => {
  const day = freeDay();
  time.moveTo(Temporal.ZonedDateTime.from(`${day}T10:00[Europe/London]`).toInstant());
  const made = await callNow(maitred(), `/venues/${encodeURIComponent(`${SOHO}|dinner`)}/booking`, {
    method: 'POST',
    body: {
      type: 'book',
      date: day,
      time: '19:00',
      partySize: 2,
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: '+44 20 7946 0018',
    },
  });
  assert.equal(made.status, 201, made.text);
  assert.equal((await sent()).length, 1);
  time.move({ hours: 2 });
  assert.equal(await remind(), 0);
});

test('a cancelled booking is not reminded of, and a reminder that waits goes with it', async () => {
  const booking = await confirmed();
  before24(booking, 0);
  assert.equal(await remind(), 1);
  const gone = await callNow(maitred(), `/venues/bookings/${booking.id}`, { method: 'DELETE' });
  assert.equal(gone.status, 204, gone.text);
  const mails = await sent();
  assert.deepEqual(
    mails.map(subjectOf).map((subject) => subject.split(':')[0]),
    ['Cancelled'],
  );
  time.moveTo(start);
  const other = await confirmed();
  await callNow(maitred(), `/venues/bookings/${other.id}`, { method: 'DELETE' });
  await sent();
  before24(other, 0);
  assert.equal(await remind(), 0);
});

test('a booking that is moved is reminded of at its new time, even if it was reminded of before', async () => {
  const booking = await confirmed();
  before24(booking, 0);
  assert.equal(await remind(), 1);
  const day = freeDay();
  const moved = await patched(booking.id, day);
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual(
    (await sent()).map((mail) => subjectOf(mail).split(':')[0]),
    ['Changed'],
    'the reminder of the old time goes',
  );
  assert.equal(await remind(), 0);
  before24(moved.json, 0);
  assert.equal(await remind(), 1);
  const [mail] = await sent();
  assert.ok(mail);
  assert.equal(entryOf(mail)?.startMs, startMsOf(moved.json));
});

test('other hours hold for bookings that are there, but nobody is reminded twice or late', async () => {
  const [early, late] = [await confirmed(), await confirmed()];
  before24(early, 0);
  assert.equal(await remind(), 1);
  await sent();
  await setHours(2);
  time.moveTo(Temporal.Instant.fromEpochMilliseconds(startMsOf(early)).subtract({ hours: 2 }));
  assert.equal(await remind(), 0, 'it was reminded of');
  before24(late, 0);
  assert.equal(await remind(), 0);
  await setHours(48);
  assert.equal(await remind(), 0, 'that moment is over');
  await setHours(2);
  time.moveTo(Temporal.Instant.fromEpochMilliseconds(startMsOf(late)).subtract({ hours: 2 }));
  assert.equal(await remind(), 1);
  const [mail] = await sent();
  assert.equal(mail && entryOf(mail)?.uid, `${late.id}@maitred`);
});

test('without hours, and where the partner writes again, there is no reminder', async () => {
  await setHours(null);
  const booking = await confirmed();
  before24(booking, 0);
  assert.equal(await remind(), 0);
  time.moveTo(start);
  await setHours(24);
  await setGuestMails('partner');
  before24(booking, 0);
  assert.equal(await remind(), 0);
  time.moveTo(start);
  await setGuestMails('venue');
});
