import { parseProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { createOcto } from '../../../src/tms/octo/connector.ts';
import type { SystemAccount } from '../../../src/tms/remote.ts';
import { createTransport } from '../../../src/tms/transport.ts';
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

const transport = createTransport({ allowLoopback: true });
/** Its connections would keep a process of tests alive. */
export const closeTransport = () => transport.close();

export const octoAt = (url: string, account: SystemAccount | undefined = ACCOUNT) =>
  createOcto({
    slug: 'towers',
    settings: { url },
    findAccount: async (operatorId) => (operatorId === 1 ? account : undefined),
    fetch: transport.fetch,
  });
