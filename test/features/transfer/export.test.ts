import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { VenueDocument } from '../../../src/features/venues/transfer/document.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { exportFrom, importInto } from './platforms.ts';
import { tavernOperator } from './tavern.ts';

let maitred: TestApp;
let operatorId: number;
before(async () => {
  maitred = await startTestApp();
  const answer = await importInto(maitred, tavernOperator());
  assert.equal(answer.status, 201, answer.text);
  operatorId = answer.json.operatorId;
});
after(() => maitred.close());

async function exportedVenues(): Promise<[tavern: VenueDocument, quiz: VenueDocument]> {
  const { venues } = await exportFrom(maitred, operatorId);
  return venues as [VenueDocument, VenueDocument];
}

test('pictures that are kept here are named by their address', async () => {
  const mediaId = '019a8a11-0000-7000-8000-00000000000a';
  await maitred.sql`insert into venue_photo (venue_id, media_id, width, height, position)
    values (${`${operatorId}|house|tavern`}, ${mediaId}, 640, 480, 9)`;
  const [tavern] = await exportedVenues();
  assert.deepEqual(tavern.photos, [
    { url: 'https://tavern.example/1.jpg', caption: 'Terrace' },
    { url: `http://127.0.0.1:3000/media/${mediaId}`, width: 640, height: 480 },
  ]);
});

test('an occurrence that is only kept for those who hold tickets is left out', async () => {
  await maitred.sql`insert into ticket_occurrence (venue_id, date, starts_minute, duration_minutes, is_withdrawn)
    values (${`${operatorId}|tickets|quiz`}, '2030-05-09', 1140, 120, true)`;
  const [, quiz] = await exportedVenues();
  assert.deepEqual(
    quiz.tickets?.occurrences.map(({ date }) => date),
    ['2030-05-02'],
  );
});

test('what has been changed since is exported as it is now', async () => {
  await maitred.sql`update house_table set is_active = false where venue_id = ${`${operatorId}|house|tavern`}`;
  await maitred.sql`update venue set closed_at = '2030-01-01T12:00:00.000Z' where id = ${`${operatorId}|house|tavern`}`;
  const [tavern] = await exportedVenues();
  assert.equal(tavern.closedAt, '2030-01-01T12:00:00.000Z');
  const tables = tavern.house?.zones.flatMap(({ areas }) => areas.flatMap((area) => area.tables)) ?? [];
  assert.deepEqual(
    tables.map(({ isActive }) => isActive),
    [false, false, false],
  );
});

test('a rule for a partner that is gone is not exported as one for everybody', async () => {
  await maitred.sql`insert into partner (id, reference, name) values (900, 'passing', 'Passing')`;
  const rule = { name: 'For nobody else', effect: 'party_size_limit', params: { max: 3 } };
  const document = tavernOperator({
    partnerCategories: [],
    bookingRules: [{ ...rule, partners: ['passing'] }],
    venues: [
      {
        ...(tavernOperator().venues[0] as VenueDocument),
        products: [],
        house: { zones: [], products: [] },
        spaces: [],
        availabilityRules: [
          { type: 'recurring', definition: { weekdays: [2] }, partners: ['passing'] },
          { type: 'recurring', definition: { weekdays: [3] }, partners: ['passing', 'demo-partner'] },
        ],
      },
    ],
  });
  const made = await importInto(maitred, document);
  assert.equal(made.status, 201, made.text);
  await maitred.sql`delete from partner where id = 900`;
  const { bookingRules, venues } = await exportFrom(maitred, made.json.operatorId);
  assert.deepEqual(bookingRules, []);
  assert.deepEqual(
    venues[0]?.availabilityRules?.map(({ partners }) => partners),
    [['demo-partner']],
  );
});
