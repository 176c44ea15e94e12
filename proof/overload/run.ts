/**
 * `npm run overload`: what is left of a node at five times the load that it can do. Finds the peak, goes far beyond
 * it, comes back, and writes `proof/OVERLOAD.md`. `--profile=<folder>` writes processor profiles of the node.
 */
import { parseArgs } from 'node:util';
import { withContext } from '../../bench/context.ts';
import { writeReport } from '../../bench/report.ts';
import { type ServerProcess, startServer } from '../../bench/servers/server-process.ts';
import { startTestServer } from '../../test/support/databases/database.ts';
import type { GeneratorSetup } from './generator.ts';
import { type Measured, measure } from './measured.ts';
import type { Phase } from './phase.ts';
import { type Findings, lineOf, type Round, reportOf } from './report.ts';
import { startWorld } from './world.ts';

const CONNECTIONS = 400;
const TIMES = 5;
const FIRST_PER_SECOND = 400;
const STEP = 1.25;
/** A step that brings less than this brings nothing; after two of them the peak is behind. */
const WORTHWHILE = 1.03;
const STEPS_IN_VAIN = 2;
const ROUNDS = 5;

const { values: options } = parseArgs({ options: { profile: { type: 'string' } } });
const progress = (line: string) => console.error(line);

// Leaving by `exit` is what makes the database server and the temporary folders go too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
progress('Starting a database server …');
const server = await startTestServer({ isDurable: true });
process.env.MAITRED_TEST_SERVER = server.url;
try {
  const findings = await withContext({ progress, profileFolder: options.profile }, async (context) => {
    const { node, partners } = await startWorld(context);
    const setup: GeneratorSetup = { address: node.address.href, connections: CONNECTIONS, partners };
    const generator = await startServer('../../proof/overload/generator.ts', { logFile: '/dev/null', setup });
    try {
      return await overload(node, generator);
    } finally {
      await generator.stop();
    }
  });
  writeReport('proof/OVERLOAD.md', {
    title: 'At five times the load',
    command: 'npm run overload',
    body: reportOf(findings),
  });
} finally {
  await server.stop();
}

async function overload(node: ServerProcess, generator: ServerProcess): Promise<Findings> {
  const run = async (phase: Phase): Promise<Measured> => {
    const measured = await measure(node, generator, phase);
    progress(lineOf(measured));
    return measured;
  };
  progress('Warming up …');
  await run({ perSecond: FIRST_PER_SECOND, seconds: 5 });
  progress('Looking for the peak …');
  const steps = await climb((perSecond) => run({ perSecond, seconds: 4 }));
  const best = steps.reduce((a, b) => (b.goodputPerSecond > a.goodputPerSecond ? b : a));
  const bestPerSecond = best.goodputPerSecond;
  // In turns, so that a machine that is faster at one moment than at the next is so for both.
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    progress(`The peak and ${TIMES} times as much, ${round} of ${ROUNDS} …`);
    const atPeak = await run({ perSecond: best.perSecond, seconds: 5 });
    const beyond = await run({ perSecond: bestPerSecond * TIMES, seconds: 5 });
    rounds.push({ atPeak, beyond });
  }
  progress('Half as much …');
  const after = await run({ perSecond: bestPerSecond / 2, seconds: 5 });
  return { connections: CONNECTIONS, steps, rounds, after };
}

/** More and more, until it brings nothing. */
async function climb(run: (perSecond: number) => Promise<Measured>): Promise<Measured[]> {
  const steps: Measured[] = [];
  let best = 0;
  let inVain = 0;
  for (let perSecond = FIRST_PER_SECOND; inVain < STEPS_IN_VAIN; perSecond *= STEP) {
    const step = await run(perSecond);
    steps.push(step);
    inVain = step.goodputPerSecond < best * WORTHWHILE ? inVain + 1 : 0;
    best = Math.max(best, step.goodputPerSecond);
  }
  return steps;
}
