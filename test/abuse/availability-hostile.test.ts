import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { inTransaction } from '../../src/db/database.ts';
import { importOperator } from '../../src/features/venues/service.ts';
import type { VenueDocument } from '../../src/features/venues/transfer/document.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

/** Clocks that change at midnight, by half an hour, by two hours, across the date line; offsets of 45 minutes. */
const ZONES = [
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'America/Havana',
  'Asia/Kathmandu',
  'Africa/Monrovia',
  'Etc/GMT+12',
  'Africa/Casablanca',
];
const OPERATOR = 900;
const productIn = (zone: string) => `${OPERATOR}|house|z${ZONES.indexOf(zone)}|always`;

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
  await inTransaction(maitred.sql, (tx) =>
    importOperator(tx, {
      id: OPERATOR,
      name: 'Round the clock',
      systems: ['house'],
      venues: ZONES.map(alwaysOpen),
    }),
  );
});
after(() => maitred.close());

function alwaysOpen(timeZone: string, index: number): VenueDocument {
  const id = 900_000 + index;
  const table = { id, name: 'T', maxCovers: 4 };
  return {
    tms: 'house',
    resourceId: `z${index}`,
    name: timeZone,
    timeZone,
    content: { summary: '', description: '', highlights: [] },
    location: { lat: 0, lng: 0, area: 'A', city: 'C', countryCode: 'GB' },
    types: [],
    photos: [],
    hours: { weekly: [] },
    products: [
      {
        key: 'always',
        name: 'Always',
        timeIntervalMinutes: 30,
        hours: {
          weekly: [
            {
              weekdays: [1, 2, 3, 4, 5, 6, 7],
              periods: [
                { opens: '23:30', closes: '23:30' },
                { opens: '00:00', closes: '12:00' },
              ],
            },
          ],
        },
      },
    ],
    house: {
      zones: [{ id, name: 'Z', areas: [{ id, name: 'A', tables: [table] }] }],
      products: [{ key: 'always' }],
    },
  };
}

async function ask(productId: string, query: Record<string, string>) {
  const parameters = new URLSearchParams({ partySize: '2', ...query });
  const answer = await maitred.call(`/venues/${encodeURIComponent(productId)}/availability?${parameters}`, {
    as: 'demo-admin',
  });
  assert.ok(answer.status < 500, `${productId} ${parameters}: ${answer.text}`);
  return answer;
}

const HOUSE = '1|house|soho-grill|dinner';
const BAR = '2|house|night-owl|booth';
const ROOM = '1|house|soho-grill|private-dining';
const TICKETS = '2|tickets|jazz-night|standard';
const anyProduct = fc.constantFrom(HOUSE, BAR, ROOM, TICKETS, ...ZONES.map(productIn));

const edgeYear = fc.constantFrom('0000', '0001', '0002', '1582', '1883', '1970', '2038', '9998', '9999');
const edgeDay = fc
  .tuple(edgeYear, fc.constantFrom('01-01', '01-02', '02-28', '02-29', '06-30', '12-29', '12-30', '12-31'))
  .map((parts) => parts.join('-'));
const edgeTime = fc.constantFrom('00:00:00', '23:59:59', '23:59:60', '12:00:00.999999999999');
const edgeOffset = fc.constantFrom('Z', '+00:00', '-00:00', '+23:59', '-23:59', '+14:00', '-12:00', '+05:45');
const edgeMoment = fc
  .tuple(edgeDay, edgeTime, edgeOffset)
  .map(([day, time, offset]) => `${day}T${time}${offset}`);

test('days and moments at the edges of the calendar are answered or refused, never a failure of ours', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyProduct,
      fc.record(
        {
          date: edgeDay,
          startDateTime: edgeMoment,
          endDateTime: edgeMoment,
          includeUnavailable: fc.constant('true'),
          duration: fc.constantFrom('1', '60', '1440'),
        },
        { requiredKeys: [] },
      ),
      async (productId, query) => {
        const answer = await ask(productId, query as Record<string, string>);
        if (answer.status !== 200)
          assert.match(answer.json.code, /^(VALID-N-001|AVAIL-N-006|AVAIL-N-009|AVAIL-N-010)$/);
      },
    ),
    { numRuns: 300 },
  );
});

