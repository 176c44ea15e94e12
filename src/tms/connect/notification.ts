/** Notifications of a system, signed after Standard Webhooks. They only say which bookings to look at. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Static } from 'typebox';
import { Check } from 'typebox/schema';
import { isUuid } from '../../kernel/ids.ts';
import { type Outcome, ok, refused } from '../contract.ts';
import type { SystemAccount, SystemNotification } from '../remote.ts';
import { Notification } from './schema.ts';

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 5 * 60;
const MOST_SIGNATURES = 10;
const LONGEST_ID = 300;

/**
 * The ids of ours that a genuine notification names. One that comes twice within its five minutes is read twice: asking
 * the system for a booking once more changes nothing.
 */
export function readNotification(
  { credentials }: SystemAccount,
  { headers, body, nowMs }: SystemNotification,
): Outcome<{ bookingIds: string[] }> {
  const { webhookSecret } = credentials;
  if (!webhookSecret) return refused('rejected', 'The account has no secret for notifications.');
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || id.length > LONGEST_ID || !timestamp || !signatures)
    return refused('rejected', 'The notification is not signed.');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
    return refused('rejected', 'The notification is too old, or the clocks differ.');
  const expected = signatureOf(webhookSecret, { id, timestamp, body });
  if (!signatures.split(' ', MOST_SIGNATURES).some((sent) => isSame(sent, expected)))
    return refused('rejected', 'The notification is not signed with the secret of the account.');
  const value = parsed(body);
  if (!Check(Notification, value)) return refused('rejected', 'The notification is not one of connect.');
  const { bookingIds } = value as Static<typeof Notification>;
  return ok({ bookingIds: [...new Set(bookingIds)].filter(isUuid) });
}

interface Message {
  id: string;
  timestamp: string;
  body: Buffer;
}

function signatureOf(secret: string, { id, timestamp, body }: Message): string {
  const key = Buffer.from(secret.replace(PREFIX, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
