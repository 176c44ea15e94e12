/**
 * Guests' data that can be told apart wherever it turns up. Every text about a guest says who booked and at whose
 * venue, so that an answer to anybody else that has it in it is a leak, and it begins with a word that
 * stands nowhere else, so that a database or a log that has that word in it holds a guest in clear.
 */
import type { Caller } from './callers.ts';

export const GUEST_WORD = 'Zygomorphia';
/** A telephone number is digits; these stand in no other. */
export const GUEST_DIGITS = '7009913';

/** By the number that they have in the demo, less one. */
export const PARTNERS = ['A', 'B'] as const;
export type PartnerLetter = (typeof PARTNERS)[number];
/** H: a guest of the house, whom no partner knows. */
export type GuestLetter = PartnerLetter | 'H';

/** 0: a guest of an order that may go to several operators. */
const guestTag = (letter: GuestLetter, operatorId: number) => `${GUEST_WORD}${letter}${operatorId}x`;

export interface Guest {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  comments: string;
}

export function guestOf(letter: GuestLetter, operatorId: number): Guest {
  const tag = guestTag(letter, operatorId);
  return {
    firstName: `${tag}-first`,
    lastName: `${tag}-last`,
    email: `${tag}@guests.example`.toLowerCase(),
    phone: `+44 ${GUEST_DIGITS}${1 + 'ABH'.indexOf(letter)}${operatorId}`,
    comments: `${tag} would like a quiet table`,
  };
}

const TAG = new RegExp(`${GUEST_WORD}([ABH])(\\d+)x`, 'gi');

/** The tags in a text that its reader must not know. */
export function foreignGuestsIn(text: string, reader: Pick<Caller, 'sight'>): string[] {
  const found = new Set<string>();
  for (const [tag, letter = '', operator = ''] of text.matchAll(TAG)) {
    if (!mayKnow(reader, letter.toUpperCase(), Number(operator))) found.add(tag);
  }
  return [...found];
}

function mayKnow({ sight }: Pick<Caller, 'sight'>, letter: string, operatorId: number): boolean {
  if (sight === 'everything') return true;
  if (sight === 'nothing' || sight === 'no guests') return false;
  if ('partner' in sight) return sight.partner === letter;
  return operatorId === 0 || sight.operatorId === operatorId;
}
