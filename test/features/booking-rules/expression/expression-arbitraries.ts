/** Random legal expressions, and facts for them: fitting ones and hostile ones. */
import fc from 'fast-check';
import { faultsIn, LIMITS } from '../../../../src/features/booking-rules/expression/limits.ts';

type Type = 'number' | 'text' | 'boolean' | 'list' | 'any';
type Scope = 'facts' | 'element' | 'reduction';
type Expression = fc.Arbitrary<unknown>;

/** The facts by the type that they should have; `gone` is never there. */
const NAMES: Record<Scope, Record<Exclude<Type, 'any'>, (string | number)[]>> = {
  facts: {
    number: ['n', 'm', 'deep.n', 'ns.0', 'gone'],
    text: ['t', 'u', 'deep.t', 'ts.1'],
    boolean: ['b', 'deep.b'],
    list: ['ns', 'ts', 'items', 'deep.items', 'lists'],
  },
  element: {
    number: ['', 'qty', 'n', 0],
    text: ['', 'sku', 'gone'],
    boolean: ['', 'isHot'],
    list: ['', 'tags', 'items'],
  },
  reduction: {
    number: ['accumulator', 'current', 'current.qty'],
    text: ['accumulator', 'current', 'current.sku'],
    boolean: ['current.isHot', 'accumulator'],
    list: ['current', 'current.tags', 'accumulator'],
  },
};

const number = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(0.5, 1e300, -1e300, 0, 1));
const text = fc.constantFrom('', 'a', 'ab', 'b', '7', '19:30', 'late');
const scalar = fc.oneof(number, text, fc.boolean());

/** Mostly operands of the right type, so that most expressions get somewhere; sometimes any. */
function grammar(tie: (key: string) => Expression): Record<string, Expression> {
  const result: Record<string, Expression> = {};
  for (const scope of ['facts', 'element', 'reduction'] as const) {
    const of = (type: Type): Expression =>
      fc.oneof(
        { weight: 12, arbitrary: tie(`${scope}:${type}`) },
        { weight: 1, arbitrary: tie(`${scope}:any`) },
      );
    Object.assign(result, partsOf(scope, of, tie));
  }
  return result;
}

function partsOf(scope: Scope, of: (type: Type) => Expression, tie: (key: string) => Expression) {
  const op = (name: string, ...operands: Expression[]) =>
    fc.tuple(...operands).map((all) => ({ [name]: all }));
  const many = (name: string, operand: Expression) =>
    fc.array(operand, { minLength: 1, maxLength: 3 }).map((all) => ({ [name]: all }));
  const fact = (type: Exclude<Type, 'any'>) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...NAMES[scope][type]).map((name) => ({ var: name })) },
      { weight: 1, arbitrary: op('var', fc.constantFrom(...NAMES[scope][type]), of(type)) },
    );
  const body = (type: Type) => tie(`element:${type}`);
  const choice = (type: Type) =>
    fc.oneof(
      op('if', of('boolean'), of(type), of(type)),
      op('if', of('boolean'), of(type)),
      many('if', of(type)),
    );
  const names = fc.array(fc.constantFrom(...NAMES[scope].number.map(String).filter(Boolean)), {
    maxLength: 3,
  });
  const comparable = (name: string) =>
    fc.oneof(op(name, of('number'), of('number')), op(name, of('text'), of('text')));
  const order = (name: string) =>
    fc.oneof(comparable(name), op(name, of('number'), of('number'), of('number')));
  const pick = fc.oneof;
  const parts: Record<Type, Expression> = {
    number: pick(
      { maxDepth: 5 },
      number,
      fact('number'),
      ...['+', '*', 'min', 'max'].map((name) => many(name, of('number'))),
      ...['-', '/', '%'].map((name) => op(name, of('number'), of('number'))),
      op('-', of('number')),
      op('reduce', of('list'), tie('reduction:number'), of('number')),
      choice('number'),
    ),
    text: pick({ maxDepth: 5 }, text, fact('text'), choice('text')),
    boolean: pick(
      { maxDepth: 5 },
      fc.boolean(),
      fact('boolean'),
      ...['<', '<=', '>', '>='].map(order),
      ...['==', '!='].map(comparable),
      ...['===', '!=='].map((name) => op(name, of('any'), of('any'))),
      ...['!', '!!'].map((name) => op(name, of('any'))),
      ...['and', 'or'].map((name) => many(name, of('boolean'))),
      op('in', of('any'), fc.array(scalar, { maxLength: 4 })),
      op('in', of('number'), of('list')),
      op('in', of('text'), of('text')),
      ...['some', 'all', 'none'].map((name) => op(name, of('list'), body('boolean'))),
    ),
    list: pick(
      { maxDepth: 5 },
      fc.array(scalar, { maxLength: 4 }),
      fact('list'),
      fc.array(of('number'), { minLength: 1, maxLength: 3 }),
      op('map', of('list'), body('any')),
      op('filter', of('list'), body('boolean')),
      names.map((all) => ({ missing: all })),
      choice('list'),
    ),
    any: pick(...(['number', 'text', 'boolean', 'list'] as const).map((type) => tie(`${scope}:${type}`))),
  };
  return Object.fromEntries(Object.entries(parts).map(([type, part]) => [`${scope}:${type}`, part]));
}

/** Those that are too deep or too large are left out. */
export const legalExpression: Expression = (fc.letrec(grammar)['facts:any'] ?? fc.constant(true)).filter(
  (expression) => faultsIn(expression, () => true).length === 0,
);

