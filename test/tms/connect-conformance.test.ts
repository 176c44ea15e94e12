import { createConnectServer } from '../../examples/connect-server/server.ts';
import { parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { withResilience } from '../../src/tms/resilience.ts';
import { connectTo } from '../support/connect.ts';
import { connectorConformance } from './conformance.ts';
import { overNetwork } from './conformance-harness.ts';

const TOKEN = 'let-me-in';
const NOW_MS = Date.parse('2031-03-01T12:00:00Z');
const PRODUCT = parseProductId('1|example|harbour-kitchen|dinner');

connectorConformance('the reference server of connect', async () => {
  const server = createConnectServer({ token: TOKEN, now: () => NOW_MS });
  const connector = connectTo(await server.listen(), {
    settings: { holds: true },
    credentials: { token: TOKEN },
  });
  return {
    system: overNetwork(withResilience(connector)),
    productId: PRODUCT,
    venueId: venueOfProduct(PRODUCT),
    zone: 'Europe/London',
    nowMs: NOW_MS,
    firstDate: '2031-03-10',
    party: 4,
    smallerParty: 3,
    capacity: 4,
    oversizedParty: 9,
    close: server.close,
  };
});
