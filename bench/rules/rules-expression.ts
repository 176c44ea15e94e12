import { LogicEngine } from 'json-logic-engine';
import { compile, isTruthy, SKIP } from '../../src/features/booking-rules/expression/expression.ts';
import { median } from '../compare.ts';
import type { Figure, Goal } from '../figure.ts';

/** Large parties at short notice, for some kinds of products. */
const RULE = {
  and: [
    { '>=': [{ var: 'booking.guests' }, 6] },
    { '<': [{ var: 'daysAhead' }, 14] },
    { in: [{ var: 'product.category' }, ['dinner', 'private-dining', 'tasting-menu']] },
  ],
};

/** The same for those partners that are in a category. */
const RULE_FOR_PARTNERS = {
  and: [...RULE.and.slice(0, 2), { in: [3, { var: 'partner.categoryIds' }] }],
};

const ROUNDS = 31;
const CATEGORIES = ['dinner', 'lunch', 'tasting-menu', 'drinks'];

/** Every clause decides for some of them. */
const FACTS = Array.from({ length: 240 }, (_, index) => ({
  booking: {
    partySize: (index % 11) + 1,
    children: 1,
    guests: (index % 11) + 2,
    type: 'book',
    date: '2026-09-14',
    weekday: (index % 7) + 1,
    time: '19:30',
    source: 'bench',
    depositAmount: 0,
    packages: [],
    menus: [],
  },
  partner: { id: index, categoryIds: [1, 2 + (index % 3)] },
  product: { id: '1|2|3|4', name: 'Table', slug: 'table', category: CATEGORIES[index % 4] },
  venue: {
    id: '1|2|3',
    operatorId: 1,
    name: 'Bench',
    area: 'City',
    city: 'London',
    timeZone: 'Europe/London',
  },
  daysAhead: (index * 7) % 20,
}));

type Holds = (facts: object) => boolean;

interface Contender {
  name: string;
  holds: Holds;
  /** Fewer where each takes long, so that all rounds take about as long. */
  passes: number;
  perSecond: number[];
}

/** Short rounds in turn, and the median of each: what else the machine does meanwhile falls on all. */
export async function measureExpression(): Promise<Figure[]> {
  return [
    ...figuresOf('rules.expression', await inTurns(RULE), { engine: { atLeast: 1 }, js: { atLeast: 20 } }),
    ...figuresOf('rules.expression.partners', await inTurns(RULE_FOR_PARTNERS), {}),
  ];
}

async function inTurns(rule: object): Promise<Contender[]> {
  const contenders = await contendersFor(rule);
  const expected = contenders.map(({ holds }) => countHolding(holds, 1));
  if (new Set(expected).size !== 1) throw new Error(`They disagree on the rule: ${expected.join(', ')}.`);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { holds, passes, perSecond } of contenders) {
      const began = performance.now();
      const count = countHolding(holds, passes);
      perSecond.push((FACTS.length * passes * 1000) / (performance.now() - began));
      if (count !== passes * (expected[0] ?? 0)) throw new Error('The rule has changed its mind.');
    }
  }
  return contenders;
}

async function contendersFor(rule: object): Promise<Contender[]> {
  const ours = compile(rule);
  const built = new LogicEngine().build(rule) as (facts: object) => unknown;
  const interpreted = await loadJsonLogic();
  const all: [name: string, passes: number, holds: Holds][] = [
    ['ours', 500, (facts) => isTrue(ours(facts))],
    ['json-logic-engine, compiled', 500, (facts) => Boolean(built(facts))],
    ['json-logic-js', 20, (facts) => Boolean(interpreted.apply(rule, facts))],
  ];
  return all.map(([name, passes, holds]) => ({ name, passes, holds, perSecond: [] }));
}

const isTrue = (outcome: ReturnType<ReturnType<typeof compile>>) => outcome !== SKIP && isTruthy(outcome);

/** It comes without types. */
async function loadJsonLogic(): Promise<{ apply(rule: object, facts: object): unknown }> {
  return (await import('json-logic-js' as string)).default;
}

/** Counting keeps the results in use, so that none of the work can be left out. */
function countHolding(holds: Holds, passes: number): number {
  let count = 0;
  for (let pass = 0; pass < passes; pass += 1) {
    for (const facts of FACTS) if (holds(facts)) count += 1;
  }
  return count;
}

function figuresOf(name: string, contenders: Contender[], goals: { engine?: Goal; js?: Goal }): Figure[] {
  const [ours = Number.NaN, engine = Number.NaN, js = Number.NaN] = contenders.map(({ perSecond }) =>
    median(perSecond),
  );
  const unit = 'evaluations/s';
  const [, engineName = '', jsName = ''] = contenders.map((contender) => contender.name);
  return [
    {
      name: `${name}.engine`,
      ours,
      reference: engine,
      unit,
      against: engineName,
      ...(goals.engine && { goal: goals.engine }),
    },
    { name: `${name}.js`, ours, reference: js, unit, against: jsName, ...(goals.js && { goal: goals.js }) },
  ];
}
