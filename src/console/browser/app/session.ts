/** Who is signed in and what they may do. What a role may not do is not shown; the service refuses it anyway. */
import { computed, signal } from '@preact/signals';
import type { Session } from '../../../features/accounts/schema.ts';
import { ApiProblem, api } from './api.ts';

export type Role = 'staff' | 'manager' | 'owner';
const ROLES: readonly Role[] = ['staff', 'manager', 'owner'];

export type User = Session['user'];

/** Undefined until it is known; null: signed out. */
export const user = signal<User | null | undefined>(undefined);

export const isPlatform = computed(() => user.value?.isPlatform === true);

/** The roles of the user at operators, the first being where they start. */
export const operatorIds = computed(() => (user.value?.roles ?? []).map(({ operatorId }) => operatorId));

export interface PartnerRole {
  partnerId: number;
  name: string;
}
export const partnerRoles = computed<PartnerRole[]>(
  () => (user.value as { partners?: PartnerRole[] } | null | undefined)?.partners ?? [],
);

function roleAt(operatorId: number): Role | undefined {
  if (isPlatform.value) return 'owner';
  return user.value?.roles.find((role) => role.operatorId === operatorId)?.role;
}

/** Whether the user has this role, or a higher one, at an operator. */
export function may(operatorId: number, least: Role): boolean {
  const role = roleAt(operatorId);
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** The operator of a venue: the first part of its id. */
export const operatorOf = (venueId: string) => Number(venueId.split('|')[0]);

/** Marks that there may be a session: the cookie itself cannot be seen from here, and asking without one is an error. */
const MARK = 'maitred.signedIn';
const RETRY_MS = 2_000;

export async function loadSession(): Promise<void> {
  if (localStorage.getItem(MARK) === null) {
    user.value = null;
    return;
  }
  try {
    user.value = (await api.get<Session>('/manage/sessions/current')).user;
  } catch (error) {
    // No answer, or a service that is starting, says nothing of the session: it is asked again.
    if (!(error instanceof ApiProblem) || error.status === 429 || error.status >= 500) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return loadSession();
    }
    localStorage.removeItem(MARK);
    user.value = null;
  }
}

export async function signIn(email: string, password: string): Promise<void> {
  await api.post('/manage/sessions', { email, password, cookie: true });
  localStorage.setItem(MARK, 'yes');
  await loadSession();
}

export async function signOut(): Promise<void> {
  await api.remove('/manage/sessions/current');
  localStorage.removeItem(MARK);
  user.value = null;
}
