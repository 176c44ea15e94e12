/** How much memory it takes to read a large catalogue from a system, against a tenth of it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';

export const name = 'catalogue';

const MANY = 500;
const FEW = 50;
const PRODUCTS = 20;

/** Heaps in megabytes, after garbage collection where it says at rest. */
interface Measured {
  before: number;
  after: number;
  peak: number;
  seconds: number;
}

export async function run(context: Context): Promise<Figure[]> {
  context.progress(`catalogue.memory: ${MANY * PRODUCTS} products against ${FEW * PRODUCTS} …`);
  const few = await measure(context, FEW);
  const many = await measure(context, MANY);
  const growth = ({ before, peak }: Measured) => peak - before;
  context.progress(
    `${MANY} venues: heap ${many.before} MB before, ${many.after} MB after, ${many.peak} MB at most, ${many.seconds} s; ` +
      `${FEW} venues: ${few.before}, ${few.after} and ${few.peak} MB, ${few.seconds} s.`,
  );
  const against = `a catalogue of ${FEW * PRODUCTS} products instead of ${MANY * PRODUCTS}`;
  return [
    {
      name: 'catalogue.memory',
      ours: many.peak,
      reference: few.peak,
      unit: 'MB of live heap at most',
      against,
      goal: { atMost: 1.25 },
    },
    {
      name: 'catalogue.growth',
      ours: growth(many),
      reference: growth(few),
      unit: 'MB above the heap before',
      against,
    },
    {
      name: 'catalogue.speed',
      ours: (MANY * PRODUCTS) / many.seconds,
      reference: (FEW * PRODUCTS) / few.seconds,
      unit: 'products read and compared a second',
      against,
    },
  ];
}

/** Each in a process and a database of its own. */
async function measure(context: Context, venues: number): Promise<Measured> {
  const { url } = await context.createDatabase();
  const program = join(import.meta.dirname, 'catalogue-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    program,
    url,
    String(venues),
    String(PRODUCTS),
  ]);
  return JSON.parse(stdout);
}
