/** Systems that speak `connect`, reached over real sockets. */
import { request } from 'undici';
import { protocol } from '../../src/tms/connect/protocol.ts';
import type { RemoteConnector, Settings, SystemFetch } from '../../src/tms/remote.ts';

/** A transport that allows every address; that of the program allows fewer. */
export const plainFetch: SystemFetch = async (url, { method, headers, body, signal }) => {
  const response = await request(url, {
    method: method as 'GET',
    headers,
    signal,
    ...(body !== undefined && { body }),
  });
  const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: response.statusCode,
    headers: Object.fromEntries(received),
    body: Buffer.from(await response.body.arrayBuffer()),
  };
};

interface Given {
  settings?: Settings;
  credentials?: Record<string, string>;
}

export function connectTo(url: string, { settings = {}, credentials = {} }: Given = {}): RemoteConnector {
  return protocol.connect({
    slug: 'example',
    settings: { url, ...settings },
    findAccount: async () => ({ settings: {}, credentials }),
    fetch: plainFetch,
  });
}
