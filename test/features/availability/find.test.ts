import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundTable, FoundTables } from '../../../src/features/availability/find/schema.ts';
import { minuteOfDay } from '../../../src/kernel/zone-time.ts';
import { assertProblem, startTestApp } from '../../support/app.ts';
import { asking, day, soon } from './soho-grill.ts';

const { maitred, ask } = asking();

const send = (question: object, as = 'demo-partner') =>
  maitred().call('/venues/find-tables', { method: 'POST', body: question, as });

async function find(question: object, as = 'demo-partner'): Promise<FoundTables> {
  const answer = await send({ partySize: 4, date: day, ...question }, as);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const venuesOf = ({ tables }: FoundTables) => [...new Set(tables.map(({ venue }) => venue))];
const minutesFrom = (time: string) => (table: FoundTable) =>
  Math.abs(minuteOfDay(table.time) - minuteOfDay(time));

test('four people around eight, in Soho or Shoreditch, are shown tables there with the reasons', async () => {
  const { tables, relaxed } = await find({ time: '20:00', city: 'London', areas: ['Soho', 'shoreditch'] });
  assert.deepEqual(relaxed, []);
  assert.deepEqual(
    tables.slice(0, 2).map(({ compositeId, time, why }) => ({ compositeId, time, why })),
    [
      { compositeId: '1|house|soho-grill|dinner', time: '20:00', why: ['on time', 'in Soho'] },
      { compositeId: '2|house|night-owl|booth', time: '20:00', why: ['on time', 'in Shoreditch'] },
    ],
  );
});

test('every table is offered by its product at that moment, in the same way', async () => {
  const { tables } = await find({ city: 'London', time: '19:30', limit: 20 });
  assert.equal(tables.length, 20);
  for (const { compositeId, date, time, type } of tables) {
    const { json } = await ask(compositeId, `date=${date}&partySize=4`);
    const slot = json.times.find((each: { time: string }) => each.time === time);
    assert.equal(slot?.type, type, `${compositeId} ${time}`);
  }
});

test('the time closest to the one that was asked for comes first, and no venue has more than two', async () => {
  const { tables } = await find({ time: '18:50', areas: ['Soho'], city: 'London' });
  assert.equal(tables.length, 2);
  const distances = tables.map(minutesFrom('18:50'));
  assert.deepEqual(
    distances,
    distances.toSorted((a, b) => a - b),
  );
  assert.deepEqual(tables[0]?.time, '18:45');
  assert.deepEqual(tables[0]?.why, ['5 min earlier', 'in Soho']);
});

test('among tables at the same time the nearest comes first', async () => {
  const near = { lat: 51.5136, lng: -0.1365, radius: 10_000 };
  const { tables } = await find({ time: '20:00', near, limit: 20 });
  const away = tables
    .filter(({ why, price }) => why[0] === 'on time' && price === undefined)
    .map(({ why }) => why[1] ?? '')
    .map((text) => Number.parseFloat(text) * (text.includes('km') ? 1000 : 1));
  assert.ok(away.length > 3);
  assert.deepEqual(
    away,
    away.toSorted((a, b) => a - b),
  );
});

test('what is confirmed at once comes before what the venue has to confirm', async () => {
  const { tables } = await find({ partySize: 7, city: 'London', time: '20:00', limit: 20 });
  const onTime = tables.filter(({ why, price }) => why[0] === 'on time' && price === undefined);
  const types = onTime.map(({ type }) => type);
  assert.deepEqual([...new Set(types)], ['book', 'request']);
  assert.deepEqual(types, types.toSorted());
});

test('words and types find the venues that have them', async () => {
  const bySlug = await find({ city: 'London', types: ['Seafood'], time: '20:00' });
  assert.deepEqual(venuesOf(bySlug), ['Saltmarsh']);
  assert.ok(bySlug.tables[0]?.why.includes('seafood'));
  const byText = await find({ city: 'London', text: 'oysters and fish', time: '20:00' });
  assert.equal(byText.tables[0]?.venue, 'Saltmarsh');
  assert.deepEqual(byText.relaxed, []);
});

test('a window of time is kept, also after midnight', async () => {
  const evening = await find({ city: 'London', earliest: '18:00', latest: '18:30', limit: 20 });
  assert.ok(evening.tables.length > 5);
  assert.ok(evening.tables.every(({ time }) => time >= '18:00' && time <= '18:30'));
  const night = await find({ areas: ['Shoreditch'], earliest: '23:30', latest: '01:00' });
  assert.ok(night.tables.some(({ time }) => time < '12:00'));
  assert.deepEqual(night.relaxed, []);
});

test('what a guest has to spend is told, and a limit of it is kept', async () => {
  const areas = ['Fitzrovia'];
  const { tables } = await find({ areas, city: 'London', time: '20:00' });
  const { price, deposit, currency, needs } = tables[0] as FoundTable;
  assert.deepEqual(
    { price, deposit, currency, needs },
    { price: 11_500, deposit: 8000, currency: 'GBP', needs: ['preorder'] },
  );
  const cheaper = await find({ areas, city: 'London', time: '20:00', maxPrice: 5000, limit: 20 });
  assert.ok(cheaper.tables.length > 0 && !venuesOf(cheaper).includes('Number Nine'));
  const enough = await find({ areas, city: 'London', time: '20:00', maxPrice: 11_500 });
  assert.deepEqual(venuesOf(enough), ['Number Nine']);
});

test('a room is named with its space and its minimum spend for each guest', async () => {
  const { tables } = await find({ partySize: 14, areas: ['Greenwich'], city: 'London', limit: 20 });
  const room = tables.find(({ spaceId }) => spaceId === 401);
  assert.equal(room?.space, 'The Chart Room');
  assert.ok((room?.price ?? 0) >= Math.ceil(50_000 / 14));
});

/** The first that gives something back, and only what the tables really do not meet is said to be relaxed. */
for (const [what, question, relaxed] of [
  ['a wider time', { areas: ['Soho'], city: 'London', time: '15:30' }, ['time']],
  ['the rest of the city', { areas: ['Soho'], types: ['seafood'], time: '20:00' }, ['place']],
  [
    'further away',
    { near: { lat: 51.5136, lng: -0.1365, radius: 50 }, types: ['seafood'], time: '20:00' },
    [],
  ],
  ['the text', { city: 'London', text: 'xyzzy plugh', time: '20:00' }, ['text']],
  ['the types', { city: 'London', types: ['igloo'], time: '20:00' }, ['types']],
  ['any time of the day', { areas: ['Soho'], city: 'London', time: '05:00' }, ['place', 'day']],
] as const) {
  test(`relaxed: ${what}`, async () => {
    const found = await find(question);
    assert.deepEqual(found.relaxed, relaxed);
    assert.equal(found.tables.length > 0, relaxed.length > 0);
  });
}

test('a place is widened by its surroundings, the nearest first', async () => {
  const { tables, relaxed } = await find({
    near: { lat: 51.5136, lng: -0.1319, radius: 300 },
    time: '20:00',
  });
  assert.deepEqual(relaxed, []);
  assert.ok(tables.length > 0);
  const wider = await find({ near: { lat: 51.5136, lng: -0.1262, radius: 200 }, time: '20:00' });
  assert.deepEqual(wider.relaxed, ['place']);
  assert.ok(wider.tables.every(({ why }) => why.some((reason) => reason.endsWith('away'))));
});

test('of place and text one is met before both are given up', async () => {
  const { tables, relaxed } = await find({ areas: ['Soho'], city: 'London', text: 'oysters', time: '20:00' });
  assert.ok(tables.length > 0);
  for (const { area, why } of tables)
    assert.ok(area === 'Soho' || !why.includes('does not match the text'), why.join());
  assert.ok(relaxed.every((each) => each === 'place' || each === 'text'));
});

test('neither the city nor the party is ever given up', async () => {
  assert.deepEqual(await find({ city: 'Atlantis', text: 'seafood', time: '20:00' }), {
    tables: [],
    relaxed: [],
    noVenues: true,
  });
  assert.deepEqual(await find({ partySize: 900, city: 'London', time: '20:00' }), {
    tables: [],
    relaxed: [],
  });
  const { tables } = await find({ city: 'Paris', types: ['igloo'], areas: ['Soho'], limit: 20 });
  assert.ok(tables.length > 0 && tables.every(({ city }) => city === 'Paris'));
});

test('an area that no venue is in is not exchanged for the whole world', async () => {
  assert.deepEqual(await find({ areas: ['Narnia'], time: '20:00' }), {
    tables: [],
    relaxed: [],
    noVenues: true,
  });
  const inCity = await find({ areas: ['Narnia'], city: 'Berlin', time: '20:00', limit: 20 });
  assert.ok(inCity.tables.length > 0 && inCity.tables.every(({ city }) => city === 'Berlin'));
  assert.deepEqual(inCity.relaxed, ['place']);
});

test('areas and cities are meant without their accents, too', async () => {
  const { tables, relaxed } = await find({ areas: ['neukolln'], city: 'BERLÍN', time: '20:00' });
  assert.deepEqual(relaxed, []);
  assert.ok(tables.length > 0 && tables.every(({ why }) => why.includes('in Neukölln')));
});

test('what is not wanted is not offered', async () => {
  const { tables, relaxed } = await find({ city: 'London', text: 'no seafood', time: '20:00', limit: 20 });
  assert.deepEqual(relaxed, []);
  assert.ok(
    tables.length > 5 && tables.every(({ venue }) => venue !== 'Saltmarsh'),
    tables.map(({ venue }) => venue).join(),
  );
});

test('step-free is never given up, and is true of the space that is named', async () => {
  const { data } = (
    await maitred().call(
      '/venues?pageSize=100&fields=id,types(slug),products(compositeId,spaces(id,policies))',
    )
  ).json;
  const question = {
    areas: ['Peckham'],
    city: 'London',
    types: ['igloo'],
    time: '20:00',
    accessibility: true,
  };
  const found = [
    ...(await find({ ...question, limit: 20 })).tables,
    ...(await find({ ...question, partySize: 14, limit: 20 })).tables,
  ];
  assert.ok(found.length > 5);
  for (const { compositeId, spaceId } of found) {
    const venue = data.find(({ id }: { id: string }) => compositeId.startsWith(`${id}|`));
    const product = venue.products.find((each: { compositeId: string }) => each.compositeId === compositeId);
    const space = product.spaces.find(({ id }: { id: number }) => id === spaceId);
    const isVenue = venue.types.some(({ slug }: { slug: string }) => slug === 'wheelchair-accessible');
    assert.ok(space ? space.policies.accessibility : isVenue, compositeId);
  }
});

test('pages join up to the whole list', async () => {
  const question = { city: 'London', time: '20:00' };
  const whole = await find({ ...question, limit: 20 });
  const pages: FoundTable[] = [];
  let cursor: string | undefined;
  do {
    const page = await find({ ...question, limit: 3, ...(cursor && { cursor }) });
    pages.push(...page.tables);
    cursor = page.nextCursor;
  } while (cursor && pages.length < 100);
  assert.ok(pages.length > 20 && pages.length < 100);
  assert.deepEqual(pages.slice(0, 20), whole.tables);
  assert.equal(new Set(pages.map(({ compositeId, time }) => `${compositeId} ${time}`)).size, pages.length);
});

test('pages join up after a relaxation that had already asked other venues', async () => {
  const crowded = await startTestApp();
  try {
    // Without products, and behind all others in the order of ids.
    await crowded.sql`
      insert into venue select copy.* from generate_series(1, 40) n, venue v,
        lateral jsonb_populate_record(v, jsonb_build_object('id', concat_ws('|', v.operator_id, v.tms, 'zzz-' || n),
          'resource_id', 'zzz-' || n, 'types', array['igloo'], 'closed_at', null)) copy
      where v.id = (select max(id) from venue where tms = 'house')`;
    await crowded.sql`
      insert into venue_mapping (partner_id, venue_id)
      select m.partner_id, v.id from venue_mapping m, venue v
      where m.venue_id = '1|house|soho-grill' and v.types = array['igloo']`;
    const startsFor = async (question: object) => {
      const starts: string[] = [];
      let cursor: string | undefined;
      do {
        const body = {
          partySize: 4,
          date: day,
          time: '20:00',
          limit: 20,
          ...question,
          ...(cursor && { cursor }),
        };
        const { json } = await crowded.call('/venues/find-tables', { method: 'POST', body });
        starts.push(...json.tables.map((table: FoundTable) => `${table.compositeId} ${table.time}`));
        cursor = json.nextCursor;
      } while (cursor);
      return starts;
    };
    const relaxed = await startsFor({ types: ['igloo'] });
    assert.ok(relaxed.length > 40);
    assert.equal(new Set(relaxed).size, relaxed.length, 'no table comes twice');
    assert.deepEqual(relaxed.toSorted(), (await startsFor({})).toSorted());
  } finally {
    await crowded.close();
  }
});

test('the same question has the same answer', async () => {
  const question = { city: 'London', text: 'wine', time: '19:00', limit: 20 };
  assert.deepEqual(await find(question), await find(question));
});

test('a caller is shown its own venues and no others', async () => {
  for (const [as, least] of [
    ['demo-partner', 40],
    ['other-partner', 1],
    ['demo-operator', 2],
  ] as const) {
    const { data } = (await maitred().call('/venues?pageSize=100&fields=id', { as })).json;
    const ids: string[] = data.map(({ id }: { id: string }) => id);
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await find({ partySize: 2, limit: 20, ...(cursor && { cursor }) }, as);
      for (const { compositeId } of page.tables) seen.add(compositeId.split('|').slice(0, 3).join('|'));
      cursor = page.nextCursor;
    } while (cursor);
    assert.ok(seen.size >= least, `${as} is shown ${seen.size}`);
    assert.deepEqual(
      [...seen].filter((id) => !ids.includes(id)),
      [],
    );
  }
  assert.deepEqual((await find({ text: 'Hidden Kitchen', city: 'New York' })).tables, []);
});

