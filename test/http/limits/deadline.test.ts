import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { inTransaction, type Sql } from '../../../src/db/database.ts';
import type { App } from '../../../src/http/route.ts';
import { outsideRequest } from '../../../src/kernel/request-scope.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';

/** Something that a handler waits for until the test lets it go, and how that handler ended. */
interface Held {
  hasStarted: PromiseWithResolvers<void>;
  mayGoOn: PromiseWithResolvers<void>;
  ended: PromiseWithResolvers<unknown>;
}

let maitred: TestApp;
let held: Held;
const hold = () => {
  held = {
    hasStarted: Promise.withResolvers(),
    mayGoOn: Promise.withResolvers(),
    ended: Promise.withResolvers(),
  };
  return held;
};

const SOON_MS = 30;
const config = { access: 'public', deadlineMs: SOON_MS } as const;
const patient = { access: 'public' } as const;
const schema = { hide: true };

const insert = (sql: Pick<Sql, never>, reference: string) =>
  (sql as Sql)`insert into partner (reference, name) values (${reference}, 'written')`;

const isThere = async (reference: string) =>
  (await maitred.sql`select from partner where reference = ${reference}`).length > 0;

/** Routes that wait before they write, or in the middle of it. */
function routes(app: App): void {
  const wait = async () => {
    held.hasStarted.resolve();
    await held.mayGoOn.promise;
  };
  const ending = async (work: () => Promise<unknown>) => {
    try {
      await work();
      held.ended.resolve('done');
    } catch (error) {
      held.ended.resolve(error);
      throw error;
    }
    return { done: true };
  };
  const before = (reference: string) =>
    ending(async () => {
      await wait();
      await inTransaction(maitred.sql, (tx) => insert(tx, reference));
    });
  const beforeSingle = (reference: string) =>
    ending(async () => {
      await wait();
      await insert(maitred.sql, reference);
    });
  const within = (reference: string) =>
    ending(() =>
      inTransaction(maitred.sql, async (tx) => {
        await insert(tx, reference);
        await wait();
      }),
    );
  const unaware = (reference: string) => ending(() => outsideRequest(() => before(reference)));
  for (const [kind, work] of Object.entries({ before, beforeSingle, within, unaware })) {
    app.post<{ Params: { reference: string } }>(`/late/${kind}/:reference`, { config, schema }, (request) =>
      work(request.params.reference),
    );
    app.post<{ Params: { reference: string } }>(
      `/patient/${kind}/:reference`,
      { config: patient, schema },
      (request) => work(request.params.reference),
    );
  }
  app.post('/late/echo', { config, schema }, async (request) => request.body);
}

before(async () => {
  maitred = await startTestApp({ extend: routes });
  // The server tells when a connection is gone.
  maitred.app.server.on('connection', (socket) =>
    socket.on('close', () => setImmediate(() => maitred.app.server.emit('gone', socket))),
  );
  await maitred.app.listen({ host: '127.0.0.1', port: 0 });
});
after(() => maitred.close());

for (const kind of ['before', 'beforeSingle']) {
  test(`a request that is not done by its deadline is refused, and writes nothing later (${kind})`, async () => {
    const { mayGoOn, ended } = hold();
    const answer = await maitred.call(`/late/${kind}/deadline-${kind}`, { method: 'POST' });
    const body = assertProblem(answer, 503, 'HTTP-R-503');
    assert.ok(Number(answer.headers['retry-after']) > 0);
    assert.equal(body.isOutcomeKnown, undefined, 'nothing was changed');
    mayGoOn.resolve();
    assert.match(String(await ended.promise), /no longer waits/);
    assert.equal(await isThere(`deadline-${kind}`), false);
  });
}

test('one that has begun to write says that its outcome is not known, and finishes', async () => {
  const { mayGoOn, ended } = hold();
  const answer = await maitred.call('/late/within/deadline-within', { method: 'POST' });
  assert.equal(assertProblem(answer, 503, 'HTTP-R-503').isOutcomeKnown, false);
  mayGoOn.resolve();
  assert.equal(await ended.promise, 'done');
  assert.equal(await isThere('deadline-within'), true);
});

test('without the scope of its request it would have written (the control)', async () => {
  const { mayGoOn, ended } = hold();
  const answer = await maitred.call('/late/unaware/deadline-unaware', { method: 'POST' });
  assertProblem(answer, 503, 'HTTP-R-503');
  mayGoOn.resolve();
  assert.equal(await ended.promise, 'done');
  assert.equal(await isThere('deadline-unaware'), true);
});

/** Sends a request, and hangs up when its handler has started. */
async function hangUp(path: string): Promise<void> {
  const { port } = maitred.app.server.address() as AddressInfo;
  const request = http.request({ host: '127.0.0.1', port, path, method: 'POST' });
  request.on('error', () => {});
  request.end();
  await held.hasStarted.promise;
  const [socket] = await Promise.all([once(maitred.app.server, 'gone'), request.destroy()]);
  assert.ok(socket);
}

for (const kind of ['before', 'beforeSingle']) {
  test(`nothing is begun for a caller who has hung up (${kind})`, async () => {
    const { mayGoOn, ended } = hold();
    await hangUp(`/patient/${kind}/gone-${kind}`);
    mayGoOn.resolve();
    assert.match(String(await ended.promise), /no longer waits/);
    assert.equal(await isThere(`gone-${kind}`), false);
  });
}

test('a transaction that had begun when the caller hung up is finished', async () => {
  const { mayGoOn, ended } = hold();
  await hangUp('/patient/within/gone-within');
  mayGoOn.resolve();
  assert.equal(await ended.promise, 'done');
  await eventually(() => isThere('gone-within'));
});

test('the time that a caller takes to send its body is not counted', async () => {
  const { port } = maitred.app.server.address() as AddressInfo;
  const request = http.request({
    host: '127.0.0.1',
    port,
    path: '/late/echo',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '14' },
  });
  request.write('{"whole":');
  const sentMs = performance.now();
  await eventually(() => performance.now() - sentMs > 3 * SOON_MS);
  request.end('true}');
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  assert.equal(response.statusCode, 200);
});
