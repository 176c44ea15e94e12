import { test } from 'node:test';
import { type Answer, assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { openVenue } from '../venues/keeping.ts';
import { dated, managing } from './managing.ts';

/** What is done at a venue while somebody removes it. */

const { app } = managing(async ({ sql }) => {
  await sql`update partner set is_marketplace = true where id = 2`;
});

const someoneWaits = async () =>
  (
    await app()
      .sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  ).length > 0;

/** The venue is removed as soon as the call has come as far as it can. */
async function whileRemoved(key: string, call: (path: string) => Promise<Answer>): Promise<Answer> {
  const { sql } = app();
  const { id } = await openVenue(app(), key);
  const asked: Promise<Answer>[] = [];
  await sql.begin(async (tx) => {
    await tx`delete from venue where id = ${id}`;
    asked.push(call(`/manage/venues/${encodeURIComponent(id)}`));
    await eventually(someoneWaits);
  });
  const [answer] = await Promise.all(asked);
  return answer as Answer;
}

const as = 'demo-operator';

test('a rule that is made while its venue is removed is refused', async () => {
  const make = (path: string) =>
    app().call(`${path}/availability-rules`, { method: 'POST', as, body: dated() });
  assertProblem(await whileRemoved('going', make), 404, 'VENUE-N-001');
});

test('a venue that is removed while it is put on a marketplace is not found', async () => {
  const body = { partnerId: 2, listingId: null, isEnabled: true, managed: [] };
  const put = (path: string) => app().call(`${path}/marketplace`, { method: 'PUT', as, body });
  assertProblem(await whileRemoved('gone', put), 404, 'VENUE-N-001');
});
