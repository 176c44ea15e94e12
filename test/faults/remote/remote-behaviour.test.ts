/** Systems that misbehave, over each protocol and through our interface as a partner. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { assertProblem } from '../../support/app.ts';
import {
  amend,
  assertAgreed,
  type Bistro,
  type Bistros,
  cancel,
  DAY,
  order,
  ordered,
  startBistrosIn,
} from '../../support/remote-tms/bistros.ts';
import { type CommonFault, connectKind, octoKind, type SystemKind } from '../../support/remote-tms/kinds.ts';

const GUEST = { firstName: 'Zebedee', lastName: 'Quillfeather', email: 'zebedee@quillfeather.example' };
const MANY = 50;

/** Rewrites every text and number of a body that `is` names. */
const rewriting =
  (is: (name: string) => boolean, to: (value: unknown) => unknown) =>
  (body: unknown): unknown =>
    JSON.parse(JSON.stringify(body), (name, value) =>
      is(name) && typeof value !== 'object' ? to(value) : value,
    );
const isStart = (name: string) => ['start', 'localDateTimeStart', 'localDateTimeEnd'].includes(name);

/** Answers that cannot be believed, whatever was asked. */
const BAD_ANSWERS: Record<string, CommonFault> = {
  'not JSON': { kind: 'garbage', body: '<html>It works!</html>' },
  'too large': { kind: 'garbage', body: `{"id":"${'x'.repeat(11 * 1024 * 1024)}"}` },
  'in the past': {
    kind: 'altered',
    change: rewriting(isStart, (value) => String(value).replace(/^\d{4}/, '2019')),
  },
  'in another zone': {
    kind: 'altered',
    change: rewriting(isStart, (value) => String(value).replace(/[+-]\d\d:\d\d$/, '-09:30')),
  },
  'in other types': {
    kind: 'altered',
    change: rewriting(
      (name) => ['id', 'uuid', 'start', 'localDateTimeStart', 'days', 'date'].includes(name),
      () => ['seven'],
    ),
  },
};

