/** Somebody of the platform who builds an operator up from nothing, reads all of it back, and takes it down again. */
import { type Caller, insist, type Told } from './caller.ts';
import { BUILDING, type Known, MOVING, type Step, TEARING_DOWN } from './curated.ts';

/** One round after the other, each with an operator, a partner and systems of its own. */
export async function keepCurating(
  caller: Caller,
  urls: { receiverUrl: string; systemUrl: string },
): Promise<void> {
  for (let round = 1; !caller.stage.isOver(); round += 1) {
    const known: Known = { ...FIXED, ...urls, name: `${caller.name}-${round}` };
    for (const step of [...BUILDING, ...TEARING_DOWN, ...MOVING]) {
      if (caller.stage.isOver()) return;
      await carryOut(caller, step, known);
      await caller.rest(60);
    }
  }
}

const FIXED = { tms: 'house', productKey: 'dinner', slug: 'restaurant', number: 1 };

/** A step whose ids are not known, because an earlier one came to nothing, is left out. */
async function carryOut(caller: Caller, step: Step, known: Known): Promise<void> {
  const { route, body, raw, query, keeps = {}, version } = step;
  const params = paramsOf(route, { ...known, ...step.with?.(known) });
  if (!params) return;
  const sent = body?.(known);
  if (body && sent === undefined) return;
  const told: Told = await insist(caller, {
    ...{ route, params, keep: true },
    ...(sent !== undefined && { body: sent }),
    ...(raw && { raw: { type: 'application/octet-stream', bytes: raw(known) } }),
    ...(query && { query }),
    ...(version && typeof known[version] === 'string' && { headers: { 'if-match': known[version] } }),
  });
  if (told.status === null || told.status >= 300) return;
  for (const [name, member] of Object.entries(keeps))
    known[name] = member === '' ? told.answer : told.answer?.[member];
}

function paramsOf(route: string, known: Known): Record<string, string | number> | undefined {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const found = names.map((name) => [name, known[name]] as const);
  if (found.some(([, value]) => value === undefined || value === null)) return undefined;
  return Object.fromEntries(found) as Record<string, string | number>;
}
