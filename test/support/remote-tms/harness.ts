import { parseProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import type { RemoteBookOptions } from './book.ts';
import { startRemoteTms } from './server.ts';

export const REMOTE_ZONE = 'Europe/Paris';
export const REMOTE_PRODUCT = parseProductId('9|remote|bistro|supper');
export const REMOTE_VENUE = venueOfProduct(REMOTE_PRODUCT);

/** Three parties at seven, eight and nine in the evening, every day. */
export function startRemoteBistro(options: Partial<RemoteBookOptions> = {}) {
  return startRemoteTms({
    product: REMOTE_PRODUCT,
    zone: REMOTE_ZONE,
    starts: [1140, 1200, 1260],
    durationMinutes: 60,
    partiesPerStart: 3,
    maxGuests: 8,
    ...options,
  });
}
