/** What venues do in their own systems, and what comes of it here. */
import assert from 'node:assert/strict';
import { saveCredentials } from '../../../src/features/systems/account-store.ts';
import { sealingContext } from '../../../src/features/systems/accounts.ts';
import { createKeyring, seal } from '../../../src/kernel/crypto.ts';
import { type Bistro, type Bistros, OPERATOR } from '../../support/remote-tms/bistros.ts';
import { signed } from '../../support/remote-tms/connector.ts';

export const followed = ({ app }: Bistros): Promise<void> => app.services.systemChanges.workDue();

/** The system is asked for the first time: from here on it tells what changes. */
export async function beginReading(bistros: Bistros): Promise<void> {
  await followed(bistros);
  wound.set(bistros, 0);
}

const wound = new WeakMap<Bistros, number>();

/** The next time that accounts are read. */
export async function later(bistros: Bistros, seconds = 4): Promise<void> {
  const ahead = (wound.get(bistros) ?? 0) + seconds;
  wound.set(bistros, ahead);
  bistros.wind(ahead);
  await followed(bistros);
}

/** Bodies of the booking's events, the oldest first. */
export async function eventsOf({ app }: Bistros, id: string): Promise<Record<string, unknown>[]> {
  const logged = await app.services.events.listOfBooking(app.sql, id);
  return logged.map(({ body }) => JSON.parse(body ?? '{}').bookings[0]);
}

export async function auditOf({ app }: Bistros, id: string) {
  const path = `/manage/operators/${OPERATOR}/audit?subject=${encodeURIComponent(`booking ${id}`)}`;
  const answer = await app.call(path, { as: 'demo-admin' });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data as { actor: object; action: string; after: Record<string, unknown> }[];
}

export async function queued({ app }: Bistros): Promise<string[]> {
  const rows = await app.sql<{ id: string }[]>`select booking_id as id from system_change order by 1`;
  return rows.map(({ id }) => id);
}

export const SECRET = `whsec_${Buffer.from('between us two and no other').toString('base64')}`;

/** Lets the system of the bistro sign what it sends. */
export async function shareSecret({ app }: Bistros, { slug }: Bistro): Promise<void> {
  const path = { operatorId: OPERATOR, tms: slug };
  const fields = JSON.stringify({ webhookSecret: SECRET });
  await saveCredentials(app.sql, {
    ...path,
    fieldNames: ['webhookSecret'],
    fields: seal(createKeyring([Buffer.alloc(32, 7)]), fields, sealingContext(path)),
    now: Temporal.Now.instant(),
  });
}

export interface Sent {
  operatorId?: number | string;
  slug?: string;
  secret?: string;
  sentAt?: number;
  body?: string;
  signature?: string;
}

export function notify(bistros: Bistros, bistro: Bistro, bookingIds: readonly unknown[], sent: Sent = {}) {
  const { operatorId = OPERATOR, slug = bistro.slug, secret = SECRET } = sent;
  const { sentAt = bistros.clock().epochMilliseconds } = sent;
  const { body = JSON.stringify({ type: 'bookings.changed', bookingIds }) } = sent;
  return bistros.app.call(`/connect/${operatorId}/${slug}/changes`, {
    method: 'POST',
    as: null,
    headers: {
      'content-type': 'application/json',
      ...signed(secret, body, sentAt),
      ...(sent.signature !== undefined && { 'webhook-signature': sent.signature }),
    },
    body,
  });
}
