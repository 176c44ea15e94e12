/** Operators that are there to be ruined: copies of two of the demo, with people and partners of their own. */

import { bearer, type Caller, post, sessionOf, tokenOf } from './callers.ts';
import type { Known } from './known.ts';
import { type Mailbox, mailedToken } from './mailbox.ts';
import { PASSWORDS, type Planted } from './planted.ts';
import type { Victim } from './requests/addresses.ts';
import type { Send } from './wire.ts';

export interface VictimContext {
  send: Send;
  known: Known;
  planted: Planted;
  mailbox: Mailbox;
  admin: Record<string, string>;
}

export interface NewVictim extends Victim {
  /** Its people and its client. */
  callers: Caller[];
}

/** Both partners distribute some of its venues. */
const PARTNER_IDS = [1, 2];
const MAPPED_VENUES = /\|(?:soho-grill|garden-room|blue-note|jazz-night|bar-lumiere)$/;

export async function makeVictim(context: VictimContext, number: number): Promise<NewVictim> {
  const { send, admin, known } = context;
  const houses = await post(send, '/manage/operators/1/export', undefined, admin, 'GET');
  const events = await post(send, '/manage/operators/2/export', undefined, admin, 'GET');
  const { id: _, ...document } = houses;
  const copy = {
    ...document,
    name: `Victim ${number}`,
    venues: [...houses.venues, ...events.venues],
    bookingRules: houses.bookingRules.map(({ id, ...rule }: { id: string }) => rule),
  };
  const { operatorId } = await post(send, '/manage/imports', copy, admin);
  const venues = await post(
    send,
    `/manage/operators/${operatorId}/venues?pageSize=100`,
    undefined,
    admin,
    'GET',
  );
  for (const { id } of venues.data) known.add(`/manage/operators/${operatorId}/venues`, id);
  for (const partnerId of PARTNER_IDS) {
    const body = { isSuspended: false, source: `SOURCE${partnerId}` };
    await post(send, `/manage/operators/${operatorId}/partners/${partnerId}`, body, admin, 'PUT');
    const mapped = venues.data.filter(({ id }: { id: string }) => MAPPED_VENUES.test(id));
    for (const { id } of mapped) await mapVenue(context, partnerId, id);
  }
  const partnerId = await makePartner(context, number);
  const body = { isSuspended: false, source: `SOURCE${partnerId}` };
  await post(send, `/manage/operators/${operatorId}/partners/${partnerId}`, body, admin, 'PUT');
  return { operatorId, partnerId, callers: await peopleOf(context, operatorId, partnerId) };
}

async function makePartner({ send, admin, known, planted }: VictimContext, number: number): Promise<number> {
  const names = { reference: `victim-${number}`, name: `Victim partner ${number}`, allowSimilarName: true };
  const { id } = await post(send, '/manage/partners', names, admin);
  known.add('/manage/partners', id);
  const client = await post(send, '/manage/clients', { kind: 'partner', partnerId: id }, admin);
  planted.noteAll(client);
  known.add(`/manage/partners/${id}/clients`, client.id);
  return id;
}

async function mapVenue(
  { send, admin, known }: VictimContext,
  partnerId: number,
  venueId: string,
): Promise<void> {
  const products = await post(
    send,
    `/manage/venues/${encodeURIComponent(venueId)}/products`,
    undefined,
    admin,
    'GET',
  );
  const productKeys = products.data.map(({ key }: { key: string }) => key);
  const body = {
    company: { mode: 'none', names: [] },
    maxPartySize: null,
    isRequestOnly: false,
    productKeys,
  };
  const path = `/manage/partners/${partnerId}/mappings/${encodeURIComponent(venueId)}`;
  await post(send, path, body, admin, 'PUT');
  for (const key of productKeys) known.add(`${partnerId === 1 ? 'A' : 'B'} products`, `${venueId}|${key}`);
}

async function peopleOf(context: VictimContext, operatorId: number, partnerId: number): Promise<Caller[]> {
  const { send, admin, planted } = context;
  const sight = { operatorId };
  const callers: Caller[] = [];
  for (const role of ['owner', 'manager', 'staff'] as const) {
    const token = await signUp(context, `${role}-${operatorId}@victim.example`, { operatorId, role });
    callers.push({ name: `${role} of a victim`, headers: bearer(token), sight, isPerson: true, rank: role });
  }
  callers.push({
    name: 'developer of a victim',
    headers: bearer(await signUp(context, `developer-${partnerId}@partners.example`, { partnerId })),
    // It has no guests that others could see.
    sight: 'no guests',
    isPerson: true,
    rank: 'developer',
  });
  const made = await post(send, '/manage/clients', { kind: 'operator', operatorId }, admin);
  planted.noteAll(made);
  const token = await tokenOf(send, made.id, made.secret);
  planted.note('access token', token);
  callers.push({ name: 'client of a victim', headers: bearer(token), sight, isPerson: false, rank: 'owner' });
  return callers;
}

/** Somebody is invited, accepts, and signs in. */
export async function signUp(
  { send, admin, planted, mailbox }: VictimContext,
  email: string,
  at: { operatorId: number; role: string } | { partnerId: number },
): Promise<string> {
  const [password = ''] = PASSWORDS;
  if ('partnerId' in at)
    await post(send, `/manage/partners/${at.partnerId}/invites`, { email, role: 'developer' }, admin);
  else await post(send, '/manage/invites', { email, ...at, isPlatform: false }, admin);
  const invitation = await mailedToken(mailbox, email);
  planted.note('mailed token', invitation);
  await post(send, '/manage/invites/accept', { token: invitation, name: 'Somebody', password });
  const token = await sessionOf(send, email, password);
  planted.note('session token', token);
  return token;
}
