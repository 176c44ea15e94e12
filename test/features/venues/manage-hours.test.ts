import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { assertGuarded, at, done, keepingApp, openVenue, read, SOHO, send } from './keeping.ts';

const maitred = keepingApp();

const evenings = { weekdays: [5, 6], periods: [{ opens: '18:00', closes: '02:00' }] };

test('hours are replaced whole, held against what was read, and shown to partners', async () => {
  const hours = {
    weekly: [
      {
        weekdays: [1, 2],
        periods: [
          { opens: '12:00', closes: '15:00' },
          { opens: '18:00', closes: '23:00' },
        ],
      },
      evenings,
    ],
    exceptions: [
      { date: '2027-12-25', periods: [], reason: 'Christmas' },
      { date: '2027-12-31', periods: [{ opens: '00:00', closes: '24:00' }], reason: null },
    ],
  };
  const entry = await assertGuarded(maitred(), at(SOHO, '/hours'), hours, false);
  assert.equal(entry.action, 'hours.change');
  assert.deepEqual(await read(maitred(), at(SOHO, '/hours')), hours);
  const shown = async () => (await maitred().call(`/venues/${encodeURIComponent(SOHO)}`)).json.opening_times;
  await eventually(async () => (await shown()).exceptions.length === 2);
  const { weekly, exceptions } = await shown();
  assert.deepEqual(weekly[4].periods, [{ opens: '18:00', closes: '02:00' }]);
  assert.deepEqual(weekly[6].periods, []);
  assert.deepEqual(exceptions[0], { date: '2027-12-25', isClosed: true, periods: [], reason: 'Christmas' });
});

test('what is read can be sent back, and means the same', async () => {
  const { id } = await openVenue(maitred(), 'hours');
  const path = at(id, '/hours');
  assert.deepEqual(await read(maitred(), path), { weekly: [], exceptions: [] });
  const clock = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const period = fc
    .tuple(fc.nat(1439), fc.nat(1439))
    .filter(([opens, closes]) => opens !== closes)
    .map(([opens, closes]) => ({ opens: clock(opens), closes: clock(closes) }));
  const weekly = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 7 }), period), {
    selector: ([weekday]) => weekday,
  });
  await fc.assert(
    fc.asyncProperty(weekly, async (entries) => {
      const sent = { weekly: entries.map(([weekday, each]) => ({ weekdays: [weekday], periods: [each] })) };
      const kept = await done(maitred(), 'PUT', path, sent);
      assert.deepEqual(await done(maitred(), 'PUT', path, kept), kept);
      const periodOn = (weekday: number) =>
        kept.weekly.find(({ weekdays }: { weekdays: number[] }) => weekdays.includes(weekday)).periods;
      for (const [weekday, each] of entries) assert.deepEqual(periodOn(weekday), [each]);
    }),
    { numRuns: 25 },
  );
});

test('times that are none, or overlap, are refused and nothing changes', async () => {
  const path = at('1|house|garden-room', '/hours');
  const before = await read(maitred(), path);
  const on = (...periods: [string, string][]) => ({
    weekdays: [1],
    periods: periods.map(([opens, closes]) => ({ opens, closes })),
  });
  const weekly = (...entries: object[]) => ({ weekly: entries });
  const dated = (date: string, ...periods: [string, string][]) => ({ date, periods: on(...periods).periods });
  const wrong: [string, object][] = [
    ['weekly.0.periods.0.closes', weekly(on(['12:00', '12:00']))],
    ['weekly.0.periods.0.opens', weekly(on(['25:00', '12:00']))],
    ['weekly.0.periods.0.opens', weekly(on(['24:00', '12:00']))],
    ['weekly.0.periods.0.closes', weekly(on(['12:00', '12:60']))],
    ['weekly.0.periods.0.closes', weekly(on(['12:00', 'late']))],
    ['weekly.0.periods', weekly(on(['12:00', '15:00'], ['14:00', '16:00']))],
    ['weekly.0.periods', weekly(on(['12:00', '15:00'], ['12:00', '15:00']))],
    ['weekly.0.periods', weekly(on(['20:00', '04:00'], ['22:00', '23:00']))],
    ['weekly.1.periods', weekly(on(['12:00', '15:00']), on(['13:00', '14:00']))],
    [
      'exceptions.1.date',
      { weekly: [], exceptions: [dated('2027-01-01'), dated('2027-01-01', ['12:00', '13:00'])] },
    ],
    ['exceptions.0.periods.0.closes', { weekly: [], exceptions: [dated('2027-01-01', ['12:00', '12:00'])] }],
    [
      'exceptions.0.periods',
      { weekly: [], exceptions: [dated('2027-01-01', ['12:00', '15:00'], ['14:59', '16:00'])] },
    ],
    ['exceptions.0.date', { weekly: [], exceptions: [dated('9999-12-31')] }],
  ];
  for (const [field, body] of wrong) {
    const { errors } = assertProblem(await send(maitred(), 'PUT', path, body), 400, 'VENUE-N-006');
    assert.deepEqual(Object.keys(errors), [field], JSON.stringify(body));
  }
  assertProblem(await send(maitred(), 'PUT', path, weekly({ ...on(), weekdays: [8] })), 400, 'VALID-N-001');
  assertProblem(
    await send(maitred(), 'PUT', path, { weekly: [], exceptions: [dated('2027-02-30')] }),
    400,
    'VALID-N-001',
  );
  assert.deepEqual(await read(maitred(), path), before);
});

test('periods that touch are apart, and as many as can be sent can be stored', async () => {
  const { id } = await openVenue(maitred(), 'busy');
  const periods = Array.from({ length: 10 }, (_, hour) => ({
    opens: `1${hour}:00`,
    closes: hour === 9 ? '20:00' : `1${hour + 1}:00`,
  }));
  const first = Temporal.PlainDate.from('2027-01-01');
  const exceptions = Array.from({ length: 1000 }, (_, day) => ({
    date: first.add({ days: day }).toString(),
    periods,
    reason: 'Busy',
  }));
  const kept = await done(maitred(), 'PUT', at(id, '/hours'), {
    weekly: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], periods }],
    exceptions,
  });
  assert.equal(kept.exceptions.length, 1000);
  assertProblem(
    await maitred().call(at('1|house|nowhere', '/hours'), { as: 'demo-admin' }),
    404,
    'VENUE-N-001',
  );
});

test('a weekday has ten periods at most, however many entries name it, and can be sent back', async () => {
  const { id } = await openVenue(maitred(), 'split');
  const path = at(id, '/hours');
  const from = (first: number, count: number) => ({
    weekdays: [1],
    periods: Array.from({ length: count }, (_, each) => ({
      opens: `${first + each}:00`,
      closes: `${first + each}:30`,
    })),
  });
  const kept = await done(maitred(), 'PUT', path, { weekly: [from(16, 4), from(10, 6)] });
  assert.deepEqual(kept.weekly, [from(10, 10)]);
  assert.deepEqual(await done(maitred(), 'PUT', path, kept), kept);
  const { errors } = assertProblem(
    await send(maitred(), 'PUT', path, { weekly: [from(10, 6), from(16, 5)] }),
    400,
    'VALID-N-001',
  );
  assert.deepEqual(Object.keys(errors), ['weekly.1.periods']);
});
