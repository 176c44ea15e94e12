import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { type Bistro, type Bistros, ordered, read, startBistros } from '../../support/remote-tms/bistros.ts';
import {
  beginReading,
  eventsOf,
  followed,
  notify,
  queued,
  SECRET,
  type Sent,
  shareSecret,
} from './support.ts';

let bistros: Bistros;
let lines = '';
before(async () => {
  bistros = await startBistros({
    count: 10,
    remote: { changes: true },
    deps: {
      logStream: {
        write(line) {
          lines += line;
        },
      },
    },
  });
  await beginReading(bistros);
});
after(() => bistros.close());

/** A booking that the venue has changed, which is not known here yet. */
async function changedThere(): Promise<{ bistro: Bistro; id: string }> {
  const bistro = bistros.next();
  await shareSecret(bistros, bistro);
  const id = await ordered(bistros, bistro);
  bistro.system.book.edit(id, { guests: 5 });
  return { bistro, id };
}

test('a verified notification changes the booking', async () => {
  const { bistro, id } = await changedThere();
  const answer = await notify(bistros, bistro, [id]);
  assert.deepEqual([answer.status, answer.text], [202, '']);
  assert.deepEqual(await queued(bistros), [id]);
  await followed(bistros);
  assert.equal((await read(bistros, id)).partySize, 5);
});

test('sent twice, late or before others, notifications end in the same state', async () => {
  const { bistro, id } = await changedThere();
  const old = { sentAt: bistros.clock().epochMilliseconds - 200_000 };
  for (const sent of [{}, {}, old]) assert.equal((await notify(bistros, bistro, [id, id], sent)).status, 202);
  assert.deepEqual(await queued(bistros), [id]);
  await followed(bistros);
  bistro.system.book.edit(id, { guests: 3 });
  await notify(bistros, bistro, [id], old);
  await followed(bistros);
  const events = (await eventsOf(bistros, id)).length;
  for (const sent of [old, {}]) await notify(bistros, bistro, [id.toUpperCase()], sent);
  await followed(bistros);
  assert.equal((await read(bistros, id)).partySize, 3);
  assert.equal((await eventsOf(bistros, id)).length, events);
});

test('one that comes while the booking is compared is not lost', async () => {
  const { bistro, id } = await changedThere();
  await notify(bistros, bistro, [id]);
  bistro.system.faults.plan({ kind: 'slow', delayMs: 300 }, { operations: ['find'] });
  const looks = bistro.system.calls('find');
  const following = followed(bistros);
  await eventually(() => bistro.system.calls('find') > looks);
  await notify(bistros, bistro, [id]);
  await following;
  assert.ok(bistro.system.calls('find') >= looks + 2, 'it was looked at once more');
  assert.deepEqual(await queued(bistros), []);
});

test('what is forged, altered, too old or for no account gets one and the same answer, and changes nothing', async () => {
  const { bistro, id } = await changedThere();
  const nowMs = bistros.clock().epochMilliseconds;
  const wrong: Record<string, Sent> = {
    'another secret': { secret: 'guessed' },
    'no signature': { signature: '' },
    'a signature of other bytes': { signature: 'ÿ'.repeat(64) },
    'too old': { sentAt: nowMs - 301_000 },
    'from the future': { sentAt: nowMs + 301_000 },
    'no time': { sentAt: Number.NaN },
    'another operator': { operatorId: 1 },
    'no operator': { operatorId: 4711 },
    'an operator that cannot be': { operatorId: '9999999999999999999' },
    'an operator that is no number': { operatorId: 'x' },
    'no such system': { slug: 'elsewhere' },
    'a system that is built in': { slug: 'house' },
    'a prototype': { slug: '__proto__' },
    'no JSON': { body: '{"bookingIds":' },
    'another shape': { body: '{"bookingIds":{"0":1}}' },
    nothing: { body: '' },
  };
  const answers = new Set<string>();
  for (const [what, sent] of Object.entries(wrong)) {
    const answer = await notify(bistros, bistro, [id], sent);
    const { instance: _, correlationId: __, ...body } = assertProblem(answer, 401, 'IDENT-N-001');
    answers.add(JSON.stringify(body));
    assert.deepEqual(await queued(bistros), [], what);
  }
  assert.equal(answers.size, 1, [...answers].join('\n'));
  assert.ok(!lines.includes(SECRET) && !lines.includes('guessed'), 'no secret is logged');
});

test('bookings of others, ids that are none and unknown ids are passed over', async () => {
  const { bistro, id } = await changedThere();
  const other = await changedThere();
  const unknown = '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1';
  const named = [id, other.id, unknown, 'x', `${id} `, "'; drop table booking"];
  assert.equal((await notify(bistros, bistro, named)).status, 202);
  assert.deepEqual(await queued(bistros), [id]);
  await followed(bistros);
});

test('a body of 64 kB is read, a larger or compressed one is not', async () => {
  const { bistro, id } = await changedThere();
  const padded = (bytes: number) =>
    JSON.stringify({ type: 'bookings.changed', bookingIds: [id] }).padEnd(bytes, ' ');
  assert.equal((await notify(bistros, bistro, [], { body: padded(65_536) })).status, 202);
  assertProblem(await notify(bistros, bistro, [], { body: padded(65_537) }), 413, 'HTTP-N-413');
  const path = `/connect/9/${bistro.slug}/changes`;
  const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' };
  const compressed = await bistros.app.call(path, { method: 'POST', as: null, headers, body: 'x' });
  assertProblem(compressed, 415, 'HTTP-N-415');
});

test('a system that sends nothing is refused like any other', async () => {
  const silent = await startBistros({ count: 1 });
  try {
    const bistro = silent.next();
    await shareSecret(silent, bistro);
    assertProblem(await notify(silent, bistro, []), 401, 'IDENT-N-001');
  } finally {
    await silent.close();
  }
});

test('an address that names no system is refused, whatever stands there', async () => {
  const { app, close } = await startTestApp();
  try {
    for (const tms of ['%00', '%ED%A0%80x', 'house', 'x'.repeat(90), '__proto__', '%F0%9F%8D%BD']) {
      const url = `/connect/1/${tms}/changes`;
      const { statusCode, body } = await app.inject({ method: 'POST', url, payload: '{}' });
      assert.ok([400, 401].includes(statusCode), `${url}: ${statusCode} ${body}`);
    }
  } finally {
    await close();
  }
});

test('calls count against their address', async () => {
  const { app, close } = await startTestApp({ config: { rateLimit: 1 } });
  try {
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1)
      statuses.push(
        (await app.inject({ method: 'POST', url: '/connect/1/x/changes', payload: '{}' })).statusCode,
      );
    assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
  } finally {
    await close();
  }
});
