import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Fastify from 'fastify';
import Type, { type TSchema } from 'typebox';
import { pageQuery } from '../../src/http/validation/paging.ts';
import { CommaList, Defaulted } from '../../src/http/validation/query-schema.ts';
import { validatorCompiler } from '../../src/http/validation/validation.ts';
import { type FieldErrors, Problem } from '../../src/kernel/problem.ts';
import { Booking, booking } from './sample-booking.ts';

type Part = 'body' | 'querystring' | 'params' | 'headers';
type Outcome = true | { value: unknown } | { error: Problem };

function validate(schema: TSchema, httpPart: Part, data: unknown): Outcome {
  return validatorCompiler({ schema, method: 'POST', url: '/', httpPart })(data) as Outcome;
}

function refusalOf(schema: TSchema, part: Part, data: unknown): Problem {
  const outcome = validate(schema, part, data);
  assert.ok(outcome !== true && 'error' in outcome, 'it was accepted');
  assert.ok(outcome.error instanceof Problem);
  assert.equal(outcome.error.code, 'VALID-N-001');
  return outcome.error;
}

const errorsOf = (schema: TSchema, part: Part, data: unknown): FieldErrors =>
  refusalOf(schema, part, data).options.errors ?? {};

function acceptedValue(schema: TSchema, part: Part, data: unknown): unknown {
  const outcome = validate(schema, part, data);
  assert.ok(outcome !== true && 'value' in outcome, JSON.stringify(outcome));
  return outcome.value;
}

const Search = Type.Object({
  ...pageQuery,
  sortDirection: Defaulted(Type.Enum(['ASC', 'DESC'], { default: 'ASC' })),
  partySize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  lat: Type.Optional(Type.Number()),
  includeUnavailable: Type.Optional(Type.Boolean()),
  features: CommaList(Type.String({ minLength: 1 }), { maxItems: 3 }),
  date: Type.Optional(Type.String({ format: 'date' })),
});
const defaults = { pageNumber: 1, pageSize: 20, sortDirection: 'ASC' };

describe('query parameters', () => {
  test('are converted by their schema, and defaults fill the gaps', () => {
    const sent = {
      partySize: '4',
      lat: '-51.50',
      includeUnavailable: 'false',
      features: 'terrace, vegan',
      pageSize: '5',
    };
    assert.deepEqual(acceptedValue(Search, 'querystring', sent), {
      ...defaults,
      pageSize: 5,
      partySize: 4,
      lat: -51.5,
      includeUnavailable: false,
      features: ['terrace', 'vegan'],
    });
    assert.deepEqual(acceptedValue(Search, 'querystring', null), defaults);
  });

  test('are refused when they are only almost what the schema asks for', () => {
    const wholeNumber = ['must be a whole number'];
    for (const text of [
      '',
      ' 4',
      '4.0',
      '1e3',
      '0x10',
      '4x',
      '+4',
      '९',
      '1'.repeat(16),
      'Infinity',
      '1,000',
    ]) {
      assert.deepEqual(
        errorsOf(Search, 'querystring', { partySize: text }),
        { partySize: wholeNumber },
        text,
      );
    }
    for (const text of ['', '.5', '5.', '1e3', 'NaN', '1.2.3']) {
      assert.deepEqual(errorsOf(Search, 'querystring', { lat: text }), { lat: ['must be a number'] }, text);
    }
    for (const text of ['', '1', 'TRUE', 'yes']) {
      const expected = { includeUnavailable: ['must be true or false'] };
      assert.deepEqual(errorsOf(Search, 'querystring', { includeUnavailable: text }), expected, text);
    }
  });

  test('have all their faults told at once, in words', () => {
    const sent = {
      partySize: '0',
      pageSize: '101',
      sortDirection: 'UP',
      date: '2026-02-30',
      features: 'a,,b,c',
    };
    const refusal = refusalOf(Search, 'querystring', sent);
    assert.deepEqual(refusal.options.errors, {
      partySize: ['must be at least 1'],
      pageSize: ['must be at most 100'],
      sortDirection: ['must be one of ASC, DESC'],
      date: ['must be a date such as 2026-01-31'],
      features: ['must have at most 3 items'],
      'features.1': ['must not be empty'],
    });
    assert.match(refusal.message, /^6 fields are not valid: .*partySize/);
    assert.equal(
      refusalOf(Search, 'querystring', { partySize: '0' }).message,
      'partySize must be at least 1.',
    );
  });

  test('may be repeated only where a list is expected', () => {
    assert.deepEqual(errorsOf(Search, 'querystring', { partySize: ['2', '3'] }), {
      partySize: ['must be given only once'],
    });
    const value = acceptedValue(Search, 'querystring', { features: ['a,b', 'c'] });
    assert.deepEqual(value, { ...defaults, features: ['a', 'b', 'c'] });
  });

  test('that are unknown are refused, whatever they are called', () => {
    const sent = JSON.parse('{"__proto__":"1","constructor":"2","utm_source":"\\u0000"}');
    assert.deepEqual(Object.keys(errorsOf(Search, 'querystring', sent)), Object.keys(sent));
  });
});

