import { open, seal } from '../../kernel/crypto.ts';
import type { Guest } from './record.ts';

/** A guest's data belongs to one booking: copied to another row it does not open. */
const contextOf = (bookingId: string) => `booking:${bookingId}`;

export function sealGuest(key: Buffer, bookingId: string, guest: Guest): Buffer {
  return seal(key, JSON.stringify(guest), contextOf(bookingId));
}

export function openGuest(key: Buffer, bookingId: string, sealed: Uint8Array): Guest {
  return JSON.parse(open(key, sealed, contextOf(bookingId)).toString());
}