function testKind<System>(kind: SystemKind<System>): void {
  let bistros: Bistros<System>;
  const lines: string[] = [];
  before(async () => {
    bistros = await startBistrosIn(kind, {
      count: 16,
      deps: {
        config: readConfig({ LOG_LEVEL: 'trace', RATE_LIMIT: '0' }),
        logStream: { write: (line) => lines.push(line) },
      },
    });
  });
  after(async () => {
    await bistros.close();
    assert.ok(lines.length > 0, 'something was logged');
    for (const secret of [kind.secret, ...Object.values(GUEST)])
      assert.deepEqual(
        lines.filter((line) => line.includes(secret)),
        [],
        'neither secrets nor guests are logged',
      );
  });

  const spoil = (
    { system }: Bistro<System>,
    operation: Parameters<typeof kind.spoil>[1],
    fault: CommonFault,
    times?: number,
  ) => kind.spoil(system, operation, fault, times);
  const line = (id: string) => `${id} ${DAY} 1140 2`;
  const look = ({ productId }: Bistro<System>) =>
    bistros.app.call(`/venues/${encodeURIComponent(productId)}/availability?date=${DAY}&partySize=2`);
  /** Once nothing is in doubt any more, both sides have the same bookings, which are these. */
  async function assertEnd(bistro: Bistro<System>, ...ids: string[]): Promise<void> {
    bistro.system.faults.clear();
    await bistros.settle();
    assert.deepEqual(await assertAgreed(bistros, bistro), ids.map(line).sort());
  }

  test('one that is slow is waited for', async () => {
    const bistro = bistros.next();
    spoil(bistro, 'book', { kind: 'slow', delayMs: 300 });
    await assertEnd(bistro, await ordered(bistros, bistro, GUEST));
  });

  test('one that refuses is believed', async () => {
    const bistro = bistros.next();
    spoil(bistro, 'book', kind.refusal);
    assertProblem(await order(bistros, bistro, GUEST), 422, 'BOOK-N-009');
    await assertEnd(bistro);
  });

  test('one that limits our calls is left alone for as long as it says', async () => {
    const bistro = bistros.next();
    spoil(bistro, 'book', { kind: 'rate-limit', retryAfterSeconds: 7 });
    const answer = await order(bistros, bistro, GUEST);
    assertProblem(answer, 503, 'BOOK-R-001');
    assert.equal(answer.headers['retry-after'], '7');
    spoil(bistro, 'availability', { kind: 'rate-limit', retryAfterSeconds: 7 });
    assertProblem(await look(bistro), 503, 'AVAIL-R-001');
    await assertEnd(bistro);
  });

  test('one that cuts before it books has booked nothing', async () => {
    const bistro = bistros.next();
    spoil(bistro, 'book', { kind: 'cut-before-commit' });
    assertProblem(await order(bistros, bistro, GUEST), 503, 'BOOK-R-002');
    await assertEnd(bistro);
  });

  test('one that cuts after it has booked is asked, and the guest is booked', async () => {
    const bistro = bistros.next();
    spoil(bistro, 'book', { kind: 'cut-after-commit' });
    await assertEnd(bistro, await ordered(bistros, bistro, GUEST));
  });

  test('one that answers twice does not have its second answer taken for that to another question', async () => {
    const bistro = bistros.next();
    const ids: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      spoil(bistro, 'book', { kind: 'twice' });
      const answer = await order(bistros, bistro, { ...GUEST, partnerBookingId: `twice-${round}` });
      if (answer.status === 201) ids.push(answer.json.id);
      else assertProblem(answer, 503, 'BOOK-R-002');
    }
    assert.equal(new Set(ids).size, ids.length);
    await assertEnd(bistro, ...ids);
  });

  test('one that forgets a booking is told nothing of it, and it can be cancelled', async () => {
    const bistro = bistros.next();
    const id = await ordered(bistros, bistro, GUEST);
    kind.forget(bistro.system, id);
    assertProblem(await amend(bistros, bistro, id, { ...GUEST, time: '20:00' }), 422, 'BOOK-N-009');
    const answer = await cancel(bistros, id);
    assert.equal(answer.status, 204, answer.text);
    await assertEnd(bistro);
  });

  test('one that forgets a booking while its change is in doubt has it made again', async () => {
    const bistro = bistros.next();
    const id = await ordered(bistros, bistro, GUEST);
    spoil(bistro, 'amend', { kind: 'cut-before-commit' });
    spoil(bistro, 'amend', { kind: 'cut-before-commit' });
    assertProblem(await amend(bistros, bistro, id, { ...GUEST, time: '20:00' }), 503, 'BOOK-R-002');
    kind.forget(bistro.system, id);
    await assertEnd(bistro, id);
  });

  test('one that answers with another booking is not believed', async () => {
    const bistro = bistros.next();
    const first = await ordered(bistros, bistro, GUEST);
    const isId = (key: string) => key === 'id' || key === 'uuid';
    spoil(bistro, 'book', { kind: 'altered', change: rewriting(isId, () => first) });
    const answer = await order(bistros, bistro, { ...GUEST, partnerBookingId: 'another' });
    const ids = answer.status === 201 ? [first, answer.json.id] : [first];
    if (answer.status !== 201) assertProblem(answer, 503, 'BOOK-R-002');
    assert.notEqual(answer.json.id, first);
    await assertEnd(bistro, ...ids);
  });

  for (const [what, fault] of Object.entries(BAD_ANSWERS))
    test(`answers that are ${what} change nothing`, async () => {
      const bistro = bistros.next();
      for (const operation of ['availability', 'book', 'find'] as const)
        spoil(bistro, operation, fault, MANY);
      const seen = await look(bistro);
      if (seen.status === 200) assert.deepEqual(seen.json.times ?? [], [], seen.text);
      else assertProblem(seen, 503, 'AVAIL-R-001');
      assert.equal((await order(bistros, bistro, GUEST)).status >= 400, true);
      await assertEnd(bistro);
    });

  test('one that no longer accepts our credentials is no reason to rest', async () => {
    const bistro = bistros.next();
    const denied: CommonFault = { kind: 'status', status: 401 };
    for (const operation of ['availability', 'book', 'find'] as const) spoil(bistro, operation, denied, MANY);
    for (let round = 0; round < 8; round += 1) {
      assertProblem(await look(bistro), 503, 'AVAIL-R-001');
      assertProblem(await order(bistros, bistro, GUEST), 422, 'BOOK-N-009');
    }
    bistro.system.faults.clear();
    await assertEnd(bistro, await ordered(bistros, bistro, GUEST));
  });
}

describe('connect', () => testKind(connectKind));
describe('octo', () => testKind(octoKind));