describe('headers', () => {
  const Headers = Type.Object({
    'X-Booking-Source': Defaulted(Type.Enum(['api', 'email'], { default: 'api' })),
    'x-count': Type.Optional(Type.Integer()),
  });

  test('are found however the schema writes their names, and told apart from others', () => {
    assert.deepEqual(acceptedValue(Headers, 'headers', { 'x-booking-source': 'email', host: 'x' }), {
      'X-Booking-Source': 'email',
    });
    assert.deepEqual(acceptedValue(Headers, 'headers', { 'x-count': '3' }), {
      'X-Booking-Source': 'api',
      'x-count': 3,
    });
    assert.deepEqual(errorsOf(Headers, 'headers', { 'x-booking-source': 'fax' }), {
      'X-Booking-Source': ['must be one of api, email'],
    });
  });

  test('are left alone where nothing had to be converted', () => {
    const Plain = Type.Object({ 'idempotency-key': Type.Optional(Type.String({ maxLength: 5 })) });
    assert.equal(validate(Plain, 'headers', { 'idempotency-key': 'abc', host: 'x' }), true);
  });
});

describe('a body', () => {
  test('is taken as it is, without conversion', () => {
    assert.equal(validate(Booking, 'body', booking), true);
    assert.deepEqual(errorsOf(Booking, 'body', { ...booking, partySize: '2' }), {
      partySize: ['must be a whole number'],
    });
  });

  test('has every fault told under the name of its field', () => {
    const sent = {
      type: 'maybe',
      email: 'nobody',
      time: '25:00',
      dateTime: '2026-01-31T19:30',
      labels: ['a', 'a', 'too long'],
      preorders: { menus: [{ id: 'x', name: 1 }, 7] },
      extra: { a: 1, b: [] },
      surprise: true,
    };
    assert.deepEqual(errorsOf(Booking, 'body', sent), {
      partySize: ['is required'],
      type: ['must be one of book, request'],
      email: ['must be an email address'],
      time: ['must be a time such as 19:30'],
      dateTime: ['must be a date and time with an offset, such as 2026-01-31T19:30:00Z'],
      labels: ['must not contain the same item twice'],
      'labels.2': ['must have at most 5 characters'],
      'preorders.menus.0.id': ['must be a whole number'],
      'preorders.menus.0.name': ['is not a known field'],
      'preorders.menus.1': ['must be an object'],
      'extra.b': ['must be text or must be a number'],
      surprise: ['is not a known field'],
    });
  });

  test('of another kind altogether is refused as a whole', () => {
    assert.deepEqual(errorsOf(Booking, 'body', null), { body: ['is required'] });
    assert.deepEqual(errorsOf(Booking, 'body', []), { body: ['must be an object'] });
    assert.deepEqual(errorsOf(Booking, 'body', 'text'), { body: ['must be an object'] });
  });

  test('is explained by the alternative that fits it best', () => {
    const Action = Type.Union([
      Type.Object({ reject: Type.Object({ message: Type.String() }) }, { additionalProperties: false }),
      Type.Object({ flag: Type.Object({ name: Type.String() }) }, { additionalProperties: false }),
    ]);
    assert.deepEqual(errorsOf(Action, 'body', { flag: { name: 1 } }), { 'flag.name': ['must be text'] });
  });

  test('with text that cannot be stored is refused, wherever the text stands', () => {
    const message = ['contains a character that cannot be stored'];
    assert.deepEqual(errorsOf(Booking, 'body', { ...booking, anything: { a: ['ok', 'x\0'] } }), {
      'anything.a.1': message,
    });
    assert.deepEqual(errorsOf(Booking, 'body', { ...booking, labels: ['\ud800'] }), { 'labels.0': message });
    assert.deepEqual(Object.keys(errorsOf(Booking, 'body', { ...booking, anything: { 'k\0': 1 } })), [
      'anything.k\0',
    ]);
    assert.deepEqual(errorsOf(Type.Object({ id: Type.String() }), 'params', { id: 'a\0' }), { id: message });
    assert.equal(validate(Booking, 'body', { ...booking, anything: '😀 é' }), true);
  });

  test('that is nested without end is refused rather than walked', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const [[path, messages] = ['', []]] = Object.entries(
      errorsOf(Booking, 'body', { ...booking, anything: deep }),
    );
    assert.match(path, /^anything(\.0){63}$/);
    assert.deepEqual(messages, ['is nested too deeply']);
  });

  test('with very many faults, or very long names, gets an answer of moderate size', () => {
    const menus = Array.from({ length: 20_000 }, () => ({ id: 'x' }));
    const many = refusalOf(Booking, 'body', { ...booking, preorders: { menus }, ['n'.repeat(50_000)]: 1 });
    assert.ok(JSON.stringify(many.options).length < 20_000);
  });

  test('may call its fields what it likes without reaching any prototype', () => {
    const sent = JSON.parse('{"type":"book","partySize":2,"__proto__":{"a":1},"constructor":1}');
    const errors = errorsOf(Booking, 'body', sent);
    assert.deepEqual(Object.keys(errors).sort(), ['__proto__', 'constructor']);
    assert.ok(!('a' in {}));
  });
});

