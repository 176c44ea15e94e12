import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '../../../../src/kernel/problem.ts';
import { assertProblem } from '../../../support/app.ts';
import {
  amend,
  assertAgreed,
  type Bistro,
  type Bistros,
  cancel,
  countIntents,
  DAY,
  operator,
  order,
  ordered,
  read,
  startBistros,
} from '../../../support/remote-tms/bistros.ts';
import type { Fault } from '../../../support/remote-tms/faults.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 14 });
});
after(() => bistros.close());

const accept = (id: string) => bistros.app.services.bookings.accept(operator, id);
const enquire = (bistro: Bistro) => ordered(bistros, bistro, { type: 'request' });

test('a booking is made in the system of the venue and carries its number', async () => {
  const bistro = bistros.next();
  const answer = await order(bistros, bistro, { children: 1, partnerBookingId: 'first' });
  assert.equal(answer.status, 201, answer.text);
  const { id, status, reference, operatorBookingId, duration, dateTime } = answer.json;
  const held = bistro.system.book.bookings.get(id);
  assert.deepEqual([held?.date, held?.minute, held?.guests], [DAY, 1140, 3]);
  assert.deepEqual([status, duration], ['confirmed', 60]);
  assert.deepEqual([reference, operatorBookingId], [held?.reference, held?.reference]);
  assert.ok(Temporal.PlainDateTime.from(`${DAY}T19:00`).equals(dateTime.slice(0, 19)), dateTime);
  assert.deepEqual(await read(bistros, id), answer.json);
  assert.equal(await countIntents(bistros.app), 0);
});

test('an amendment moves the booking there, and one about the guest alone tells the system', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  const moved = await amend(bistros, bistro, id, { time: '20:00', partySize: 4 });
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1200 4`]);
  const renamed = await amend(bistros, bistro, id, { time: '20:00', partySize: 4, firstName: 'Grace' });
  assert.equal(renamed.json.firstName, 'Grace');
  assert.equal(bistro.system.calls('amend'), 2);
  const labelled = await amend(bistros, bistro, id, {
    time: '20:00',
    partySize: 4,
    firstName: 'Grace',
    labels: ['regular'],
  });
  assert.deepEqual(labelled.json.labels, ['regular'], labelled.text);
  assert.equal(bistro.system.calls('amend'), 2, 'labels are between the partner and us');
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1200 4`]);
  assert.equal(await countIntents(bistros.app), 0);
});

test('a cancellation gives the table back there, and a second one does not trouble the system', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  assert.equal((await cancel(bistros, id)).status, 204);
  assert.equal((await cancel(bistros, id)).status, 204);
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
  assert.equal(bistro.system.calls('cancel'), 1);
  assert.equal((await read(bistros, id)).status, 'cancelled');
});

test('an enquiry takes nothing there until the operator accepts it', async () => {
  const bistro = bistros.next();
  const id = await enquire(bistro);
  assert.deepEqual([...bistro.system.book.bookings], []);
  const accepted = await accept(id);
  assert.equal(accepted.status, 'confirmed');
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
  await assert.rejects(accept(id), (error) => error instanceof Problem && error.code === 'BOOK-N-014');
});

