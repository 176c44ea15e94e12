/** A confirmation is the yes of a person to one booking, however many requests bring it at once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SecondNode, startSecondNode } from '../abuse/support/second-node.ts';
import { assertProblem, startTestApp, type TestApp } from '../support/app.ts';
import { addRoom, startsApart } from './venues.ts';

const CLIENT = 'demo-agent';
const ROUNDS = 10;
const AT_ONCE = 8;

let maitred: TestApp;
let second: SecondNode;
let room: string;
before(async () => {
  maitred = await startTestApp();
  room = encodeURIComponent(await addRoom(maitred.sql, AT_ONCE));
  second = await startSecondNode(maitred);
  const mandate = { confirmAbove: { partySize: 1 } };
  const put = { method: 'PUT', as: 'demo-admin', body: mandate } as const;
  assert.equal((await maitred.call(`/manage/clients/${CLIENT}/mandate`, put)).status, 200);
});
after(async () => {
  await second.close();
  await maitred.close();
});

const doors = [
  { name: 'bookings', path: 'booking', guest: { type: 'book', firstName: 'Ada', lastName: 'Lovelace' } },
  { name: 'holds', path: 'holds', guest: {} },
];

for (const { name, path, guest } of doors)
  test(`of ${name} that bring one confirmation at once, on two nodes, one is made`, async () => {
    const headers = {
      authorization: `Bearer ${await maitred.token(CLIENT)}`,
      'x-partner-reference': 'demo-partner',
    };
    for (const start of startsApart(ROUNDS)) {
      const body = { ...start, partySize: 2, ...guest };
      const send = (node: SecondNode['app'], payload: object) =>
        node.inject({ method: 'POST', url: `/venues/${room}/${path}`, headers, payload });
      const asked = await maitred.call(`/venues/${room}/${path}`, {
        method: 'POST',
        as: CLIENT,
        headers,
        body,
      });
      const { confirmationToken } = assertProblem(asked, 409, 'MANDT-N-002');
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          send(index % 2 === 0 ? maitred.app : second.app, { ...body, confirmationToken }),
        ),
      );
      const statuses = answers.map(({ statusCode }) => statusCode).sort();
      assert.deepEqual(statuses, [201, ...Array.from({ length: AT_ONCE - 1 }, () => 409)]);
    }
  });
