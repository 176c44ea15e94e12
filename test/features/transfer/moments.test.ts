import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { exportFrom, importInto } from './platforms.ts';
import { tavernOperator } from './tavern.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const closedAt = (moment: string) => {
  const document = tavernOperator();
  return { ...document, venues: document.venues.map((venue) => ({ ...venue, closedAt: moment })) };
};

test('a moment of closing is taken in every way that RFC 3339 writes it', async () => {
  const moments = {
    '2025-06-30T12:00:00+23:59': '2025-06-29T12:01:00.000Z',
    '2025-06-30t12:00:00.5z': '2025-06-30T12:00:00.500Z',
    '2016-12-31T23:59:60Z': '2016-12-31T23:59:59.000Z',
    [`2025-06-30T12:00:00.${'0'.repeat(300)}Z`]: '2025-06-30T12:00:00.000Z',
  };
  for (const [written, stored] of Object.entries(moments)) {
    const answer = await importInto(maitred, closedAt(written));
    assert.equal(answer.status, 201, answer.text);
    const { venues } = await exportFrom(maitred, answer.json.operatorId);
    assert.equal(venues[0]?.closedAt, stored);
  }
});

test('a moment that no calendar here reaches is refused with its place', async () => {
  for (const moment of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00']) {
    const { errors } = assertProblem(await importInto(maitred, closedAt(moment)), 400, 'VALID-N-001');
    assert.ok(errors['venues.0.closedAt'], JSON.stringify(errors));
  }
});
