/** Random expressions over every fact of a booking that is made, with every operator of the profile. */
import fc from 'fast-check';
import { CATEGORIES, DAYS, PARTNERS } from './prediction-world.ts';

type Node = fc.Arbitrary<unknown>;

const dayAhead = fc
  .integer(DAYS)
  .map((days) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString());
export const clockTime = fc
  .tuple(fc.integer({ min: 12, max: 22 }), fc.constantFrom('00', '15', '30', '45'))
  .map((parts) => parts.join(':'));
export const packageSlug = fc.constantFrom('grill-feast', 'cellar-flight', 'celebration-cake');

/** What each fact may be compared with so that now this and now that comes out. */
const numbers: Record<string, Node> = {
  'booking.partySize': fc.integer({ min: 1, max: 14 }),
  'booking.children': fc.integer({ min: 0, max: 3 }),
  'booking.guests': fc.integer({ min: 1, max: 16 }),
  'booking.weekday': fc.integer({ min: 1, max: 7 }),
  'booking.duration': fc.constantFrom(60, 90, 120, 150, 180, 240),
  'booking.depositAmount': fc.constantFrom(0, 500, 2000, 5000, 10_000),
  'partner.id': fc.constantFrom(...PARTNERS),
  'venue.operatorId': fc.constantFrom(1, 1, 2),
  'space.id': fc.constantFrom(101, 102),
  daysAhead: fc.integer(DAYS),
};
const texts: Record<string, Node> = {
  'booking.type': fc.constantFrom('book', 'request'),
  'booking.date': dayAhead,
  'booking.time': clockTime,
  'booking.source': fc.constantFrom('api', 'phone', 'portal', 'chatbot'),
  'product.id': fc.constantFrom('1|house|soho-grill|dinner', '1|house|soho-grill|private-dining'),
  'product.name': fc.constantFrom('Dinner', 'Private dining'),
  'product.slug': fc.constantFrom('dinner', 'private-dining'),
  'product.category': fc.constantFrom('dinner', 'private-hire'),
  'venue.id': fc.constantFrom('1|house|soho-grill', '1|house|garden-room'),
  'venue.name': fc.constantFrom('Soho Grill', 'Grill', 'Garden Room'),
  'venue.area': fc.constantFrom('Soho', 'Mayfair'),
  'venue.city': fc.constantFrom('London', 'Paris'),
  'venue.timeZone': fc.constantFrom('Europe/London', 'Europe/Paris'),
  'space.name': fc.constantFrom('The Copper Room', 'The Cellar'),
};
const lists: Record<string, Node> = {
  'booking.packages': packageSlug,
  'booking.menus': fc.constantFrom('feasting-menu', 'plates'),
  'partner.categoryIds': fc.constantFrom(...CATEGORIES),
};

const fact = (name: string) => ({ var: name });
const op = (name: string, ...parts: Node[]): Node => fc.tuple(...parts).map((given) => ({ [name]: given }));
const opOf = (names: string[], ...parts: Node[]): Node =>
  fc.tuple(fc.constantFrom(...names), fc.tuple(...parts)).map(([name, given]) => ({ [name]: given }));
const factOf = (facts: Record<string, Node>): Node => fc.constantFrom(...Object.keys(facts)).map(fact);
const anyFactName = fc.constantFrom(...[numbers, texts, lists].flatMap((facts) => Object.keys(facts)));
const fewOf = (values: Node): Node => fc.array(values, { minLength: 1, maxLength: 4 });

const EQUALITIES = ['==', '===', '!=', '!=='];
const ORDERS = ['<', '<=', '>', '>='];

/** A fact beside something of its own kind. */
const comparison: Node = fc
  .constantFrom(...Object.entries({ ...numbers, ...texts }))
  .chain(([name, value]) => {
    const known = fc.constant(fact(name));
    return fc.oneof(
      { arbitrary: opOf([...ORDERS, ...EQUALITIES], known, value), weight: 5 },
      { arbitrary: opOf(ORDERS, value, known), weight: 2 },
      { arbitrary: opOf(['<', '<='], value, known, value), weight: 2 },
      { arbitrary: op('in', known, fewOf(value)), weight: 3 },
    );
  });

const membership: Node = fc
  .constantFrom(...Object.entries(lists))
  .chain(([name, value]) => op('in', value, fc.constant(fact(name))));

const element = fc.constant(fact(''));
/** Facts are among it, because a rule that can never hold need not be listed. */
const mixed = fc.oneof(fc.constantFrom<unknown>(1, 5, 'dinner', true), factOf(numbers), factOf(texts));
const mixedList: Node = fc.array(mixed, { minLength: 1, maxLength: 4 });

const iteration: Node = fc.constantFrom(...Object.entries(lists)).chain(([name, value]) => {
  const list = fc.oneof(fc.constant(fact(name)), fewOf(value), mixedList);
  const compared = opOf([...EQUALITIES, ...ORDERS], element, fc.oneof(value, fc.constantFrom(5, 'dinner')));
  const test = fc.oneof(compared, compared, op('in', element, fewOf(value)));
  const quantified = opOf(['some', 'all', 'none'], list, test);
  return fc.oneof(
    quantified,
    op('!', quantified),
    opOf(['some', 'all', 'none'], op('filter', list, test), test),
    op('in', value, op('filter', list, test)),
  );
});

