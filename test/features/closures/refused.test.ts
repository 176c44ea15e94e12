/** Closures that cannot be. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, assertProblem } from '../../support/app.ts';
import { addOperatorClient } from '../bookings/amend/amending.ts';
import { type Body, bookingsApp, freeDay } from '../bookings/support.ts';
import { closingOf } from './support.ts';

const maitred = bookingsApp({}, ({ sql }) => addOperatorClient(sql, 2));
const SOHO = '1|house|soho-grill';
const soho = closingOf(maitred, SOHO, 'demo-operator');

async function rows(): Promise<string> {
  const [row] = await maitred().sql<[{ rows: string }]>`
    select concat_ws(' ', (select count(*) from closure), (select count(*) from closure_booking),
      (select count(*) from audit_entry), (select updated_at from venue where id = ${SOHO})) as rows`;
  return row.rows;
}

/** Asserts that an attempt is refused and writes nothing; returns the names of the fields at fault. */
async function refused(attempt: () => Promise<Answer>, status: number, code: string): Promise<string[]> {
  const before = await rows();
  const problem = assertProblem(await attempt(), status, code);
  assert.equal(await rows(), before);
  return Object.keys(problem.errors ?? {});
}

test('times and products that cannot be are refused, in a dry run as well, and nothing is written', async () => {
  const date = freeDay();
  const today = Temporal.Now.plainDateISO('Europe/London');
  const yesterday = today.subtract({ days: 1 }).toString();
  const year = today.year + 3;
  const march = Temporal.PlainDate.from({ year, month: 3, day: 31 });
  const skipped = `${march.subtract({ days: march.dayOfWeek % 7 })}T01:30`;
  const day = { from: date, to: date, bookings: 'keep' };
  for (const [fields, field] of [
    [{ from: yesterday, to: yesterday }, 'to'],
    [{ from: `${yesterday}T18:00`, to: `${yesterday}T20:00` }, 'to'],
    [{ to: today.add({ days: 1 }).toString() }, 'to'],
    [{ to: `${date}T20:00` }, 'to'],
    [{ from: `${date}T20:00`, to: `${date}T20:00` }, 'to'],
    [{ from: `${date}T20:00`, to: `${date}T19:00` }, 'to'],
    [{ to: `${year}-06-01` }, 'to'],
    [{ from: `${date}T12:00`, to: `${year}-06-01T12:00` }, 'to'],
    [{ from: `${year}-02-30`, to: `${year}-03-02` }, 'from'],
    [{ from: '0001-01-01' }, 'from'],
    [{ to: '9999-12-31' }, 'to'],
    [{ from: skipped, to: `${skipped.slice(0, 10)}T12:00` }, 'from'],
    [{ from: `${date}T25:00` }, 'from'],
    [{ from: `${date}T19:00:00` }, 'from'],
    [{ from: 'tonight' }, 'from'],
    [{ to: null }, 'to'],
    [{ productKeys: [] }, 'productKeys'],
    [{ productKeys: ['dinner', 'dinner'] }, 'productKeys'],
    [{ productKeys: ['dinner', 'brunch'] }, 'productKeys.1'],
    [{ productKeys: ['1|house|soho-grill|dinner'] }, 'productKeys.0'],
    [{ bookings: 'move' }, 'bookings'],
    [{ bookings: undefined }, 'bookings'],
    [{ message: '' }, 'message'],
    [{ message: 'x\u0000' }, 'message'],
    [{ message: 'x'.repeat(2001) }, 'message'],
    [{ reason: 'x'.repeat(501) }, 'reason'],
    [{ isFlooded: true }, 'isFlooded'],
  ] as [Body, string][])
    for (const query of ['', '?dryRun=true']) {
      const attempt = () => soho.close({ ...day, ...fields }, query);
      assert.deepEqual(await refused(attempt, 400, 'VALID-N-001'), [field], JSON.stringify(fields));
    }
});

test('what is not the caller’s, or not there, is not closed', async () => {
  const date = freeDay();
  const body = { from: date, to: date, bookings: 'cancel' };
  const foreign = closingOf(maitred, SOHO, 'operator-2');
  const nowhere = closingOf(maitred, '1|house|nowhere', 'demo-operator');
  for (const query of ['', '?dryRun=true']) {
    await refused(() => foreign.close(body, query), 403, 'OPRTR-N-002');
    await refused(() => nowhere.close(body, query), 404, 'VENUE-N-001');
  }
  const { id } = await soho.closed(body);
  await refused(() => foreign.reopen(id), 403, 'OPRTR-N-002');
  await refused(
    () => closingOf(maitred, '1|house|garden-room', 'demo-operator').reopen(id),
    404,
    'HTTP-N-404',
  );
  await refused(() => soho.reopen('none'), 404, 'HTTP-N-404');
  await refused(() => soho.close({ ...body, message: 'Sorry' }, '?dryRun=perhaps'), 400, 'VALID-N-001');
});

test('days of clock changes and nights past midnight belong to their trading days', async () => {
  const { sql } = maitred();
  const zone = 'Europe/London';
  const march = Temporal.PlainDate.from({
    year: Temporal.Now.plainDateISO(zone).year + 1,
    month: 3,
    day: 31,
  });
  const sunday = march.subtract({ days: march.dayOfWeek % 7 }).toString();
  const { id } = await soho.closed({ from: sunday, to: sunday, bookings: 'keep' });
  const [row] = await sql<[{ hours: number }]>`
    select extract(epoch from to_at - from_at)::int / 3600 as hours from closure where id = ${id}`;
  assert.equal(row.hours, 23);

  const night = freeDay(5);
  const owl = closingOf(maitred, '2|house|night-owl');
  const times = async (date: string) => {
    const path = `/venues/${encodeURIComponent('2|house|night-owl|booth')}/availability?date=${date}&partySize=4`;
    return (await maitred().call(path)).json.times.map(({ dateTime }: Body) => dateTime.slice(0, 10));
  };
  const open = await times(night);
  assert.ok(new Set(open).size === 2, 'the night ends after midnight');
  const after = Temporal.PlainDate.from(night).add({ days: 1 }).toString();
  const next = await owl.closed({ from: after, to: after, bookings: 'keep' });
  assert.deepEqual(await times(night), open);
  await owl.reopen(next.id);
  await owl.closed({ from: night, to: night, bookings: 'keep' });
  assert.deepEqual(await times(night), []);
});
