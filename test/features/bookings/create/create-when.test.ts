import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertRefused,
  BOOTH,
  type Body,
  book,
  booked,
  bookingsApp,
  DINNER,
  freeDay,
  HIDDEN,
} from '../support.ts';

// The next clock change may be further ahead than the bar takes bookings.
const app = bookingsApp(
  {},
  ({ sql }) => sql`update house_product set horizon_days = 400 where product_id = ${BOOTH}`,
);
const LONDON = 'Europe/London';
const PARIS = '5|house|chez-odette|dinner';

const addDays = (date: string, days: number) => Temporal.PlainDate.from(date).add({ days }).toString();
const zoned = (zone: string, date: string, time: string) =>
  Temporal.ZonedDateTime.from(`${date}T${time}[${zone}]`);
const withOffset = (moment: Temporal.ZonedDateTime) =>
  moment.toString({ timeZoneName: 'never', smallestUnit: 'second' });
const instantOf = (moment: Temporal.ZonedDateTime) => moment.toInstant().toString({ smallestUnit: 'second' });

/** The next night on which the clocks of a zone skip an hour, or show one twice. */
function nextChange(zone: string, kind: 'gap' | 'overlap'): Temporal.ZonedDateTime {
  let change = Temporal.Now.zonedDateTimeISO(zone).add({ days: 2 });
  for (;;) {
    const next = change.getTimeZoneTransition('next');
    assert.ok(next);
    change = next;
    const gainedNs = change.offsetNanoseconds - change.subtract({ nanoseconds: 1 }).offsetNanoseconds;
    if (gainedNs > 0 === (kind === 'gap')) return change;
  }
}

test('every way of writing one moment books the same', async () => {
  const moment = zoned(LONDON, freeDay(), '19:00');
  const date = moment.toPlainDate().toString();
  const forms: Body[] = [
    { date, time: '19:00' },
    { date, time: '19:00:00' },
    { dateTime: withOffset(moment) },
    { dateTime: instantOf(moment) },
    { dateTime: instantOf(moment).toLowerCase() },
    { dateTime: withOffset(moment.withTimeZone('America/New_York')) },
    { dateTime: withOffset(moment).replace(':00:00', ':00:00.000') },
    { dateTime: withOffset(moment), date, time: '19:00' },
    { dateTime: withOffset(moment.withTimeZone('Asia/Kathmandu')), date, time: '19:00' },
    { dateTime: withOffset(moment), date },
    { dateTime: withOffset(moment), time: '19:00' },
    { dateTime: withOffset(moment), date: null, time: null },
  ];
  for (const form of forms) {
    const { date: day, time, dateTime } = await booked(app(), { partySize: 1, date: undefined, ...form });
    assert.deepEqual([day, time, dateTime], [date, '19:00', withOffset(moment)], JSON.stringify(form));
  }
});

test('two forms that disagree are BOOK-N-018', async () => {
  const moment = zoned(LONDON, freeDay(), '19:00');
  const date = moment.toPlainDate().toString();
  const dateTime = withOffset(moment);
  for (const form of [
    { date: addDays(date, 1), time: '19:00' },
    { date: addDays(date, -1), time: '19:00' },
    { date, time: '19:15' },
    { date, time: '07:00' },
    { date: addDays(date, 1) },
    { time: '20:00' },
  ])
    await assertRefused(app(), () => book(app(), { dateTime, ...form }), 400, 'BOOK-N-018');
});

test('a date-time that is missing or half there is BOOK-N-019', async () => {
  const date = freeDay();
  for (const form of [
    { date: undefined },
    { date },
    { date: undefined, time: '19:00' },
    { date: null, time: null, dateTime: null },
  ]) {
    const { detail } = await assertRefused(app(), () => book(app(), form), 400, 'BOOK-N-019');
    assert.match(detail, /dateTime/);
  }
});

test('a date-time that cannot be is BOOK-N-020', async () => {
  const date = freeDay();
  const times = [
    '24:00',
    '25:00',
    '19:60',
    '7pm',
    '19',
    '19.00',
    '1900',
    '19:00Z',
    '-1:00',
    '',
    ' 19:00',
    '１９:００',
  ];
  const dates = [
    '2027-02-30',
    '2027-13-01',
    '2027-00-10',
    '27-01-01',
    '2027-1-1',
    '01/02/2027',
    '20270201',
    'tomorrow',
    '',
    '+002027-01-01',
    '0000-01-01',
    '9999-12-31',
  ];
  const dateTimes = [
    ...[`${date}T19:00:00`, `${date}T19:00`, `${date} 19:00:00Z`, `${date}T19:00Z`, `${date}T24:00:00Z`],
    ...[
      `${date}T19:00:00+24:00`,
      `${date}T19:00:00+0100`,
      `${date}T19:00:00+01`,
      `${date}T19:00:00[Europe/London]`,
    ],
    ...[
      '2027-02-29T19:00:00Z',
      date,
      'soon',
      '',
      '1893456000',
      '9999-12-31T23:59:59Z',
      '0000-01-01T00:00:00Z',
    ],
  ];
  for (const form of [
    ...times.map((time) => ({ date, time })),
    ...dates.map((each) => ({ date: each, time: '19:00' })),
    ...dateTimes.map((dateTime) => ({ dateTime })),
    { dateTime: `${date}T19:00:00Z`, time: '7pm' },
    { dateTime: `${date}T19:00:00Z`, date: 'today' },
  ])
    await assertRefused(app(), () => book(app(), { date: undefined, ...form }), 400, 'BOOK-N-020');
});

