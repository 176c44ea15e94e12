import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { inTransaction, type Sql } from '../../../src/db/database.ts';
import { type Notifications, openNotifications } from '../../../src/db/notifications.ts';
import { createMailing, type Mailing } from '../../../src/features/mail/service.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { createTestDatabase } from '../../support/databases/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type SmtpServer, startSmtpServer } from '../../support/peers/smtp-server.ts';
import { scratchFolder } from '../../support/scratch.ts';

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
const clock = () => shownAt;
const lines: { details: object; message: string }[] = [];
const log = { warn: (details: object, message: string) => void lines.push({ details, message }) };

/** A way of sending mails, with nothing left of those of other tests. */
async function mailingFor(env: Record<string, string>): Promise<Mailing> {
  await sql`delete from mail`;
  lines.length = 0;
  shownAt = START;
  const config = readConfig({ MAIL_FROM: 'Maitred <no-reply@maitred.example>', ...env });
  return createMailing({
    config,
    sql,
    clock,
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    notifications,
    log,
  });
}

async function smtp(t: TestContext): Promise<SmtpServer> {
  const server = await startSmtpServer();
  t.after(() => server.close());
  return server;
}

const LETTER = { to: 'ada@lamp.example', subject: 'Grüße', text: 'The token is s3cret.\n' };
const post = (mailing: Mailing, more: object = {}) =>
  inTransaction(sql, (tx) => mailing.post(tx, { ...LETTER, expiresAt: START.add({ hours: 24 }), ...more }));
const waiting = async () => (await sql`select id from mail`).length;

test('outside live a mail becomes a file that only its owner can read', async (t) => {
  const folder = scratchFolder(t);
  const mailing = await mailingFor({ DATA_DIR: folder });
  await post(mailing);
  await mailing.sendDue();
  const files = readdirSync(join(folder, 'mail'));
  assert.match(files.join(), /^[0-9a-f-]{36}\.eml$/);
  const file = join(folder, 'mail', files[0] ?? '');
  assert.equal(
    readFileSync(file, 'utf8'),
    'To: ada@lamp.example\r\nSubject: Grüße\r\n\r\nThe token is s3cret.\n',
  );
  assert.equal(statSync(file).mode & 0o077, 0);
  assert.equal(await waiting(), 0);
});

test('a mail is sealed while it waits, and is not there unless its transaction commits', async (t) => {
  const mailing = await mailingFor({ DATA_DIR: scratchFolder(t) });
  const expiresAt = START.add({ hours: 1 });
  const failed = inTransaction(sql, async (tx) => {
    await mailing.post(tx, { ...LETTER, expiresAt });
    throw new Error('no');
  });
  await assert.rejects(failed);
  assert.equal(await waiting(), 0);
  await post(mailing);
  const [row] = await sql`select sealed from mail`;
  assert.ok(!row?.sealed.includes('s3cret') && !row?.sealed.includes('lamp.example'));
});

test('where a mail server is set, it gets the mail', async (t) => {
  const server = await smtp(t);
  const mailing = await mailingFor({ SMTP_URL: server.url, ENVIRONMENT: 'staging' });
  await post(mailing);
  const [row] = await sql`select id from mail`;
  await mailing.sendDue();
  const [mail, ...more] = server.received;
  assert.equal(more.length, 0);
  assert.deepEqual([mail?.from, mail?.to], ['no-reply@maitred.example', 'ada@lamp.example']);
  assert.match(mail?.data ?? '', /^From: Maitred <no-reply@maitred\.example>$/m);
  assert.match(mail?.data ?? '', new RegExp(`^Message-ID: <${row?.id}@maitred>$`, 'm'));
  assert.match(mail?.data ?? '', /The token is s3cret\./);
  assert.equal(await waiting(), 0);
});

test('a mail that is refused is tried again, ever later, and the log names nobody', async (t) => {
  const server = await smtp(t);
  const mailing = await mailingFor({ SMTP_URL: server.url });
  server.refusals.push('451 Try later, ada@lamp.example', '550 Not ada@lamp.example');
  await post(mailing);
  await mailing.sendDue();
  assert.equal(server.received.length, 0);
  await mailing.sendDue();
  assert.equal(server.refusals.length, 1, 'not at once');
  shownAt = START.add({ minutes: 1 });
  await mailing.sendDue();
  assert.equal(server.refusals.length, 0);
  shownAt = START.add({ minutes: 2 });
  await mailing.sendDue();
  assert.equal(server.received.length, 0);
  shownAt = START.add({ minutes: 3 });
  await mailing.sendDue();
  assert.equal(server.received.length, 1);
  assert.equal(lines.length, 2);
  assert.ok(!JSON.stringify(lines).includes('ada'), JSON.stringify(lines));
  assert.match(JSON.stringify(lines[0]), /"status":451/);
});

test('a server that is away loses nothing, and a mail that cannot be sent in time is given up', async () => {
  const server = await startSmtpServer();
  await server.close();
  const mailing = await mailingFor({ SMTP_URL: server.url });
  await post(mailing);
  await mailing.sendDue();
  assert.equal(await waiting(), 1);
  assert.match(JSON.stringify(lines), /ECONNREFUSED|ESOCKET/);
  shownAt = START.add({ hours: 24 });
  await mailing.sendDue();
  assert.equal(await waiting(), 0);
  assert.match(lines.at(-1)?.message ?? '', /given up/);
});

test('what a node had claimed when it died is sent by another', async (t) => {
  const server = await smtp(t);
  const mailing = await mailingFor({ SMTP_URL: server.url });
  await post(mailing);
  await sql`update mail set attempts = 1, attempt_at = ${START.add({ minutes: 5 })}`;
  await mailing.sendDue();
  assert.equal(server.received.length, 0);
  shownAt = START.add({ minutes: 5 });
  await mailing.sendDue();
  assert.equal(server.received.length, 1);
});

test('nodes that look at the same time send each mail once', async (t) => {
  const server = await smtp(t);
  const mailing = await mailingFor({ SMTP_URL: server.url });
  for (let count = 0; count < 5; count += 1) await post(mailing, { to: `p${count}@lamp.example` });
  await Promise.all([mailing.sendDue(), mailing.sendDue(), mailing.sendDue()]);
  const addressees = server.received.map(({ to }) => to).sort();
  assert.deepEqual(
    addressees,
    [0, 1, 2, 3, 4].map((count) => `p${count}@lamp.example`),
  );
});

test('in live without a mail server mails wait, and the node says so when it starts', async (t) => {
  const folder = scratchFolder(t);
  const live = { ENVIRONMENT: 'live', ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
  const mailing = await mailingFor({ ...live, DATA_DIR: folder });
  const postman = mailing.startPostman();
  assert.match(lines[0]?.message ?? '', /SMTP_URL is not set/);
  await post(mailing);
  await mailing.sendDue();
  await postman.stop();
  assert.equal(await waiting(), 1);
  assert.deepEqual(readdirSync(folder), []);
});

test('a postman sends a mail as soon as it is committed', async (t) => {
  const server = await smtp(t);
  const mailing = await mailingFor({ SMTP_URL: server.url });
  const postman = mailing.startPostman();
  await post(mailing);
  await eventually(() => server.received.length === 1);
  await postman.stop();
  assert.equal(await waiting(), 0);
});
