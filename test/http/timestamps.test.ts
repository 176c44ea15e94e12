import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { timestampText } from '../../src/db/database.ts';
import { timestampOf } from '../../src/kernel/clock.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { respelt } from '../support/respelt.ts';
import { oddTimestamps } from '../support/timestamps.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

test('a timestamp has three digits of a second, cut and not rounded, here and in SQL', async () => {
  const written: [instant: string, text: string][] = [
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.6Z', '2026-01-02T03:04:05.600Z'],
    ['2026-01-02T03:04:05.678999Z', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04:05.999999Z', '2026-01-02T03:04:05.999Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ];
  for (const [text, expected] of written) {
    const instant = Temporal.Instant.from(text);
    assert.equal(timestampOf(instant), expected);
    const [row] = await maitred.sql`
      select ${timestampText(maitred.sql, 'at')} as text from (select ${instant}::timestamptz as at) as one`;
    assert.equal(row?.text, expected);
  }
});

test('changes of a venue that follow each other at once have later and later times, as texts too', async () => {
  const times: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    await maitred.sql`update venue set name = name where id = '1|house|soho-grill'`;
    const path = `/venues/${respelt('1|house|soho-grill', count + 1)}`;
    times.push((await maitred.call(path)).json.updated_at);
  }
  assert.deepEqual(times, [...new Set(times)].sort());
  assert.equal(times.length, 20);
});

test('a change of a venue many times in one transaction is later each time', async () => {
  const rows = await maitred.sql.begin(async (tx) => {
    const seen: { at: Temporal.Instant }[] = [];
    for (let count = 0; count < 20; count += 1) {
      const [row] = await tx<{ at: Temporal.Instant }[]>`
        update venue set name = name where id = '1|house|soho-grill' returning updated_at as at`;
      if (row) seen.push(row);
    }
    return seen;
  });
  const texts = rows.map(({ at }) => timestampOf(at));
  assert.deepEqual(texts, [...new Set(texts)].sort());
  for (const [index, { at }] of rows.entries())
    assert.equal(String(at.round('millisecond')), String(at), `${index}`);
});

test('the examples of answers in the reference have the same form', () => {
  const { paths = {} } = maitred.app.swagger() as {
    paths?: Record<string, Record<string, { responses?: object }>>;
  };
  const responses = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { responses: answers }]) => [`${method} ${path}`, answers] as const,
    ),
  );
  assert.ok(responses.length > 100);
  assert.deepEqual(
    responses.flatMap(([operation, answers]) => oddTimestamps(answers, operation)),
    [],
  );
});
