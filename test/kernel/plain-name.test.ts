import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isPlainName } from '../../src/http/validation/formats.ts';

const DIRECTION = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];
const MARKS = ['\u200e', '\u200f', '\u061c'];
const ZERO_WIDTH = ['\u200b', '\u2060', '\ufeff', '\u00ad', '\u034f', '\u180e', '\u3164', '\u{e0061}'];

test('direction marks and zero-width characters are in no name, wherever they stand', () => {
  for (const invisible of [...DIRECTION, ...MARKS, ...ZERO_WIDTH]) {
    for (const name of [
      `${invisible}Ada`,
      `A${invisible}da`,
      `Ada${invisible}`,
      `ع${invisible}لی`,
      `क${invisible}ष`,
    ]) {
      assert.equal(isPlainName(name), false, JSON.stringify(name));
    }
  }
});

test('joiners and variants are part of a name only where its script has them', () => {
  const written = [
    // Persian, Hindi, Malayalam of old, Sinhala.
    'علی\u200cرضا',
    'क्\u200dष',
    'मोहन्\u200dलाल',
    'മോഹന്\u200d',
    'ශ්\u200dරී',
    '葛\u{e0100}城',
    'Kaffee ☕\ufe0f',
    'The 👩\u200d🍳 Table',
    '🧑🏽\u200d🍳',
    'Bar 1\ufe0f\u20e3',
  ];
  for (const name of written) assert.equal(isPlainName(name), true, JSON.stringify(name));
  const hidden = [
    'A\u200dda',
    'A\u200cda',
    '\u200cعلی',
    'علی\u200c',
    'علی\u200c\u200cرضا',
    'A\ufe0fda',
    'Bar 1\ufe0f',
    'a\u{e0100}',
    '☕\u200d',
    '\u200d☕',
  ];
  for (const name of hidden) assert.equal(isPlainName(name), false, JSON.stringify(name));
});

test('a name of letters, marks, digits, spaces and punctuation is plain in every script', () => {
  const visible = fc
    .integer({ min: 0x20, max: 0x2ffff })
    .filter((code) => /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]$/u.test(String.fromCodePoint(code)))
    .map((code) => String.fromCodePoint(code))
    .filter((character) => !/\p{DI}/u.test(character));
  fc.assert(
    fc.property(fc.string({ unit: visible, minLength: 1 }), (name) => {
      assert.equal(isPlainName(name), true);
    }),
  );
});
