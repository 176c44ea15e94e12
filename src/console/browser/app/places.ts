/** The operators and venues that the user can choose from, and which of them the address is about. */
import { computed, signal } from '@preact/signals';
import { api, path } from './api.ts';
import type { Page } from './load.ts';
import { loadAll } from './load-all.ts';
import { address } from './router.ts';
import { isPlatform, operatorIds, operatorOf, partnerRoles } from './session.ts';

export interface OperatorPlace {
  id: number;
  name: string;
}

export interface VenuePlace {
  id: string;
  name: string;
  tms: string;
  timeZone: string;
  currency: string;
  closedAt: string | null;
}

export interface PartnerPlace {
  id: number;
  name: string;
}

export const operators = signal<readonly OperatorPlace[]>([]);
/** All there are, for the platform; others have those that they work for. */
const allPartners = signal<readonly PartnerPlace[]>([]);
export const partners = computed<readonly PartnerPlace[]>(() =>
  isPlatform.value
    ? allPartners.value
    : partnerRoles.value.map((role) => ({ id: role.partnerId, name: role.name })),
);
/** By operator, once it was asked for. */
const venuesByOperator = signal<ReadonlyMap<number, readonly VenuePlace[]>>(new Map());

const LAST_VENUE = 'maitred.venue';
const inAddress = (name: string) => new RegExp(`^/console/${name}/([^/]+)`).exec(address.value.path)?.[1];

/** Of the address, or the one that was looked at last. */
export const venueId = computed<string | undefined>(() => {
  const found = inAddress('venues');
  return found === undefined ? undefined : decodeURIComponent(found);
});

export const operatorId = computed<number | undefined>(() => {
  if (venueId.value !== undefined) return operatorOf(venueId.value);
  const found = inAddress('operators');
  if (found !== undefined) return Number(found);
  // On the page of the own account the navigation leads back to where the user works.
  return address.value.path === '/console/account' ? operatorIds.value[0] : undefined;
});

export const partnerId = computed<number | undefined>(() => {
  const found = inAddress('partners');
  return found === undefined ? undefined : Number(found);
});

export const venues = computed<readonly VenuePlace[]>(
  () => venuesByOperator.value.get(operatorId.value ?? -1) ?? [],
);

export const venue = computed<VenuePlace | undefined>(() =>
  venues.value.find(({ id }) => id === venueId.value),
);

const MOST = 100;

export async function loadOperators(): Promise<void> {
  if (isPlatform.peek()) {
    operators.value = await loadAll<OperatorPlace>('/manage/operators');
    return;
  }
  operators.value = await Promise.all(
    operatorIds.peek().map((id) => api.get<OperatorPlace>(path`/manage/operators/${id}`)),
  );
}

export async function loadPartners(): Promise<void> {
  if (isPlatform.peek()) allPartners.value = await loadAll<PartnerPlace>('/manage/partners');
}

/** Reads the venues of an operator unless they are known; `isFresh` reads them again. */
export async function loadVenues(operator: number, isFresh = false): Promise<readonly VenuePlace[]> {
  const known = venuesByOperator.peek().get(operator);
  if (known && !isFresh) return known;
  const found: VenuePlace[] = [];
  for (let pageNumber = 1; ; pageNumber++) {
    const query = { pageNumber, pageSize: MOST };
    const page = await api.get<Page<VenuePlace>>(path`/manage/operators/${operator}/venues`, query);
    found.push(...page.data);
    if (pageNumber >= page.meta.totalPages) break;
  }
  venuesByOperator.value = new Map([...venuesByOperator.peek(), [operator, found]]);
  return found;
}

export function rememberVenue(id: string): void {
  localStorage.setItem(LAST_VENUE, id);
}

/** Where the user begins: tonight at the venue of last time, or what the role is about. */
export async function homeAddress(): Promise<string> {
  const [operator] = operatorIds.peek();
  if (operator === undefined) {
    if (isPlatform.peek()) return '/console/platform/health';
    const [partner] = partnerRoles.peek();
    return partner ? `/console/partners/${partner.partnerId}/start` : '/console/account';
  }
  const last = localStorage.getItem(LAST_VENUE);
  const open = (await loadVenues(operator)).filter(({ closedAt }) => closedAt === null);
  const isKnown = last !== null && operatorIds.peek().includes(operatorOf(last));
  const chosen = isKnown ? last : (open.find(({ tms }) => tms === 'house') ?? open[0])?.id;
  return chosen === undefined
    ? `/console/operators/${operator}/venues`
    : path`/console/venues/${chosen}/tonight`;
}
