import { protocol } from '../../../src/tms/connect/protocol.ts';
import type { RemoteConnector, Settings, SystemFetch } from '../../../src/tms/remote.ts';

export const REMOTE_TOKEN = 'the-token-of-the-remote-system';
export const REMOTE_SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;

const send: SystemFetch = async (url, init) => {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
};

/** Our connector for a system that speaks `connect`, with one account for all operators. */
export function createRemote(baseUrl: string, slug = 'remote', settings: Settings = {}): RemoteConnector {
  return protocol.connect({
    slug,
    settings: { url: baseUrl, holds: true, changes: true, ...settings },
    findAccount: async () => ({
      settings: {},
      credentials: { token: REMOTE_TOKEN, webhookSecret: REMOTE_SECRET },
    }),
    fetch: send,
  });
}
