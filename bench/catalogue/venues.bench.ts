/** Reading the catalogue from memory, against a route that sends the same bytes and knows nothing. */
import { tokenOf } from '../caller.ts';
import { compare, UNDER_LOAD } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure, Goal } from '../figure.ts';
import { getRequest } from '../load.ts';
import type { ServerProcess } from '../servers/server-process.ts';

export const name = 'venues';

interface Read {
  name: string;
  path: string;
  headers?: Record<string, string>;
  goal?: Goal;
}

const READS: Read[] = [
  { name: 'venues.page', path: '/venues', goal: { atLeast: 0.7 } },
  { name: 'venues.one', path: '/venues/1%7Chouse%7Csoho-grill', goal: { atLeast: 0.6 } },
  { name: 'venues.page.fields', path: '/venues?fields=id,name' },
  { name: 'venues.page.toon', path: '/venues', headers: { accept: 'text/toon' } },
];

export async function run(context: Context): Promise<Figure[]> {
  const database = await context.createDatabase();
  const ours = await context.startOurs(database.url);
  const authorization = `Bearer ${await tokenOf(ours, 'demo-partner')}`;
  const figures: Figure[] = [];
  for (const read of READS) {
    context.progress(`${read.name} …`);
    figures.push(...(await measureRead(context, ours, read, authorization)));
  }
  return figures;
}

export async function measureRead(
  context: Context,
  ours: ServerProcess,
  read: Read,
  authorization: string,
): Promise<Figure[]> {
  const headers = { ...read.headers, authorization };
  const response = await fetch(new URL(read.path, ours.address), { headers });
  const body = await response.bytes();
  if (!response.ok) throw new Error(`${read.path}: ${response.status}`);
  const bare = await context.startBare({
    contentType: response.headers.get('content-type') ?? '',
    body,
  });
  const ask = (path: string) => {
    const bytes = getRequest(path, headers);
    return () => bytes;
  };
  const measured = await compare(
    { server: ours, nextRequest: ask(read.path) },
    { server: bare, nextRequest: ask('/') },
    UNDER_LOAD,
  );
  await bare.stop();
  const against = `bare Fastify route, same ${body.length} bytes`;
  context.progress(
    `  processors busy: ours ${measured.ours.busyProcessors.toFixed(2)}, reference ${measured.reference.busyProcessors.toFixed(2)}`,
  );
  return [
    {
      name: read.name,
      ours: measured.ours.requestsPerSecond,
      reference: measured.reference.requestsPerSecond,
      unit: 'requests/s',
      against,
      ...(read.goal && { goal: read.goal }),
    },
    {
      name: `${read.name}.cpu`,
      ours: measured.ours.cpuMicrosecondsPerRequest,
      reference: measured.reference.cpuMicrosecondsPerRequest,
      unit: 'CPU µs/request',
      against,
    },
  ];
}
