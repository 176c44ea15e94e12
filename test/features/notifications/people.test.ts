import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { DEMO_PASSWORD, PASSWORD, type People, startPeople } from '../../support/people.ts';
import { type Body, booked } from '../bookings/support.ts';

/** Mails to the people of an operator, as they ask for them. */

const PATH = '/manage/account/notifications';
const NOTHING = { newBooking: false, enquiry: false, cancellation: false, dailySummary: false };

let people: People;
const tokens = new Map<string, string>();
before(async () => {
  people = await startPeople();
  for (const name of ['owner', 'staff'])
    tokens.set(name, await people.signIn(`${name}@lamp.example`, DEMO_PASSWORD));
});
after(() => people.close());
beforeEach(async () => {
  await people.sql`delete from mail`;
  await people.sql`delete from account_notification`;
  await people.sql`delete from account_mail`;
  for (const name of ['owner', 'staff']) while (await people.takeMail(`${name}@lamp.example`));
});

const token = (name: string) => tokens.get(name) ?? assert.fail(name);
const read = (name: string) => people.callWith(token(name), PATH);
const put = (name: string, body: unknown, headers = {}) =>
  people.callWith(token(name), PATH, { method: 'PUT', body, headers });

async function want(name: string, wishes: Partial<typeof NOTHING>, more: Body = {}): Promise<void> {
  const operators = [{ operatorId: 1, ...NOTHING, ...wishes }];
  const saved = await put(name, { language: 'en', dailySummaryAt: '09:00', operators, ...more });
  assert.equal(saved.status, 200, saved.text);
}

const act = (name: string, id: string, step: string) =>
  people.callWith(token(name), `/manage/operators/1/bookings/${id}/${step}`, { method: 'POST' });
const mailTo = (name: string) => people.takeMail(`${name}@lamp.example`);

test('everything is off at first; what is asked for is kept, in the audit log, by its version', async () => {
  const first = await read('staff');
  assert.deepEqual(first.json, {
    language: 'en',
    dailySummaryAt: '09:00',
    operators: [{ operatorId: 1, operatorName: first.json.operators[0].operatorName, ...NOTHING }],
  });
  const headers = { 'if-match': String(first.headers.etag) };
  const body = {
    language: 'de',
    dailySummaryAt: '07:30',
    operators: [{ operatorId: 1, ...NOTHING, enquiry: true }],
  };
  const saved = await put('staff', body, headers);
  assert.equal(saved.status, 200, saved.text);
  assert.deepEqual((await read('staff')).json, saved.json);
  assert.deepEqual([saved.json.language, saved.json.operators[0].enquiry], ['de', true]);
  assertProblem(await put('staff', body, headers), 412, 'HTTP-N-412');
  assert.equal((await read('owner')).json.operators[0].enquiry, false);
  const [entry] = await people.sql`select * from audit_entry where action = 'notifications.change'`;
  assert.ok(entry);
});

test('what cannot be asked for is refused and changes nothing', async () => {
  const at = { language: 'en', dailySummaryAt: '09:00' };
  const operators = (operatorId: number) => [{ operatorId, ...NOTHING, enquiry: true }];
  assertProblem(await put('staff', { ...at, operators: operators(2) }), 403, 'OPRTR-N-002');
  assertProblem(
    await put('staff', { ...at, operators: [...operators(1), ...operators(1)] }),
    400,
    'VALID-N-001',
  );
  assertProblem(await put('staff', { ...at, language: 'it', operators: [] }), 400, 'VALID-N-001');
  assertProblem(await put('staff', { ...at, dailySummaryAt: '25:00', operators: [] }), 400, 'VALID-N-001');
  assert.equal((await people.sql`select from account_notification`).length, 0);
  assertProblem(await people.call(PATH, { as: 'demo-operator' }), 403, 'USER-N-009');
});

test('each is told of what they have asked for, and nothing is written that is not wanted', async () => {
  await booked(people);
  assert.equal((await people.sql`select from mail`).length, 0);
  await want('owner', { newBooking: true });
  await want('staff', { enquiry: true, cancellation: true }, { language: 'fr' });
  await eventually(async () => {
    await booked(people, { lastName: 'O’Neil', notes: 'By the <b>window</b>' });
    return (await people.sql`select from mail`).length > 0;
  });
  const news = await mailTo('owner');
  assert.match(news ?? '', /Subject: New booking: Soho Grill, .* \(2\)\r\n/);
  assert.match(news ?? '', /Name: +Ada O’Neil\n/);
  assert.match(news ?? '', /Notes: +By the <b>window<\/b>\n/);
  assert.equal(await mailTo('staff'), undefined);
  const enquiry = await booked(people, { type: 'request' });
  assert.match((await mailTo('staff')) ?? '', /Subject: Nouvelle demande: Soho Grill/);
  assert.equal(await mailTo('owner'), undefined);
  await people.call(`/venues/bookings/${enquiry.id}`, { method: 'DELETE' });
  assert.match((await mailTo('staff')) ?? '', /Subject: Annulée: Soho Grill/);
});

test('the one that makes the change is not told of it, the others are', async () => {
  await want('owner', { cancellation: true });
  await want('staff', { cancellation: true });
  // The node may hear of it a moment later.
  await eventually(async () => {
    const { id } = await booked(people);
    assert.equal((await act('staff', id, 'cancel')).status, 200);
    return /Subject: Cancelled/.test((await mailTo('owner')) ?? '');
  });
  assert.equal(await mailTo('staff'), undefined);
});

test('a person who leaves, or is disabled, is told nothing more', async () => {
  const email = 'leaver@lamp.example';
  const { id } = await people.employ(email, 'staff');
  tokens.set('leaver', await people.signIn(email, PASSWORD));
  await want('leaver', { enquiry: true });
  await eventually(async () => {
    await booked(people, { type: 'request' });
    return (await people.takeMail(email)) !== undefined;
  });
  await people.sql`update account set is_disabled = true where id = ${id}`;
  await booked(people, { type: 'request' });
  assert.equal(await people.takeMail(email), undefined);
  await people.sql`update account set is_disabled = false where id = ${id}`;
  await people.sql`delete from account_role where account_id = ${id}`;
  await booked(people, { type: 'request' });
  assert.equal(await people.takeMail(email), undefined);
  assert.equal((await people.sql`select from account_notification where account_id = ${id}`).length, 0);
});

test('what waits about a guest goes when the guest is forgotten, written out or not', async () => {
  await want('owner', { enquiry: true });
  const ids: string[] = [];
  await eventually(async () => {
    ids.push((await booked(people, { type: 'request' })).id);
    return (await people.sql`select from mail`).length > 0;
  });
  for (const id of ids) assert.equal((await act('owner', id, 'forget-guest')).status, 200);
  assert.equal((await people.sql`select from mail`).length, 0);
});
