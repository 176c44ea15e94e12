import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { assertAgreed, DAY, order, startBistros } from '../../support/remote-tms/bistros.ts';

test('twenty bookings that wait for a system which hangs leave the database to others', async (t) => {
  const bistros = await startBistros({ count: 1 });
  t.after(() => bistros.close());
  const bistro = bistros.next();
  const { faults, calls } = bistro.system;
  faults.plan({ kind: 'hang' }, { times: 100 });
  let hasGivenUp = false;
  const hanging = Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      order(bistros, bistro, { partnerBookingId: `hanging-${number}` }),
    ),
  ).finally(() => {
    hasGivenUp = true;
  });
  await eventually(() => calls('book') === 20);
  for (const time of ['18:00', '18:15', '18:30', '20:00', '20:15']) {
    const answer = await bistros.app.call('/venues/1%7Chouse%7Csoho-grill%7Cdinner/booking', {
      method: 'POST',
      body: { type: 'book', partySize: 2, date: DAY, time, firstName: 'Ada', lastName: 'Lovelace' },
    });
    assert.equal(answer.status, 201, answer.text);
  }
  assert.equal(hasGivenUp, false, 'nobody had to wait for the other system');
  for (const answer of await hanging) assertProblem(answer, 503, 'BOOK-R-002');
  faults.clear();
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
});