test('a booking that becomes an enquiry gives its table back, and as a booking takes one again', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  const asked = await amend(bistros, bistro, id, { type: 'request', time: '20:00' });
  assert.equal(asked.json.status, 'pending', asked.text);
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
  const placed = await amend(bistros, bistro, id, { time: '21:00' });
  assert.equal(placed.json.status, 'confirmed', placed.text);
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1260 2`]);
});

test('what the system cannot give is refused in the words of the interface', async () => {
  const bistro = bistros.next();
  for (let party = 0; party < 3; party += 1) await ordered(bistros, bistro);
  const moving = await ordered(bistros, bistro, { time: '20:00' });
  const before = await assertAgreed(bistros, bistro);
  const waiting = await ordered(bistros, bistro, { type: 'request', time: '20:00' });
  assertProblem(await order(bistros, bistro), 409, 'AVAIL-N-005');
  assertProblem(await order(bistros, bistro, { time: '22:00' }), 422, 'AVAIL-N-004');
  assertProblem(await order(bistros, bistro, { partySize: 9 }), 409, 'AVAIL-N-005');
  assertProblem(await amend(bistros, bistro, moving, {}), 409, 'AVAIL-N-005');
  bistro.system.faults.plan({ kind: 'refuse', reason: 'taken' });
  await assert.rejects(accept(waiting), (error) => error instanceof Problem && error.code === 'AVAIL-N-005');
  assert.equal((await read(bistros, waiting)).status, 'pending');
  assert.deepEqual(await assertAgreed(bistros, bistro), before);
  assert.equal(await countIntents(bistros.app), 0);
});

interface Refusal {
  fault: Fault;
  status: number;
  code: string;
  retryAfter?: string;
}

/** What a system says for certain: it has not done it. */
const REFUSALS: Record<string, Refusal> = {
  'that wants a card': {
    fault: { kind: 'refuse', reason: 'card-required' },
    status: 422,
    code: 'BOOK-N-008',
  },
  'that refuses for reasons of its own': {
    fault: { kind: 'refuse', reason: 'The chef is away.' },
    status: 422,
    code: 'BOOK-N-009',
  },
  'that limits our calls': {
    fault: { kind: 'rate-limit', retryAfterSeconds: 17 },
    status: 503,
    code: 'BOOK-R-001',
    retryAfter: '17',
  },
  'that is being maintained': {
    fault: { kind: 'status', status: 503 },
    status: 503,
    code: 'BOOK-R-002',
    retryAfter: '5',
  },
};

for (const [name, { fault, status, code, retryAfter }] of Object.entries(REFUSALS)) {
  test(`a system ${name} makes creation, amendment, cancellation and acceptance ${code}`, async () => {
    const bistro = bistros.next();
    const id = await ordered(bistros, bistro);
    const enquiry = await enquire(bistro);
    // Enough that goes well for the breaker to stay closed.
    for (let party = 0; party < 3; party += 1) await ordered(bistros, bistro, { time: '21:00' });
    const before = [await read(bistros, id), await read(bistros, enquiry)];
    const attempts = [
      () => order(bistros, bistro, { partnerBookingId: code }),
      () => amend(bistros, bistro, id, { time: '20:00' }),
      () => cancel(bistros, id),
    ];
    for (const attempt of attempts) {
      bistro.system.faults.plan(fault);
      const answer = await attempt();
      const body = assertProblem(answer, status, code);
      assert.equal(body.isRetryable, code.includes('-R-'));
      assert.equal(answer.headers['retry-after'], retryAfter);
    }
    await ordered(bistros, bistro, { partnerBookingId: code });
    bistro.system.faults.plan(fault);
    await assert.rejects(accept(enquiry), (error) => error instanceof Problem && error.code === code);
    assert.deepEqual([await read(bistros, id), await read(bistros, enquiry)], before);
    assert.equal((await assertAgreed(bistros, bistro)).length, 5);
    assert.equal(await countIntents(bistros.app), 0, 'nothing is in doubt');
  });
}

test('what the system says in refusing reaches the caller', async () => {
  const bistro = bistros.next();
  bistro.system.faults.plan({ kind: 'refuse', reason: 'The chef is away.' });
  assert.equal((await order(bistros, bistro)).json.detail, 'The chef is away.');
});

test('a system that cannot be reached at all makes BOOK-R-002 and leaves no doubt', async () => {
  const bistro = bistros.next();
  await bistro.system.close();
  assertProblem(await order(bistros, bistro), 503, 'BOOK-R-002');
  assert.equal(await countIntents(bistros.app), 0);
});

test('a slow system is waited for', async () => {
  const bistro = bistros.next();
  bistro.system.faults.plan({ kind: 'slow', delayMs: 500 });
  const id = await ordered(bistros, bistro);
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
});
