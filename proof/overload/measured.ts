import { cpus } from 'node:os';
import type { ServerProcess } from '../../bench/servers/server-process.ts';
import type { Phase, PhaseResult } from './phase.ts';

/** What came of a phase, and what it cost whom, in processors: 1 is one of them busy all the time. */
export interface Measured extends PhaseResult {
  goodputPerSecond: number;
  nodeProcessors: number;
  generatorProcessors: number;
  /** PostgreSQL, the system and whatever else ran on the machine. */
  otherProcessors: number;
}

export async function measure(
  node: ServerProcess,
  generator: ServerProcess,
  { perSecond, seconds }: Phase,
): Promise<Measured> {
  const before = await spent(node, generator);
  const began = performance.now();
  const response = await fetch(
    new URL(`/?perSecond=${Math.round(perSecond)}&seconds=${seconds}`, generator.address),
  );
  if (!response.ok) throw new Error(await response.text());
  const result = (await response.json()) as PhaseResult;
  const after = await spent(node, generator);
  const elapsedMicroseconds = (performance.now() - began) * 1000;
  const processors = (of: keyof Spent) => (after[of] - before[of]) / elapsedMicroseconds;
  return {
    ...result,
    goodputPerSecond: result.inTime / result.seconds,
    nodeProcessors: processors('node'),
    generatorProcessors: processors('generator'),
    otherProcessors: processors('machine') - processors('node') - processors('generator'),
  };
}

type Spent = Record<'node' | 'generator' | 'machine', number>;

async function spent(node: ServerProcess, generator: ServerProcess): Promise<Spent> {
  const times = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq);
  return {
    node: await node.cpuMicroseconds(),
    generator: await generator.cpuMicroseconds(),
    machine: times.reduce((sum, ms) => sum + ms, 0) * 1000,
  };
}

/** The figure that the generator beside it on the machine does not distort. */
export const goodputPerNodeSecond = ({ goodputPerSecond, nodeProcessors }: Measured) =>
  goodputPerSecond / nodeProcessors;
