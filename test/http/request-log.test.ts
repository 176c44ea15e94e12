import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { logOptions } from '../../src/http/observability/logging.ts';
import { type Answered, logAnswered } from '../../src/http/observability/request-log.ts';
import { startTestApp } from '../support/app.ts';

/** A log like the node's, but for a clock that stands still. */
function stillLog(level = 'info') {
  const lines: string[] = [];
  const options = { ...logOptions(level), timestamp: () => ',"time":1794718958000' };
  const log = pino(options, { write: (line) => void lines.push(line) });
  return { log: log as FastifyBaseLogger, lines };
}

const text = fc.string({ unit: 'binary' });
const answers: fc.Arbitrary<Answered> = fc.record({
  correlationId: text,
  method: text,
  route: text,
  status: fc.integer({ min: 100, max: 599 }),
  durationMs: fc.integer({ min: 0, max: 10_000_000 }).map((tenths) => tenths / 10),
  clientId: fc.option(text, { nil: undefined }),
  code: fc.option(text, { nil: undefined }),
});

test('the line about an answer is what pino would have written', () => {
  const { log, lines } = stillLog();
  fc.assert(
    fc.property(answers, (answered) => {
      lines.length = 0;
      logAnswered(log, answered);
      log.info(answered, 'answered');
      assert.equal(lines.length, 2);
      assert.equal(lines[0], lines[1]);
    }),
  );
});

test('a log that leaves out information leaves out the lines about answers', () => {
  const { log, lines } = stillLog('warn');
  const [answered] = fc.sample(answers, 1) as [Answered];
  logAnswered(log, answered);
  assert.deepEqual(lines, []);
});

test('the line about an answer names the client that called, under /manage too', async (t) => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const maitred = await startTestApp({ config: { logLevel: 'info' }, deps: { logStream } });
  t.after(() => maitred.close());
  await maitred.call('/venues');
  await maitred.call('/manage/operators/1/bookings', { as: 'demo-operator' });
  const answered = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered');
  const clientAt = (route: string) => answered.find((line) => line.route === route)?.clientId;
  assert.equal(clientAt('/venues'), 'demo-partner');
  assert.equal(clientAt('/manage/operators/:operatorId/bookings'), 'demo-operator');
});
