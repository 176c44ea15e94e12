/** Paths with ids in them: mostly real ones, some of somebody else, some of nobody, some that are none. */
import { type Caller, isPlatform } from '../callers.ts';
import type { Chances } from '../chances.ts';
import type { Operation } from '../document.ts';
import { KIND_OF, type Known, viewOf } from '../known.ts';
import { encoded, HOSTILE_IDS, hostileText } from './hostile-values.ts';

/** An operator that is there to be ruined: whatever could stop others from booking is done to it alone. */
export interface Victim {
  operatorId: number;
  /** A partner of its own, with developers and clients. */
  partnerId: number;
}

export interface Asking {
  chances: Chances;
  known: Known;
  victim: Victim;
  operation: Operation;
  caller: Caller;
  /** The only venue that it may be about. */
  venueId?: string;
  /** Headers that are tried besides those that every request may have. */
  moreHeaders?: readonly string[];
}

export interface Address {
  /** Decoded, for learning. */
  plain: string;
  /** As it is sent. */
  encoded: string;
  /** Whose things it is about, where that can be told. */
  operatorId: number;
}

/** Work with bookings and texts that leaves an operator as it was; everything else goes to the victim. */
export const isHarmless = ({ method, path }: Operation) =>
  method === 'GET' || /\/bookings\/|site-faqs|dry-run/.test(path) || !path.startsWith('/manage');

function operatorFor({ chances, caller, operation, victim }: Asking): number {
  const own = typeof caller.sight === 'object' && 'operatorId' in caller.sight ? caller.sight.operatorId : 1;
  if (!isHarmless(operation)) return victim.operatorId;
  if (isPlatform(caller)) return chances.happens(0.6) ? victim.operatorId : 1;
  return chances.happens(0.9) ? own : chances.pick([1, 2, victim.operatorId]);
}

export function addressOf(asking: Asking, isHostile: boolean): Address {
  const { operation } = asking;
  const operatorId = operatorFor(asking);
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const twisted = isHostile && names.length > 0 ? asking.chances.pick(names) : undefined;
  let plain = '';
  for (const segment of operation.path.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    const value =
      name === undefined
        ? segment
        : name === twisted
          ? twistedId(asking, plain, name)
          : idFor(asking, plain, name, operatorId);
    plain += `/${value.replaceAll('/', '\u2215')}`;
  }
  const path = plain.split('/').map(encoded).join('/');
  const named = /\/(\d+)\|/.exec(plain)?.[1];
  return { plain, encoded: path, operatorId: named ? Number(named) : operatorId };
}

function idFor(asking: Asking, before: string, name: string, operatorId: number): string {
  const { chances, known, operation, caller } = asking;
  if (!before.startsWith('/manage')) {
    const kind = KIND_OF[name] ?? name;
    return chances.maybe(known.in(`${viewOf(caller)} ${kind}`)) ?? absentId(asking, name);
  }
  if (name === 'number') return String(1 + chances.below(3));
  if (name === 'tms') return chances.pick(['house', 'tickets', ...(known.in('/manage/systems') ?? [])]);
  if (name === 'partnerId' && /partners$/.test(before) && operation.path !== '/manage/partners/{partnerId}')
    return partnerFor(asking);
  const mayRuin = operation.method === 'GET' || operation.method === 'POST';
  if (
    name === 'operatorId' &&
    (!/operators$/.test(before) || operation.path !== '/manage/operators/{operatorId}' || mayRuin)
  )
    return String(operatorId);
  if (name === 'venueId' && asking.venueId) return asking.venueId;
  const collection = collectionOf(before, name, operatorId);
  const usable = known
    .in(collection)
    .filter((id) => operation.method === 'GET' || !known.isProtected(collection, id));
  const fitting = name === 'venueId' ? usable.filter((id) => isOfItsSystem(operation, id)) : usable;
  return chances.maybe(fitting) ?? absentId(asking, name);
}

/** Developers change what belongs to the victim, and read what belongs to any partner. */
function partnerFor({ chances, known, operation, victim }: Asking): string {
  const isRead = operation.method === 'GET';
  if (chances.happens(isRead ? 0.5 : 0.8)) return String(victim.partnerId);
  if (isRead) return chances.pick(['1', '2']);
  const others = known.in('/manage/partners').filter((id) => !known.isProtected('/manage/partners', id));
  return chances.maybe(others) ?? String(victim.partnerId);
}

/** Events have occurrences, and houses have everything else. */
const isOfItsSystem = ({ path }: Operation, venueId: string) =>
  path.includes('/occurrences') === venueId.includes('|tickets|');

/** Where the ids of a parameter are kept; for some it is not the address that they follow. */
function collectionOf(before: string, name: string, operatorId: number): string {
  if (name === 'venueId') return `/manage/operators/${operatorId}/venues`;
  const venueId = /\/(\d+\|[^/]+)/.exec(before)?.[1];
  if (name === 'productKey' && venueId) return `/manage/venues/${venueId}/products`;
  if (name === 'categoryId')
    return `/manage/operators/${venueId?.split('|')[0] ?? operatorId}/partner-categories`;
  if (name === 'partnerId' && /\/(scope|operators)\//.test(before)) return '/manage/partners';
  return before;
}

function absentId({ chances }: Asking, name: string): string {
  if (name === 'code') return chances.pick(['VALID-N-001', 'AVAIL-N-005', 'BOOK-N-999']);
  if (name === 'slug' || name === 'productKey' || name === 'clientId') return chances.word();
  if (/^(booking|order|webhook|delivery|event|rule|user|invite|upload|secret|entry)Id$/.test(name))
    return chances.uuid();
  if (name === 'compositeId') return `1|house|soho-grill|${chances.word()}`;
  if (/^venue/.test(name)) return `1|house|${chances.word()}`;
  return String(1_000_000_000 + chances.below(1_000_000_000));
}

function twistedId(asking: Asking, before: string, name: string): string {
  const { chances, known, caller } = asking;
  const collection = before.startsWith('/manage') ? before : `${viewOf(caller)} ${KIND_OF[name] ?? name}`;
  // The platform owns everything, so to it nothing is foreign: it would be let in.
  const mayTryForeign = !isPlatform(caller) || asking.operation.method === 'GET';
  const foreign = mayTryForeign ? known.elsewhere(collection) : [];
  if (foreign.length > 0 && chances.happens(0.5)) return chances.pick(foreign);
  if (chances.happens(0.3)) return absentId(asking, name);
  const text = chances.happens(0.5) ? chances.pick(HOSTILE_IDS) : hostileText(chances);
  return text === '' || text === '.' || text === '..' ? ' ' : text.slice(0, 400);
}
