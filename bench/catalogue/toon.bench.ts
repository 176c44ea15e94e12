/** What an answer in TOON costs against the same in JSON: made of its document, and of a day's slots also as answered. */
import { render } from '../../src/http/format/render.ts';
import { inTurns } from '../availability/slots.ts';
import { tokenOf } from '../caller.ts';
import { compare, type Side, UNDER_LOAD } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import { getRequest } from '../load.ts';
import type { ServerProcess } from '../servers/server-process.ts';

export const name = 'toon';

const CLIENT = 'demo-partner';
const DAY = Temporal.Now.plainDateISO().add({ days: 7 }).toString();
const VENUES = '/venues';
const SLOTS = `/venues/1%7Chouse%7Csoho-grill%7Cdinner/availability?date=${DAY}&partySize=2`;
const GOAL = { atMost: 4 };

interface Node {
  server: ServerProcess;
  authorization: string;
}

export async function run(context: Context): Promise<Figure[]> {
  const { url } = await context.createDatabase();
  const server = await context.startOurs(url);
  const node = { server, authorization: `Bearer ${await tokenOf(server, CLIENT)}` };
  context.progress('toon …');
  return [
    await measureRendering('toon.venues', 50, await read(node, VENUES)),
    await measureRendering('toon.slots', 1000, await read(node, SLOTS)),
    await measureAnswers(node),
  ];
}

async function read({ server, authorization }: Node, path: string): Promise<unknown> {
  const response = await fetch(new URL(path, server.address), { headers: { authorization } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

/** The bytes of an answer with their tag, which is what both forms are kept and sent as. */
async function measureRendering(figure: string, times: number, document: unknown): Promise<Figure> {
  const taken = await inTurns(
    times,
    () => render(document, 'toon'),
    () => render(document, 'json'),
  );
  const { length } = render(document, 'json').body;
  return { name: figure, ...taken, unit: 'ms', against: `the same ${length} bytes as JSON`, goal: GOAL };
}

async function measureAnswers({ server, authorization }: Node): Promise<Figure> {
  const sideOf = (accept: string): Side => {
    const bytes = getRequest(SLOTS, { authorization, accept });
    return { server, nextRequest: () => bytes };
  };
  const { ours, reference } = await compare(sideOf('text/toon'), sideOf('application/json'), UNDER_LOAD);
  return {
    name: 'toon.slots.answers',
    ours: ours.cpuMicrosecondsPerRequest,
    reference: reference.cpuMicrosecondsPerRequest,
    unit: 'CPU µs/request',
    against: 'the same requests for JSON',
    goal: GOAL,
  };
}
