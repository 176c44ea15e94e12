import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { inTransaction, openPool, type Sql } from '../../../src/db/database.ts';
import { type Notifications, openNotifications } from '../../../src/db/notifications.ts';
import { createMailing, type Mailing } from '../../../src/features/mail/service.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { createTestDatabase } from '../../support/databases/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type MailServer, startMailServer } from '../../support/peers/mail-server.ts';

/** The queue against a real mail server that refuses, delays and hangs up. */

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let sql: Sql;
let notifications: Notifications;
before(async () => {
  database = await createTestDatabase();
  sql = database.sql;
  notifications = await openNotifications(database.url);
});
after(async () => {
  await notifications.close();
  await database.drop();
});

const START = Temporal.Instant.from('2026-11-15T12:00:00Z');
let shownAt = START;
const lines: { details: object; message: string }[] = [];
const log = { warn: (details: object, message: string) => void lines.push({ details, message }) };

async function mailed(t: TestContext): Promise<{ server: MailServer; mailing: Mailing }> {
  const server = await startMailServer();
  t.after(() => server.close());
  await sql`delete from mail`;
  lines.length = 0;
  shownAt = START;
  const config = readConfig({ MAIL_FROM: 'Maitred <no-reply@maitred.example>', SMTP_URL: server.url });
  const encryptionKeys = createKeyring([Buffer.alloc(32, 7)]);
  const deps = { config, sql, clock: () => shownAt, encryptionKeys, notifications, log };
  return { server, mailing: createMailing(deps) };
}

const letter = (name: string) => ({
  to: `${name}@lamp.example`,
  subject: 'Your booking',
  text: 'It is confirmed.\n',
  html: '<p>It is confirmed.</p>',
  kind: 'guest.confirmation',
  expiresAt: START.add({ hours: 24 }),
});
const post = (mailing: Mailing, ...names: string[]) =>
  inTransaction(sql, (tx) => mailing.post(tx, ...names.map(letter)));
const waiting = async () => (await sql`select from mail`).length;

/** Sent, failed and given up, of the kind of these tests. */
function counted(mailing: Mailing): number[] {
  const { sent, failed, givenUp } = mailing.counts();
  return [sent, failed, givenUp].map((byKind) => byKind.get('guest.confirmation') ?? 0);
}

for (const at of ['RCPT', 'DATA'] as const)
  test(`what the server refuses for good after ${at} is given up at once, and said without a name`, async (t) => {
    const { server, mailing } = await mailed(t);
    server.conduct.push({ at, refuse: 550 });
    await post(mailing, 'ada', 'bea');
    await mailing.sendDue();
    assert.equal(server.received.length, 1);
    assert.equal(await waiting(), 0);
    assert.match(lines[0]?.message ?? '', /given up/);
    assert.doesNotMatch(JSON.stringify(lines), /lamp/);
    assert.deepEqual(counted(mailing), [1, 1, 1]);
  });

for (const at of ['RCPT', 'DATA'] as const)
  test(`what the server refuses for now after ${at} is tried again for a day, and then given up`, async (t) => {
    const { server, mailing } = await mailed(t);
    server.conduct.push(...Array.from({ length: 100 }, () => ({ at, refuse: 451 })));
    await post(mailing, 'ada');
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      shownAt = START.add({ minutes: minute });
      await mailing.sendDue();
    }
    const attempts = 100 - server.conduct.length;
    assert.ok(attempts >= 24, String(attempts));
    assert.equal(await waiting(), 1);
    shownAt = START.add({ hours: 24 });
    await mailing.sendDue();
    assert.equal(await waiting(), 0);
    assert.match(lines.at(-1)?.message ?? '', /could not be sent in time/);
    assert.deepEqual(counted(mailing), [0, attempts, 1]);
  });

