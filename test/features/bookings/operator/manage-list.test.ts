import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { bookBrunch } from '../../payments/support.ts';
import { addOperatorClient, cancel } from '../amend/amending.ts';
import { BOOTH, type Body, booked, bookingsApp, freeDay } from '../support.ts';
import { look } from './manage-support.ts';

const [FIRST, SECOND, THIRD] = [freeDay(), freeDay(), freeDay()];
const GARDEN = '1|house|garden-room';

type Name = 'late' | 'early' | 'enquiry' | 'called off' | 'others' | 'garden' | 'elsewhere';
const made = {} as Record<Name, Body>;

/** In the order in which they are made, which is not the order in which guests come. */
const maitred = bookingsApp({}, async (app) => {
  made.late = await booked(app, { date: THIRD, time: '21:00' });
  made.early = await booked(app, { date: FIRST, time: '18:00' });
  made.enquiry = await booked(app, { type: 'request', date: SECOND, time: '19:00' });
  made['called off'] = await booked(app, { date: SECOND, time: '18:00' });
  await cancel(app, made['called off'].id);
  made.others = await booked(app, { date: SECOND, time: '20:00' }, { as: 'other-partner' });
  made.garden = await bookBrunch(app, 2, { date: THIRD, type: 'request' });
  made.elsewhere = await booked(app, { partySize: 4 }, { productId: BOOTH });
  await addOperatorClient(app.sql, 2);
});

const nameOf = (id: string) => (Object.keys(made) as Name[]).find((name) => made[name].id === id);

async function names(query = '', asking = {}): Promise<(Name | undefined)[]> {
  const answer = await look(maitred(), query, asking);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data.map(({ id }: Body) => nameOf(id));
}

test('bookings of all partners are listed, those who come first at the top', async () => {
  assert.deepEqual(await names(), ['early', 'called off', 'enquiry', 'others', 'garden', 'late']);
  assert.deepEqual(await names('', { as: 'operator-2', operatorId: 2 }), ['elsewhere']);
});

test('sorted by when they were made, the latest is at the top', async () => {
  const latest = ['garden', 'others', 'called off', 'enquiry', 'early', 'late'];
  assert.deepEqual(await names('?sortBy=created'), latest);
});

test('each filter keeps what it names, and all of them hold together', async () => {
  const cases: [string, Name[]][] = [
    [`from=${SECOND}`, ['called off', 'enquiry', 'others', 'garden', 'late']],
    [`to=${SECOND}`, ['early', 'called off', 'enquiry', 'others']],
    [`from=${SECOND}&to=${SECOND}`, ['called off', 'enquiry', 'others']],
    ['status=pending', ['enquiry', 'garden']],
    ['status=cancelled,pending', ['called off', 'enquiry', 'garden']],
    ['status=cancelled&status=pending', ['called off', 'enquiry', 'garden']],
    ['type=request', ['enquiry', 'garden']],
    ['partnerId=1', ['early', 'called off', 'enquiry', 'garden', 'late']],
    ['partnerId=2147483647', []],
    [`venueId=${encodeURIComponent(GARDEN)}`, ['garden']],
    [`venueId=${GARDEN}`, ['garden']],
    ['venueId=2|house|night-owl', []],
    [`from=${SECOND}&status=pending,confirmed&partnerId=1&venueId=1|house|soho-grill`, ['enquiry', 'late']],
    ['from=0001-01-01&to=9999-12-31&status=no_show', []],
  ];
  for (const [query, wanted] of cases) assert.deepEqual(await names(`?${query}`), wanted, query);
});

test('pages join up to the whole list and count it', async () => {
  const whole = await names();
  const pages = [];
  for (const page of [1, 2, 3, 4]) pages.push(await names(`?pageSize=2&pageNumber=${page}`));
  assert.deepEqual(pages.flat(), whole);
  const { meta } = (await look(maitred(), '?pageSize=2')).json;
  assert.deepEqual(meta, { currentPage: 1, pageSize: 2, totalItems: 6, totalPages: 3 });
});

test('an entry is what its own address shows', async () => {
  const { data } = (await look(maitred())).json;
  for (const entry of data) assert.deepEqual((await look(maitred(), `/${entry.id}`)).json, entry);
  assert.deepEqual(
    data.find(({ id }: Body) => id === made.others.id).partner.name,
    (await maitred().sql`select name from partner where reference = 'other-partner'`)[0]?.name,
  );
});

test('filters that make no sense are refused', async () => {
  for (const query of [
    'status=lost',
    'status=',
    'from=2026-02-30',
    'from=yesterday',
    `from=${THIRD}&to=${FIRST}`,
    'partnerId=0',
    'partnerId=2147483648',
    'venueId=soho',
    'sortBy=name',
    'type=both',
    'pageSize=101',
  ]) {
    assertProblem(await look(maitred(), `?${query}`), 400, 'VALID-N-001');
  }
});
