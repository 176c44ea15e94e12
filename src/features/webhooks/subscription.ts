import type { EventType } from '../events/service.ts';

/** Where a partner wants to be told, and of what. */
export interface Subscription {
  id: string;
  partnerId: number;
  callbackUrl: string;
  /** Null: of everything. */
  eventTypes: EventType[] | null;
  label: string | null;
  isActive: boolean;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant | null;
}

/** With which deliveries to it are signed; after a rotation for a while with both. */
export interface SigningSecrets {
  current: string;
  previous: string | null;
}
