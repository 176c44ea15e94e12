/**
 * Guests' data that can be told apart wherever it turns up. Every text about a guest says which partner booked and
 * at whose venue, so that an answer to anybody else that has it in it is a leak, and it begins with a word that
 * stands nowhere else, so that a database or a log that has that word in it holds a guest in clear.
 */
import type { Caller } from './callers.ts';

export const GUEST_WORD = 'Zygomorphia';
/** A telephone number is digits; these stand in no other. */
export const GUEST_DIGITS = '7009913';

export type PartnerLetter = 'A' | 'B';

/** 0: a guest of an order that may go to several operators. */
const guestTag = (partner: PartnerLetter, operatorId: number) => `${GUEST_WORD}${partner}${operatorId}x`;

export interface Guest {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  comments: string;
}

export function guestOf(partner: PartnerLetter, operatorId: number): Guest {
  const tag = guestTag(partner, operatorId);
  return {
    firstName: `${tag}-first`,
    lastName: `${tag}-last`,
    email: `${tag}@guests.example`.toLowerCase(),
    phone: `+44 ${GUEST_DIGITS}${partner === 'A' ? 1 : 2}${operatorId}`,
    comments: `${tag} would like a quiet table`,
  };
}

const TAG = new RegExp(`${GUEST_WORD}([AB])(\\d+)x`, 'gi');

/** The tags in an answer that its reader must not know. */
export function foreignGuestsIn(text: string, reader: Caller): string[] {
  const found = new Set<string>();
  for (const [tag, letter = '', operator = ''] of text.matchAll(TAG)) {
    if (!mayKnow(reader, letter.toUpperCase(), Number(operator))) found.add(tag);
  }
  return [...found];
}

function mayKnow({ sight }: Caller, letter: string, operatorId: number): boolean {
  if (sight === 'everything') return true;
  if (sight === 'nothing') return false;
  if ('partner' in sight) return sight.partner === letter;
  return operatorId === 0 || sight.operatorId === operatorId;
}
