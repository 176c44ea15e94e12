import assert from 'node:assert/strict';
import { withResilience } from '../../src/tms/resilience.ts';
import {
  closeTransport,
  OCTO_PRODUCT,
  OCTO_VENUE,
  OCTO_ZONE,
  octoAt,
  startTowers,
} from '../support/octo-supplier/harness.ts';
import { connectorConformance } from './conformance.ts';
import { overNetwork } from './conformance-harness.ts';

connectorConformance('an OCTO supplier behind its protection', async () => {
  const supplier = await startTowers();
  return {
    system: overNetwork(
      withResilience(octoAt(supplier.url), { readTimeoutMs: 20_000, writeTimeoutMs: 20_000 }),
    ),
    productId: OCTO_PRODUCT,
    venueId: OCTO_VENUE,
    zone: OCTO_ZONE,
    nowMs: Date.parse('2031-03-01T12:00:00Z'),
    firstDate: '2031-03-10',
    party: 4,
    smallerParty: 3,
    capacity: 3,
    oversizedParty: 7,
    async close() {
      await supplier.close();
      await closeTransport();
      assert.deepEqual([...new Set(supplier.unpublished)], []);
    },
  };
});
