/** What a system may answer instead of a catalogue: each bad venue is named, and an endless one ends. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { OPERATOR, product, type Said, startWorld, venue, type World } from './support.ts';

let world: World;
before(async () => {
  world = await startWorld();
  world.system.venues = [venue('good'), venue('other')];
  await world.applied();
});
after(() => world.close());
beforeEach(() => {
  world.system.answer = undefined;
});

const long = 'x'.repeat(30_000);
const BAD: [what: string, said: Said, sentence: RegExp][] = [
  ['no venue', 7, /must be an object/],
  ['no name', venue('a1', { name: undefined }), /name is required/],
  ['a blank name', venue('a2', { name: '  ' }), /name must not be blank/],
  ['a zone that is none', venue('a3', { timeZone: 'Mars/Olympus' }), /timeZone must be an IANA time zone/],
  ['an offset', venue('a4', { timeZone: '+02:00' }), /timeZone must be an IANA time zone/],
  ['an id with a bar', venue('a|b'), /resourceId must be letters/],
  ['an id that is too long', venue('a'.repeat(101)), /resourceId must be letters/],
  ['a number as id', venue('a5', { resourceId: 5 }), /resourceId must be/],
  ['a long text', venue('a6', { description: long }), /description must/],
  ['a position off the globe', venue('a7', { position: { lat: 200, lng: 0 } }), /position.lat must/],
  ['a country in words', venue('a8', { address: { countryCode: 'France' } }), /countryCode must be two/],
  ['a site without a scheme', venue('a9', { website: 'javascript:alert(1)' }), /website must be an address/],
  ['text that cannot be stored', venue('b1', { name: 'A\0B' }), /name/],
  [
    'hours that end before they begin',
    venue('b2', { hours: { weekly: [{ weekday: 1, opens: 800, closes: 700 }] } }),
    /hours must have periods that end after/,
  ],
  [
    'hours that overlap',
    venue('b3', {
      hours: {
        weekly: [
          { weekday: 1, opens: 600, closes: 900 },
          { weekday: 1, opens: 700, closes: 1000 },
        ],
      },
    }),
    /must not overlap/,
  ],
  [
    'an eighth day',
    venue('b4', { hours: { weekly: [{ weekday: 8, opens: 1, closes: 2 }] } }),
    /weekday must/,
  ],
  ['hours as text', venue('b5', { hours: 'always' }), /hours must be an object/],
  [
    'a day that is none',
    venue('b6', { hours: { weekly: [], exceptions: [{ date: '2026-02-30', periods: [] }] } }),
    /date must/,
  ],
  ['no products', venue('b7', { products: null }), /products/],
  [
    'too many products',
    venue('b8', { products: Array.from({ length: 201 }, (_, index) => product(`p${index}`)) }),
    /products must/,
  ],
  [
    'prices in another currency',
    venue('b9', { currency: 'EUR', products: [product('a', { pricePence: 5 })] }),
    /currency must be GBP/,
  ],
  [
    'a space twice',
    venue('c1', {
      spaces: [
        { id: '1', name: 'A' },
        { id: '1', name: 'B' },
      ],
    }),
    /spaces must not have an id twice/,
  ],
];

test('each bad venue is named with what is wrong, and the good ones are read', async () => {
  world.system.venues = [...BAD.map(([, said]) => said), venue('good'), venue('other')];
  world.system.pageSize = 5;
  const run = await world.review();
  assert.equal(run.state, 'done');
  assert.deepEqual([run.failed, run.unchanged, run.withdrawn, run.added], [BAD.length, 4, 0, 0]);
  const found = await world.differences(run.id);
  for (const [index, [what, , sentence]] of BAD.entries()) {
    assert.equal(found[index].kind, 'failed', what);
    assert.match(found[index].note, sentence, what);
  }
});

test('a bad product leaves the others of its venue alone, and is not taken for gone', async () => {
  world.system.venues = [
    venue('good', {
      products: [
        { key: 'supper' },
        product('a|b'),
        product('new'),
        product('new', { name: 'Twice' }),
        product('odd', { minGuests: 9, maxGuests: 3 }),
      ],
    }),
    venue('other'),
  ];
  const run = await world.applied();
  assert.deepEqual([run.added, run.failed, run.withdrawn], [1, 4, 0]);
  const notes = (await world.differences(run.id, '?kind=failed')).map(({ productKey, note }) => [
    productKey,
    note,
  ]);
  assert.deepEqual(
    notes.map(([key]) => key),
    ['supper', null, 'new', 'odd'],
  );
  assert.match(notes[2]?.[1], /like that of one before it/);
  world.system.venues = [venue('good', { products: [product('supper'), product('new')] }), venue('other')];
  assert.deepEqual([(await world.review()).unchanged], [5]);
});

test('venues that come twice are read once', async () => {
  world.system.answer = (cursor) =>
    cursor === null
      ? {
          venues: [venue('good', { products: [product('supper'), product('new')] }), venue('other')],
          next: 'b',
        }
      : { venues: [venue('other'), venue('other', { name: 'Later' })], next: null };
  const run = await world.review();
  assert.deepEqual([run.state, run.pages, run.venuesRead, run.unchanged, run.changed], ['done', 2, 2, 5, 0]);
});

test('a cursor that comes again, or always another one, ends the run and withdraws nothing', async () => {
  world.system.answer = () => ({ venues: [venue('good')], next: 'again' });
  const repeated = await world.review();
  assert.equal(repeated.state, 'failed');
  assert.match(repeated.failure, /same cursor twice/);
  let asked = 0;
  world.system.answer = () => {
    asked += 1;
    return { venues: [], next: `c${asked}` };
  };
  const endless = await world.review();
  assert.equal(endless.state, 'failed');
  assert.match(endless.failure, /would never end/);
  assert.ok(asked < 100);
  for (const { id } of [repeated, endless])
    assert.ok((await world.differences(id)).every(({ subject }) => subject === 'product'));
});

test('a page that is none fails the run with a sentence', async () => {
  const pages: [Said, RegExp][] = [
    [{ venues: 'none', next: null }, /no list of venues/],
    [null, /no list of venues/],
    [{ venues: [], next: 7 }, /cursor is no text/],
    [{ venues: [], next: long }, /cursor is no text/],
    [{ venues: Array.from({ length: 1001 }, () => 1), next: null }, /more than 1000 venues/],
    [401, /The system refused: The token is not known/],
  ];
  for (const [answer, failure] of pages) {
    world.system.answer = () => answer;
    const run = await world.review();
    assert.equal(run.state, 'failed');
    assert.match(run.failure, failure);
    assertProblem(
      await world.call('', { method: 'POST', body: { reviewedRunId: run.id } }),
      409,
      'OPRTR-N-010',
    );
  }
});

test('a system that is away is asked again for a while, and then the run fails', async () => {
  let answers: Said[] = [503, 503, 429];
  world.system.answer = () => answers.shift() ?? { venues: [venue('other')], next: null };
  const { id } = await world.begun();
  for (let round = 0; round < 6 && (await world.work(id)).state === 'running'; round += 1) world.wind(30);
  assert.equal((await world.read(id)).state, 'done');

  answers = Array.from({ length: 1000 }, () => 503);
  const away = await world.begun();
  for (let round = 0; round < 30 && (await world.work(away.id)).state === 'running'; round += 1)
    world.wind(70);
  const run = await world.read(away.id);
  assert.equal(run.state, 'failed');
  assert.match(run.failure, /could not be read/);
});

test('systems without a catalogue, and operators without the system, are refused', async () => {
  const post = (path: string) =>
    world.app.call(`/manage/operators/${path}/catalogue?dryRun=true`, { method: 'POST', as: 'demo-admin' });
  assertProblem(await post('1/systems/house'), 400, 'OPRTR-N-006');
  assertProblem(await post(`${OPERATOR}/systems/strange`), 404, 'HTTP-N-404');
  assertProblem(await post('999/systems/house'), 404, 'OPRTR-N-001');
  assertProblem(await world.call('/019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1'), 404, 'HTTP-N-404');
  assertProblem(await world.call('/nonsense'), 400, 'VALID-N-001');
});
