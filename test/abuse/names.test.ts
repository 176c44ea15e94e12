import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, type CallOptions } from '../support/app.ts';
import { startTarget, type TargetApp } from './support/target.ts';

let maitred: TargetApp;
before(async () => {
  maitred = await startTarget();
});
after(() => maitred.close());

const TURNED = 'Ada \u202egnirts\u202c';
const SPLIT = 'A\u200bda';
const NOT_SEEN = ['must not have invisible characters, such as direction marks and zero-width spaces'];

/** What somebody is shown as the name of something; the name of a filter or of a member in data is none. */
const SHOWN = /^(?:name|names|\w+Name|company|label|labels)$/;
/** In a simulation, where it changes nothing. */
const NOT_SHOWN = new Set(['productName']);

/** Addresses of texts inside a schema that are names, but take invisible characters. */
function openNames(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, member]) => {
    const here = `${path}/${key}`;
    const isName = path.endsWith('/properties') && SHOWN.test(key) && !NOT_SHOWN.has(key);
    return isName && textsIn(member).some(({ format }) => format !== 'name')
      ? [here]
      : openNames(member, here);
  });
}

interface Text {
  format?: string;
}

function textsIn(schema: unknown): Text[] {
  if (typeof schema !== 'object' || schema === null || 'properties' in schema) return [];
  if ('type' in schema && schema.type === 'string') return 'enum' in schema ? [] : [schema as Text];
  return Object.values(schema).flatMap(textsIn);
}

test('every name that a request can hold is one that readers see whole', () => {
  const bodies = maitred.targets.filter(({ body }) => body !== undefined);
  const found = bodies.flatMap(({ method, url, body }) =>
    openNames(body).map((path) => `${method} ${url} ${path}`),
  );
  assert.deepEqual(found, []);
  assert.deepEqual(openNames({ type: 'object', properties: { name: { type: 'string' } } }), [
    '/properties/name',
  ]);
});

const DAY = '2026-12-05';
const booking = {
  type: 'book',
  partySize: 2,
  date: DAY,
  time: '19:30',
  firstName: 'Ada',
  lastName: 'Lovelace',
};
const BOOKING = '/venues/1%7Chouse%7Csoho-grill%7Cdinner/booking';

const refused: [what: string, path: string, options: CallOptions, field: string][] = [
  ['a first name', BOOKING, { body: { ...booking, firstName: TURNED } }, 'firstName'],
  ['a last name', BOOKING, { body: { ...booking, lastName: SPLIT } }, 'lastName'],
  ['a label', BOOKING, { body: { ...booking, labels: ['vip', SPLIT] } }, 'labels.1'],
  [
    'a guest of an order',
    '/v1/orders',
    {
      body: {
        partnerOrderId: 'names',
        items: [
          {
            compositeId: '1|house|soho-grill|dinner',
            quantity: 2,
            date: DAY,
            time: '18:00',
            firstName: TURNED,
          },
        ],
      },
    },
    'items.0.firstName',
  ],
  ['an operator', '/manage/operators', { as: 'demo-admin', body: { name: TURNED } }, 'name'],
  ['a partner', '/manage/partners', { as: 'demo-admin', body: { reference: 'x', name: SPLIT } }, 'name'],
  [
    'a subscription',
    '/webhooks/subscriptions',
    { body: { callbackUrl: 'https://partner.example/hooks', label: TURNED } },
    'label',
  ],
  [
    'a zone',
    '/manage/venues/1%7Chouse%7Csoho-grill/zones',
    { as: 'demo-operator', body: { name: SPLIT } },
    'name',
  ],
];

for (const [what, path, options, field] of refused) {
  test(`${what} with invisible characters is refused by its field`, async () => {
    const { errors } = assertProblem(
      await maitred.call(path, { method: 'POST', ...options }),
      400,
      'VALID-N-001',
    );
    assert.deepEqual(errors[field], NOT_SEEN, JSON.stringify(errors));
  });
}

test('a change of a booking may not bring them in either', async () => {
  const made = await maitred.call(BOOKING, {
    method: 'POST',
    body: { ...booking, firstName: 'علی\u200cرضا', partnerBookingId: 'seen' },
  });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.json.firstName, 'علی\u200cرضا');
  const body = [{ op: 'replace', path: '/lastName', value: TURNED }];
  const patched = await maitred.call(`/venues/bookings/${made.json.id}`, { method: 'PATCH', body });
  assert.deepEqual(assertProblem(patched, 400, 'VALID-N-001').errors.lastName, NOT_SEEN);
});
