import type { Tx } from '../../../db/database.ts';
/** Checks whether a venue in a request can be stored. */
import type { VenueId } from '../../../kernel/ids.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import { isTimeZone } from '../../../kernel/zone-time.ts';
import type { Registry } from '../../../tms/registry.ts';
import type { VenueFields } from '../fields.ts';
import { findSystems, keepOperator, lockHost, lockVenueTypes } from './store.ts';

/** What the operator runs on. */
export async function getSystems(tx: Tx, operatorId: number): Promise<string[]> {
  const systems = await findSystems(tx, operatorId);
  if (!systems) throw problem('OPRTR-N-001', { detail: `There is no operator ${operatorId}.` });
  return systems;
}

export async function assertSystem(
  tx: Tx,
  registry: Registry,
  { operatorId, tms }: { operatorId: number; tms: string },
): Promise<void> {
  await keepOperator(tx, operatorId);
  const systems = await getSystems(tx, operatorId);
  if (systems.length === 0)
    throw problem('BOOK-N-001', { detail: `No system is connected for operator ${operatorId} yet.` });
  if (systems.includes(tms)) return;
  throw problem(isEventSystem(registry, tms) ? 'EVENT-N-001' : 'BOOK-N-003', {
    detail: `Operator ${operatorId} does not use ${tms}, but ${systems.join(', ')}.`,
  });
}

export const isEventSystem = (registry: Registry, tms: string) =>
  registry.capabilityOf(tms) === 'event_ticket';

type Checked = Pick<VenueFields, 'timeZone'> & Partial<Pick<VenueFields, 'website'>>;

/** What a schema cannot check, for single changes and imports alike. */
export function venueFaults({ timeZone, website }: Checked): { field: string; message: string }[] {
  const faults = [];
  if (!isTimeZone(timeZone))
    faults.push({ field: 'timeZone', message: 'must be an IANA time zone such as Europe/London' });
  if (typeof website === 'string' && !isWebAddress(website))
    faults.push({ field: 'website', message: 'must be an address that begins with http:// or https://' });
  return faults;
}

export async function assertVenueFields(tx: Tx, venue: VenueFields): Promise<void> {
  const [fault] = venueFaults(venue);
  if (fault) throw invalid(fault.field, fault.message);
  const { types } = venue;
  const known = await lockVenueTypes(tx, types);
  const unknown = types.filter((type) => !known.includes(type));
  if (unknown.length > 0) throw invalid('types', `must be known venue types, not ${unknown.join(', ')}`);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

interface Hosted {
  operatorId: number;
  tms: string;
  hostVenueId: VenueId | null;
}

/** An event takes place in a venue, and that is the end of it: neither events nor what is hosted host anything. */
export async function assertHost(
  tx: Tx,
  registry: Registry,
  { operatorId, tms, hostVenueId }: Hosted,
): Promise<void> {
  if (hostVenueId === null) return;
  if (!isEventSystem(registry, tms)) throw invalid('hostVenueId', 'is only for events');
  const host = await lockHost(tx, operatorId, hostVenueId);
  if (!host) throw invalid('hostVenueId', `${hostVenueId} is not a venue of this operator`);
  if (host.isHosted || isEventSystem(registry, host.tms))
    throw invalid('hostVenueId', `${host.name} cannot host anything: it is an event itself, or hosted`);
}
