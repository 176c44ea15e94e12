import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { dateTimeOf, dayClock, instantOfLocal, localOf } from '../../src/kernel/zone-time.ts';

const file = new URL('../../../shared/conformance/timezones/local-to-instant.json', import.meta.url);
const skip = existsSync(file) ? false : 'the conformance data is not beside this project';

interface Vector {
  zone: string;
  local: string;
  kind: 'normal' | 'gap' | 'overlap';
  /** The instants at which clocks show this time, ascending. */
  instants: string[];
  offsets: string[];
}

const vectors: Vector[] = skip ? [] : JSON.parse(readFileSync(file, 'utf8')).vectors;
const name = ({ zone, local, kind }: Vector) => `${zone} ${local} (${kind})`;

test('the vectors are all there, of every kind', { skip }, () => {
  assert.equal(vectors.length, 150);
  assert.deepEqual([...new Set(vectors.map(({ kind }) => kind))].sort(), ['gap', 'normal', 'overlap']);
});

test('a local time has the first of its instants, and none in a gap', { skip }, () => {
  for (const vector of vectors) {
    const instant = instantOfLocal(vector.zone, Temporal.PlainDateTime.from(vector.local));
    assert.equal(instant?.toString(), vector.instants[0], name(vector));
  }
});

test('the clock of a trading day agrees, counted from that midnight and from the one before', {
  skip,
}, () => {
  for (const vector of vectors) {
    const local = Temporal.PlainDateTime.from(vector.local);
    const day = local.toPlainDate();
    const minute = local.hour * 60 + local.minute;
    const [first] = vector.instants;
    // The vectors go by seconds, the trading day by minutes.
    const expected = first && Temporal.Instant.from(first).epochMilliseconds - local.second * 1000;
    assert.equal(dayClock(vector.zone, day.toString()).epochMsOf(minute), expected, name(vector));
    const before = dayClock(vector.zone, day.subtract({ days: 1 }).toString());
    assert.equal(before.epochMsOf(minute + 1440), expected, name(vector));
  }
});

test('each instant shows its local time and the offset that holds then', { skip }, () => {
  for (const vector of vectors) {
    for (const [index, text] of vector.instants.entries()) {
      const epochMs = Temporal.Instant.from(text).epochMilliseconds;
      assert.equal(dateTimeOf(vector.zone, epochMs), `${vector.local}${vector.offsets[index]}`);
      const local = Temporal.PlainDateTime.from(vector.local);
      assert.deepEqual(localOf(vector.zone, epochMs), {
        date: local.toPlainDate().toString(),
        minute: local.hour * 60 + local.minute,
      });
    }
  }
});
