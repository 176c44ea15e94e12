/** The short version of `npm run agents`, and what its checker says where mandates are not enforced. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Told } from '../proof/agents/agent.ts';
import { runAgents } from '../proof/agents/agents.ts';
import { repeats } from './support/repeats.ts';

const SEED = Number(process.env.AGENTS_SEED ?? 25);
const CALLS = repeats(4000, 600);
/** So many that every limit is passed by somebody. */
const CALLS_OF_CONTROL = 900;

const isDone = ({ status, code }: Told) => status !== null && status < 300 && code === null;

test('agents that call at random get no failure, and nothing beyond their mandates', async (t) => {
  t.diagnostic(`AGENTS_SEED=${SEED}`);
  const { told, contradictions, rows } = await runAgents({ seed: SEED, calls: CALLS });
  t.diagnostic(`${told.length} calls, states of rows: ${JSON.stringify(rows)}`);
  assert.deepEqual(contradictions, []);
  for (const door of ['http', 'octo', 'mcp'] as const) {
    const made = told.filter((each) => each.door === door && each.isMaking && isDone(each));
    assert.ok(made.length > 10, `${made.length} things were made over ${door}`);
    assert.ok(
      told.some((each) => each.door === door && each.code === 'MANDT-N-001'),
      door,
    );
  }
  assert.ok(told.some(({ asked }) => asked));
  assert.ok((rows.mandate_confirmation ?? 0) > 0, 'some were confirmed');
});

test('the checker notices each limit that the service does not know', async () => {
  const { contradictions } = await runAgents({
    ...{ seed: SEED, calls: CALLS_OF_CONTROL },
    granted: () => undefined,
  });
  const said = contradictions.join('\n');
  for (const limit of ['maxPartySize', 'maxDaysAhead', 'maxDepositPence', 'venueIds', 'cities'])
    assert.match(said, new RegExp(`^booking \\S+ of \\S+ is beyond ${limit}`, 'm'));
  assert.match(said, /^hold \S+ of \S+ is beyond /m);
  assert.match(said, /^small is seen with more than 3 open bookings at once$/m);
  assert.match(said, /^small had more than 3 open bookings with /m);
  assert.match(said, /^counted has made \d+ bookings in a day, and may make 20$/m);
  assert.match(said, /^careful had 0 confirmations for \d+ stays of /m);
});
