import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../../support/app.ts';
import { type Body, bookingsApp, freeDay } from '../support.ts';
import { taken } from './desk-support.ts';
import { NOWHERE } from './manage-support.ts';

/** Every route of partners that names a booking, asked for one of the house and for one that never was. */

const maitred = bookingsApp();

interface Named {
  method: string;
  path: string;
}

function routesWithBookings(): Named[] {
  const { paths } = maitred().app.swagger() as unknown as { paths: Record<string, Record<string, Body>> };
  return Object.entries(paths)
    .filter(([path]) => path.includes('{bookingId}') && !path.startsWith('/manage'))
    .flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => ({ method: method.toUpperCase(), path })),
    );
}

const BODIES: Record<string, unknown> = {
  PATCH: [{ op: 'replace', path: '/partySize', value: 3 }],
  PUT: {
    compositeId: '1|house|soho-grill|dinner',
    type: 'book',
    partySize: 3,
    date: freeDay(),
    time: '19:00',
    firstName: 'Ada',
    lastName: 'Lovelace',
  },
  POST: { option: 'full' },
};

/** All that an answer says, but for the id that was asked for and the correlation. */
const said = ({ status, json }: Answer, id: string) => JSON.stringify([status, json]).replaceAll(id, '…');

test('a booking of the house answers partners and agents as one that never was, on every route', async () => {
  const { id, reference } = await taken(maitred(), { date: freeDay() });
  const routes = routesWithBookings();
  assert.ok(routes.length >= 5, JSON.stringify(routes));
  const callers: { as: string; headers: Record<string, string> }[] = [
    { as: 'demo-partner', headers: {} },
    { as: 'other-partner', headers: {} },
    { as: 'demo-agent', headers: { 'x-partner-reference': 'demo-partner' } },
  ];
  for (const { as, headers } of callers) {
    for (const { method, path } of routes) {
      const ask = (bookingId: string) =>
        maitred().call(path.replace('{bookingId}', bookingId), {
          method: method as 'GET',
          as,
          headers,
          ...(method !== 'GET' && method !== 'DELETE' && { body: BODIES[method] }),
        });
      const [house, nothing] = [await ask(id), await ask(NOWHERE)];
      assert.equal(said(house, id), said(nothing, NOWHERE), `${as} ${method} ${path}`);
      assert.notEqual(house.status, 200, `${as} ${method} ${path}`);
    }
    const lists = ['/venues/bookings', `/venues/bookings?id=${id}`, '/webhooks/events', '/orders'];
    for (const path of lists) {
      const { text } = await maitred().call(path, { as, headers });
      assert.equal(text.includes(id) || text.includes(reference), false, `${as} ${path}`);
    }
  }
  const test = { eventType: 'booking.updated', bookingId: id };
  const answer = await maitred().call('/webhooks/test', { method: 'POST', body: test });
  assert.doesNotMatch(answer.text, /Hopper/);
});
