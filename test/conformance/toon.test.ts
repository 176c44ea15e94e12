import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type DecodeOptions, decode, type EncodeOptions, encode } from '@toon-format/toon';
import { render } from '../../src/http/format/render.ts';

const folder = new URL('../../../shared/conformance/toon-4.0/fixtures/', import.meta.url);
const skip = existsSync(folder) ? false : 'the conformance data is not beside this project';

interface Fixture<Options> {
  name: string;
  input: unknown;
  expected: unknown;
  shouldError?: boolean;
  options?: Options;
}

/** Later versions of the format dropped these: without strictness a malformed header became a key. */
const isDropped = (name: string) => name.endsWith('as literal key (non-strict)');

function fixturesOf<Options>(kind: 'encode' | 'decode'): [file: string, fixtures: Fixture<Options>[]][] {
  const files = skip ? [] : readdirSync(new URL(`${kind}/`, folder));
  return files.map((file) => [
    file,
    JSON.parse(readFileSync(new URL(`${kind}/${file}`, folder), 'utf8')).tests as Fixture<Options>[],
  ]);
}

const encoding = fixturesOf<EncodeOptions>('encode');
const decoding = fixturesOf<DecodeOptions>('decode');
const namesOf = (files: [string, Fixture<unknown>[]][]) =>
  files.flatMap(([, fixtures]) => fixtures.map((one) => one.name));

describe('TOON 4.0', { skip }, () => {
  test('the fixtures are all there, and four of them are left out', { skip }, () => {
    assert.equal(namesOf(encoding).length, 173);
    assert.equal(namesOf(decoding).length, 343);
    assert.equal(namesOf(decoding).filter(isDropped).length, 4);
  });

  for (const [file, fixtures] of encoding) {
    describe(`encode/${file}`, () => {
      for (const { name, input, expected, options } of fixtures) {
        test(name, () => {
          assert.equal(encode(input, options), expected);
          // Without options the case must also hold for what callers receive.
          if (!options) assert.equal(render(input, 'toon').body.toString(), expected);
        });
      }
    });
  }

  for (const [file, fixtures] of decoding) {
    describe(`decode/${file}`, () => {
      for (const { name, input, expected, shouldError, options } of fixtures) {
        if (isDropped(name)) continue;
        test(name, () => {
          const decoded = () => decode(String(input), options);
          if (shouldError) assert.throws(decoded);
          else assert.deepEqual(decoded(), expected);
        });
      }
    });
  }
});