test('a connection that is cut after the data may send a mail twice, under the same id', async (t) => {
  const { server, mailing } = await mailed(t);
  server.conduct.push({ at: 'DATA', hangUp: true });
  await post(mailing, 'ada');
  await mailing.sendDue();
  assert.equal(await waiting(), 1, 'we do not know');
  shownAt = START.add({ minutes: 1 });
  await mailing.sendDue();
  assert.equal(await waiting(), 0);
  assert.equal(server.received.length, 2);
  const ids = server.received.map(({ headers }) => headers.get('message-id'));
  assert.equal(new Set(ids).size, 1);
});

test('one that takes its time holds up no other, and there are never more than eight', async (t) => {
  const { server, mailing } = await mailed(t);
  server.conduct.push({ at: 'DATA', afterMs: 1500 });
  await post(mailing, 'slow', ...Array.from({ length: 40 }, (_, index) => `p${index}`));
  await mailing.sendDue();
  assert.equal(server.received.length, 41);
  assert.deepEqual(server.received.at(-1)?.to, ['slow@lamp.example']);
  assert.ok(server.most.mails > 1 && server.most.mails <= 8, String(server.most.mails));
  assert.ok(server.most.connections <= 8);
});

test('a database that goes away while mails are under way ends the round, and not the node', async (t) => {
  const { server, mailing } = await mailed(t);
  const [{ name }] = await sql<[{ name: string }]>`select current_database() as name`;
  const admin = openPool(Object.assign(new URL(database.url), { pathname: '/postgres' }).href, { max: 1 });
  t.after(() => admin.end());
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));
  for (let count = 0; count < 8; count += 1) server.conduct.push({ at: 'DATA', afterMs: 3000 });
  await post(mailing, ...Array.from({ length: 8 }, (_, index) => `p${index}`));
  const sending = mailing.sendDue();
  sending.catch(() => {});
  await eventually(() => server.most.mails === 8);
  await admin`alter database ${admin(name)} allow_connections false`;
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  await assert.rejects(sending);
  await admin`alter database ${admin(name)} allow_connections true`;
  shownAt = START.add({ minutes: 5 });
  await eventually(() =>
    mailing.sendDue().then(
      () => true,
      () => false,
    ),
  );
  assert.deepEqual(unhandled, []);
  assert.equal(await waiting(), 0);
});

test('a mail has both parts, an answer address and a calendar, and no header comes of a text', async (t) => {
  const { server, mailing } = await mailed(t);
  await inTransaction(sql, (tx) =>
    mailing.post(tx, {
      ...letter('ada'),
      subject: 'One\r\nBcc: eve@lamp.example',
      fromName: 'Soho\r\nBcc: eve@lamp.example',
      replyTo: 'desk@lamp.example',
      calendar: { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n' },
    }),
  );
  await mailing.sendDue();
  const [mail] = server.received;
  assert.ok(mail);
  assert.deepEqual([mail.from, mail.to], ['no-reply@maitred.example', ['ada@lamp.example']]);
  assert.equal(mail.headers.get('bcc'), undefined);
  assert.equal(mail.headers.get('subject'), 'One Bcc: eve@lamp.example');
  assert.equal(mail.headers.get('reply-to'), 'desk@lamp.example');
  const types = mail.parts.map(({ type }) => type.split(';')[0]);
  assert.deepEqual(types, ['text/plain', 'text/html', 'text/calendar', 'application/ics']);
});

test('mails of one thread are sent one after the other; without it they overtake each other', async (t) => {
  const { server, mailing } = await mailed(t);
  const send = async (thread: string | undefined) => {
    server.conduct.push({ at: 'DATA', afterMs: 300 });
    const mails = ['first', 'second', 'third'].map((name) => ({
      ...letter(name),
      ...(thread && { thread }),
    }));
    await inTransaction(sql, (tx) => mailing.post(tx, ...mails));
    await mailing.sendDue();
    return server.received.splice(0).map(({ to: [to = ''] }) => to.split('@')[0]);
  };
  assert.deepEqual(await send('guest 1'), ['first', 'second', 'third']);
  assert.equal((await send(undefined)).at(-1), 'first');
});
