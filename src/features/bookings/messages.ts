/** The conversation about a booking, from the operator to the partner. */

import type { Tx } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf, timestampOf } from '../../kernel/clock.ts';
import { newId, open, seal } from '../../kernel/crypto.ts';
import { problem } from '../../kernel/problem.ts';
import type { SealedTable } from '../../kernel/sealed-table.ts';
import { assertOperator, getBooking, withLockedBooking } from './access.ts';
import type { Context } from './context.ts';
import { findReplyTo, insertMessage, listMessages, type MessageWindow } from './message-store.ts';
import type { BookingRecord } from './record.ts';

export interface Message {
  text: string;
  /** Where an answer should go; null: to the address that the operator has for that, if any. */
  replyTo: string | null;
}

export interface SentMessage {
  id: string;
  createdAt: Temporal.Instant;
  /** Null once the guest was forgotten. */
  message: Message | null;
}

const contextOf = (messageId: string) => `message:${messageId}`;

export const SEALED_MESSAGES: SealedTable = {
  table: 'booking_message',
  columns: ['content'],
  key: ['id'],
  contextOf,
};

/** A message about a booking, from the operator to the partner. */
export async function sendMessage(
  context: Context,
  caller: Caller,
  id: string,
  message: Message,
): Promise<SentMessage> {
  assertOperator(caller);
  return withLockedBooking(context, caller, id, (tx, booking) => writeMessage(tx, context, booking, message));
}

/** Whether there is a partner to tell, and a guest that it would be about. */
export const canBeTold = ({ guest, partnerId }: Pick<BookingRecord, 'guest' | 'partnerId'>) =>
  guest !== null && partnerId !== null;

type MessageContext = Pick<Context, 'clock' | 'encryptionKeys' | 'events' | 'operatorAction'>;

/** The same about a booking that is locked. */
export async function writeMessage(
  tx: Tx,
  { clock, encryptionKeys, events, operatorAction }: MessageContext,
  booking: BookingRecord,
  { text, replyTo }: Message,
): Promise<SentMessage> {
  // Nothing that names a guest may be added once the guest was forgotten.
  if (booking.guest === null) throw problem('BOOK-N-014', { detail: 'The guest was forgotten.' });
  if (booking.partnerId === null)
    throw problem('BOOK-N-014', { detail: 'A booking of the house has no partner to tell.' });
  const message = { text, replyTo: replyTo ?? (await findReplyTo(tx, booking.operatorId)) };
  const bookingId = booking.id;
  const id = newId(clock);
  const createdAt = nowOf(clock);
  const content = seal(encryptionKeys, JSON.stringify(message), contextOf(id));
  await insertMessage(tx, { id, bookingId, content, createdAt });
  await events.append(tx, {
    type: 'message.received',
    partnerId: booking.partnerId,
    venueId: booking.venueId,
    bookingId,
    occurredAt: createdAt,
    content: { messages: [{ id, bookingId, ...message }] },
  });
  const after = { id, createdAt: timestampOf(createdAt) };
  await operatorAction?.record(tx, { bookingId, what: 'message', before: null, after });
  return { id, createdAt, message };
}

/** In the order in which they were sent. */
export async function readMessages(
  context: Context,
  caller: Caller,
  id: string,
  window: MessageWindow,
): Promise<SentMessage[]> {
  const { id: bookingId } = await getBooking(context, caller, id);
  const rows = await listMessages(context.sql, bookingId, window);
  return rows.map(({ id: messageId, createdAt, content }) => ({
    id: messageId,
    createdAt,
    message: content && JSON.parse(open(context.encryptionKeys, content, contextOf(messageId)).toString()),
  }));
}
