/** `npm run agents -- --seed N --calls M`: see proof/AGENTS.md, which it writes when it makes all calls. */
import { parseArgs } from 'node:util';
import { writeReport } from '../../bench/report.ts';
import { startTestServer } from '../../test/support/databases/database.ts';
import type { Told } from './agent.ts';
import { type Outcome, runAgents } from './agents.ts';

const ALL = 20_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 30)) },
    calls: { type: 'string', default: String(ALL) },
  },
});
const numbers = { seed: Number(values.seed), calls: Number(values.calls) };
const { seed, calls } = numbers;
if (!Object.values(numbers).every((number) => number > 0)) {
  console.error('--seed and --calls are numbers above 0.');
  process.exit(2);
}

const command = `npm run agents -- --seed ${seed} --calls ${calls}`;
console.log(`Seed ${seed}; once more: ${command}`);
const server = await startTestServer();
process.env.MAITRED_TEST_SERVER = server.url;
const beganMs = performance.now();
const outcome = await runAgents({ ...numbers, say: console.log });
const seconds = Math.round((performance.now() - beganMs) / 1000);
await server.stop();
if (calls >= ALL)
  writeReport('proof/AGENTS.md', { title: 'Agents at random', command, body: bodyOf(outcome) });
for (const line of outcome.contradictions) console.error(line);
console.log(`${outcome.told.length} calls in ${seconds} s: ${verdict(outcome)}`);
if (calls < ALL) console.log(bodyOf(outcome));
process.exit(outcome.contradictions.length === 0 ? 0 : 1);

function verdict({ contradictions }: Outcome): string {
  return contradictions.length === 0
    ? 'No contradiction was found.'
    : `${contradictions.length} contradictions were found.`;
}

function bodyOf(outcome: Outcome): string {
  const { told, rows, contradictions } = outcome;
  return `
Seed ${seed}, ${told.length} calls in ${seconds} s. Seven clients of one partner, six of them with a mandate and four agents each, pick calls at random from the tools of \`/mcp\`, the routes of the HTTP interface and those of OCTO, fill them in by their schemas, and send them to two nodes. What asks for a confirmation is sent again with it: once, twice, at the same time, or for something else. A checker of its own looks at the open bookings all the while, and afterwards at every state that a booking, a hold, a reservation and a payment has had.

**${verdict(outcome)}**

${contradictions
  .slice(0, 100)
  .map((line) => `- ${line}`)
  .join('\n')}

## What the checker went through

| table | states of rows |
| --- | ---: |
${Object.entries(rows)
  .map(([table, count]) => `| \`${table}\` | ${count} |`)
  .join('\n')}

## Calls

| over | call | calls | done | beyond the mandate | to be confirmed | otherwise refused |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
${rowsOf(told).join('\n')}

## Refusals

| code | times |
| --- | ---: |
${[...Map.groupBy(told, ({ code }) => code ?? '')]
  .filter(([code]) => code !== '')
  .toSorted(([, some], [, others]) => others.length - some.length)
  .map(([code, refused]) => `| \`${code}\` | ${refused.length} |`)
  .join('\n')}
`;
}

function rowsOf(told: readonly Told[]): string[] {
  return [...Map.groupBy(told, ({ door, call }) => `${door} | \`${call}\``)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, made]) => {
      const count = (holds: (each: Told) => boolean) => made.filter(holds).length;
      const beyond = count(({ code }) => code === 'MANDT-N-001');
      const asked = count(({ code }) => code === 'MANDT-N-002');
      const done = count(({ code, status }) => code === null && status !== null && status < 300);
      return `| ${name} | ${made.length} | ${done} | ${beyond} | ${asked} | ${made.length - done - beyond - asked} |`;
    });
}
