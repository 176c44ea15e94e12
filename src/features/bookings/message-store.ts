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

export interface MessageWindow {
  limit: number;
  offset: number;
}

/** In the order in which they were sent. */
export async function listMessages(
  tx: Tx,
  bookingId: string,
  { limit, offset }: MessageWindow,
): Promise<MessageRow[]> {
  const rows = await tx<MessageRow[]>`
    select id, booking_id as "bookingId", content, created_at as "createdAt"
    from booking_message where booking_id = ${bookingId} order by id
    limit ${limit} offset ${offset}`;
  return [...rows];
}

export async function countMessages(tx: Tx, bookingId: string): Promise<number> {
  const [row] = await tx<{ total: number }[]>`
    select count(*) as total from booking_message where booking_id = ${bookingId}`;
  return row?.total ?? 0;
}

/** The operator's address for replies. */
export async function findReplyTo(tx: Tx, operatorId: number): Promise<string | null> {
  const [row] = await tx<{ replyTo: string | null }[]>`
    select booking_reply_to as "replyTo" from operator where id = ${operatorId}`;
  return row?.replyTo ?? null;
}
