import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import {
  amend,
  type Bistros,
  inDoubt,
  ordered,
  read,
  startBistros,
} from '../../support/remote-tms/bistros.ts';
import { auditOf, beginReading, later, queued } from './support.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 6, book: { partiesPerStart: 1000 } });
  await beginReading(bistros);
});
after(() => bistros.close());

test('bookings of a system that does not tell are looked at within two minutes', async () => {
  const bistro = bistros.next();
  const ids: string[] = [];
  for (let party = 0; party < 45; party += 1) ids.push(await ordered(bistros, bistro));
  const first = ids[0] as string;
  bistro.system.book.edit(first, { minute: 1260, guests: 4 });
  bistro.system.book.cancel(ids[44] as string);
  const looks = bistro.system.calls('find');
  await later(bistros, 120);
  const { time, partySize } = await read(bistros, first);
  assert.deepEqual({ time, partySize }, { time: '21:00', partySize: 4 });
  assert.equal((await auditOf(bistros, first)).length, 1);
  const asked = bistro.system.calls('find') - looks;
  assert.ok(asked >= 45 && asked <= 48, `each once, and those that moved or went once more: ${asked}`);
  await later(bistros, 1);
  assert.equal(bistro.system.calls('find') - looks, asked, 'not again before the turn is due');
  await later(bistros, 4);
  assert.equal((await read(bistros, ids[44] as string)).status, 'cancelled');
});

test('those that begin next come first, and at most two are asked for at a time', async () => {
  const bistro = bistros.next();
  const late = await ordered(bistros, bistro, { time: '21:00' });
  const early = await ordered(bistros, bistro, { time: '19:00' });
  const between = await ordered(bistros, bistro, { time: '20:00' });
  for (const id of [late, early, between]) bistro.system.book.edit(id, { guests: 3 });
  bistro.system.faults.plan({ kind: 'hang' }, { operations: ['find'], times: 2 });
  const looks = bistro.system.calls('find');
  const turn = later(bistros, 120);
  await eventually(() => bistro.system.calls('find') === looks + 2);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(bistro.system.calls('find'), looks + 2);
  const asked = bistro.system
    .paths()
    .slice(-2)
    .map((path) => path.slice('/bookings/'.length))
    .sort();
  await turn;
  for (const id of [late, early, between]) assert.equal((await read(bistros, id)).partySize, 3);
  assert.deepEqual(asked, [early, between].sort());
});

test('a system that limits its calls is left alone for as long as it says, and the turn goes on then', async () => {
  const bistro = bistros.next();
  const ids = [
    await ordered(bistros, bistro),
    await ordered(bistros, bistro),
    await ordered(bistros, bistro),
  ];
  for (const id of ids) bistro.system.book.edit(id, { guests: 4 });
  bistro.system.faults.plan(
    { kind: 'rate-limit', retryAfterSeconds: 30 },
    { operations: ['find'], times: 50 },
  );
  await later(bistros, 120);
  const looks = bistro.system.calls('find');
  await later(bistros, 20);
  assert.equal(bistro.system.calls('find'), looks);
  bistro.system.faults.clear();
  await later(bistros, 20);
  for (const id of ids) assert.equal((await read(bistros, id)).partySize, 4);
});

test('a system that is away is tried again later, and no booking is taken for gone', async () => {
  const bistro = bistros.next();
  const ids = await Promise.all(Array.from({ length: 6 }, () => ordered(bistros, bistro)));
  bistro.system.faults.plan({ kind: 'status', status: 503 }, { operations: ['find'], times: 1000 });
  const looks = bistro.system.calls('find');
  await later(bistros, 120);
  assert.ok(bistro.system.calls('find') - looks < 12, 'it stops after a few');
  for (const id of ids) assert.equal((await read(bistros, id)).status, 'confirmed');
  bistro.system.faults.clear();
  for (const id of ids) bistro.system.book.edit(id, { guests: 6 });
  // The breaker opens for five seconds of real time.
  await eventually(async () => {
    await later(bistros, 61);
    return (await read(bistros, ids[5] as string)).partySize === 6;
  });
});

test('a booking that we are changing ourselves is compared after that', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await inDoubt(bistro, 'amend', { kind: 'cut-after-commit' }, () =>
    amend(bistros, bistro, id, { time: '20:00' }),
  );
  await later(bistros, 120);
  assert.deepEqual(await queued(bistros), [id]);
  assert.equal((await read(bistros, id)).time, '19:00');
  await bistros.settle();
  await later(bistros, 120);
  assert.deepEqual(await queued(bistros), []);
  assert.equal((await read(bistros, id)).time, '19:00');
});
