import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { fieldsOf, objectIn } from '../../src/console/browser/app/schema-form.ts';

const schema = {
  ...Type.Object({
    baseUrl: Type.String({ title: 'Address', description: 'Where it answers' }),
    group: Type.Optional(Type.Integer()),
    isStrict: Type.Optional(Type.Boolean()),
    mode: Type.Union([Type.Literal('fast'), Type.Literal('slow')]),
    region: Type.Optional(Type.Enum(['eu', 'us'])),
  }),
};

test('a schema becomes fields, in its order', () => {
  assert.deepEqual(
    fieldsOf(schema).map(({ name, label, kind, isRequired }) => [name, label, kind, isRequired]),
    [
      ['baseUrl', 'Address', 'text', true],
      ['group', 'group', 'number', false],
      ['isStrict', 'isStrict', 'check', false],
      ['mode', 'mode', 'choice', true],
      ['region', 'region', 'choice', false],
    ],
  );
  assert.deepEqual(fieldsOf({ type: 'object' }), []);
});

test('what was typed becomes what the schema describes, without what was left empty', () => {
  const fields = fieldsOf(schema);
  assert.deepEqual(objectIn(fields, { baseUrl: 'http://a', group: '7', isStrict: true, mode: 'fast' }), {
    baseUrl: 'http://a',
    group: 7,
    isStrict: true,
    mode: 'fast',
  });
  assert.deepEqual(objectIn(fields, { baseUrl: '', group: 'seven', region: '' }), { group: 'seven' });
});
