import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Answer } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import { repeats } from '../../../support/repeats.ts';
import { storageOf } from '../../../support/rule-storage.ts';
import { type Body, bookingsApp } from '../../bookings/support.ts';
import { OPERATOR, SOHO } from '../support.ts';
import { type Attempt, factsOf, type Known, predict, type Verdict } from './prediction-client.ts';
import { draft, marks } from './prediction-drafts.ts';
import { assertListing, type Stored } from './prediction-listing.ts';
import { attempt, CALLERS, headersOf, people } from './prediction-world.ts';

/** Another seed tries other rules and bookings; a failure names the one that it was found with. */
const SEED = Number(process.env.PREDICTION_SEED ?? 26);
const ROUNDS = Number(process.env.PREDICTION_ROUNDS ?? repeats(64, 16));
const BOOKINGS = 24;
const AT_ONCE = 8;

/** The time stands still, so that a day or an hour cannot pass between what is foretold and what is done. */
const now = Temporal.Now.instant();
const app = bookingsApp({ deps: { clock: () => now } }, ({ sql }) => people(sql));

/** Few rules let many bookings through, many rules show the order of refusals, and marks show every expression. */
const rounds: ((seed: number) => Body[])[] = [2, 4, 6, 8, 12, 24]
  .map((numRuns) => (seed: number) => fc.sample(draft, { seed, numRuns }))
  .concat(marked, marked);

function marked(seed: number): Body[] {
  return one(marks, seed);
}

function one<Value>(arbitrary: fc.Arbitrary<Value>, seed: number): Value {
  return fc.sample(arbitrary, { seed, numRuns: 1 })[0] as Value;
}

/** Does nothing to anybody and is stored last: whoever is shown it is shown the others too. */
const LAST = { name: 'Last', effect: 'suppress_preorder_email', params: { threshold: 1 } };

async function store(drafts: Body[]): Promise<Stored[]> {
  await app().sql`delete from booking_rule`;
  await app().sql`delete from house_reservation`;
  const stored: Stored[] = [];
  for (const each of [...drafts, LAST])
    stored.push({ id: (await storageOf(app()).create(OPERATOR, each)).id, draft: each });
  return stored;
}

/** All that a partner's developer looks at, once the node has heard of the rules. */
async function know(as: string, stored: Stored[]): Promise<Known> {
  const read = async (path: string) => {
    const answer = await app().call(path, { as, headers: headersOf(as) });
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  const last = stored.at(-1)?.id;
  let answer: Body = {};
  await eventually(async () => {
    answer = await read('/booking-rules');
    return last === undefined || answer.rules.some(({ id }: Body) => id === last);
  });
  return { answer, venue: await read(`/venues/${encodeURIComponent(SOHO)}`), now };
}

function send({ as, productId, source, body }: Attempt): Promise<Answer> {
  const headers = { ...headersOf(as), ...(source && { 'x-booking-source': source }) };
  return app().call(`/venues/${encodeURIComponent(productId)}/booking`, {
    method: 'POST',
    as,
    headers,
    body,
  });
}

/** What became of it; the operator, who is told more, says what was noted. */
async function verdictOf(answer: Answer): Promise<Verdict> {
  const { id, type, code, violations = [] } = answer.json;
  if (answer.status !== 201)
    return { outcome: 'refused', code, violations, flags: [], skipsPreorderEmail: false };
  const { json } = await app().call(`/venues/bookings/${id}`, { as: 'demo-operator' });
  const { flags, skipsPreorderEmail } = json;
  const outcome = type === 'request' ? 'enquiry' : 'booking';
  return { outcome, code: null, violations, flags, skipsPreorderEmail };
}

async function compare(attempt: Attempt, known: Known, where: string): Promise<Verdict> {
  const predicted = predict(attempt, known);
  const actual = await verdictOf(await send(attempt));
  const told = { where, attempt, predicted, actual, rules: known.answer.rules };
  assert.deepEqual(actual, predicted, JSON.stringify(told, null, 1));
  assertAnnounced(actual, known.answer.rules);
  return actual;
}

/** Whatever refuses was in the list, which said when and with which code it would. */
function assertAnnounced({ violations, code }: Verdict, rules: Body[]): void {
  for (const [index, { ruleId }] of violations.entries()) {
    const rule = rules.find(({ id }) => id === ruleId);
    assert.ok(rule, `${ruleId} refuses and is not listed`);
    assert.ok(rule.whenApplied.includes('booking_create'), ruleId);
    assert.ok(rule.errorCode, `${rule.effect} does not say that it can refuse`);
    const hasTwoCodes = rule.params.minNoticeHours != null && rule.params.maxHorizonDays != null;
    if (index === 0 && !hasTwoCodes) assert.equal(code, rule.errorCode);
  }
}

test('what becomes of a booking can be foretold from the rules that are listed', async (context) => {
  const verdicts: { draft: string; verdict: Verdict; rules: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const seed = SEED * 100_000 + round * 100;
    const where = `PREDICTION_SEED=${SEED}, round ${round}`;
    const stored = await store(rounds[round % rounds.length]?.(seed) ?? []);
    const known: Record<string, Known> = {};
    for (const as of CALLERS) known[as] = await know(as, stored);
    for (const each of Object.values(known)) assertListing(each.answer, stored, where);
    const attempts = fc.sample(attempt, { seed, numRuns: BOOKINGS });
    while (attempts.length > 0) {
      const batch = attempts.splice(0, AT_ONCE).map(async (each) => {
        const mine = known[each.as] as Known;
        const verdict = await compare(each, mine, where);
        verdicts.push({ draft: each.body.type, verdict, rules: mine.answer.rules.length });
      });
      await Promise.all(batch);
    }
  }
  const decisions = verdicts.reduce((sum, { rules }) => sum + rules, 0);
  const refused = verdicts.filter(({ verdict }) => verdict.violations.length > 0).length;
  const routed = verdicts.filter(
    ({ draft, verdict }) => draft === 'book' && verdict.outcome === 'enquiry',
  ).length;
  context.diagnostic(
    `${decisions} decisions, ${verdicts.length} bookings, ${refused} refused, ${routed} routed`,
  );
  assert.ok(decisions > 3000 && refused > verdicts.length / 4 && routed > verdicts.length / 10);
});

test('a partner can come by every fact that rules of creation are about', async () => {
  const known = await know('demo-partner', []);
  const { facts } = known.answer.hooks.find(({ name }: Body) => name === 'booking.create');
  const obtained = Object.keys(factsOf(one(attempt, SEED), known)).sort();
  assert.deepEqual(facts.map(({ name }: Body) => name).sort(), obtained);
});
