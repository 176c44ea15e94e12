import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import {
  ANYTHING,
  compileFieldset,
  MAX_FIELDS_LENGTH,
  parseFieldset,
  type Selection,
  WHOLE,
} from '../../../src/http/format/fieldset.ts';
import { Problem } from '../../../src/kernel/problem.ts';

const Space = Type.Object({
  id: Type.Integer(),
  capacity: Type.Object({ min: Type.Integer(), max: Type.Integer() }),
});
const Venue = Type.Object({
  id: Type.String(),
  name: Type.String(),
  website: Type.Union([Type.String(), Type.Null()]),
  location: Type.Union([Type.Object({ lat: Type.Number(), city: Type.String() }), Type.Null()]),
  spaces: Type.Array(Space),
  hours: Type.Record(Type.String(), Type.Object({ open: Type.String(), close: Type.String() })),
  extra: Type.Unknown(),
  owner: Type.Intersect([Type.Object({ first: Type.String() }), Type.Object({ last: Type.String() })]),
});

const venue = {
  id: '1|house|soho-grill',
  name: 'Soho Grill',
  website: null,
  location: { lat: 51.5, city: 'London' },
  spaces: [
    { id: 1, capacity: { min: 2, max: 8 } },
    { id: 2, capacity: { min: 4, max: 20 } },
  ],
  hours: { monday: { open: '12:00', close: '23:00' } },
  extra: { any: { thing: [1, 2] } },
  owner: { first: 'Ada', last: 'Grill' },
};

const select = (text: string, value: unknown = venue, schema: object = Venue) =>
  compileFieldset(schema, text)(value);

function refusalOf(text: string, schema: object = Venue): Problem {
  try {
    compileFieldset(schema, text);
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.equal(error.code, 'FSEL-N-001');
    return error;
  }
  assert.fail(`${text} was accepted`);
}

const name = fc.stringMatching(/^[a-z_][a-zA-Z_]{0,5}$/);
const { selection } = fc.letrec<{ selection: Selection }>((tie) => ({
  selection: fc
    .array(fc.tuple(name, fc.option(tie('selection'), { depthSize: 'small', nil: WHOLE })), {
      minLength: 1,
      maxLength: 4,
    })
    .map((entries): Selection => new Map(entries as [string, Selection | typeof WHOLE][])),
}));

function printed(fields: Selection, space = ''): string {
  return [...fields]
    .map(
      ([key, part]) => `${space}${key}${part === WHOLE ? '' : `${space}(${printed(part, space)}${space})`}`,
    )
    .join(`${space},`);
}

