import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isDate, isDateTime, isTime } from '../../src/kernel/rfc3339.ts';

const folder = new URL('../../../shared/conformance/formats/', import.meta.url);
const skip = existsSync(folder) ? false : 'the conformance data is not beside this project';

interface Group {
  tests: { description: string; data: unknown; valid: boolean }[];
}

const formats = { date: isDate, time: isTime, 'date-time': isDateTime };

describe('the RFC 3339 cases of the JSON Schema test suite', { skip }, () => {
  for (const [format, isValid] of Object.entries(formats)) {
    test(format, { skip }, () => {
      const groups: Group[] = JSON.parse(readFileSync(new URL(`${format}.json`, folder), 'utf8'));
      const cases = groups.flatMap((group) => group.tests);
      // A format says nothing about values that are no text; those cases concern the validator alone.
      const texts = cases.filter((one) => typeof one.data === 'string');
      assert.ok(texts.length > 20);
      for (const one of texts) assert.equal(isValid(String(one.data)), one.valid, one.description);
    });
  }
});
