import { problem } from '../../kernel/problem.ts';
import type { Bookable } from '../venues/service.ts';
import { type BookingBody, notesOf } from './body.ts';
import { preorderOf } from './preorder.ts';
import { type BookingRecord, type Guest, guestsOf, isPlaced, type PreorderRecord } from './record.ts';
import { isSameStay, stayOf } from './system-request.ts';
import { type Start, startOf } from './when.ts';

/** When, how many, how long and where: all of a wish that is asked of the system. */
export interface WishedStay {
  start: Start;
  adults: number;
  children: number;
  durationMinutes: number | null;
  spaceId: number | null;
}

/** A booking as it is asked for, read against the venue and the product; nothing live is known of it yet. */
export interface Wish extends WishedStay {
  type: 'book' | 'request';
  preorders: PreorderRecord;
  guest: Guest;
  depositPence: number | null;
  partnerBookingId: string | null;
}

export function readStay(body: BookingBody, { venue, product }: Bookable): WishedStay {
  return {
    start: startOf(body, venue.timeZone, product),
    adults: body.partySize,
    children: body.children ?? 0,
    durationMinutes: body.duration ?? null,
    spaceId: body.spaceId ?? null,
  };
}

/** Throws the first thing that is wrong apart from the stay, in the order: space, pre-order, company. */
export function readWish(
  body: BookingBody,
  bookable: Bookable,
  asked: WishedStay,
  before?: BookingRecord,
): Wish {
  const { venue, product } = bookable;
  // Who stays where they are keeps a space that is no longer offered.
  const isStaying =
    before !== undefined &&
    isSameStay(before, { productId: product.id, ...stayOf(asked) }) &&
    (isPlaced(before) || body.type === 'request');
  if (asked.spaceId !== null && !isStaying) assertSpace(asked.spaceId, bookable);
  const preorders = preorderOf(body.preorders, {
    venue,
    product,
    guests: guestsOf(asked),
    submitted: before ? 'post' : 'pre',
    ...(before?.productId === product.id && { before: before.preorders }),
  });
  const company = body.company ?? null;
  if (company !== before?.guest?.company) assertCompany(company, bookable);
  return {
    ...asked,
    type: body.type,
    preorders,
    guest: guestOf(body),
    depositPence: body.depositAmount ?? null,
    partnerBookingId: body.partnerBookingId ?? null,
  };
}

export function guestOf(body: BookingBody): Guest {
  return {
    firstName: body.firstName,
    lastName: body.lastName,
    email: body.email ?? null,
    phone: body.phone ?? null,
    company: body.company ?? null,
    labels: body.labels ?? [],
    comments: notesOf(body),
    adminNotes: body.admin_notes ?? null,
  };
}

function assertSpace(spaceId: number, { venue, product }: Bookable): void {
  if (product.spaceIds.includes(spaceId)) return;
  if (!venue.spaces.some(({ id }) => id === spaceId))
    throw problem('BOOK-N-010', { detail: `${venue.name} has no space ${spaceId}.` });
  throw problem('BOOK-N-017', { detail: `${product.name} does not offer space ${spaceId}.` });
}

function assertCompany(company: string | null, { venue }: Bookable): void {
  const { companyMode = 'none', companyNames = [] } = venue.channel ?? {};
  if (companyMode === 'none') return;
  if (company === null) throw problem('BOOK-N-016', { detail: `${venue.name} wants to know the company.` });
  if (!companyNames.includes(company))
    throw problem('BOOK-N-015', { detail: `${venue.name} takes no bookings for ${company}.` });
}