for (const [zone, productId, time, as] of [
  [LONDON, DINNER, '01:30', 'demo-partner'],
  ['Europe/Paris', PARIS, '02:30', 'demo-partner'],
  ['America/New_York', HIDDEN, '02:30', 'other-partner'],
] as const) {
  test(`a time that clocks in ${zone} skip is BOOK-N-020, and its neighbours are not`, async () => {
    const date = nextChange(zone, 'gap').toPlainDate().toString();
    const attempt = () => book(app(), { date, time }, { productId, as });
    const { detail } = await assertRefused(app(), attempt, 400, 'BOOK-N-020');
    assert.match(detail, new RegExp(zone));
    for (const other of [addDays(date, -1), addDays(date, 1)]) {
      const answer = await book(app(), { date: other, time }, { productId, as });
      assert.notEqual(answer.json.code, 'BOOK-N-020', answer.text);
    }
    const hourLater = time.replace(/^\d\d/, (hour) => String(Number(hour) + 1).padStart(2, '0'));
    const answer = await book(app(), { date, time: hourLater }, { productId, as });
    assert.notEqual(answer.json.code, 'BOOK-N-020', answer.text);
  });
}

test('the skipped hour of a night belongs to the trading day before', async () => {
  const sunday = nextChange(LONDON, 'gap').toPlainDate().toString();
  const saturday = addDays(sunday, -1);
  const at = { partySize: 2, time: '01:30', duration: 60 };
  const skipped = () => book(app(), { ...at, date: saturday }, { productId: BOOTH });
  await assertRefused(app(), skipped, 400, 'BOOK-N-020');
  const { date, time, dateTime } = await booked(app(), { ...at, date: sunday }, { productId: BOOTH });
  assert.deepEqual([date, time, dateTime], [sunday, '01:30', `${addDays(sunday, 1)}T01:30:00+01:00`]);
});

test('of a time that clocks show twice date and time mean the first, and the offset of dateTime decides', async () => {
  const sunday = nextChange(LONDON, 'overlap').toPlainDate().toString();
  const saturday = addDays(sunday, -1);
  const stay = { duration: 60 };
  const [first, second] = [`${sunday}T01:30:00+01:00`, `${sunday}T01:30:00+00:00`];
  for (const [form, expected] of [
    [{ date: saturday, time: '01:30' }, first],
    [{ dateTime: first }, first],
    [{ dateTime: second }, second],
    [{ dateTime: first, date: saturday, time: '01:30' }, first],
    [{ dateTime: second, date: saturday, time: '01:30' }, second],
    [{ dateTime: second, type: 'request' }, second],
  ] as const) {
    const { date, time, dateTime, id } = await booked(
      app(),
      { ...stay, date: undefined, ...form },
      { productId: BOOTH },
    );
    assert.deepEqual([date, time, dateTime], [saturday, '01:30', expected], JSON.stringify(form));
    const read = await app().call(`/venues/bookings/${id}`);
    assert.equal(read.json.dateTime, expected);
  }
  const held = await app().sql<{ at: Temporal.Instant; count: number }[]>`
    select starts_at as at, count(*) from house_reservation where trading_day = ${saturday} group by 1 order by 1`;
  assert.deepEqual(
    held.map(({ at, count }) => [at.toString(), count]),
    [
      [`${sunday}T00:30:00Z`, 3],
      [`${sunday}T01:30:00Z`, 2],
    ],
  );
});

test('after midnight a booking belongs to the trading day that still runs', async () => {
  const friday = freeDay(5);
  const saturday = addDays(friday, 1);
  const dateTime = withOffset(zoned(LONDON, saturday, '00:30'));
  for (const form of [
    { date: friday, time: '00:30' },
    { dateTime },
    { dateTime, date: friday, time: '00:30' },
    { dateTime, date: friday },
    { dateTime, date: saturday },
  ]) {
    const booking = await booked(app(), { date: undefined, partySize: 2, ...form }, { productId: BOOTH });
    assert.deepEqual(
      [booking.date, booking.time, booking.dateTime],
      [friday, '00:30', dateTime],
      JSON.stringify(form),
    );
  }
  for (const form of [
    { dateTime, date: addDays(friday, -1) },
    { dateTime, date: addDays(friday, 2) },
    { dateTime, time: '12:30' },
  ])
    await assertRefused(app(), () => book(app(), form, { productId: BOOTH }), 400, 'BOOK-N-018');
});

test('the day before does not agree where the trading day had ended', async () => {
  const date = freeDay();
  const form = { dateTime: withOffset(zoned(LONDON, addDays(date, 1), '00:30')), date };
  await assertRefused(app(), () => book(app(), form), 400, 'BOOK-N-018');
});

test('a stay past midnight meets the one that begins there', async () => {
  const friday = freeDay(5);
  const largest = { partySize: 8, duration: 150, date: friday };
  // Two booths take eight.
  await booked(app(), { ...largest, time: '23:00' }, { productId: BOOTH });
  await booked(app(), { ...largest, time: '23:00' }, { productId: BOOTH });
  const late = {
    ...largest,
    duration: 60,
    dateTime: withOffset(zoned(LONDON, addDays(friday, 1), '01:00')),
    date: undefined,
  };
  await assertRefused(app(), () => book(app(), late, { productId: BOOTH }), 409, 'AVAIL-N-005');
  const later = { ...late, dateTime: withOffset(zoned(LONDON, addDays(friday, 1), '01:30')) };
  assert.equal((await booked(app(), later, { productId: BOOTH })).status, 'confirmed');
});
