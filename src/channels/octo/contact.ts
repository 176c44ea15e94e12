/** The contact of OCTO and the guest of a booking. */
import type { BookingRecord } from '../../features/bookings/service.ts';
import type { SentContact } from './request-schema.ts';
import type { Contact } from './schema.ts';
import type { Details } from './store.ts';

export const NO_DETAILS: Details = { contact: {}, notes: null, unitContacts: {}, reason: null };

/** What is sent replaces what was known, member by member; null and empty texts replace nothing. */
export function mergedContact(known: SentContact, sent: SentContact | null | undefined): SentContact {
  const given = Object.entries(sent ?? {}).filter(([, value]) => value !== null && value !== '');
  return { ...known, ...Object.fromEntries(given) };
}

export interface Names {
  firstName: string;
  lastName: string;
}

/** Of a full name the last word is the last name; a single word is the last name of a guest. */
export function namesOf({ fullName, firstName, lastName }: SentContact): Names | undefined {
  const [first, last] = [firstName?.trim() ?? '', lastName?.trim() ?? ''];
  if (first !== '' && last !== '') return { firstName: first, lastName: last };
  const words = (fullName?.trim() || `${first} ${last}`.trim()).split(/\s+/).filter((word) => word !== '');
  const name = words.pop();
  if (name === undefined) return undefined;
  return { firstName: words.join(' ') || 'Guest', lastName: name };
}

/** What the venue reads: the notes of the booking and those of the contact. */
export const commentsOf = ({ notes, contact }: Details): string | null =>
  [notes, contact.notes].filter((text) => text).join('\n') || null;

export const NO_CONTACT: Contact = {
  fullName: null,
  firstName: null,
  lastName: null,
  emailAddress: null,
  phoneNumber: null,
  locales: [],
  postalCode: null,
  country: null,
  notes: null,
};

export function contactView(sent: SentContact | undefined): Contact {
  if (!sent) return NO_CONTACT;
  const names = namesOf(sent);
  return {
    fullName: sent.fullName ?? (names ? `${names.firstName} ${names.lastName}` : null),
    firstName: sent.firstName ?? names?.firstName ?? null,
    lastName: sent.lastName ?? names?.lastName ?? null,
    emailAddress: sent.emailAddress || null,
    phoneNumber: sent.phoneNumber || null,
    locales: sent.locales ?? [],
    postalCode: sent.postalCode ?? null,
    country: sent.country ?? null,
    notes: sent.notes ?? null,
  };
}

/** The guest of the booking is the truth: it may have been changed or forgotten elsewhere. */
export function bookedContact({ guest }: Pick<BookingRecord, 'guest'>, details: Details | null): Contact {
  if (!guest) return NO_CONTACT;
  const said = contactView(details?.contact);
  const names = details && namesOf(details.contact);
  const isSame = names?.firstName === guest.firstName && names?.lastName === guest.lastName;
  const full = [guest.firstName, guest.lastName].filter((part) => part).join(' ') || null;
  return {
    ...said,
    ...(!isSame && { fullName: full, firstName: guest.firstName, lastName: guest.lastName }),
    emailAddress: guest.email,
    phoneNumber: guest.phone,
  };
}

/** Notes that were changed elsewhere are shown as the venue has them. */
export function bookedNotes({ guest }: Pick<BookingRecord, 'guest'>, details: Details | null): string | null {
  if (!guest) return null;
  return details && commentsOf(details) === guest.comments ? details.notes : guest.comments;
}
