import assert from 'node:assert/strict';
import { withResilience } from '../../src/tms/resilience.ts';
import {
  ACCOUNT,
  closeTransport,
  OCTO_PRODUCT,
  OCTO_VENUE,
  OCTO_ZONE,
  octoAt,
  startTowers,
} from '../support/octo-supplier/harness.ts';
import { connectorConformance } from './conformance.ts';
import { overNetwork } from './conformance-harness.ts';

const NOW_MS = Date.parse('2031-03-01T12:00:00Z');

connectorConformance('an OCTO supplier behind its protection', async () => {
  // Holds are seen to end in octo.test.ts: the connector compares them with the clock of the machine.
  const supplier = await startTowers({ now: () => NOW_MS });
  return {
    system: overNetwork(
      withResilience(octoAt(supplier.url), { readTimeoutMs: 20_000, writeTimeoutMs: 20_000 }),
    ),
    productId: OCTO_PRODUCT,
    venueId: OCTO_VENUE,
    zone: OCTO_ZONE,
    nowMs: NOW_MS,
    firstDate: '2031-03-10',
    party: 4,
    smallerParty: 3,
    capacity: 3,
    oversizedParty: 7,
    account: ACCOUNT,
    async close() {
      await supplier.close();
      await closeTransport();
      assert.deepEqual([...new Set(supplier.unpublished)], []);
    },
  };
});
