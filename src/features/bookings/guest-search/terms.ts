/** What a guest can be found by: the beginning of the last name, the e-mail address, the end of the phone number. */
import { invalid } from '../../../kernel/problem.ts';
import type { Guest } from '../record.ts';

export type TermKind = 'name' | 'email' | 'phone';

export interface Term {
  kind: TermKind;
  text: string;
}

/** Beginnings of names up to so many letters are hashed; a longer search compares the rest with the guests it finds. */
const LONGEST_NAME = 12;
const LEAST_LETTERS = 2;
const LEAST_DIGITS = 4;
/** Without what differs between the national and the international form of a number. */
const LONGEST_NUMBER = 9;

/** Letters that have no accent to lose. */
const PLAIN: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h' },
};

/** Without accents, case, spaces and signs. */
export function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþıħ]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '');
}

const plainEmail = (email: string) => email.trim().normalize('NFC').toLowerCase();
const digitsOf = (phone: string) => phone.normalize('NFKD').replace(/\D/g, '');

/** Names in scripts that write a syllable or a word with one letter are short. */
const leastLetters = (name: string) =>
  /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hira}\p{sc=Kana}]/u.test(name) ? 1 : LEAST_LETTERS;

export function termsOf({ lastName, email, phone }: Pick<Guest, 'lastName' | 'email' | 'phone'>): Term[] {
  const name = plainName(lastName ?? '');
  const letters = [...name].slice(0, LONGEST_NAME);
  const least = leastLetters(name);
  const names = letters
    .map((_, index): Term => ({ kind: 'name', text: letters.slice(0, index + 1).join('') }))
    .slice(least - 1);
  const digits = digitsOf(phone ?? '').slice(-LONGEST_NUMBER);
  const count = Math.max(0, digits.length - LEAST_DIGITS + 1);
  const numbers = Array.from(
    { length: count },
    (_, index): Term => ({ kind: 'phone', text: digits.slice(index) }),
  );
  return [...names, ...(email ? [{ kind: 'email' as const, text: plainEmail(email) }] : []), ...numbers];
}

export interface GuestSearch {
  /** What is looked up. */
  term: Term;
  matches(guest: Guest | null): boolean;
}

/** Reads what people type: an address has an @, a number has no letters, anything else is a name. */
export function searchOf(text: string): GuestSearch {
  if (text.includes('@')) {
    const email = plainEmail(text);
    const term: Term = { kind: 'email', text: email };
    return { term, matches: (guest) => plainEmail(guest?.email ?? '') === email };
  }
  const digits = digitsOf(text);
  if (digits.length >= LEAST_DIGITS && !/\p{L}/u.test(text)) {
    const end = digits.slice(-LONGEST_NUMBER);
    return {
      term: { kind: 'phone', text: end },
      matches: (guest) => digitsOf(guest?.phone ?? '').endsWith(end),
    };
  }
  const name = plainName(text);
  if ([...name].length < leastLetters(name) || !/\p{L}/u.test(name))
    throw invalid(
      'guest',
      'must be the beginning of a last name, an e-mail address, or four last digits of a phone',
    );
  const begin = [...name].slice(0, LONGEST_NAME).join('');
  return {
    term: { kind: 'name', text: begin },
    matches: (guest) => plainName(guest?.lastName ?? '').startsWith(name),
  };
}
