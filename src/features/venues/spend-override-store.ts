import { insertAll } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { MinimumSpendOverrideDocument, SpaceDocument } from './document.ts';
import { minutesOf } from './hours.ts';

/** Of spaces that are there already. */
export async function insertSpendOverrides(
  tx: Tx,
  venueId: VenueId,
  spaces: readonly Pick<SpaceDocument, 'id' | 'minimumSpendOverrides'>[],
): Promise<void> {
  await insertAll(
    tx,
    'minimum_spend_override',
    spaces.flatMap(({ id, minimumSpendOverrides = [] }) =>
      minimumSpendOverrides.map((override) => ({
        space_id: id,
        venue_id: venueId,
        ...columnsOf(override),
      })),
    ),
  );
}

function columnsOf({ startDate, endDate, startTime, endTime, amount, reason }: MinimumSpendOverrideDocument) {
  const { opens, closes } = minutesOf({ opens: startTime, closes: endTime });
  return {
    start_date: startDate,
    end_date: endDate,
    starts_minute: opens,
    ends_minute: closes,
    amount_pence: amount,
    reason: reason ?? null,
  };
}
