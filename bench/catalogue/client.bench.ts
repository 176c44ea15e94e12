/**
 * What the client for TypeScript costs: calls a second against undici doing the same by hand, with its `fetch`, which the
 * client stands on, and with its `request`, which is the fastest way to call from Node; and the time to load it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Maitred } from '@maitred/client';
import { Agent, request, fetch as undiciFetch } from 'undici';
import { tokenOf } from '../caller.ts';
import { median } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure, Goal } from '../figure.ts';

export const name = 'client';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'clients', 'typescript');
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const CLIENT = 'demo-partner';
const VENUE = '1|house|soho-grill';
const DINNER = `${VENUE}|dinner`;
const DAY = Temporal.Now.plainDateISO().add({ days: 21 }).toString();
const AT_ONCE = 16;
const ROUNDS = 7;
const ROUND_MS = 1200;
const IMPORTS = 15;

type Call = () => Promise<unknown>;

interface Calls {
  client: Call;
  fetch: Call;
  request: Call;
}

export async function run(context: Context): Promise<Figure[]> {
  const { url } = await context.createDatabase({ hasDemo: true });
  const { address } = await context.startOurs(url);
  const token = await tokenOf({ address }, CLIENT);
  const client = new Maitred({
    baseUrl: address.origin,
    clientId: CLIENT,
    clientSecret: `${CLIENT}-secret`,
  });
  const dispatcher = new Agent({ connections: AT_ONCE });
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const byHand = (path: string): Omit<Calls, 'client'> => ({
    fetch: async () => (await undiciFetch(address.origin + path, { dispatcher, headers })).json(),
    request: async () => (await request(address.origin + path, { dispatcher, headers })).body.json(),
  });
  const id = encodeURIComponent(DINNER);
  const query = { date: DAY, partySize: 2 };
  const calls: Record<string, Calls> = {
    venue: {
      client: () => client.venues.get(VENUE),
      ...byHand(`/venues/${encodeURIComponent(VENUE)}`),
    },
    availability: {
      client: () => client.availability.get(DINNER, query),
      ...byHand(`/venues/${id}/availability?${new URLSearchParams({ ...query, partySize: '2' })}`),
    },
  };
  const figures: Figure[] = [];
  for (const [what, each] of Object.entries(calls)) {
    context.progress(`client.${what} …`);
    figures.push(...(await measureCalls(what, each)));
  }
  await dispatcher.close();
  context.progress('client.import …');
  return [...figures, measureImport()];
}

async function measureCalls(what: string, calls: Calls): Promise<Figure[]> {
  const names = ['client', 'fetch', 'request'] as const;
  const rates: Record<keyof Calls, number[]> = { client: [], fetch: [], request: [] };
  for (const side of names) await callsPerSecond(calls[side]);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? names : names.toReversed())
      rates[side].push(await callsPerSecond(calls[side]));
  }
  const figure = (suffix: string, reference: number[], against: string, goal?: Goal): Figure => ({
    name: `client.${what}${suffix}`,
    ours: median(rates.client),
    reference: median(reference),
    unit: 'calls/s',
    against,
    ...(goal && { goal }),
  });
  return [
    figure('', rates.fetch, 'the `fetch` of undici, by hand', { atLeast: 0.8 }),
    figure('.request', rates.request, 'the `request` of undici, by hand and not compressed'),
  ];
}

async function callsPerSecond(call: Call): Promise<number> {
  const beganMs = performance.now();
  let calls = 0;
  const work = async () => {
    while (performance.now() - beganMs < ROUND_MS) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return calls / ((performance.now() - beganMs) / 1000);
}

/** In processes of their own, as the first thing that they do. */
function measureImport(): Figure {
  const folder = mkdtempSync(join(tmpdir(), 'maitred-import-'));
  try {
    execFileSync(process.execPath, [TSC, '-p', PACKAGE, '--outDir', folder]);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const file = pathToFileURL(join(folder, 'index.js')).href;
    const undici = import.meta.resolve('undici');
    const times = { ours: [] as number[], reference: [] as number[] };
    for (let round = 0; round < IMPORTS; round += 1) {
      times.ours.push(importMs(folder, file));
      times.reference.push(importMs(folder, undici));
    }
    return {
      name: 'client.import',
      ours: median(times.ours),
      reference: median(times.reference),
      unit: 'ms',
      against: 'importing undici',
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function importMs(folder: string, module: string): number {
  const program = join(folder, 'measure.mjs');
  const began = 'const began = performance.now();';
  writeFileSync(program, `${began}\nawait import('${module}');\nconsole.log(performance.now() - began);\n`);
  return Number(execFileSync(process.execPath, [program], { encoding: 'utf8' }));
}
