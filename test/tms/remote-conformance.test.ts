import { withResilience } from '../../src/tms/resilience.ts';
import { createRemote } from '../support/remote-tms/connector.ts';
import {
  REMOTE_PRODUCT,
  REMOTE_VENUE,
  REMOTE_ZONE,
  startRemoteBistro,
} from '../support/remote-tms/harness.ts';
import { connectorConformance } from './conformance.ts';
import { overNetwork } from './conformance-harness.ts';

connectorConformance('a remote system behind its protection', async () => {
  const remote = await startRemoteBistro();
  // It lets every caller in, and sends nothing.
  const settings = { changes: true, catalogue: false };
  const {
    checkAccount: _,
    readNotification: __,
    ...connector
  } = createRemote(remote.url, 'remote', settings);
  return {
    system: overNetwork(withResilience(connector)),
    productId: REMOTE_PRODUCT,
    venueId: REMOTE_VENUE,
    zone: REMOTE_ZONE,
    nowMs: Date.parse('2031-03-01T12:00:00Z'),
    firstDate: '2031-03-10',
    party: 4,
    smallerParty: 3,
    capacity: 3,
    oversizedParty: 9,
    close: remote.close,
  };
});
