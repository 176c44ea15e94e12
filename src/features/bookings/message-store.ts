import type { Tx } from '../../db/database.ts';

export interface MessageRow {
  id: string;
  bookingId: string;
  /** Sealed; null once forgotten. */
  content: Buffer | null;
  createdAt: Temporal.Instant;
}

export async function insertMessage(
  tx: Tx,
  { id, bookingId, content, createdAt }: MessageRow,
): Promise<void> {
  await tx`insert into booking_message (id, booking_id, content, created_at)
    values (${id}, ${bookingId}, ${content}, ${createdAt})`;
}

/** In the order in which they were sent. */
export async function listMessages(tx: Tx, bookingId: string): Promise<MessageRow[]> {
  const rows = await tx<MessageRow[]>`
    select id, booking_id as "bookingId", content, created_at as "createdAt"
    from booking_message where booking_id = ${bookingId} order by id`;
  return [...rows];
}
