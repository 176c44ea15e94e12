import { createConnectServer } from '../../examples/connect-server/server.ts';
import { parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { withResilience } from '../../src/tms/resilience.ts';
import { connectTo } from '../support/connect.ts';
import { signed } from '../support/remote-tms/connector.ts';
import { connectorConformance } from './conformance.ts';
import { type Harness, overNetwork } from './conformance-harness.ts';

const TOKEN = 'let-me-in';
const SECRET = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
const ACCOUNT = { settings: {}, credentials: { token: TOKEN, webhookSecret: SECRET } };
const NOW_MS = Date.parse('2031-03-01T12:00:00Z');
const PRODUCT = parseProductId('1|example|harbour-kitchen|dinner');

connectorConformance('the reference server of connect', async () => {
  const server = createConnectServer({ token: TOKEN, now: () => harness.nowMs });
  const connector = connectTo(await server.listen(), {
    settings: { holds: true, changes: true },
    credentials: ACCOUNT.credentials,
  });
  const harness: Harness = {
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
    async passTime(ms) {
      harness.nowMs += ms;
    },
    account: ACCOUNT,
    notification(bookingIds, sentAtMs) {
      const body = JSON.stringify({ type: 'bookings.changed', bookingIds });
      const headers = signed(ACCOUNT.credentials.webhookSecret, body, sentAtMs);
      return { headers, body: Buffer.from(body), nowMs: sentAtMs };
    },
    close: server.close,
  };
  return harness;
});
