/**
 * What the mails say. There is no page to open, so each has the call that is to be made, ready to be pasted into a
 * terminal; whoever builds an interface for people sends the token along from there.
 */
import type { NewMail } from '../mail/service.ts';
import type { Invite } from './schema.ts';

/** Too short to be taken, should somebody send it as it is. */
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