const absence: Node = fc.oneof(
  opOf(
    ['!', '!!'],
    fc.array(anyFactName, { maxLength: 3 }).map((names) => ({ missing: names })),
  ),
  op(
    'in',
    anyFactName,
    fc.array(anyFactName, { maxLength: 3 }).map((names) => ({ missing: names })),
  ),
);

/** Kinds that do not belong together. */
const anything: Node = fc.oneof(
  factOf(numbers),
  factOf(texts),
  factOf(lists),
  fc.constantFrom(0, 2, '', '2', 'dinner', true, false),
  fewOf(fc.constantFrom<unknown>(1, 2, '1', 'dinner', true)),
);

const weighted = (...choices: [number, Node][]): Node =>
  fc.oneof(
    { maxDepth: 3, depthIdentifier: 'expression' },
    ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })),
  );

/** Each kind of value, and now and then something of another kind in its place. */
const grammar = fc.letrec<Record<'truth' | 'number' | 'text' | 'list', unknown>>((tie) => ({
  truth: weighted(
    [8, comparison],
    [2, membership],
    [5, iteration],
    [1, absence],
    [1, fc.boolean()],
    [5, opOf(['and', 'or'], tie('truth'), tie('truth'))],
    [2, opOf(['and', 'or'], tie('truth'), tie('truth'), tie('truth'))],
    [2, opOf(['!', '!!'], tie('truth'))],
    [2, op('if', tie('truth'), tie('truth'), tie('truth'))],
    [1, op('if', tie('truth'), tie('truth'), tie('truth'), tie('truth'), tie('truth'))],
    [1, opOf(['!', '!!'], op('if', tie('truth'), tie('truth')))],
    [1, opOf([...EQUALITIES, ...ORDERS, 'in'], anything, anything)],
    [3, opOf([...ORDERS, ...EQUALITIES], tie('number'), tie('number'))],
    [1, opOf(['<', '<='], tie('number'), tie('number'), tie('number'))],
    [2, opOf([...ORDERS, ...EQUALITIES], tie('text'), tie('text'))],
    [1, op('in', tie('text'), tie('text'))],
    [1, op('in', tie('text'), tie('list'))],
    [1, opOf(['!', '!!'], fc.oneof(tie('number'), tie('text'), tie('list')))],
  ),
  number: weighted(
    [4, factOf(numbers)],
    [3, fc.integer({ min: -3, max: 20 })],
    [1, fc.constantFrom(0.5, 2.25, -0.1)],
    [
      1,
      fc
        .tuple(fc.constantFrom('booking.duration', 'space.id'), fc.integer({ min: 0, max: 200 }))
        .map((given) => ({ var: given })),
    ],
    [3, opOf(['+', '-', '*', '/', '%', 'min', 'max'], tie('number'), tie('number'))],
    [1, opOf(['+', '*', 'min', 'max'], tie('number'), tie('number'), tie('number'))],
    [1, opOf(['/', '%'], tie('number'), fc.constantFrom(0, 0, 2, 3))],
    [1, op('-', tie('number'))],
    [1, op('if', tie('truth'), tie('number'), tie('number'))],
    [
      1,
      fc
        .constantFrom(...Object.keys(lists))
        .map((name) => ({ reduce: [fact(name), { '+': [fact('accumulator'), 1] }, 0] })),
    ],
    [
      1,
      op(
        'reduce',
        op('map', fc.constant(fact('partner.categoryIds')), op('%', element, fc.integer({ min: 0, max: 7 }))),
        fc.constantFrom(
          { '+': [fact('accumulator'), fact('current')] },
          { max: [fact('current'), fact('accumulator')] },
        ),
        fc.integer({ min: 0, max: 3 }),
      ),
    ],
    [1, tie('text')],
  ),
  text: weighted(
    [4, factOf(texts)],
    [3, fc.oneof(...Object.values(texts))],
    [
      1,
      fc
        .tuple(fc.constantFrom('space.name', 'product.slug'), fc.constantFrom('', 'dinner', 'The Cellar'))
        .map((given) => ({ var: given })),
    ],
    [1, op('if', tie('truth'), tie('text'), tie('text'))],
    [1, tie('number')],
  ),
  list: weighted(
    [4, factOf(lists)],
    [2, fewOf(fc.oneof(packageSlug, fc.constantFrom(...CATEGORIES)))],
    [1, op('map', factOf(lists), fc.oneof(element, op('==', element, packageSlug)))],
    [1, op('filter', factOf(lists), op('!=', element, packageSlug))],
    [1, fc.array(tie('text'), { maxLength: 3 })],
    [1, tie('text')],
  ),
}));

/** Counts more than any reading of «nodes» does, so that no expression is too large to be stored. */
function sizeOf(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 1;
  return Object.values(node).reduce((sum: number, part) => sum + sizeOf(part), 1);
}

export const condition: Node = fc
  .oneof(
    { weight: 1, arbitrary: comparison },
    { weight: 1, arbitrary: iteration },
    { weight: 4, arbitrary: grammar.truth },
  )
  .filter((node) => sizeOf(node) <= 64);
