import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRule } from '../../../src/features/booking-rules/engine/compiled.ts';
import type { Facts } from '../../../src/features/booking-rules/engine/facts.ts';
import type { Rule } from '../../../src/features/booking-rules/engine/rule.ts';
import { readDraft } from '../../../src/features/booking-rules/manage/draft.ts';
import { MAX_CONSIDERED, sentenceOf, tryRule } from '../../../src/features/booking-rules/manage/dry-run.ts';
import type { PastCreation } from '../../../src/features/bookings/service.ts';
import type { Body } from '../bookings/support.ts';
import { expression } from './support.ts';

const facts: Facts = {
  booking: {
    partySize: 2,
    children: 0,
    guests: 2,
    type: 'book',
    date: '2026-12-05',
    weekday: 6,
    time: '19:00',
    source: 'api',
    depositAmount: 0,
    packages: [],
    menus: [],
  },
  partner: { id: 1, categoryIds: [] },
  product: { id: '1|house|soho-grill|dinner', name: 'Dinner' },
  venue: {
    id: '1|house|soho-grill',
    operatorId: 1,
    name: 'Soho Grill',
    area: 'Soho',
    city: 'London',
    timeZone: 'Europe/London',
  },
  daysAhead: 3,
};

const creation: PastCreation = {
  bookingId: 'x',
  shown: { date: '2026-12-05', time: '19:30', guests: 4, venueName: 'Soho Grill', partnerName: null },
  ruleContext: { facts, nowMs: 0, startsMs: [3_600_000] },
};

const compiled = (draft: Body) =>
  compileRule({ ...readDraft({ name: 'Tried', ...draft }), id: 'x', operatorId: 1, version: 1 } as Rule);

/** Without end; says how many batches were asked for. */
function endless(batch: PastCreation[]) {
  const asked = { batches: 0 };
  async function* batches() {
    for (;;) {
      asked.batches += 1;
      yield batch;
    }
  }
  return { asked, batches: batches() };
}

const enquiry = compiled({ effect: 'route_to_enquiry' });

test('a trial ends with the fifty-thousandth booking', async () => {
  const { asked, batches } = endless(Array<PastCreation>(500).fill(creation));
  const trial = await tryRule(enquiry, undefined, batches);
  assert.deepEqual([trial.considered, trial.drafted.turnedIntoEnquiry], [MAX_CONSIDERED, MAX_CONSIDERED]);
  assert.equal(trial.examples.length, 20);
  assert.ok(asked.batches <= MAX_CONSIDERED / 500 + 1, String(asked.batches));
});

test('others get their turn while a rule takes its time', async () => {
  const list = { map: [[...Array(200).keys()], { '*': [{ var: '' }, { '+': [{ var: '' }, 1] }] }] };
  const slow = compiled(expression({ in: [-1, list] }, { flag: { name: 'never' } }));
  let turns = 0;
  const turn = () => {
    turns += 1;
    waiting = setImmediate(turn);
  };
  let waiting = setImmediate(turn);
  const once = (async function* () {
    yield Array<PastCreation>(20_000).fill(creation);
  })();
  const { drafted } = await tryRule(slow, enquiry, once);
  clearImmediate(waiting);
  assert.equal(drafted.unchanged, 20_000);
  assert.ok(turns > 1, `${turns} turns`);
});

test('the sentence lists what would have been done, and says when not all bookings were looked at', () => {
  const nothing = {
    rejected: 0,
    depositRequired: 0,
    turnedIntoEnquiry: 0,
    flagged: 0,
    withoutPreorderEmail: 0,
  };
  const say = (counts: object, considered: number, total: number) =>
    sentenceOf(
      { considered, drafted: { ...nothing, unchanged: 0, ...counts }, replaced: null, examples: [] },
      total,
    );
  assert.equal(say({ rejected: 14 }, 1203, 1203), 'Would have rejected 14 of 1,203 bookings.');
  assert.equal(say({}, 0, 0), 'Would have changed none of 0 bookings.');
  assert.equal(
    say({ rejected: 1, turnedIntoEnquiry: 2000, flagged: 3 }, 50_000, 80_211),
    'Would have rejected 1, turned 2,000 into enquiries and flagged 3 of 50,000 bookings, the latest of 80,211 in that time.',
  );
});
