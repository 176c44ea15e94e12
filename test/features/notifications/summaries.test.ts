import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { booked } from '../bookings/support.ts';
import { mailedApp, partOf, subjectOf } from './mailed.ts';

/** The summary of the day: once a day for each person and operator. */

const { maitred, server, time, sent } = mailedApp();
const start = time.clock();
const ten = (days = 0) => start.toZonedDateTimeISO('Europe/London').with({ hour: 10 }).add({ days });
const write = () => maitred().services.notification.writeSummaries();

afterEach(async () => {
  const { sql } = maitred();
  await sql`delete from mail`;
  await sql`delete from daily_summary`;
  await sql`delete from account_notification`;
  await sql`delete from account_mail`;
  server().received.length = 0;
  time.moveTo(start);
});

const want = (email: string, { minute = 540, language = 'en' } = {}) => maitred().sql`
  with a as (select id from account where email = ${email}),
  m as (insert into account_mail select id, ${language}, ${minute} from a)
  insert into account_notification select id, 1, false, false, false, true from a`;

test('it is written after the time that was asked for, once a day, on however many nodes', async () => {
  await want('owner@lamp.example');
  time.moveTo(ten().with({ hour: 8, minute: 59 }).toInstant());
  assert.equal(await write(), 0);
  time.moveTo(ten().with({ hour: 9, minute: 0 }).toInstant());
  const written = await Promise.all([write(), write(), write()]);
  assert.equal(
    written.reduce((sum, count) => sum + count),
    1,
  );
  assert.equal((await sent()).length, 1);
  time.moveTo(ten().with({ hour: 23 }).toInstant());
  assert.equal(await write(), 0);
  time.moveTo(ten(1).toInstant());
  assert.equal(await write(), 1);
});

test('without the row that marks it, the same nodes write it several times', async () => {
  await want('owner@lamp.example');
  time.moveTo(ten().toInstant());
  await maitred().sql`
    create function unmark() returns trigger language plpgsql as $$ begin
      new.day = new.day - (random() * 1000000)::int; return new; end $$`;
  await maitred().sql`
    create trigger unmark before insert on daily_summary for each row execute function unmark()`;
  const written = await Promise.all([write(), write(), write()]);
  assert.ok(written.reduce((sum, count) => sum + count) > 1);
  await maitred().sql`drop function unmark cascade`;
});

test('it counts the bookings and guests of the day by venue, and what waits', async () => {
  const { sql } = maitred();
  const today = ten().toPlainDate().toString();
  const ids = await Promise.all([2, 3].map(async (partySize) => (await booked(maitred(), { partySize })).id));
  const gone = await booked(maitred());
  const waiting = await booked(maitred(), { type: 'request' });
  await sql`update booking set trading_day = ${today} where id = any(${[...ids, gone.id]}::uuid[])`;
  await sql`update booking set status = 'cancelled' where id = ${gone.id}`;
  await want('owner@lamp.example', { language: 'de' });
  time.moveTo(ten().toInstant());
  assert.equal(await write(), 1);
  const [mail] = await sent();
  assert.ok(mail);
  assert.match(subjectOf(mail), new RegExp(`: \\S+, ${ten().day}\\. `));
  const text = partOf(mail, 'text/plain');
  assert.match(text, /Soho Grill: +2 Buchungen, 5 Gäste; 1 Anfragen warten auf Antwort\n/);
  assert.match(text, /Garden Room: +0 Buchungen, 0 Gäste\n/);
  assert.doesNotMatch(text, /Closed Cafe/);
  assert.ok(waiting.id);
});

test('what could not be written is not marked', async () => {
  await want('owner@lamp.example');
  time.moveTo(ten().toInstant());
  await maitred().sql`alter table mail add constraint broken check (kind <> 'summary') not valid`;
  await assert.rejects(write());
  await maitred().sql`alter table mail drop constraint broken`;
  assert.equal(await write(), 1);
});
