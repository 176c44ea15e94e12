/** Bookings of the demo, which are written as they stand: without a partner's request, an event or a mail. */

import type { Tx } from '../../../db/database.ts';
import type { Keyring } from '../../../kernel/crypto.ts';
import type { BookingRecord } from '../record.ts';
import { createBookingStore } from '../store.ts';

/** Their places are taken already; guests can be found afterwards. */
export async function writeDemoBookings(
  tx: Tx,
  encryptionKeys: Keyring,
  records: readonly BookingRecord[],
): Promise<void> {
  if (records.length > 0) await createBookingStore(encryptionKeys).insertAsTheyAre(tx, records);
}