describe('dates that a schema accepts', () => {
  const Dates = Type.Object({
    date: Type.String({ format: 'date' }),
    at: Type.String({ format: 'date-time' }),
  });

  test('are those that PostgreSQL can store', () => {
    assert.equal(validate(Dates, 'body', { date: '0001-01-01', at: '0001-01-01T00:00:00Z' }), true);
    assert.equal(validate(Dates, 'body', { date: '9999-12-31', at: '9999-12-31T23:59:59Z' }), true);
    const beyond = { date: '0000-12-31', at: '9999-12-31T23:59:59-00:01' };
    assert.deepEqual(Object.keys(errorsOf(Dates, 'body', beyond)), ['date', 'at']);
    assert.ok(errorsOf(Dates, 'body', { date: '2026-01-31', at: '0001-01-01T00:00:00+00:01' }).at);
  });
});

test('a route refuses with the problem itself and hands handlers what was converted', async () => {
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.get('/search', { schema: { querystring: Search } }, (request) => request.query);
  app.setErrorHandler((error, _request, reply) => {
    assert.ok(error instanceof Problem);
    return reply.code(error.status).send(error.options.errors);
  });
  const found = await app.inject('/search?partySize=3&features=a,b');
  assert.deepEqual(found.json(), { ...defaults, partySize: 3, features: ['a', 'b'] });
  const refused = await app.inject('/search?partySize=3&partySize=4&date=%00');
  assert.equal(refused.statusCode, 400);
  assert.deepEqual(Object.keys(refused.json()).sort(), ['date', 'partySize']);
});
