import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestApp, type TestApp } from '../support/app.ts';
import { patience } from '../support/patience.ts';
import { repeats } from '../support/repeats.ts';
import { type Expected, expected } from './support/naive-availability.ts';
import { instantAt, MINUTE_MS } from './support/naive-days.ts';
import type { Question, World } from './support/naive-house.ts';
import * as random from './support/random-house.ts';
import {
  addStays,
  KEYS,
  NOW,
  type Scenario,
  scenario,
  staysOf,
  storeWorld,
  worldOf,
} from './support/random-world.ts';

/**
 * Random venues of the house, asked over HTTP, against a reading of the papers that is as slow as it is plain. The
 * first disagreement is shrunk to the smallest venue and question that still show it.
 */

const BUDGET_MS = patience(repeats(15_000, 5000));

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp({ deps: { clock: () => NOW } });
});
after(() => maitred.close());

function questionOf(
  zone: string,
  { product, day, window, includeUnavailable: _, ...rest }: Scenario['questions'][number],
): Question {
  const shape = { ...rest, product: KEYS[product] ?? '' };
  if (!window) return random.sparse<Question>({ ...shape, date: day, window: undefined });
  const startMs = instantAt(zone, day, window.quarterHour * 15);
  if (startMs === undefined) return random.sparse<Question>({ ...shape, date: day, window: undefined });
  const endMs = window.hours === undefined ? undefined : startMs + window.hours * 60 * MINUTE_MS;
  // Clock bounds beside instants have to agree with them; only an open end leaves one of them something to say.
  const endTime = endMs === undefined ? shape.endTime : undefined;
  return random.sparse<Question>({
    ...shape,
    startTime: undefined,
    endTime,
    date: undefined,
    window: random.sparse<{ startMs: number; endMs?: number }>({ startMs, endMs }),
  });
}

function addressOf(
  operatorId: number,
  question: Question,
  { window, includeUnavailable }: Scenario['questions'][number],
): string {
  const { product, window: instants, ...plain } = question;
  const written = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toString({
      timeZone: window?.offset === 'Z' ? 'UTC' : (window?.offset ?? 'UTC'),
    });
  const parameters = new URLSearchParams(Object.entries(plain).map(([name, value]) => [name, String(value)]));
  if (instants) parameters.set('startDateTime', written(instants.startMs));
  if (instants?.endMs !== undefined) parameters.set('endDateTime', written(instants.endMs));
  parameters.set('includeUnavailable', String(includeUnavailable));
  return `/venues/${operatorId}%7Chouse%7Crandom%7C${product}/availability?${parameters}`;
}

interface TimeBody {
  time: string;
  date: string;
  dateTime: string;
  duration: number;
  type: string;
  requestReason?: string;
  unavailableReasons?: string[];
  product: { spaces: { id: number; policies: { minimumSpend: { amount: number }[] } }[] };
}

async function compare(
  operatorId: number,
  world: World,
  asked: Scenario['questions'][number],
): Promise<void> {
  const question = questionOf(world.venue.timeZone, asked);
  const address = addressOf(operatorId, question, asked);
  const answer = await maitred.call(address);
  const should = expected(world, question);
  if ('code' in should) return assert.equal(answer.json.code, should.code, address);
  assert.equal(answer.status, 200, `${address}: ${answer.text}`);
  assertSame(answer.json, should, asked.includeUnavailable, address);
}

function assertSame(
  body: {
    times: TimeBody[];
    noAvailabilityCode: string | null;
    noAvailabilityReason: string | null;
    deposit: { total: number } | null;
  },
  should: Exclude<Expected, { code: string }>,
  includeUnavailable: boolean,
  address: string,
): void {
  const shown = should.verdicts.filter(({ reasons }) => includeUnavailable || reasons.length === 0);
  const given = body.times.map((slot, index) => ({
    date: slot.date,
    dateTime: slot.dateTime,
    duration: slot.duration,
    type: slot.type,
    requestReason: slot.requestReason,
    reasons: (slot.unavailableReasons ?? []).map((code) => anyOf(code, shown[index]?.reasons ?? [])),
    spaces: slot.product.spaces.map(({ id, policies }) => ({
      id,
      bands: policies.minimumSpend.map(({ amount }) => amount),
    })),
  }));
  assert.deepEqual(given, shown, address);
  for (const { time, dateTime } of body.times) assert.equal(dateTime.slice(11, 16), time);
  assert.equal(body.noAvailabilityCode, shown.length > 0 ? null : should.noAvailabilityCode, address);
  assert.equal(body.noAvailabilityReason === null, shown.length > 0);
  assert.equal(body.deposit?.total ?? null, should.depositTotal, `${address}: deposit`);
}

/** Of several rules any may be named: «A or B» stands for both. */
const anyOf = (code: string, reasons: string[]) =>
  reasons.find((reason) => reason.split(' or ').includes(code)) ?? code;

test('availability says what a plain reading of the papers says', async () => {
  let questions = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async (made) => {
      const world = worldOf(made);
      const operatorId = await storeWorld(maitred.sql, world);
      for (const requested of [made.stays, made.later]) {
        const added = staysOf(requested, made, world);
        await addStays(maitred.sql, operatorId, added);
        world.stays.push(...added);
        for (const asked of made.questions) {
          await compare(operatorId, world, asked);
          questions += 1;
        }
      }
    }),
    { numRuns: 400, interruptAfterTimeLimit: BUDGET_MS, markInterruptAsFailure: false },
  );
  assert.ok(questions > 100, `only ${questions} questions were asked`);
});
