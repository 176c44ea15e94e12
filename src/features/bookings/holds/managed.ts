/** Holds as the operators of venues see them: all partners', without the offers' tokens. */
import { inSnapshot, type Sql, type Tx } from '../../../db/database.ts';
import type { Actor } from '../../../http/auth/actor.ts';
import { type PageOf, type PageQuery, pageOf, windowOf } from '../../../http/validation/paging.ts';
import { type Clock, nowOf, timestampOf } from '../../../kernel/clock.ts';
import { parseVenueId } from '../../../kernel/ids.ts';
import type { TakenSeat } from '../../../tms/desk.ts';
import { systemOf } from '../../../tms/systems.ts';
import type { AuditLog } from '../../audit/service.ts';
import { listPartnerNames } from '../operator/store.ts';
import type { Bookings } from '../service.ts';
import type { HoldRecord, HoldStatus } from './record.ts';
import type { ManagedHold } from './schema.ts';
import { listHolds } from './store.ts';
import { holdView } from './view.ts';

export interface ManagedHolds {
  list(
    operatorId: number,
    query: PageQuery & { venueId?: string | undefined; status?: HoldStatus | undefined },
  ): Promise<PageOf<ManagedHold>>;
  release(actor: Actor, operatorId: number, holdId: string): Promise<void>;
}

export interface ManagedHoldsDeps {
  sql: Sql;
  clock: Clock;
  bookings: Bookings;
  auditLog: AuditLog;
}

async function listSeats(tx: Tx, holds: readonly HoldRecord[]): Promise<Map<string, TakenSeat>> {
  const bySystem = Map.groupBy(holds, ({ venueId }) => systemOf(venueId));
  const found = await Promise.all(
    [...bySystem].map(([system, held]) =>
      system?.desk?.listSeats(
        tx,
        held.map(({ id }) => id),
      ),
    ),
  );
  return new Map(found.flatMap((seats) => [...(seats ?? [])]));
}

export function createManagedHolds({ sql, clock, bookings, auditLog }: ManagedHoldsDeps): ManagedHolds {
  async function viewsOf(tx: Tx, holds: readonly HoldRecord[]): Promise<ManagedHold[]> {
    const names = await listPartnerNames(tx, [...new Set(holds.map(({ partnerId }) => partnerId))]);
    const seats = await listSeats(tx, holds);
    return holds.map((hold) => {
      const { offerToken: _, ...view } = holdView(hold, nowOf(clock));
      const { partnerId, venueId, createdAt } = hold;
      return {
        ...view,
        venueId,
        partner: { id: partnerId, name: names.get(partnerId) ?? '' },
        tableIds: seats.get(hold.id)?.tableIds ?? [],
        createdAt: timestampOf(createdAt),
      };
    });
  }

  return {
    list: (operatorId, query) =>
      inSnapshot(sql, async (tx) => {
        const { venueId, status = 'open' } = query;
        const filter = { status, venueId: venueId === undefined ? undefined : parseVenueId(venueId) };
        const window = { ...windowOf(query), now: nowOf(clock) };
        const { holds, total } = await listHolds(tx, operatorId, filter, window);
        return pageOf(await viewsOf(tx, holds), total, query);
      }),

    release: (actor, operatorId, holdId) =>
      bookings.releaseHoldAt(operatorId, holdId, async (tx, hold) => {
        const [before] = await viewsOf(tx, [hold]);
        await auditLog.record(tx, {
          actor,
          operatorId,
          action: 'hold.release',
          subject: `hold ${hold.id}`,
          before,
        });
      }),
  };
}
