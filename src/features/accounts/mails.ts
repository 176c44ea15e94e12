/**
 * The texts of the mails. There is no page to open, so each mail has the call to make, ready to be pasted into a
 * terminal; an interface for people can send the token itself.
 */

import { hash } from 'node:crypto';
import { problem } from '../../kernel/problem.ts';
import type { NewMail } from '../mail/service.ts';
import type { Invite } from './schema.ts';

/** Shorter than a password may be, so that it is refused if sent unchanged. */
const PLACEHOLDER = 'CHANGE-ME';

interface Tokened {
  to: string;
  token: string;
  expiresAt: Temporal.Instant;
  publicUrl: string;
}

export function inviteMail(tokened: Tokened, { role, isPlatform }: Invite, operatorName?: string): NewMail {
  const offers = [
    ...(role === null ? [] : [`to work as ${role} for ${operatorName}`]),
    ...(isPlatform ? ['to run the platform'] : []),
  ];
  const body = { token: tokened.token, name: 'Your name', password: PLACEHOLDER };
  return mailOf(tokened, 'Your invitation', [
    `You are invited ${offers.join(' and ')}.`,
    `Your token is ${tokened.token}`,
    'This accepts the invitation; leave name and password out if you have an account already:',
    callOf(tokened, '/manage/invites/accept', body),
  ]);
}

export function verificationMail(tokened: Tokened): NewMail {
  return mailOf(tokened, 'Please confirm your email address', [
    'Confirm that this address is yours, and you can sign in.',
    `Your token is ${tokened.token}`,
    'This confirms it:',
    callOf(tokened, '/manage/email-verifications', { token: tokened.token }),
  ]);
}

export function passwordResetMail(tokened: Tokened): NewMail {
  const body = { token: tokened.token, password: PLACEHOLDER };
  return mailOf(tokened, 'A new password', [
    'Somebody, hopefully you, wants a new password for your account. If it was not you, do nothing.',
    `Your token is ${tokened.token}`,
    'This sets the password, and ends all your sessions:',
    callOf(tokened, '/manage/password-resets/confirm', body),
  ]);
}

function mailOf({ to, expiresAt }: Tokened, subject: string, paragraphs: string[]): NewMail {
  const end = `The token can be used once, until ${expiresAt.toString({ smallestUnit: 'minute' })}.`;
  return { to, subject, text: `${[...paragraphs, end].join('\n\n')}\n`, expiresAt };
}

const callOf = ({ publicUrl }: Tokened, path: string, body: object) =>
  [
    `curl -X POST ${publicUrl}${path} \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');

const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/** Words with dots between them, on both sides; the right side has at least two. */
const ADDRESS =
  /^(?<local>[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*)@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}]{2,63}$/u;

export function assertEmail(email: string): void {
  const local = email.length <= MAX_LENGTH ? ADDRESS.exec(email)?.groups?.local : undefined;
  if (local !== undefined && local.length <= MAX_LOCAL_LENGTH) return;
  throw problem('USER-N-011', { detail: 'email must be an address such as ada@example.com.' });
}

/** Two addresses with the same key belong to the same person: capitals make no difference. */
export function emailKeyOf(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

/** Of an address that need not be one; as long for any text. */
export function emailHashOf(emailKey: string): Buffer {
  return hash('sha256', emailKey, 'buffer');
}

/** Of an address and the network of the caller. A network has no line break in it. */
export function pairHashOf(emailKey: string, network: string): Buffer {
  return hash('sha256', `${network}\n${emailKey}`, 'buffer');
}
