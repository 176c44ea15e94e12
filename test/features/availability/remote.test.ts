import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { importOperator, mapVenue } from '../../../src/features/venues/service.ts';
import { parseProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { bistroDocument } from '../../support/remote-tms/bistros.ts';
import { createRemote } from '../../support/remote-tms/connector.ts';
import { REMOTE_ZONE, startRemoteBistro } from '../../support/remote-tms/harness.ts';
import type { RemoteTms } from '../../support/remote-tms/server.ts';

const FAULTS = {
  'internal-error': { kind: 'status', status: 500 },
  maintenance: { kind: 'status', status: 503 },
  cut: { kind: 'cut-before-commit' },
  garbage: { kind: 'garbage' },
} as const;

/** A system per test, each with its own breaker, so that the failures of one do not shut the next. */
const SLUGS = ['sound', 'limited', 'hanging', ...Object.keys(FAULTS)];

let maitred: TestApp;
const systems = new Map<string, RemoteTms>();
const productOf = (slug: string) => parseProductId(`9|${slug}|bistro|supper`);

before(async () => {
  for (const slug of SLUGS) systems.set(slug, await startRemoteBistro({ product: productOf(slug) }));
  const connectors = SLUGS.map((slug) => createRemote(systemOf(slug).url, slug));
  maitred = await startTestApp({ deps: { connectors } });
  await inTransaction(maitred.sql, async (tx) => {
    await importOperator(tx, {
      id: 9,
      name: 'Elsewhere',
      systems: SLUGS,
      venues: [...SLUGS, 'nobody'].map((slug) => bistroDocument(slug)),
    });
    for (const slug of [...SLUGS, 'nobody']) {
      const productId = productOf(slug);
      await mapVenue(tx, { partnerId: 1, venueId: venueOfProduct(productId), productIds: [productId] });
    }
  });
});
after(async () => {
  await maitred.close();
  for (const system of systems.values()) await system.close();
});

function systemOf(slug: string): RemoteTms {
  const system = systems.get(slug);
  assert.ok(system);
  return system;
}

const day = Temporal.Now.plainDateISO(REMOTE_ZONE).add({ days: 10 }).toString();
const ask = (productId: string) =>
  maitred.call(`/venues/${encodeURIComponent(productId)}/availability?date=${day}&partySize=2`);

test('a product of a remote system answers like one of our own', async () => {
  const answer = await ask(productOf('sound'));
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(
    answer.json.times.map(({ time, type }: { time: string; type: string }) => [time, type]),
    [
      ['19:00', 'book'],
      ['20:00', 'book'],
      ['21:00', 'book'],
    ],
  );
});

test('a system that limits our calls surfaces as AVAIL-R-001 with its own waiting time', async () => {
  systemOf('limited').faults.plan({ kind: 'rate-limit', retryAfterSeconds: 7 });
  const answer = await ask(productOf('limited'));
  const body = assertProblem(answer, 503, 'AVAIL-R-001');
  assert.equal(body.isRetryable, true);
  assert.equal(answer.headers['retry-after'], '7');
});

for (const [slug, fault] of Object.entries(FAULTS)) {
  test(`a system that answers with ${JSON.stringify(fault)} surfaces as AVAIL-R-001`, async () => {
    systemOf(slug).faults.plan(fault, { times: 2 });
    const answer = await ask(productOf(slug));
    assertProblem(answer, 503, 'AVAIL-R-001');
    assert.ok(Number(answer.headers['retry-after']) >= 1);
    assert.ok(systemOf(slug).calls('availability') >= 1, 'it was really asked');
  });
}

test('a system that hangs is given up on, and meanwhile the house book answers as ever', async () => {
  systemOf('hanging').faults.plan({ kind: 'hang' }, { times: 50 });
  let hasGivenUp = false;
  const hanging = Promise.all(Array.from({ length: 20 }, () => ask(productOf('hanging')))).then((answers) => {
    hasGivenUp = true;
    return answers;
  });
  for (let call = 0; call < 5; call++) {
    assert.equal((await ask('1|house|soho-grill|dinner')).status, 200);
  }
  assert.equal(hasGivenUp, false, 'the house book did not wait for the other system');
  for (const answer of await hanging) assertProblem(answer, 503, 'AVAIL-R-001');
});

test('a system that nobody connected is BOOK-N-003', async () => {
  assertProblem(await ask(productOf('nobody')), 404, 'BOOK-N-003');
});
