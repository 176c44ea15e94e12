import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { negotiate } from '../../../src/http/format/negotiation.ts';

const VENDOR = 'application/vnd.service.toon+json';

function expectAll(cases: Record<string, string | undefined>, interfaceName: 'venue' | 'listings' = 'venue') {
  for (const [accept, format] of Object.entries(cases)) {
    assert.equal(negotiate(accept, interfaceName), format, accept);
  }
}

describe('the form of a response', () => {
  test('is JSON when nothing is asked for', () => {
    assert.equal(negotiate(undefined, 'venue'), 'json');
    expectAll({ '': 'json', ' , ': 'json', '*/*': 'json' });
  });

  test('is what the caller names, in any case and with its charset', () => {
    expectAll({
      'application/json': 'json',
      'text/toon': 'toon',
      'TEXT/Toon': 'toon',
      'text/toon; charset=UTF-8': 'toon',
      'text/toon;charset="utf-8"': 'toon',
      'application/*': 'json',
      'text/*': 'toon',
      'text/html, text/toon': 'toon',
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8': 'json',
    });
  });

  test('follows quality values, and prefers JSON, then TOON, between equals', () => {
    expectAll({
      'text/toon, application/json': 'json',
      'text/toon, application/json;q=0.9': 'toon',
      'text/toon;q=0.5, application/json;q=0.51': 'json',
      'text/toon;q=1.000, application/json;q=0.999': 'toon',
      '*/*;q=0.1, text/toon': 'toon',
    });
    expectAll({ [`${VENDOR}, text/toon`]: 'toon', [`${VENDOR}, application/json`]: 'json' }, 'listings');
  });

  test('is decided by the most specific range, not by the highest quality', () => {
    expectAll({
      'application/json;q=0.1, */*;q=0.9': 'toon',
      'application/*;q=0.1, */*;q=0.9': 'toon',
      'application/json;q=0, */*': 'toon',
      'application/*;q=0, application/json': 'json',
      'application/json;q=0, text/*;q=0': undefined,
      'text/*;q=0.9, text/toon;q=0.1, application/json;q=0.5': 'json',
    });
  });

  test('is none when the caller takes none of ours', () => {
    expectAll({
      'text/html': undefined,
      'text/toon;q=0': undefined,
      '*/*;q=0': undefined,
      'image/*': undefined,
    });
  });

  test('includes the vendor type on the listings interface only', () => {
    expectAll({ [VENDOR]: 'toon+json', [`${VENDOR}, application/json;q=0.5`]: 'toon+json' }, 'listings');
    expectAll({ [VENDOR]: undefined, [`${VENDOR}, application/json;q=0.5`]: 'json' }, 'venue');
  });

  test('passes over entries that cannot be read, and over a header that is nothing else', () => {
    expectAll({
      'text/toon;q=2, application/json;q=0.1': 'json',
      'text/toon;q=abc': 'json',
      'toon, text/toon': 'toon',
      '*/toon, text/html': undefined,
      '*': 'json',
      'text/ toon': 'json',
      '///, ;;;, "': 'json',
      'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2': 'json',
    });
    assert.equal(negotiate(`text/html,${'x'.repeat(5000)}`, 'venue'), 'json');
  });

  test('takes a quoted comma for a part of its parameter', () => {
    expectAll({
      'text/html;x="a, text/toon", application/json;q=0.3': 'json',
      'text/html;x="a\\", text/toon"': undefined,
    });
  });

  test('serves a caller that asks for a variant plainly, unless a range for the plain type says otherwise', () => {
    expectAll({
      'application/json;version=2': 'json',
      'application/json;version=2, text/toon;q=0.5': 'json',
      'application/json;version=2, application/json;q=0.1, text/toon;q=0.5': 'toon',
      'application/json;version=2;q=0, application/json': 'json',
      'application/json;version=1;q=0, application/json;version=2': 'json',
    });
  });

  test('never fails, and says the same for a header it has seen before', () => {
    const piece = fc.constantFrom(
      'application',
      'text',
      'json',
      'toon',
      '*',
      '/',
      ';',
      ',',
      'q=',
      '0.5',
      '1',
      '"',
      '\\',
      ' ',
    );
    const header = fc.oneof(
      fc.string(),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(header, fc.constantFrom('venue' as const, 'listings' as const), (accept, name) => {
        assert.equal(negotiate(accept, name), negotiate(accept, name));
      }),
      { numRuns: 1000 },
    );
  });

  test('does not depend on the order of entries of different types', () => {
    const quality = fc.integer({ min: 0, max: 1000 }).map((thousandths) => (thousandths / 1000).toFixed(3));
    fc.assert(
      fc.property(quality, quality, quality, (json, toon, rest) => {
        const entries = [`application/json;q=${json}`, `text/toon;q=${toon}`, `*/*;q=${rest}`];
        const expected = negotiate(entries.join(), 'venue');
        assert.equal(negotiate(entries.reverse().join(', '), 'venue'), expected);
        const higher = Number(toon) > Number(json) ? 'toon' : 'json';
        assert.equal(expected, Number(toon) + Number(json) === 0 ? undefined : higher);
      }),
    );
  });
});
