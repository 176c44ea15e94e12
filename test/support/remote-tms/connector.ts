import { createHmac } from 'node:crypto';
import { protocol } from '../../../src/tms/connect/protocol.ts';
import type { RemoteConnector, Settings, SystemFetch } from '../../../src/tms/remote.ts';

export const REMOTE_TOKEN = 'the-token-of-the-remote-system';

const plainFetch: SystemFetch = async (url, init) => {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
};

/** Our connector for a system that speaks `connect`, with one account for all operators. */
export function createRemote(
  baseUrl: string,
  slug = 'remote',
  settings: Settings = {},
  send = plainFetch,
): RemoteConnector {
  return protocol.connect({
    slug,
    settings: { url: baseUrl, holds: true, ...settings },
    findAccount: async () => ({ settings: {}, credentials: { token: REMOTE_TOKEN } }),
    fetch: send,
  });
}

/** Signs a notification after Standard Webhooks. */
export function signed(secret: string, body: string, sentAtMs: number): Record<string, string> {
  const [id, timestamp] = ['msg_1', String(Math.floor(sentAtMs / 1000))];
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
