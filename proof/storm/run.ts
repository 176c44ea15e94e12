/** `npm run storm -- --seeds N,N,… --minutes M --nodes K`: see proof/STORM.md, which it writes. */
import { parseArgs } from 'node:util';
import { type Run, report, untouched } from './report.ts';
import { runStorm } from './storm.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    minutes: { type: 'string', default: '3' },
    nodes: { type: 'string', default: '3' },
  },
});
const seeds = (values.seed ?? values.seeds).split(',').map(Number);
const numbers = { minutes: Number(values.minutes), nodes: Number(values.nodes) };
const { minutes, nodes } = numbers;
if (![...seeds, minutes, nodes].every((number) => number > 0)) {
  console.error('--seeds, --minutes and --nodes are numbers above 0; seeds with commas between them.');
  process.exit(2);
}

const runs: Run[] = [];
for (const seed of seeds) {
  console.log(
    `Seed ${seed}; once more: npm run storm -- --seeds ${seed} --minutes ${minutes} --nodes ${nodes}`,
  );
  const options = {
    seed,
    nodes,
    durationMs: minutes * 60_000,
    gapMs: 4000,
    bookers: 3,
    say: console.log,
  };
  const outcome = await runStorm(options);
  runs.push({ seed, outcome });
  for (const line of outcome.contradictions) console.error(line);
  if (outcome.contradictions.length > 0) console.error(`Seed ${seed}; the journal is in ${outcome.folder}.`);
  writeAll();
}
const found = contradictionsOf();
console.log(found.length === 0 ? 'No contradiction was found.' : `${found.length} contradictions.`);
process.exit(found.length === 0 ? 0 : 1);

function contradictionsOf(): string[] {
  const missed = untouched(runs.map(({ outcome }) => outcome)).map((what) => `nobody called ${what}`);
  return [
    ...runs.flatMap(({ seed, outcome }) => outcome.contradictions.map((line) => `seed ${seed}: ${line}`)),
    ...missed,
  ];
}

/** After each storm, so that those that are over are not lost with one that is cut short. */
function writeAll(): void {
  const done = runs.map(({ seed }) => seed).join(',');
  const command = `npm run storm -- --seeds ${done} --minutes ${minutes} --nodes ${nodes}`;
  const contradictions = contradictionsOf();
  for (const line of contradictions.filter((each) => each.startsWith('nobody'))) console.error(line);
  report({ command, minutes, nodes, runs, contradictions });
}
