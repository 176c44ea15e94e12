/**
 * `npm run money -- --seed N --histories M`: random histories of payments, with a Stripe of our own that misbehaves and
 * nodes that die; see proof/MONEY.md, which it writes when it runs all of them.
 */
import { parseArgs } from 'node:util';
import { writeReport } from '../../bench/report.ts';
import { type Outcome, runHistories } from './histories.ts';

const ALL = 1000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 30)) },
    histories: { type: 'string', default: String(ALL) },
  },
});
const numbers = { seed: Number(values.seed), histories: Number(values.histories) };
const { seed, histories } = numbers;
if (!Object.values(numbers).every((number) => number > 0)) {
  console.error('--seed and --histories are numbers above 0.');
  process.exit(2);
}

const command = `npm run money -- --seed ${seed} --histories ${histories}`;
console.log(`Seed ${seed}; once more: ${command}`);
const beganMs = performance.now();
const outcome = await runHistories({ ...numbers, say: console.log });
const seconds = Math.round((performance.now() - beganMs) / 1000);
if (histories === ALL)
  writeReport('proof/MONEY.md', { title: 'Money under faults', command, body: bodyOf(outcome) });
console.log(`${outcome.histories} histories in ${seconds} s: ${verdict(outcome)}`);
process.exit(outcome.contradictions.length === 0 ? 0 : 1);

function verdict({ contradictions }: Outcome): string {
  return contradictions.length === 0
    ? 'No contradiction was found.'
    : `${contradictions.length} contradictions.`;
}

function bodyOf({ counts, contradictions, takenPence, returnedPence }: Outcome): string {
  const pounds = (pence: number) => `£${(pence / 100).toFixed(2)}`;
  const rows = (isShown: (name: string) => boolean) =>
    Object.entries(counts)
      .filter(([name]) => isShown(name))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, count]) => `| ${name} | ${count} |`)
      .join('\n');
  const isFault = (name: string) => /^(?:open|confirm|find|capture|cancel|refund|list): /.test(name);
  const isAnswer = (name: string) => name.startsWith('paying: ');
  return `
Seed ${seed}, ${histories} histories in ${seconds} s, ${counts.deaths ?? 0} deaths of nodes. Each is a booking whose partner pays, repeats itself, amends and cancels, whose guest authenticates or pays on a page, and whose bank decides late, while calls to Stripe are lost before or after they are carried out, come late or twice, and notifications come before the answer, twice, in the wrong order or never. Half of the bookings are confirmed only by their deposit. Then everything works again, jobs run until nothing is left to do, and the books are compared.

**${verdict({ contradictions } as Outcome)}** Stripe has taken ${pounds(takenPence)} and given back ${pounds(returnedPence)}; the ledger has the same, payment by payment and refund by refund.

${contradictions.map((line) => `- ${line}`).join('\n')}

## What happened

| what | times |
| --- | --- |
${rows((name) => !isFault(name) && !isAnswer(name))}

## What callers were told when they paid

| answer | times |
| --- | --- |
${rows(isAnswer)}

## Calls to Stripe that went wrong

| call: fault | times |
| --- | --- |
${rows(isFault)}`;
}
