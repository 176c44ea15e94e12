/** `npm run storm -- --seed N --minutes M --nodes K`: see proof/STORM.md, which it writes. */
import { parseArgs } from 'node:util';
import { report, untouched } from './report.ts';
import { runStorm } from './storm.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    minutes: { type: 'string', default: '3' },
    nodes: { type: 'string', default: '3' },
  },
});
const numbers = { seed: Number(values.seed), minutes: Number(values.minutes), nodes: Number(values.nodes) };
const { seed, minutes, nodes } = numbers;
if (!Object.values(numbers).every((number) => number > 0)) {
  console.error('--seed, --minutes and --nodes are numbers above 0.');
  process.exit(2);
}

const command = `npm run storm -- --seed ${seed} --minutes ${minutes} --nodes ${nodes}`;
console.log(`Seed ${seed}; once more: ${command}`);
const options = { seed, nodes, durationMs: minutes * 60_000, gapMs: 4000, bookers: 3, say: console.log };
const outcome = await runStorm(options);
const missed = untouched(outcome.evidence.entries).map((route) => `nobody called ${route}`);
const contradictions = [...outcome.contradictions, ...missed];
report({ ...options, command }, { ...outcome, contradictions });
for (const line of contradictions) console.error(line);
if (outcome.contradictions.length > 0) console.error(`Seed ${seed}; the journal is in ${outcome.folder}.`);
console.log(
  contradictions.length === 0 ? 'No contradiction was found.' : `${contradictions.length} contradictions.`,
);
process.exit(contradictions.length === 0 ? 0 : 1);
