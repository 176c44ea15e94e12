import { goodputPerNodeSecond, type Measured } from './measured.ts';
import { KINDS } from './mix.ts';
import { type Answers, type Latency, PROMPT_MS } from './phase.ts';

/** One after the other, so that they can be compared. */
export interface Round {
  atPeak: Measured;
  beyond: Measured;
}

export interface Findings {
  connections: number;
  steps: Measured[];
  rounds: Round[];
  after: Measured;
}

const GOAL = 0.8;
const whole = (value: number) => Math.round(value).toLocaleString('en-GB');
const tenths = (value: number) => value.toFixed(1);
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const latency = ({ p50, p99, max }: Latency) => `${tenths(p50)} / ${tenths(p99)} / ${tenths(max)}`;
const refusedShare = ({ refused, sent }: Measured) => refused.count / sent;

export function lineOf(measured: Measured): string {
  const { perSecond, goodputPerSecond, refused, nodeProcessors, otherProcessors } = measured;
  return `  ${whole(perSecond)}/s: ${whole(goodputPerSecond)}/s good, ${percent(refusedShare(measured))} refused (p99 ${tenths(refused.fromSentMs.p99)} ms), node ${nodeProcessors.toFixed(2)} and others ${otherProcessors.toFixed(2)} processors`;
}

export function reportOf(findings: Findings): string {
  return [
    verdict(findings),
    howMeasured(findings),
    '## Figures',
    table(findings),
    '## How long answers took',
    latencies(findings),
    '## Coming back',
    comingBack(findings),
  ].join('\n\n');
}

const goodputRatio = ({ atPeak, beyond }: Round) => beyond.goodputPerSecond / atPeak.goodputPerSecond;
const ratioPerNodeSecond = ({ atPeak, beyond }: Round) =>
  goodputPerNodeSecond(beyond) / goodputPerNodeSecond(atPeak);

/** The round whose ratio is the median. */
function middleOf(rounds: readonly Round[]): Round {
  const sorted = rounds.toSorted((a, b) => goodputRatio(a) - goodputRatio(b));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('There was no round.');
  return middle;
}

function verdict({ steps, rounds, after }: Findings): string {
  const middle = middleOf(rounds);
  const ratio = goodputRatio(middle);
  const ratios = rounds.map((round) => percent(goodputRatio(round))).join(', ');
  const ever = Math.max(...[...steps, ...rounds.map(({ atPeak }) => atPeak)].map((m) => m.goodputPerSecond));
  const refused = rounds.reduce((sum, { beyond }) => sum + beyond.refused.count, 0);
  const late =
    rounds.reduce((sum, { beyond }) => sum + beyond.refused.count * beyond.lateRefusals, 0) / refused;
  const isMet = (met: boolean) => (met ? 'met' : '**missed**');
  const [first] = after.bySecond;
  return [
    `- Goodput at five times the peak: ${whole(middle.beyond.goodputPerSecond)} of ${whole(middle.atPeak.goodputPerSecond)} answers of 2xx a second, **${percent(ratio)}** (goal: at least 80 %; ${isMet(ratio >= GOAL)}), the median of ${ratios}. Per second of the node’s processor time: ${percent(ratioPerNodeSecond(middle))}. Against the best few seconds of the whole run, ${whole(ever)} a second: ${percent(middle.beyond.goodputPerSecond / ever)}.`,
    `- The rest: ${percent(refusedShare(middle.beyond))} were refused with 503, **${percent(1 - late)} of them within ${PROMPT_MS} ms** of being sent (${isMet(late < 0.01)} for 99 of a hundred). No request was left without an answer, and none was answered with anything but 200, 201, 429 or 503: the run would have ended there.`,
    `- Afterwards, at half of the peak: ${whole(first?.refused ?? 0)} of ${whole((first?.accepted ?? 0) + (first?.refused ?? 0))} requests of the first second refused (goal: none; ${isMet(first?.refused === 0)}).`,
  ].join('\n');
}

function howMeasured({ connections }: Findings): string {
  const mix = KINDS.map(({ name, share }) => `${share} % ${name}`).join(', ');
  return `One node (\`ROLE=api\`, default settings, a rate limit that is never reached) and one PostgreSQL. A generator in a process of its own sends by a schedule with the gaps of chance, whether or not earlier requests have been answered, over ${connections} connections that stay open, one request at a time on each; what finds none free waits for one. Five partners sell the same fifty venues. The mix: ${mix}. Every booking is at a place of its own. The load rises by a quarter until goodput no longer does; the load with the most is the peak. That load and five times the most goodput then take turns, five seconds each: the machine is faster at one moment than at the next, and what counts is the ratio within a round. Goodput counts answers of 2xx that arrive before the phase ends.

Generator, node and PostgreSQL share the processors, and whatever else runs on the machine does too: the table shows who had how much. What the generator takes at five times the load is missing elsewhere, which is why goodput is also given per second of the node’s own processor time.`;
}

function table({ steps, rounds, after }: Findings): string {
  const row = (name: string, m: Measured) =>
    `| ${name} | ${whole(m.perSecond)} | ${whole(m.goodputPerSecond)} | ${percent(refusedShare(m))} | ${whole(goodputPerNodeSecond(m))} | ${m.nodeProcessors.toFixed(2)} | ${m.generatorProcessors.toFixed(2)} | ${m.otherProcessors.toFixed(2)} |`;
  return [
    '| phase | requests/s | goodput/s | refused | goodput per node-second | node | generator | PostgreSQL and others |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...steps.map((step) => row('rising', step)),
    ...rounds.flatMap(({ atPeak, beyond }) => [row('peak', atPeak), row('**five times**', beyond)]),
    row('half', after),
    '',
    'The last three columns are processors kept busy.',
  ].join('\n');
}

function latencies({ rounds, after }: Findings): string {
  const { atPeak, beyond } = middleOf(rounds);
  const row = (name: string, { count, fromSentMs, fromDueMs }: Answers) =>
    `| ${name} | ${whole(count)} | ${latency(fromSentMs)} | ${latency(fromDueMs)} |`;
  return [
    'In milliseconds, p50 / p99 / max. From sent: from when the bytes of the request were handed to the system, until the last byte of the answer was read. From due: from when the schedule wanted it sent, so that what the generator itself is late by, and waiting for a free connection, is part of it. Those of the peak and beyond are of the round that is the median.',
    '',
    '| answers | count | from sent | from due |',
    '| --- | ---: | ---: | ---: |',
    row('accepted at the peak', atPeak.accepted),
    row('accepted at five times', beyond.accepted),
    row('refused at five times', beyond.refused),
    row('accepted afterwards', after.accepted),
  ].join('\n');
}

function comingBack({ after }: Findings): string {
  return [
    '| second | accepted | refused |',
    '| ---: | ---: | ---: |',
    ...after.bySecond.map(({ accepted, refused }, index) => `| ${index + 1} | ${accepted} | ${refused} |`),
  ].join('\n');
}
