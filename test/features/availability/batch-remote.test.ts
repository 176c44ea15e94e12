import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '../../../src/kernel/zone-time.ts';
import type { RemoteConnector } from '../../../src/tms/remote.ts';
import { type Bistros, DAY, startBistros } from '../../support/remote-tms/bistros.ts';

const DINNER = '1|house|soho-grill|dinner';
/** What one batch may have under way at one system. */
const AT_A_TIME = 8;

let bistros: Bistros;
let underWay = 0;
let mostUnderWay = 0;
let givenUpAt: number[] = [];

function watched(connector: RemoteConnector): RemoteConnector {
  return {
    ...connector,
    async availability(call, query) {
      underWay += 1;
      mostUnderWay = Math.max(mostUnderWay, underWay);
      try {
        return await connector.availability(call, query);
      } finally {
        underWay -= 1;
        if (call.signal.aborted) givenUpAt.push(performance.now());
      }
    },
  };
}

before(async () => {
  bistros = await startBistros({ count: 9, around: watched });
});
after(() => bistros.close());

interface Entry {
  compositeId: string;
  date?: string;
  quantity?: number;
  time?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape and assert what they find.
async function check(bookableProducts: Entry[]): Promise<any[]> {
  const body = { date: DAY, quantity: 2, bookableProducts };
  const answer = await bistros.app.call('/v1/availabilities', { method: 'POST', body });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.results;
}

const onDays = (compositeId: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ compositeId, date: addDays(DAY, index) }));

const codesOf = (results: { error?: { code: string } }[]) => results.map(({ error }) => error?.code);

test('equal questions are put to a system once, whatever time they are about', async () => {
  const { productId: compositeId, system } = bistros.next();
  const times = ['18:00', '19:00', '20:00', '21:00', '22:00'].map((time) => ({ compositeId, time }));
  const results = await check([...times, { compositeId }, { compositeId, quantity: 3 }]);
  assert.equal(system.calls('availability'), 2);
  assert.deepEqual(
    results.map(({ availability }) => availability.times.map(({ time }: { time: string }) => time)),
    [
      ['19:00'],
      ['19:00', '20:00'],
      ['19:00', '20:00', '21:00'],
      ['20:00', '21:00'],
      ['21:00'],
      ['19:00', '20:00', '21:00'],
      ['19:00', '20:00', '21:00'],
    ],
  );
});

test('a healthy system answers the largest batch, a few calls at a time', async () => {
  const { productId, system } = bistros.next();
  mostUnderWay = 0;
  const results = await check(onDays(productId, 100));
  assert.deepEqual(codesOf(results), Array(100).fill(undefined));
  assert.equal(system.calls('availability'), 100);
  assert.ok(mostUnderWay > 1 && mostUnderWay <= AT_A_TIME, `${mostUnderWay} at a time`);
});

test('a system that hangs costs its own entries, and all of them one deadline', async () => {
  const hanging = bistros.next();
  const sound = bistros.next();
  hanging.system.faults.plan({ kind: 'hang' }, { times: 100 });
  const bad = onDays(hanging.productId, 30);
  const good = [...onDays(sound.productId, 3), ...onDays(DINNER, 3)];
  const results = await check([...bad, ...good]);
  assert.deepEqual(codesOf(results.slice(0, 30)), Array(30).fill('AVAIL-R-001'));
  assert.deepEqual(codesOf(results.slice(30)), Array(6).fill(undefined));
  assert.equal(results[0].error.isRetryable, true);
  assert.equal(results[0].error.status, 503);
  // Another round of calls would mean another deadline.
  assert.ok(
    hanging.system.calls('availability') <= AT_A_TIME,
    `${hanging.system.calls('availability')} calls`,
  );
});

test('calls that began late are given up with those that began first', async () => {
  const { productId, system } = bistros.next();
  givenUpAt = [];
  system.faults.plan({ kind: 'hang' }, { times: 4 });
  system.faults.plan({ kind: 'slow', delayMs: 400 }, { times: 12 });
  system.faults.plan({ kind: 'hang' }, { times: 100 });
  const codes = codesOf(await check(onDays(productId, 30)));
  assert.equal(codes.filter((code) => code === undefined).length, 12);
  assert.equal(givenUpAt.length, 8);
  // They began more than a second apart.
  assert.ok(Math.max(...givenUpAt) - Math.min(...givenUpAt) < 1000);
});

test('what a system has answered before it hangs is told', async () => {
  const { productId, system } = bistros.next();
  system.faults.plan({ kind: 'slow', delayMs: 0 }, { times: 20 });
  system.faults.plan({ kind: 'hang' }, { times: 100 });
  const codes = codesOf(await check(onDays(productId, 40)));
  assert.equal(codes.filter((code) => code === undefined).length, 20);
  assert.equal(codes.filter((code) => code === 'AVAIL-R-001').length, 20);
});

test('being too slow for large batches is no failure, and smaller ones are answered after them', async () => {
  const { productId, system } = bistros.next();
  system.faults.plan({ kind: 'slow', delayMs: 400 }, { times: 200 });
  const [codes] = await Promise.all([check(onDays(productId, 100)), check(onDays(productId, 100))]);
  assert.ok(codesOf(codes).includes('AVAIL-R-001'), 'it really was too slow');
  assert.ok(codesOf(codes).includes(undefined));
  system.faults.clear();
  assert.deepEqual(codesOf(await check([{ compositeId: productId }])), [undefined]);
});

test('a system that hangs is left alone after a batch has met it', async () => {
  const { productId, system } = bistros.next();
  system.faults.plan({ kind: 'hang' }, { times: 100 });
  await check(onDays(productId, 10));
  const before = system.calls('availability');
  assert.deepEqual(codesOf(await check([{ compositeId: productId }])), ['AVAIL-R-001']);
  assert.equal(system.calls('availability'), before);
});

test('a refusal of the system is that of its entry', async () => {
  const { productId, system } = bistros.next();
  system.faults.plan({ kind: 'rate-limit', retryAfterSeconds: 7 });
  const [limited, dinner] = await check([{ compositeId: productId }, { compositeId: DINNER }]);
  assert.equal(limited.error.code, 'AVAIL-R-001');
  assert.ok(dinner.availability);
});