test('times that have gone by are not found', async () => {
  const now = Temporal.ZonedDateTime.from(`${day}T17:40[Europe/London]`).toInstant();
  const late = await startTestApp({ deps: { clock: () => now } });
  try {
    const on = async (date: string): Promise<FoundTables> => {
      const body = { partySize: 2, date, city: 'London', time: '17:00', limit: 20 };
      return (await late.call('/venues/find-tables', { method: 'POST', body })).json;
    };
    const { tables } = await on(day);
    assert.ok(tables.length > 0);
    for (const { time, venue } of tables) assert.ok(time > '17:40', `${venue} ${time}`);
    assert.deepEqual((await on(soon.subtract({ days: 1 }).toString())).tables, []);
  } finally {
    await late.close();
  }
});

test('after midnight the starts that are left still belong to the night', async () => {
  const now = Temporal.ZonedDateTime.from(`${day}T23:50[Europe/London]`).toInstant();
  const late = await startTestApp({ deps: { clock: () => now } });
  try {
    const body = {
      partySize: 2,
      date: day,
      areas: ['Shoreditch'],
      earliest: '23:30',
      latest: '01:30',
      limit: 20,
    };
    const { json } = await late.call('/venues/find-tables', { method: 'POST', body });
    assert.deepEqual(json.relaxed, []);
    assert.ok(json.tables.length > 0 && json.tables.every(({ time }: FoundTable) => time <= '01:30'));
  } finally {
    await late.close();
  }
});

