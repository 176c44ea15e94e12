import { parseProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { createOcto } from '../../../src/tms/octo/connector.ts';
import type { SystemAccount, SystemFetch } from '../../../src/tms/remote.ts';
import type { SupplierOptions } from './book.ts';
import { PRODUCT } from './product.ts';
import { API_KEY, startOctoSupplier } from './server.ts';

export const OCTO_ZONE = 'Europe/Paris';
export const OCTO_PRODUCT = parseProductId(`9|towers|towers|${PRODUCT}~DEFAULT`);
export const OCTO_VENUE = venueOfProduct(OCTO_PRODUCT);

/** Twelve units at three times a day, six in one booking. */
export const startTowers = (options: Partial<SupplierOptions> = {}) =>
  startOctoSupplier({
    zone: OCTO_ZONE,
    starts: [600, 840, 1080],
    durationMinutes: 90,
    capacity: 12,
    maxUnits: 6,
    ...options,
  });

export const ACCOUNT: SystemAccount = { settings: {}, credentials: { apiKey: API_KEY } };

export const plainFetch: SystemFetch = async (url, init) => {
  const response = await fetch(url, init);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
};

export const octoAt = (url: string, account: SystemAccount | undefined = ACCOUNT) =>
  createOcto({
    slug: 'towers',
    settings: { url },
    findAccount: async (operatorId) => (operatorId === 1 ? account : undefined),
    fetch: plainFetch,
  });
