import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoOperators } from '../../src/demo/operators.ts';

const WORDS: Record<string, number> = { two: 2 };
const HOURS: Record<string, number> = { hours: 1, days: 24 };

/** The hours that a sentence about cancelling names. */
function hoursIn(sentence: string): number {
  const [, count = '', unit = ''] = /(\d+|two) (hours|days)/.exec(sentence) ?? [];
  return (WORDS[count] ?? Number(count)) * (HOURS[unit] ?? Number.NaN);
}

test('what guests of the demo venues are told about cancelling is what is done', () => {
  const venues = demoOperators(Temporal.PlainDate.from('2026-03-14')).flatMap(({ venues: each }) => each);
  let compared = 0;
  for (const { resourceId, products, house, tickets } of venues) {
    for (const { key, refundTerms = [] } of products) {
      const system = [...(house?.products ?? []), ...(tickets?.ticketTypes ?? [])].find(
        (each) => each.key === key,
      );
      const sentence = system?.cancellationPolicy;
      const expected = sentence === undefined ? [] : [{ hoursBefore: hoursIn(sentence), percent: 100 }];
      assert.deepEqual(refundTerms, expected, `${resourceId}|${key}: ${sentence}`);
      if (sentence !== undefined) compared += 1;
    }
  }
  assert.ok(compared > 20, `${compared}`);
});
