import type { Sql } from '../../src/db/database.ts';
import type { ProductId } from '../../src/kernel/ids.ts';
import { clockTime } from '../../src/kernel/zone-time.ts';

export interface OpenHold {
  id: string;
  clientId: string;
  productId: ProductId;
  date: string;
  time: string;
}

/** What can be booked from a hold at this moment. */
export async function openHolds(sql: Sql): Promise<OpenHold[]> {
  const rows = await sql<(Omit<OpenHold, 'time'> & { minute: number })[]>`
    select id, client_id as "clientId", product_id as "productId", trading_day as date, starts_minute as minute
    from hold where state = 'open' and expires_at > clock_timestamp()`;
  return rows.map(({ minute, ...hold }) => ({ ...hold, time: clockTime(minute) }));
}