const item = fc.record(
  {
    qty: number,
    sku: text,
    isHot: fc.boolean(),
    tags: fc.array(text, { maxLength: 3 }),
    n: fc.integer(),
    items: fc.array(number, { maxLength: 3 }),
  },
  { requiredKeys: ['qty', 'sku'], noNullPrototype: true },
);

const shapes = {
  n: number,
  m: number,
  t: text,
  u: text,
  b: fc.boolean(),
  ns: fc.array(number, { maxLength: 5 }),
  ts: fc.array(text, { maxLength: 4 }),
  items: fc.array(item, { maxLength: 4 }),
  lists: fc.array(fc.array(number, { maxLength: 3 }), { maxLength: 3 }),
  deep: fc.record(
    { n: number, t: text, b: fc.boolean(), items: fc.array(item, { maxLength: 3 }) },
    { noNullPrototype: true },
  ),
};

/** What the names promise, with something missing now and then. */
export const fittingFacts: fc.Arbitrary<object> = fc.record(shapes, {
  requiredKeys: ['n', 't', 'b', 'ns', 'items', 'deep', 'lists'],
  noNullPrototype: true,
});

class Account {
  n = 5;
  get qty(): number {
    throw new Error('This member does not want to be read.');
  }
}

const nested = (levels: number): unknown => (levels === 0 ? 'end' : { n: nested(levels - 1), items: [] });
const many = Array.from({ length: LIMITS.listLength }, (_, index) => index);

function odd(): unknown[] {
  const circle: Record<string, unknown> = { qty: 1 };
  circle.items = [circle];
  const bare = Object.assign(Object.create(null), { qty: 3, n: 4, items: [1, 2] });
  const trap = {
    get qty() {
      throw new Error('No.');
    },
  };
  return [
    null,
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -0,
    10n,
    Symbol('odd'),
    () => 1,
    new Date(0),
    new Map([['qty', 1]]),
    new Account(),
    bare,
    circle,
    [circle],
    trap,
    [trap],
    new String('ab'),
    new Number(7),
    JSON.parse('{"__proto__": 7, "constructor": 8, "qty": 9, "n": 1}'),
    nested(5000),
    many,
    many.map(() => many),
    many.map(() => ({ qty: 1, sku: 'a', items: many, tags: many })),
    Array(100_000).fill(1),
    Array(150),
    'a'.repeat(100_000),
    'a'.repeat(LIMITS.textLength),
    many.map(() => 'a'.repeat(LIMITS.textLength)),
    /x/,
    [[[[]]]],
  ];
}

const oddities = odd();
const oddity = fc.constantFrom(...oddities);

/** Facts as they should be, except that every list is as long as lists may be, and so are those in its elements. */
const crowd = many.map((n) => ({ n, qty: n, sku: 'late', isHot: true, tags: many, items: many }));
const crowded = fittingFacts.map((facts) => ({
  ...facts,
  ns: many,
  ts: many.map(String),
  items: crowd,
  lists: many.map(() => many),
  deep: { n: 1, t: 'late', b: true, items: crowd },
}));

/** Anything under any name, lists everywhere, or facts that are no facts at all. */
export const hostileFacts: fc.Arbitrary<object> = fc.oneof(
  { weight: 20, arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(shapes)), oddity) },
  {
    weight: 10,
    arbitrary: fc.tuple(fittingFacts, oddity).map(([facts, one]) => ({ ...facts, items: one, ns: one })),
  },
  { weight: 20, arbitrary: crowded },
  { weight: 1, arbitrary: oddity as fc.Arbitrary<object> },
);

export const nestedMaps = (levels: number, list: unknown, innermost: unknown): unknown =>
  levels === 0 ? innermost : { map: [list, nestedMaps(levels - 1, list, innermost)] };

const longest = 'a'.repeat(LIMITS.textLength);
const texts = many.map((index) => `${longest.slice(3)}${String(index).padStart(3, '0')}`);
const half = longest.slice(0, LIMITS.textLength / 2);

/** What takes longest for the steps that it is allowed. */
export const GREEDY: [expression: unknown, facts: object][] = [
  [nestedMaps(6, many, 1), {}],
  [nestedMaps(2, many, { '+': Array(50).fill({ var: '' }) }), {}],
  [
    nestedMaps(
      2,
      many,
      Array(50)
        .fill(1.5)
        .concat([{ var: '' }])
        .slice(-2),
    ),
    {},
  ],
  [{ some: [many, { '!': nestedMaps(3, many, { var: '' }) }] }, {}],
  [nestedMaps(2, many, { missing: Array(40).fill('a.b.c.d') }), {}],
  [
    { map: [{ var: 'items' }, { in: [`b${half}`, { var: 'text' }] }] },
    { items: many.map(() => ({ text: longest })) },
  ],
  [
    { map: [{ var: 'items' }, { map: [{ var: 'texts' }, { '<=': [{ var: '' }, { var: '' }, longest] }] }] },
    { items: many.map(() => ({ texts })) },
  ],
  [{ map: [{ var: 'items' }, { in: [longest, { var: 'texts' }] }] }, { items: many.map(() => ({ texts })) }],
  [{ reduce: [{ var: 'items' }, { map: [many, [{ var: '' }, { var: '' }]] }, 0] }, { items: many }],
];
