import type { Sql } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Registry } from '../../tms/registry.ts';
import type { Bookings } from '../bookings/service.ts';
import type { Idempotency } from '../idempotency/service.ts';
import type { OrderStore } from './store.ts';
export interface OrdersDeps {
  sql: Sql;
  clock: Clock;
  encryptionKey: Buffer;
  registry: Registry;
  bookings: Bookings;
  idempotency: Idempotency;
  log: OrdersLog;
}

export interface OrdersLog {
  error(details: object, message: string): void;
}

/** What everything that is done with orders works with. */
export interface OrdersContext extends OrdersDeps {
  store: OrderStore;
}
