/** The conversation about a booking, from the operator to the partner. */
import type { Caller } from '../../http/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId, open, seal } from '../../kernel/crypto.ts';
import { problem } from '../../kernel/problem.ts';
import { assertOperator, getBooking, withLockedBooking } from './access.ts';
import type { Context } from './context.ts';
import { insertMessage, listMessages } from './message-store.ts';

export interface Message {
  text: string;
  /** Where an answer should go. */
  replyTo: string | null;
}

export interface SentMessage {
  id: string;
  createdAt: Temporal.Instant;
  /** Null once the guest was forgotten. */
  message: Message | null;
}

const contextOf = (messageId: string) => `message:${messageId}`;

/** A message about a booking, from the operator to the partner; says its id. */
export async function sendMessage(
  context: Context,
  caller: Caller,
  id: string,
  message: Message,
): Promise<string> {
  assertOperator(caller);
  const { clock, encryptionKey, events } = context;
  return withLockedBooking(context, caller, id, async (tx, booking) => {
    // Nothing that names a guest may be added once the guest was forgotten.
    if (booking.guest === null) throw problem('BOOK-N-014', { detail: 'The guest was forgotten.' });
    const messageId = newId(clock);
    const createdAt = nowOf(clock);
    const content = seal(encryptionKey, JSON.stringify(message), contextOf(messageId));
    await insertMessage(tx, { id: messageId, bookingId: booking.id, content, createdAt });
    await events.append(tx, {
      type: 'message.received',
      partnerId: booking.partnerId,
      venueId: booking.venueId,
      bookingId: booking.id,
      occurredAt: createdAt,
      content: { messages: [{ id: messageId, bookingId: booking.id, ...message }] },
    });
    return messageId;
  });
}

/** In the order in which they were sent. */
export async function readMessages(context: Context, caller: Caller, id: string): Promise<SentMessage[]> {
  const { id: bookingId } = await getBooking(context, caller, id);
  const rows = await listMessages(context.sql, bookingId);
  return rows.map(({ id: messageId, createdAt, content }) => ({
    id: messageId,
    createdAt,
    message: content && JSON.parse(open(context.encryptionKey, content, contextOf(messageId)).toString()),
  }));
}