for (const productId of [
  HOUSE,
  BAR,
  ROOM,
  TICKETS,
  productIn('Pacific/Kiritimati'),
  productIn('Etc/GMT+12'),
]) {
  test(`the first and the last trading day of ${productId} can be asked about, and none beyond them`, async () => {
    for (const date of ['0001-01-02', '9999-12-29']) {
      const { status, json } = await ask(productId, { date, includeUnavailable: 'true' });
      assert.equal(status, 200);
      for (const { dateTime } of json.times)
        assert.match(dateTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
    }
    const beyond = [
      { date: '9999-12-31' },
      { date: '0001-01-01' },
      { startDateTime: '0000-06-01T00:00:00Z' },
      { startDateTime: '9999-12-31T23:59:59-23:59' },
      { startDateTime: '9999-12-29T23:59:59Z', endDateTime: '9999-12-31T23:59:59Z' },
    ];
    for (const query of beyond)
      assert.equal((await ask(productId, query)).json.code, 'VALID-N-001', JSON.stringify(query));
  });
}

test('every start of a window of 48 hours lies in it, in every zone and through every clock change', async () => {
  const changes = [
    '2030-03-10',
    '2030-03-30',
    '2030-04-07',
    '2030-09-29',
    '2030-10-06',
    '2030-11-03',
    '2030-12-31',
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      fc.constantFrom(...changes),
      fc.integer({ min: -36, max: 24 }),
      async (zone, day, hours) => {
        const startMs = Date.parse(day) + hours * 3_600_000;
        const endMs = startMs + 48 * 3_600_000;
        const [start, end] = [startMs, endMs].map((ms) => new Date(ms).toISOString());
        assert.ok(start && end);
        const { json } = await ask(productIn(zone), {
          startDateTime: start,
          endDateTime: end,
          includeUnavailable: 'true',
        });
        const instants = json.times.map(({ dateTime }: { dateTime: string }) => Date.parse(dateTime));
        assert.ok(instants.length > 40, `only ${instants.length} starts`);
        for (const [index, at] of instants.entries()) {
          assert.ok(startMs <= at && at <= endMs);
          const { date, time, dateTime } = json.times[index];
          assert.equal(dateTime.slice(11, 16), time);
          assert.ok(date === dateTime.slice(0, 10) || date < dateTime.slice(0, 10), `${dateTime} on ${date}`);
        }
        const tooLong = await ask(productIn(zone), {
          startDateTime: start,
          endDateTime: new Date(endMs + 1).toISOString(),
        });
        assert.equal(tooLong.json.code, 'AVAIL-N-010');
      },
    ),
    { numRuns: 60 },
  );
});

test('numbers that are none, too large or written otherwise are refused by name', async () => {
  const wrong = [
    '1e3',
    '0x10',
    '+2',
    ' 2',
    '2 ',
    '٢',
    '２',
    '²',
    '1_000',
    '2.0',
    '99999999999999999999',
    '-0',
    'NaN',
    'Infinity',
    '1001',
    '2147483648',
  ];
  for (const name of ['partySize', 'children', 'duration', 'minimumSpend']) {
    for (const value of wrong.filter(
      (each) =>
        !(name === 'minimumSpend' && each === '1001') &&
        !(each === '-0' && (name === 'children' || name === 'minimumSpend')),
    )) {
      // 1001 minutes are a length that a stay could have, so the product refuses it, not the form.
      const code = name === 'duration' && value === '1001' ? 'AVAIL-N-006' : 'VALID-N-001';
      const { json } = await ask(HOUSE, { date: '2030-06-05', [name]: value });
      assert.equal(json.code, code, `${name}=${value}`);
      if (code === 'VALID-N-001')
        assert.ok(json.errors[name], `${name}=${value}: ${JSON.stringify(json.errors)}`);
    }
  }
});

test('dates and times in other digits or other forms are refused by name', async () => {
  const wrong: Record<string, string[]> = {
    date: [
      '٢٠٣٠-٠٦-٠٥',
      '2030-6-5',
      '20300605',
      '2030-W23-3',
      '+002030-06-05',
      '2030-02-29',
      '2030-06-05T00:00:00Z',
      '2030-13-01',
    ],
    time: ['١٩:٠٠', '7pm', '24:00', '19:60', '9:00', '19', '19:00Z', '19:00+01:00'],
    startTime: ['24:00', '１９:00'],
    endTime: ['24:00', '19:00:61'],
    startDateTime: [
      '2030-06-05T19:00:00+24:00',
      '2030-06-05T24:00:00Z',
      '2030-06-05 19:00:00Z',
      '２030-06-05T19:00:00Z',
      '2030-06-05T19:00:00Z[Europe/London]',
    ],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const { json } = await ask(HOUSE, {
        ...(name === 'startDateTime' ? {} : { date: '2030-06-05' }),
        [name]: value,
      });
      assert.equal(json.code, 'VALID-N-001', `${name}=${value}`);
      assert.ok(json.errors[name], `${name}=${value}`);
    }
  }
});

test('the largest party that can be written is counted, not cut', async () => {
  const { status, json } = await ask(HOUSE, { date: '2030-06-05', partySize: '1000', children: '1000' });
  assert.equal(status, 200);
  assert.equal(
    json.noAvailabilityCode,
    json.noAvailabilityReason.includes('2000 people') ? 'NO_ELIGIBLE_PRODUCTS' : 'lost guests',
  );
});