describe('a sparse fieldset', () => {
  test('selects names and names inside names, in the order of the resource', () => {
    assert.equal(
      JSON.stringify(select('spaces(capacity(max)),name')),
      '{"name":"Soho Grill","spaces":[{"capacity":{"max":8}},{"capacity":{"max":20}}]}',
    );
  });

  test('looks through null, arrays, records and intersections', () => {
    assert.deepEqual(select('location(city)', { ...venue, location: null }), { location: null });
    assert.deepEqual(select('hours(monday(open))'), { hours: { monday: { open: '12:00' } } });
    assert.deepEqual(select('owner(last)'), { owner: { last: 'Grill' } });
    assert.deepEqual(select('extra(any(thing))'), { extra: { any: { thing: [1, 2] } } });
    assert.deepEqual(select('name', [venue, { name: 'B' }]), [{ name: 'Soho Grill' }, { name: 'B' }]);
  });

  test('keeps null as null and leaves out what is not there', () => {
    assert.deepEqual(select('website,name', { website: null }), { website: null });
  });

  test('tolerates white space between tokens', () => {
    assert.deepEqual(select(' name ,\n location\t( city ) '), {
      name: 'Soho Grill',
      location: { city: 'London' },
    });
  });

  test('merges a name that stands twice, and the whole field wins over its parts', () => {
    assert.deepEqual(select('location(city),location(lat)'), { location: venue.location });
    assert.deepEqual(select('location,location(lat)'), { location: venue.location });
    assert.deepEqual(select('location(lat),location'), { location: venue.location });
  });

  test('names an unknown field, its path and the names there are', () => {
    const { options } = refusalOf('name,spaces(capacity(maximum))');
    assert.deepEqual(options.extensions, { field: 'maximum', path: 'spaces.capacity.maximum' });
    assert.match(options.detail ?? '', /"maximum" at spaces\.capacity\.maximum.*min, max/);
  });

  test('lists only some of very many names', () => {
    const wide = Type.Object(
      Object.fromEntries([...'abcdefghijklmnopqrstuvwxyz'].map((key) => [key, Type.Null()])),
    );
    assert.match(refusalOf('zz', wide).options.detail ?? '', /, t and 6 more\.$/);
  });

  test('refuses to select inside a scalar', () => {
    assert.deepEqual(refusalOf('name(first)').options.extensions, { field: 'name', path: 'name' });
    assert.equal(refusalOf('website(host)').options.extensions?.path, 'website');
  });

  test('refuses what is not a list of names', () => {
    const broken = [
      '',
      '  ',
      ',',
      'name,',
      ',name',
      'name,,id',
      'location()',
      'location(',
      'location(city',
      'name)',
    ];
    for (const text of [
      ...broken,
      'location(city))',
      '(name)',
      'name id',
      'location(city)id',
      'location(city)(lat)',
    ]) {
      refusalOf(text);
    }
    assert.equal(refusalOf('location(city)id').options.extensions?.path, 'location');
  });

  test('treats names of the prototype like any other unknown name', () => {
    for (const text of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'location(__proto__(x))']) {
      assert.match(refusalOf(text).options.detail ?? '', /There is no field/);
    }
  });

  test('copies an own member called __proto__ without touching any prototype', () => {
    const value = JSON.parse('{"extra":{"__proto__":{"polluted":true},"b":1}}');
    const projected = select('extra(__proto__)', value) as { extra: object };
    assert.equal(JSON.stringify(projected), '{"extra":{"__proto__":{"polluted":true}}}');
    assert.equal(Object.getPrototypeOf(projected.extra), Object.prototype);
    assert.ok(!('polluted' in {}));
  });

  test('is refused above its length and read to any depth below it', () => {
    refusalOf(`${'name,'.repeat(MAX_FIELDS_LENGTH / 5)}name`);
    const depth = 1_300;
    const text = `extra(${'a('.repeat(depth - 2)}a${')'.repeat(depth - 1)}`;
    assert.deepEqual(select(text, { extra: { a: { a: 1, b: 2 }, b: 3 } }), { extra: { a: { a: 1 } } });
  });

  test('reads back what it prints, with and without white space', () => {
    fc.assert(
      fc.property(selection, fc.constantFrom('', ' ', '\n\t'), (fields, space) => {
        const text = printed(fields, space);
        fc.pre(text.length <= MAX_FIELDS_LENGTH);
        assert.deepEqual(parseFieldset(text, ANYTHING), fields);
      }),
    );
  });

  test('applied twice gives what it gives once, and never changes its input', () => {
    const open = Type.Unknown();
    fc.assert(
      fc.property(selection, fc.jsonValue(), (fields, value) => {
        const before = structuredClone(value);
        const project = compileFieldset(open, printed(fields));
        const once = project(value);
        assert.deepEqual(project(once), once);
        assert.deepEqual(value, before);
      }),
    );
  });

  test('that names every field is the identity', () => {
    const everything =
      'id,name,website,location(lat,city),spaces(id,capacity(min,max)),hours,extra,owner(first,last)';
    assert.deepEqual(select(everything), venue);
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue(), { minKeys: 1, noNullPrototype: true }), (value) => {
        assert.deepEqual(select(Object.keys(value).join(','), value, Type.Unknown()), value);
      }),
    );
  });

  test('of garbage is a projection or FSEL-N-001, never another failure', () => {
    const token = fc.constantFrom(
      'name',
      'location',
      'city',
      'spaces',
      'extra',
      '(',
      ')',
      ',',
      ' ',
      '\0',
      '\ud800',
      '"',
    );
    const garbage = fc.oneof(
      fc.string(),
      fc.array(token).map((tokens) => tokens.join('')),
    );
    fc.assert(
      fc.property(garbage, (text) => {
        try {
          select(text);
        } catch (error) {
          assert.ok(error instanceof Problem && error.code === 'FSEL-N-001');
        }
      }),
      { numRuns: 1000 },
    );
  });
});
