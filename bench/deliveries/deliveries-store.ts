import { inTransaction, type Sql } from '../../src/db/database.ts';

export interface Backlog {
  webhookId: string;
  partnerId: number;
  venueId: string;
  events: { id: string; body: Buffer }[];
}

const ROWS_PER_STATEMENT = 1000;

/** Events that wait for one subscription; the database is then as one that has been in use for a while would be. */
export async function insertBacklog(
  sql: Sql,
  { webhookId, partnerId, venueId, events }: Backlog,
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    for (let first = 0; first < events.length; first += ROWS_PER_STATEMENT) {
      const rows = events.slice(first, first + ROWS_PER_STATEMENT).map(({ id, body }) => ({
        id,
        type: 'booking.updated',
        partner_id: partnerId,
        venue_id: venueId,
        occurred_at: Temporal.Now.instant(),
        body,
      }));
      await tx`insert into event ${tx(rows as never)}`;
    }
    await tx`
      insert into delivery (id, event_id, webhook_id, partner_id, due_at, created_at)
      select gen_random_uuid(), id, ${webhookId}, partner_id, occurred_at, occurred_at
      from event where id = any(${events.map(({ id }) => id)}::uuid[])`;
  });
  await sql`vacuum analyze event, delivery, delivery_attempt`;
}

/** Tells whoever listens, and nothing else. */
export async function notifyBare(sql: Sql, topic: string): Promise<void> {
  await sql`select pg_notify('changed', ${topic})`;
}