test('events are no tables', async () => {
  const { tables } = await find({ text: 'jazz night', city: 'London', limit: 20 });
  assert.ok(tables.length > 0 && tables.every(({ compositeId }) => !compositeId.includes('|tickets|')));
});

for (const [what, question, field] of [
  ['no party', { partySize: undefined }, 'partySize'],
  ['nobody', { partySize: 0 }, 'partySize'],
  ['no day', { date: undefined }, 'date'],
  ['a day that is none', { date: '2026-02-30' }, 'date'],
  ['a day out of reach', { date: '9999-12-31' }, 'date'],
  ['a time that is none', { time: '25:00' }, 'time'],
  ['no areas', { areas: [] }, 'areas'],
  ['half a point', { near: { lat: 51 } }, 'near.lng'],
  ['too many at once', { limit: 21 }, 'limit'],
  ['a cursor that is none', { cursor: 'next' }, 'cursor'],
  ['a cursor of another question', { cursor: 'AAAAAA.0.0.5' }, 'cursor'],
  ['a field that we do not know', { cuisine: 'thai' }, 'cuisine'],
] as const) {
  test(`${what} is refused`, async () => {
    const body = assertProblem(await send({ partySize: 4, date: day, ...question }), 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(body.errors), [field]);
  });
}

test('a place far down the list is the end of it', async () => {
  const question = { city: 'London', time: '20:00', limit: 3 };
  const { nextCursor = '' } = await find(question);
  const cursor = nextCursor.replace(/\.0-\d+\.3\.s$/, '.9999.0.s');
  assert.notEqual(cursor, nextCursor);
  assert.deepEqual(await find({ ...question, cursor }), { tables: [], relaxed: [] });
});
